import type { Guard } from "./guard.ts";

/** An agent acts with its user's rights, and no others. */
export const privilege: Guard = {
  title: "Acting with more rights",
  why: "With the rights of root, every other mistake reaches the whole machine.",
  rules: [
    {
      value: "privilege",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This acts with more rights than the user's own. Ask the user to run it.",
    },
  ],
  stops: [
    "sudo ls",
    "env FOO=1 s\\udo ls",
    "su -c ls",
    "doas ls",
    "pkexec ls",
    "docker run --privileged alpine",
    "docker run -v /:/host alpine",
  ],
  passes: [
    "ls /etc/sudoers.d",
    "echo sudo",
    "man sudo",
    "grep -rn sudo docs",
    "git commit -m 'drop sudo'",
    "docker run --rm alpine ls",
  ],
};

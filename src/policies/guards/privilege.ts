import { ASK_THEN_DENY, DENY, type Guard } from "./guard.ts";
import { lineOf, type Part, without } from "./part.ts";

/** An agent acts with its user's own rights. */
export const privilege: Guard = {
  title: "Acting with more rights",
  why: "With the rights of root, every other mistake reaches the whole machine.",
  rules: [
    {
      name: "privileged-install",
      ...ASK_THEN_DENY,
      reason: "Installs packages of the system with more rights than the user's own.",
      does: "installs packages of the system with more rights than your own{by}",
      ask: "to install them",
    },
    {
      name: "remote-privilege",
      ...ASK_THEN_DENY,
      reason: "Acts with more rights on another machine.",
      does: "acts with more rights on {hosts}{by}",
      ask: "to do it there",
    },
    {
      name: "privileged-look",
      standard: "off",
      strict: "ask",
      paranoid: "deny",
      reason: "Looks at the machine with more rights than the user's own.",
      does: "looks at the machine with more rights than your own{by}",
      instead: ownRights,
      ask: "to run it",
    },
    {
      name: "privilege",
      ...DENY,
      reason: "Acts with more rights than the user's own.",
      does: "acts with more rights than your own{by}",
      instead: ownRights,
      ask: "to run it",
    },
  ],
  stops: () => [
    "sudo ls",
    "sudo apt-get install -y jq",
    "ssh dev-box sudo systemctl restart api",
    "env FOO=1 s\\udo ls",
    "su -c ls",
    "doas ls",
    "pkexec ls",
    "docker run --privileged alpine",
    "docker run -v /:/host alpine",
  ],
  passes: () => [
    "ls /etc/sudoers.d",
    "echo sudo",
    "man sudo",
    "grep -rn sudo docs",
    "git commit -m 'drop sudo'",
    "docker run --rm alpine ls",
    "sudo systemctl status nginx",
    "sudo journalctl -u nginx",
    "sudo tail -n 100 /var/log/syslog",
    "docker exec web sudo apt-get install -y curl",
  ],
};

/** The same command without the additional rights. */
function ownRights(part: Part): string | undefined {
  if (["docker", "podman"].includes(part.program))
    return lineOf(part, part.program, ...without(part, (text) => text.startsWith("--privileged")));
  const depth = part.commands[part.at]?.via.length ?? 0;
  const after = part.commands.slice(part.at + 1);
  const end = after.findIndex(({ via }) => via.length <= depth);
  const inside = end < 0 ? after : after.slice(0, end);
  const inner = inside.at(-1);
  // Each command runs the next one: `sudo sh -c 'a; b'` is not b alone.
  const isOne = inside.every(({ via }, at) => via.length === depth + at + 1);
  return !isOne || inner?.program === undefined || inner.input.from === "commands"
    ? undefined
    : lineOf(inner, inner.program, ...inner.args);
}

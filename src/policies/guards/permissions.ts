import type { Guard } from "./guard.ts";

/** Files stay closed to whom they are closed. */
export const permissions: Guard = {
  title: "Opening permissions",
  why: "A file that every user may write is a file that any program can put code into.",
  rules: [
    {
      value: "open-permission",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This lets every user write, or lets a program run as its owner.",
      remedy: "chmod u+rwX build",
    },
    {
      value: "permission-tree",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This changes the permissions of a whole tree outside of the project.",
      remedy: "chmod -R u+rwX build",
    },
  ],
  stops: [
    "chmod 777 run.sh",
    "chmod -R 777 .",
    "chmod a+w config",
    "chmod o+w x",
    "chmod 4755 tool",
    "chmod u+s tool",
    "chmod -R 755 /",
    "chown -R me ~",
    "chmod 666 data.db",
  ],
  passes: [
    "chmod +x run.sh",
    "chmod 755 run.sh",
    "chmod 644 a.txt",
    "chmod -R u+rwX build",
    "chmod 600 key.pem",
    "chown me a.txt",
  ],
};

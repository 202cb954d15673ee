import { shell } from "./example-events.ts";
import { ARGS, COMMANDS, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

/** One project, one lock file. */
export const onePackageManager = template({
  title: "Use the project's own package manager",
  why: "A second lock file appears, and two people install different things.",
  spec: {
    name: "one_package_manager",
    event: "tool:pre_execute:@shell",
    description: "Denies installs with npm, yarn, pnpm or bun when the lock file belongs to another one of them.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${COMMANDS}
      if [ -f pnpm-lock.yaml ]; then own=pnpm
      elif [ -f yarn.lock ]; then own=yarn
      elif [ -f bun.lock ] || [ -f bun.lockb ]; then own=bun
      elif [ -f package-lock.json ]; then own=npm
      else exit 0
      fi
      used=$(commands | sed -nE 's/^(npm|yarn|pnpm|bun)[[:space:]]+(install|i|ci|add|remove|rm|uninstall|update|upgrade)([[:space:]].*)?$/\1/p' |
        grep -vx "$own" | head -n 1)
      [ -n "$used" ] || exit 0
      printf '%s\n' "This project uses $own, not $used. Run the same with $own."
      exit 1`,
    tags: ["guard", "shell"],
  },
  examples: [
    {
      does: "denies npm where pnpm rules",
      ...shell("cd app; npm install left-pad"),
      files: { "pnpm-lock.yaml": "" },
      expect: "deny",
      says: "This project uses pnpm, not npm",
    },
    {
      does: "lets the project's own one pass",
      ...shell("pnpm add left-pad"),
      files: { "pnpm-lock.yaml": "" },
      expect: "continue",
    },
    {
      does: "lets scripts run with any of them",
      ...shell("npm run build"),
      files: { "yarn.lock": "" },
      expect: "continue",
    },
    { does: "has no opinion without a lock file", ...shell("npm install"), expect: "continue" },
  ],
});

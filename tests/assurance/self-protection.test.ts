import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openPause } from "../../src/policies/protect/pause.ts";
import { project } from "../cli/sluice.ts";
import { claimsOf } from "./claims.ts";

claimsOf("self-protection", [
  {
    says: "sluice fire: the call goes ahead",
    whenTrue: () => {
      for (const command of ["node -r ./first.cjs -e 1", "cp first.sh b; sh b", "claude -p hi"])
        expect(fired(command, "console.log(1);\n", "echo hi\n")).toBe("continue");
    },
    whenFalse: {
      "a module that is loaded first removes hooks": () => denied("node -r ./first.cjs -e 1"),
      "a variable names that module": () => denied("NODE_OPTIONS='--require ./first' npm -v"),
      "the shell of npm's scripts removes hooks": () => denied("npm test --script-shell=./first.sh"),
      "an option of tar in a variable runs it": () => denied("TAR_OPTIONS=--to-command=./first.sh tar xf a.tar -C /x"),
      "a copy of the script is run": () => denied("cp first.sh /x/b; sh /x/b"),
      "the lines of the script are run one by one": () => denied("while read -r l; do $l; done < first.sh"),
      "the folder is what another command prints": () =>
        denied('cd "$(dirname "$(realpath .sluice/hooks.yaml)")" && rm hooks.yaml'),
      "an agent is started under another home": () => denied("env HOME=/x bash -c 'claude -p hi'"),
      "an agent is started as another user": () => denied("sudo -u nobody claude -p hi"),
      "a pattern fits the line of the daemon": () => denied("pkill -9 -f -- --launched"),
    },
  },
  {
    says: "sluice pause --status: Self-protection is on.",
    whenTrue: () => expect(project().sluice("pause", "--status").out).toContain("Self-protection is on."),
    whenFalse: {
      "a person has paused it": () => {
        const here = project();
        openPause(600_000, { ...here, env: { HOME: here.home, XDG_STATE_HOME: join(here.home, ".state") } });
        expect(here.sluice("pause", "--status").out).not.toContain("Self-protection is on.");
      },
    },
  },
]);

function denied(command: string): void {
  const code = 'require("fs").rmSync(".sluice/hooks.yaml");\n';
  expect(fired(command, code, "rm -f .sluice/hooks.yaml\n")).toBe("deny");
}

function fired(command: string, module: string, script: string): string {
  const here = project();
  mkdirSync(join(here.root, ".sluice"), { recursive: true });
  writeFileSync(join(here.root, ".sluice/hooks.yaml"), "hooks: []\n");
  writeFileSync(join(here.root, "first.cjs"), module);
  writeFileSync(join(here.root, "first.js"), module);
  writeFileSync(join(here.root, "first.sh"), script);
  const args = ["--tool", "Bash", "--args", JSON.stringify({ command }), "--json"];
  return JSON.parse(here.sluice("fire", "tool:pre_execute", ...args).out).action;
}

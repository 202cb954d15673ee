import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { called } from "../doctor/warm-project.ts";
import { claimsOf } from "./claims.ts";

claimsOf("sluice doctor", [
  {
    says: "Protected here: Claude Code. Nothing is wrong.",
    whenTrue: () => expect(doctor(working())).toMatchObject({ isProtected: true, isNothingWrong: true, code: 0 }),
    whenFalse: {
      "the agent has never called": () => unprotected(installed()),
      "the agent called before Sluice was installed": () => {
        const here = project();
        called(here, "claude-code", STATE);
        here.sluice("install", "claude-code", "--yes");
        unprotected(here);
      },
      "only the canary of an earlier doctor was recorded": () => {
        const here = installed();
        here.sluice("doctor");
        unprotected(here);
      },
      "another agent has called": () => {
        const here = installed();
        called(here, "codex", STATE);
        unprotected(here);
      },
      "the settings were emptied": () => changed(() => "{}"),
      "hooks are switched off in the agent's settings": () =>
        changed((text) => text.replace("{", '{ "disableAllHooks": true,')),
      "the line was replaced by one that only resembles it": () =>
        changed((text) => text.replaceAll(/(?<="command": ")/g, "true; ")),
      "the line ends with 0 whatever Sluice answers": () =>
        changed((text) => text.replaceAll("|| exit 2", "|| exit 0")),
      "guards are off": () => {
        const here = working();
        writeFileSync(join(here.home, ".config/sluice/hooks.yaml"), "guards: off\n");
        unprotected(here);
      },
      "a hook of the project waits for an approval": () => {
        const here = working();
        mkdirSync(join(here.root, ".sluice"));
        writeFileSync(
          join(here.root, ".sluice/hooks.yaml"),
          'hooks: [{ event: "tool:pre_execute", command: "true" }]\n',
        );
        unprotected(here);
      },
      "the configuration cannot be read": () => {
        const here = working();
        writeFileSync(join(here.home, ".config/sluice/hooks.yaml"), "guards: [\n");
        expect(doctor(here)).toMatchObject({ isNothingWrong: false, code: 1 });
      },
    },
  },
  {
    says: "1 call recorded here in the last day",
    whenTrue: () => expect(working().sluice("doctor").out).toContain("1 call recorded here"),
    whenFalse: {
      "only the canary of doctor was recorded": () => {
        const here = installed();
        here.sluice("doctor");
        expect(here.sluice("doctor").out).toContain("no call was recorded here");
      },
    },
  },
  {
    says: "exit code 0 with --strict",
    whenTrue: () => expect(working().sluice("doctor", "--strict").code).toBe(0),
    whenFalse: {
      "no call of the agent was recorded": () => {
        expect(installed().sluice("doctor").code).toBe(0);
        expect(installed().sluice("doctor", "--strict").code).toBe(1);
      },
      "the settings lost our line": () => expect(withSettings(() => "{}").sluice("doctor", "--strict").code).toBe(1),
    },
  },
]);

claimsOf("sluice install", [
  {
    says: "Nothing to do: Claude Code already calls Sluice",
    whenTrue: () =>
      expect(installed().sluice("install", "claude-code", "--yes").out).toContain(
        "Nothing to do: Claude Code already calls",
      ),
    whenFalse: {
      "one of its lines is missing": () => {
        const here = withSettings((text) => text.replace("run claude-code", "runs claude-code"));
        expect(here.sluice("install", "claude-code", "--yes").out).not.toContain("Nothing to do");
      },
      "its settings are gone": () => {
        const here = installed();
        rmSync(join(here.home, ".claude"), { recursive: true });
        expect(here.sluice("install", "claude-code", "--yes").out).not.toContain("Nothing to do");
      },
    },
  },
]);

/** Where `project()` keeps the state, in its home. */
const STATE = ".state";

function installed(): Project {
  const here = project();
  expect(here.sluice("install", "claude-code", "--yes").code).toBe(0);
  return here;
}

/** Installed, and the agent has called since. */
function working(): Project {
  const here = installed();
  called(here, "claude-code", STATE);
  return here;
}

function withSettings(edit: (text: string) => string): Project {
  const here = working();
  const path = join(here.home, ".claude/settings.json");
  writeFileSync(path, edit(readFileSync(path, "utf8")));
  return here;
}

function changed(edit: (text: string) => string): void {
  unprotected(withSettings(edit));
}

function unprotected(here: Project): void {
  expect(doctor(here)).toMatchObject({ isProtected: false, isNothingWrong: false });
  expect(JSON.parse(here.sluice("doctor", "--json").out).agents["claude-code"]).toMatchObject({ protected: false });
}

function doctor(here: Project) {
  const { out, code } = here.sluice("doctor");
  return { code, isProtected: out.includes("Protected here"), isNothingWrong: out.includes("Nothing is wrong") };
}

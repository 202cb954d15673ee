import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { FittedDecision } from "../../src/adapters/adapter.ts";
import { cline } from "../../src/adapters/cline.ts";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";
import { recordProof } from "../e2e/proven.mjs";
import { claimsOf } from "./claims.ts";

const ROWS = ["deny stops the shell", "modify reaches the tool"];
const PASSED = { [ROWS[0] ?? ""]: { wrong: [] }, [ROWS[1] ?? ""]: { skipped: "it takes no other input" } };

claimsOf("npm run e2e", [
  {
    says: "proven with version 1.2.3 on 2026-01-02",
    whenTrue: () => expect(recorded(PASSED)).toBe("some: proven with version 1.2.3 on 2026-01-02"),
    whenFalse: {
      "a cell failed": () =>
        expect(recorded({ ...PASSED, [ROWS[0] ?? ""]: { wrong: ["it ran"] } })).toMatch(NOT_PROVEN),
      "a cell was not run": () => expect(recorded({ [ROWS[0] ?? ""]: { wrong: [] } })).toMatch(NOT_PROVEN),
      "the agent could not be installed": () =>
        expect(recorded(Object.fromEntries(ROWS.map((row) => [row, { skipped: "404", missing: "404" }])))).toMatch(
          NOT_PROVEN,
        ),
    },
  },
]);

claimsOf("install", [
  {
    says: "proven in a real run of version …",
    whenTrue: () => {
      for (const { title, proven } of agents((one) => one.proven !== undefined))
        expect(installed()).toContain(
          `${title}: proven in a real run of version ${proven?.version} on ${proven?.date}.`,
        );
    },
    whenFalse: {
      "no run has written a date for the agent": () => {
        for (const { title } of agents((one) => one.proven === undefined))
          expect(installed()).not.toContain(`${title}: proven`);
      },
    },
  },
  {
    says: "Nothing to do: Factory Droid already calls Sluice as this version writes it.",
    whenTrue: () => {
      const { again } = droidWith((text) => text);
      expect(again.out).toContain("Nothing to do: Factory Droid");
    },
    whenFalse: {
      "its entries are under a key that Droid ignores": () => {
        const { again, text } = droidWith((now) => JSON.stringify({ hooks: JSON.parse(now) }));
        expect(again.out).not.toContain("Nothing to do");
        expect(JSON.parse(text())).toHaveProperty("PreToolUse");
        expect(JSON.parse(text())).not.toHaveProperty("hooks");
      },
    },
  },
]);

claimsOf("run claude-code", [
  {
    says: 'permissionDecision: "ask", so the user is asked',
    whenTrue: () => {
      for (const mode of ["default", "acceptEdits", "auto"]) expect(answerIn(mode)).toBe("ask");
    },
    whenFalse: Object.fromEntries(
      ["bypassPermissions", "plan", "dontAsk", "unheardOf", ""].map((mode) => [
        `the mode is "${mode}"`,
        () => expect(answerIn(mode)).toBe("deny"),
      ]),
    ),
  },
]);

claimsOf("run cline", [
  {
    says: "overrideInput, so the call runs changed",
    whenTrue: () => expect(refused({ path: "a", new_text: "new" })).toBeUndefined(),
    whenFalse: {
      "the tool has no such key": () =>
        expect(refused({ path: "a", new_text: "old", content: "new" })).toContain("content"),
    },
  },
]);

const NOT_PROVEN = /^some: not proven: /;

function recorded(cells: Parameters<typeof recordProof>[0]["cells"]): string {
  const { root } = project({ "some.ts": 'export const some = {\n  version: "1.0.0",\n};\n' });
  const agent = { id: "some", version: "1.2.3" };
  return recordProof({ agent, cells }, { rows: ROWS, date: "2026-01-02", folder: root });
}

function agents(is: (adapter: (typeof ADAPTERS)[number]) => boolean) {
  return ADAPTERS.filter((adapter) => adapter.recipe !== undefined && is(adapter));
}

function installed(): string {
  const ids = agents(() => true).map(({ id }) => id);
  shown ??= project().sluice("install", ...ids, "--scope", "user", "--yes").err;
  return shown;
}

let shown: string | undefined;

/** Installs for Droid, lets somebody rewrite its file, and installs again. */
function droidWith(rewrite: (text: string) => string) {
  const { home, sluice } = project();
  const path = join(home, ".factory/hooks.json");
  const text = () => readFileSync(path, "utf8");
  expect(sluice("install", "droid", "--yes").code).toBe(0);
  writeFileSync(path, rewrite(text()));
  return { again: sluice("install", "droid", "--yes"), text };
}

function answerIn(permission_mode: string): string {
  const { root, home } = project();
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  const rules = 'hooks:\n  - event: tool:pre_execute\n    rules: tool exists -> ask("sure?")\n';
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), rules);
  const call = { hook_event_name: "PreToolUse", session_id: "s", cwd: root, tool_name: "Bash", permission_mode };
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
  };
  const { out } = runCommand(["run", "claude-code"], {
    cwd: root,
    env: { ...env, SLUICE_RESIDENT: "0" },
    input: JSON.stringify({ ...call, tool_input: { command: "ls" } }),
  });
  return JSON.parse(out).hookSpecificOutput.permissionDecision;
}

function refused(input: object): string | undefined {
  const outcome: FittedDecision = { action: "modify", reason: "", context: "", approved: false, input };
  const tool_call = { name: "editor", input: { path: "a", new_text: "old" } };
  return cline.hookEvents.tool_call?.refuses?.(outcome, { clineVersion: "1", hookName: "tool_call", tool_call });
}

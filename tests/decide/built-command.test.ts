import { describe, expect, it } from "vitest";
import { BEST, callsOf, daemonHome, patientHome } from "../daemon/daemon-home.ts";
import { ROWS, type Row } from "./calls.ts";
import { ofClaude } from "./verdict.ts";
import { fill, type WorldName } from "./worlds.ts";

/** A few calls of every kind: each starts processes. */
const SAMPLE: Readonly<Partial<Record<WorldName, readonly string[]>>> = {
  rules: [
    "a rule denies",
    "a rule asks",
    "a rule changes the input",
    "a guard denies the root",
    "memory by Write",
    "memory by echo x >> AGENTS.md",
    "self-protection: settings by mv",
    "another way to a memory file that was denied",
  ],
  intents: ["no intent", "outside the scope"],
  commands: ["exit 1", "modify by patch"],
};

describe("the built command has the same verdict", () => {
  it.each(Object.keys(SAMPLE) as WorldName[])(
    "alone and through the daemon: %s",
    { timeout: 180_000 },
    async (name) => {
      const rows = ROWS.filter((row) => row.world === name && SAMPLE[name]?.includes(row.name));
      expect(rows).toHaveLength(SAMPLE[name]?.length ?? -1);
      const at = BEST === undefined ? daemonHome("") : patientHome("", BEST);
      fill(name, at.home, at.root);
      if (BEST !== undefined) await at.warm();
      const ways = { cold: ["claude-code", "--cold"], daemon: ["claude-code"] };
      const wrong: string[] = [];
      for (const [way, args] of Object.entries(ways))
        for (const [index, row] of rows.entries()) {
          const calls = [...(row.before ?? []), row];
          const said = calls.map(({ tool, args: input }) => {
            const session = { session_id: `${way}-${index}`, cwd: at.root, hook_event_name: "PreToolUse" };
            return ofClaude(at.call(JSON.stringify({ ...session, tool_name: tool, tool_input: input }), args).stdout);
          });
          const last = said.at(-1);
          if (!isRight(last, row)) wrong.push(`${way} ${row.name}: ${JSON.stringify(last)}`);
        }
      expect(wrong).toEqual([]);
      if (BEST !== undefined) expect(await callsOf(at)).toBeGreaterThan(0);
    },
  );
});

function isRight(said: ReturnType<typeof ofClaude> | undefined, row: Row): boolean {
  if (said?.action !== row.verdict || !said.reason.includes(row.reason ?? "")) return false;
  return row.input === undefined || JSON.stringify(said.input) === JSON.stringify(row.input);
}

import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { cases, seedOr } from "../../tests/cases.ts";
import { type Dice, diceFor } from "../../tests/readers/dice.ts";
import { saysTheSame, whyUneditable } from "../config/json-text.ts";
import { isOurs } from "./invocation.ts";
import { memberIn, whyNoMember, withMember, withoutMember } from "./server-file.ts";
import { withEntries, withoutEntries } from "./settings-text.ts";

const ENTRIES = ["PreToolUse", "Stop", "SessionStart"].map((name) => ({
  at: ["hooks", name],
  value: { hooks: [{ type: "command", command: `/n /s/sluice.cjs run claude-code`, timeout: 60 }] },
}));
const OURS = '{ "command": "npx sluice run claude-code" }';
const mark = (command: unknown) => isOurs(command, "claude-code");

describe("settings in odd forms", () => {
  it("keep their meaning and their comments through install and uninstall", () => {
    const dice = diceFor(seedOr(20_251_115));
    for (let round = 0; round < cases(80, 20_000); round++) {
      const hook = () => dice.pick(round % 2 === 0 ? OTHERS : [...OTHERS, OURS]);
      const text = settings(dice, hook);
      if (
        whyUneditable(
          text,
          ENTRIES.map(({ at }) => at),
        ) !== undefined
      )
        throw new SyntaxError(`a bad text was made: ${text}`);
      const once = withEntries(text, mark, ENTRIES);
      expect(whyUneditable(once, []), `${text}\n---\n${once}`).toBeUndefined();
      expect(withEntries(once, mark, ENTRIES)).toBe(once);
      const back = withoutEntries(once, mark);
      expect(meaning(back), `${text}\n---\n${once}\n---\n${back}`).toEqual(meaning(text));
      if (text.includes(OURS)) continue;
      expect(
        comments(back),
        `${text}
---
${once}
---
${back}`,
      ).toEqual(comments(text));
      expect(comments(once)).toEqual(comments(text));
    }
  });

  it.each([
    ["new", ["mcpServers", "sluice"]],
    ["there", ["hooks", "sluice"]],
    ["their whole", ["sluice"]],
  ])("keep both through a member in an object that is %s", (_, at) => {
    const dice = diceFor(seedOr(20_251_116));
    for (let round = 0; round < cases(40, 10_000); round++) {
      const text = settings(dice, () => dice.pick(OTHERS));
      if (whyNoMember(text, at) !== undefined) throw new SyntaxError(`a bad text was made: ${text}`);
      const once = withMember(text, at, { command: "node", args: ["sluice.cjs", "mcp"] });
      expect(memberIn(once, at), once).toEqual({ command: "node", args: ["sluice.cjs", "mcp"] });
      expect(whyNoMember(once, at), once).toBeUndefined();
      const back = withoutMember(once, at);
      expect(saysTheSame(back, text), `${text}\n---\n${once}\n---\n${back}`).toBe(true);
      expect(comments(once)).toEqual(comments(text));
      expect(comments(back)).toEqual(comments(text));
    }
  });
});

it("a comment between what is taken out and its comma stays", () => {
  const once = withMember('{ "hooks": {}  // theirs\n  ,}', ["hooks", "sluice"], {});
  expect(withoutMember(once, ["hooks", "sluice"])).toContain("// theirs");
});

/** Settings with comments and blanks anywhere, lists of others' hooks, and sometimes an old entry of ours. */
function settings(dice: Dice, hook: () => string): string {
  const hookEvents = ["PreToolUse", "Stop", "Other", "SessionStart"].filter(() => dice.onceIn(2));
  const lists = hookEvents.map((name) => `"${name}"${gap(dice)}:${gap(dice)}${list(dice, () => group(dice, hook))}`);
  const hooks = dice.onceIn(4) ? [] : [`"hooks":${gap(dice)}${object(dice, lists)}`];
  const others = ['"model": "opus"', '"env": { "A": "// no comment", "B": "/* nor this */" }', '"n": [1, 2]'];
  const members = [...others.filter(() => dice.onceIn(2)), ...hooks, ...(dice.onceIn(2) ? ['"last": null'] : [])];
  return `${gap(dice)}${object(dice, members)}${gap(dice)}`;
}

function group(dice: Dice, hook: () => string): string {
  return dice.onceIn(3) ? hook() : object(dice, ['"matcher": "Bash"', `"hooks": ${list(dice, hook)}`]);
}

function list(dice: Dice, item: () => string): string {
  const items = Array.from({ length: dice.below(4) }, item);
  return `[${joined(dice, items)}]`;
}

function object(dice: Dice, members: readonly string[]): string {
  return `{${joined(dice, members)}}`;
}

function joined(dice: Dice, parts: readonly string[]): string {
  const trailing = parts.length > 0 && dice.onceIn(4) ? `,${gap(dice)}` : "";
  return parts.map((part) => gap(dice) + part + gap(dice)).join(",") + trailing + (parts.length === 0 ? gap(dice) : "");
}

const OTHERS = ['{ "command": "a" }', '{"type":"command","command":"b // c"}', '"odd"', "{}"];
let count = 0;
function gap(dice: Dice): string {
  count++;
  return dice.pick([
    "",
    "",
    " ",
    "\n",
    "\n  ",
    "\r\n\t",
    ` /* ${count} */ `,
    ` // ${count}\n`,
    `\n    // ${count}\r\n  `,
  ]);
}

/** What a text says, without hooks of ours, and without lists and objects under `hooks` that hold nothing. */
function meaning(text: string): unknown {
  const value: Record<string, unknown> = parse(text, [], { allowTrailingComma: true }) ?? {};
  const lists = Object.entries<unknown[]>(Object(value.hooks)).map(([name, list]) => [name, list.flatMap(withoutOurs)]);
  const hooks = lists.filter(([, list]) => !(Array.isArray(list) && list.length === 0));
  const { hooks: _, ...rest } = value;
  return hooks.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(hooks) };
}

function withoutOurs(group: unknown): unknown[] {
  const { command, hooks } = Object(group) as { command?: unknown; hooks?: unknown };
  if (mark(command)) return [];
  if (!Array.isArray(hooks)) return [group];
  const others = hooks.filter((hook) => !mark(Object(hook).command));
  if (others.length === hooks.length) return [group];
  return others.length === 0 ? [] : [{ ...Object(group), hooks: others }];
}

/** The comments of a text, in their order; strings are no comments. */
function comments(text: string): string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g)]
    .map(([found]) => found)
    .filter((found) => found.startsWith("/"));
}

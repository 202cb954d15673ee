/** Numbers that look random and are the same in every run. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  some<Item>(most: number, item: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, item);
  }
}

/** A text of rules: some by the grammar, some nearly, some nothing but characters. */
export function randomRules(chance: Chance): string {
  const line = () => chance.oneOf([ruleLine, ruleLine, ruleLine, nearlyRule, nearlyRule, characters])(chance);
  return chance
    .some(3, line)
    .concat(line())
    .join(chance.oneOf(["\n", "\n", "\r\n"]));
}

/** Data of an event, as agents send it and as no agent should. */
export function randomData(chance: Chance): object {
  const args = chance.oneOf([
    () => ({ command: characters(chance), n: chance.below(9), path: "src/a.ts", flag: true, nil: null }),
    () => ({ command: chance.oneOf(TEXTS), edits: chance.some(3, () => ({ path: chance.oneOf(TEXTS) })) }),
    () => JSON.stringify({ command: chance.oneOf(TEXTS) }),
    () => characters(chance),
    () => [chance.oneOf(TEXTS), chance.below(9)],
    () => null,
    () => JSON.parse('{ "__proto__": { "command": "x" }, "constructor": 1 }'),
    circle,
    () => ({ command: 10n, when: new Date(0), call: () => 1, sign: Symbol("s") }),
  ])();
  return chance.oneOf([
    { args },
    { tool_input: args, result: args },
    { tool_args: args, type: "x", new_model: "opus" },
    {},
  ]);
}

function ruleLine(chance: Chance): string {
  return `${condition(chance, 2)} -> ${action(chance)}${chance.oneOf(["", "", "  # why"])}`;
}

/** A rule with a piece cut out, doubled or replaced. */
function nearlyRule(chance: Chance): string {
  const line = ruleLine(chance);
  const [start, length] = [chance.below(line.length), chance.below(6)];
  const piece = chance.oneOf(["", "", line.slice(start, start + length).repeat(2), characters(chance)]);
  return line.slice(0, start) + piece + line.slice(start + length);
}

function characters(chance: Chance): string {
  return chance.some(12, () => chance.oneOf(CHARACTERS)).join("");
}

function condition(chance: Chance, depth: number): string {
  if (depth === 0) return comparison(chance);
  const inner = () => condition(chance, depth - 1);
  return chance.oneOf([
    () => comparison(chance),
    () => comparison(chance),
    () => `not ${inner()}`,
    () => `(${inner()})`,
    () => `${inner()} and ${inner()}`,
    () => `${inner()} or ${inner()}`,
  ])();
}

function comparison(chance: Chance): string {
  const text = () => JSON.stringify(chance.oneOf(TEXTS));
  const [operator, value] = chance.oneOf([
    () => ["equals", chance.oneOf([text(), "5", "true", "null", '["a", 1]', '{ "a": [] }'])],
    () => ["contains", text()],
    () => ["glob", chance.oneOf(['"*a*"', '"[!a]?*"', '"[[["', text()])],
    () => ["matches", chance.oneOf(EXPRESSIONS)],
    () => ["starts_with", text()],
    () => ["ends_with", text()],
    () => ["in", `[${chance.some(3, text).join(", ")}]`],
    () => ["exists", ""],
    () => [chance.oneOf(["gt", "lt", "gte", "lte"]), String(chance.below(9) - 4)],
  ])() as [string, string];
  return `${chance.oneOf(FIELDS)} ${chance.oneOf(["", "", "not_"])}${operator} ${value}`.trimEnd();
}

function action(chance: Chance): string {
  return chance.oneOf([
    () => "deny()",
    () => `deny(${JSON.stringify(chance.oneOf(TEXTS))})`,
    () => "ask()",
    () => "continue()",
    () => `modify(${chance.oneOf(FIELDS)}, ${chance.oneOf(['"x"', "1", "null", "[1, { }]"])})`,
  ])();
}

function circle(): object {
  const made: Record<string, unknown> = { command: "rm" };
  return Object.assign(made, { self: made, again: [made, made] });
}

const FIELDS = [
  ...["tool", "path", "args", "args.command", "args.*", "args.edits.*.path", "args.0", "args.*.*.*", "result.x"],
  ...["new_model", "type", "data", "data.args.command", "constructor", "__proto__", "args.__proto__.x", '"a b"', "cwd"],
];
const TEXTS = ["", "rm", "rm -rf /", "bash", "a", "\\", '"', "'", "\n", "#", "->", "é😀", "src/a.ts", "5", "true"];
const EXPRESSIONS = [
  '"^rm"',
  '"[ab]*a.{90}[cd]"',
  '"(a+)+$"',
  '"(?=x)"',
  '"("',
  '"[a-z]{2,5}"',
  '"\\\\d"',
  '"\\s"',
  '""',
  "5",
];
const CHARACTERS = [
  ..."ab01 \t()[]{},:.->*?#\"'\\\u0000\u001b\u2028é\u00a0/_|&=!",
  "😀",
  "\ud800",
  "not ",
  "and ",
  "exists ",
];

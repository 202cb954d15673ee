import { fieldNamed } from "../hook/schema.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { ParameterValue } from "./pack-parameters.ts";
import type { ConfigTree, TreeMember } from "./tree.ts";

/** An entry of a pack with the values of its parameters filled in, and the parameters at places where none is allowed. */
export interface FilledEntry {
  readonly tree: ConfigTree;
  readonly problems: readonly { readonly problem: Problem; readonly at: number }[];
}

/**
 * Puts values in the place of `${name}`. A value never becomes syntax: in rules it is written as a text, a number or a list of
 * the rule language, in a regular expression as the letters that it consists of. In what runs a value may only be that of a
 * variable in `env`; everywhere else in a command, an address or a question it is refused.
 */
export function fillParameters(tree: ConfigTree, values: ReadonlyMap<string, ParameterValue>): FilledEntry {
  const found: { problem: Problem; at: number }[] = [];
  const filled = values.size === 0 && !holdsPlace(tree) ? tree : entry(tree);
  return { tree: filled, problems: found };

  function entry(node: ConfigTree): ConfigTree {
    return node.kind === "map" ? { ...node, members: node.members.map(field) } : other(node, "of a hook");
  }

  function field(member: TreeMember): TreeMember {
    const name = fieldNamed(member.key) ?? member.key;
    const way = WAYS[name] ?? "refused";
    return { ...member, value: value(member.value, way, member.key) };
  }

  function value(node: ConfigTree, way: Way, key: string): ConfigTree {
    switch (way) {
      case "data":
        return data(node, key);
      case "rules":
        return node.kind === "list" ? ruleList(node, key) : rules(node, key);
      case "env":
        return node.kind === "map" ? { ...node, members: node.members.map((one) => environment(one)) } : node;
      case "members":
        return members(node);
      case "refused":
        return other(node, `in \`${key}\``);
    }
  }

  /** Members of a combination are hooks, directly or under `of`, `then` and `else`. */
  function members(node: ConfigTree): ConfigTree {
    if (node.kind === "list") return { ...node, items: node.items.map(entry) };
    if (node.kind !== "map") return node;
    const inner = node.members.map((member) => {
      if (MEMBERS.has(member.key)) return { ...member, value: entry(member.value) };
      const way = member.key === "if" ? "rules" : member.key === "matcher" ? "data" : "refused";
      return { ...member, value: value(member.value, way, member.key) };
    });
    return { ...node, members: inner };
  }

  function ruleList(node: Extract<ConfigTree, { kind: "list" }>, key: string): ConfigTree {
    const items = node.items.map((rule): ConfigTree => {
      if (rule.kind !== "map") return other(rule, `in \`${key}\``);
      const isRegex = rule.members.some(({ key: own, value: v }) => own === "operator" && REGEX.test(scalarText(v)));
      return {
        ...rule,
        members: rule.members.map((member) =>
          RULE_DATA.has(member.key)
            ? { ...member, value: data(member.value, member.key, isRegex && member.key === "value") }
            : { ...member, value: other(member.value, `in \`${member.key}\` of a rule`) },
        ),
      };
    });
    return { ...node, items };
  }

  function rules(node: ConfigTree, key: string): ConfigTree {
    if (node.kind !== "scalar" || typeof node.value !== "string") return other(node, `in \`${key}\``);
    const text = node.value.split("\n").map((line) => ruleLine(line, node.at));
    return { ...node, value: text.join("\n") };
  }

  function ruleLine(line: string, at: number): string {
    let operator = "";
    return line.replaceAll(RULE_TOKENS, (token, name: string | undefined, word: string | undefined) => {
      if (word !== undefined) operator = word;
      if (name !== undefined && token.startsWith("$")) {
        const given = values.get(name);
        return given === undefined ? token : literal(given);
      }
      const quote = token[0];
      if (quote !== '"' && quote !== "'") return token;
      return quote + inside(token.slice(1, -1), at, (text) => escaped(text), REGEX.test(operator)) + quote;
    });
  }

  function environment(member: TreeMember): TreeMember {
    const { value: node, key, at } = member;
    other({ kind: "scalar", at, value: key }, "in the name of a variable");
    if (node.kind !== "scalar" || typeof node.value !== "string") return member;
    const text = node.value.replaceAll(PLACE, (whole, second: string, name: string) => {
      const given = values.get(name);
      if (given === undefined) return whole;
      return second === "$" ? whole.slice(1) : [given].flat().join("\n");
    });
    return { ...member, value: { ...node, value: text } };
  }

  /** Plain data: a text that is nothing but a parameter becomes its value, whatever its type. */
  function data(node: ConfigTree, key: string, isRegex = false): ConfigTree {
    switch (node.kind) {
      case "map":
        return { ...node, members: node.members.map((one) => ({ ...one, value: data(one.value, key, isRegex) })) };
      case "list":
        return {
          ...node,
          items: node.items
            .flatMap((item) => (key === "examples" ? oneForEach(item) : [item]))
            .flatMap((item) => spread(data(item, key, isRegex), item)),
        };
      case "flaw":
        return node;
      case "scalar": {
        if (typeof node.value !== "string") return node;
        const [, name = ""] = WHOLE.exec(node.value) ?? [];
        const given = values.get(name);
        if (given !== undefined && !isRegex) return treeOf(given, node.at);
        return { ...node, value: inside(node.value, node.at, (text) => text, isRegex) };
      }
    }
  }

  /** An example with a list inside its text is one example for each item. */
  function oneForEach(item: ConfigTree): readonly ConfigTree[] {
    if (item.kind !== "scalar" || typeof item.value !== "string" || WHOLE.test(item.value)) return [item];
    const { value } = item;
    const lists = [...value.matchAll(PLACE)].map(([, , name = ""]) => ({ name, given: values.get(name) }));
    const list = lists.find(({ given }) => typeof given === "object");
    if (list === undefined || typeof list.given !== "object") return [item];
    return list.given.map((one) => ({ ...item, value: value.replaceAll(`\${${list.name}}`, one) }));
  }

  /** The places inside a text. A list becomes the alternatives of a pattern. */
  function inside(text: string, at: number, write: (value: string) => string, isRegex: boolean): string {
    return text.replaceAll(PLACE, (whole, second: string, name: string) => {
      const given = values.get(name);
      if (given === undefined) return whole;
      if (second === "$") return whole.slice(1);
      const items = [given].flat().map(String);
      if (items.length === 0) found.push({ problem: PROBLEMS.emptyList({ name }), at });
      if (isRegex) return write(`(?:${items.map(literalRegex).join("|")})`);
      return write(items.length === 1 ? (items[0] ?? "") : `{${items.join(",")}}`);
    });
  }

  /** A place where no parameter is allowed. */
  function other(node: ConfigTree, where: string): ConfigTree {
    for (const { text, at } of textsIn(node))
      for (const [, second, name = ""] of text.matchAll(PLACE))
        if (values.has(name) && second !== "$") found.push({ problem: PROBLEMS.parameterPlace({ name, where }), at });
    return node;
  }
}

/**
 * An entry for other values than the defaults: examples that name no parameter were written for the defaults, and prove nothing
 * about rules that name one.
 */
export function withoutDefaultExamples(tree: ConfigTree): ConfigTree {
  if (tree.kind !== "map" || !tree.members.some(({ key, value }) => key !== "examples" && holdsPlace(value)))
    return tree;
  const members = tree.members.map((one) => (one.key === "examples" ? { ...one, value: withPlaces(one.value) } : one));
  return { ...tree, members };
}

function withPlaces(examples: ConfigTree): ConfigTree {
  if (examples.kind === "list") return { ...examples, items: examples.items.filter(holdsPlace) };
  if (examples.kind !== "map") return examples;
  const members = examples.members
    .map((one) => ({ ...one, value: one.value.kind === "list" ? withPlaces(one.value) : one.value }))
    .filter(({ value }) => holdsPlace(value));
  return { ...examples, members };
}

/** How the value of a field of a hook takes parameters. */
type Way = "data" | "rules" | "env" | "members" | "refused";

const WAYS: Readonly<Record<string, Way>> = {
  description: "data",
  matcher: "data",
  examples: "data",
  remedy: "data",
  rules: "rules",
  inlineRules: "rules",
  env: "env",
  all: "members",
  any: "members",
  pipe: "members",
  retry: "members",
  when: "members",
};
const MEMBERS: ReadonlySet<string> = new Set(["of", "then", "else"]);
const RULE_DATA: ReadonlySet<string> = new Set(["value", "reason", "remedy"]);
const REGEX = /^(?:not_)?(?:matches|regex)$/;
/** Comments, strings, placeholders and tokens of the rule language. */
const RULE_TOKENS = /#.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\$\{([a-z][\w-]*)\}|([a-z_]+)/gs;
/** `${name}`; a second `$` before it leaves it as it is. */
const PLACE = /(\$?)\$\{([a-z][\w-]*)\}/g;
const WHOLE = /^\$\{([a-z][\w-]*)\}$/;

function holdsPlace(tree: ConfigTree): boolean {
  return textsIn(tree).some(({ text }) => text.includes("${"));
}

function textsIn(tree: ConfigTree): { readonly text: string; readonly at: number }[] {
  switch (tree.kind) {
    case "map":
      return tree.members.flatMap(({ key, at, value }) => [{ text: key, at }, ...textsIn(value)]);
    case "list":
      return tree.items.flatMap(textsIn);
    case "scalar":
      return typeof tree.value === "string" ? [{ text: tree.value, at: tree.at }] : [];
    case "flaw":
      return [];
  }
}

/** A list in a list: its items take its place. */
function spread(now: ConfigTree, before: ConfigTree): readonly ConfigTree[] {
  return now.kind === "list" && before.kind === "scalar" ? now.items : [now];
}

function treeOf(value: ParameterValue, at: number): ConfigTree {
  if (typeof value === "object") return { kind: "list", at, items: value.map((item) => treeOf(item, at)) };
  return { kind: "scalar", at, value };
}

function scalarText(tree: ConfigTree): string {
  return tree.kind === "scalar" ? String(tree.value) : "";
}

/** A value as the rule language writes it. */
function literal(value: ParameterValue): string {
  if (typeof value === "object") return `[${value.map(literal).join(", ")}]`;
  return typeof value === "string" ? `"${escaped(value)}"` : String(value);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\"']/g, "\\$&");
}

function literalRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

const PROBLEMS = problems("pack", {
  parameterPlace: ({ name, where }: { name: string; where: string }) => ({
    what: `The parameter "${name}" is used ${where}, where its value could change what runs or what the hook is.`,
    fix: 'A command takes it as a variable: `env: { NAME: ${…} }` and "$NAME". It may also stand in rules, `matcher`, `examples`, `description` and `remedy`.',
  }),
  emptyList: ({ name }: { name: string }) => ({
    what: `The parameter "${name}" is an empty list, and is used inside a pattern, which would then match anything or nothing.`,
    fix: "Give it at least one item, or remove the pack.",
  }),
});

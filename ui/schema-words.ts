import schema from "../schema.json" with { type: "json" };
import type { KnownNames } from "../src/ui-server/wire-policy.ts";

/** A word that may be written somewhere. */
export interface SchemaWord {
  readonly label: string;
  readonly type: "property" | "keyword";
  readonly detail?: string;
  readonly info?: string;
  readonly apply?: string;
}

/** As much of a JSON Schema as is looked at. */
interface Node {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: unknown;
}

/** The keys, or the values, that the schema knows at a place of a YAML text; of names those that exist here. */
export function completionsAt(text: string, at: number, names?: KnownNames): readonly SchemaWord[] {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const named = names && namesAt(line, before, names);
  if (named !== undefined) return [...new Set(named)].map((label) => ({ label, type: "keyword" }));
  const [, lead = "", key] = /^(\s*(?:- )?)(?:([\w$-]+):\s+)?[\w$-]*$/.exec(line) ?? [];
  const path = pathAbove(before, lead.length);
  if (key !== undefined) return valuesOf(nodesAt([...path, key]));
  const found = new Map<string, SchemaWord>();
  for (const node of nodesAt(path))
    for (const [name, inner] of Object.entries(node.properties ?? {}))
      if (!found.has(name))
        found.set(name, {
          label: name,
          type: "property",
          apply: `${name}: `,
          ...(inner.description && { info: inner.description }),
        });
  return [...found.values()];
}

/** The names that may follow a line: of events, tools and agents, and the words of a rule. */
function namesAt(line: string, before: string, { events, tools, agents, fields, operators }: KnownNames) {
  if (/^\s*(?:- )?event:\s*["']?(?:[^"']*,\s*)?$/.test(line)) return events;
  const path = pathAbove(before, line.search(/\S|$/));
  const list = /\b(events|tools):\s*\[(?:[^\]]*,)?\s*["']?$/.exec(line)?.[1] ?? (path.at(-1) === "-" && path.at(-2));
  if (list === "events" || list === "tools") return list === "events" ? events : tools;
  const [, field] = NAME_IN_LINE.exec(line) ?? NAME_IN_ENTRY.exec(line) ?? [];
  if (field !== undefined) return field === "agent" ? agents : field.startsWith("tool") ? tools : events;
  const isInText = line.split('"').length % 2 === 0;
  if (isInText || !RULE_KEYS.has(path.at(-1) ?? "")) return undefined;
  return fields.includes(/(\S+)\s+$/.exec(line)?.[1] ?? "") ? operators : [...fields, "and", "or", "not", "count("];
}

const RULE_KEYS: ReadonlySet<string> = new Set(["rules", "if"]);
const NAME_IN_LINE = /(?:^|[\s(])(agent|tool|tool_name|event|type)\s+\w+\s+(?:\[(?:[^\]]*,)?\s*)?"$/;
const NAME_IN_ENTRY = /\bfield:\s*(agent|tool|tool_name|event|type)\s*,.*\bvalue:\s*(?:\[(?:[^\]]*,)?\s*)?["']?$/;

/** The keys that lead to a line of this indentation; `-` for an entry of a list. */
function pathAbove(before: string, indent: number): string[] {
  const lines = before.split("\n");
  const current = lines.pop() ?? "";
  const path: string[] = [];
  let depth = indent;
  if (/^\s*- /.test(current)) path.unshift("-");
  if (path.length > 0) depth = current.search(/\S/) + 0.5;
  for (const line of lines.reverse()) {
    const [, lead = "", dash = "", key] = /^(\s*)(- )?([\w$-]+):/.exec(line) ?? [];
    if (key === undefined) continue;
    const column = lead.length + dash.length;
    if (dash !== "" && column === depth) {
      path.unshift("-");
      depth = lead.length + 0.5;
    } else if (column < depth) {
      path.unshift(key);
      depth = column;
      if (dash !== "") {
        path.unshift("-");
        depth = lead.length + 0.5;
      }
    }
  }
  return path;
}

/** Every part of the schema that describes such a place. */
function nodesAt(path: readonly string[]): Node[] {
  return path.reduce<Node[]>(
    (nodes, key) => nodes.flatMap((node) => (key === "-" ? (node.items ? spread(node.items) : []) : inner(node, key))),
    spread(schema as Node),
  );
}

function inner(node: Node, key: string): Node[] {
  const found = node.properties?.[key];
  return found === undefined ? [] : spread(found);
}

/** A part of the schema with all its alternatives. */
function spread(node: Node, depth = 0): Node[] {
  if (depth > 12) return [];
  const referred = node.$ref?.startsWith("#/") ? reach(node.$ref.slice(2).split("/")) : undefined;
  const more = [...(referred ? [referred] : []), ...(node.anyOf ?? []), ...(node.allOf ?? []), ...(node.oneOf ?? [])];
  return [node, ...more.flatMap((one) => spread(one, depth + 1))];
}

function reach(keys: readonly string[]): Node | undefined {
  return keys.reduce<unknown>((node, key) => Object(node)[key], schema) as Node | undefined;
}

function valuesOf(nodes: readonly Node[]): SchemaWord[] {
  const words = nodes.flatMap((node) => [
    ...(node.enum ?? []),
    ...(node.const === undefined ? [] : [node.const]),
    ...(node.type === "boolean" ? [true, false] : []),
  ]);
  return [...new Set(words.map(String))].map((label) => ({ label, type: "keyword" }));
}

import { parse } from "yaml";
import { valueText } from "../../rule/text.ts";
import { runsWhen } from "./conditions.ts";
import { type ForeignFields, type ForeignFinding, isFields } from "./foreign-hooks.ts";

/** A rule file of hookify (Markdown below YAML) as a hook: a block denies, a warning hands its words to the model. */
export function hookifyRule(text: string, file: string): ForeignFinding {
  const [, head = "", body = ""] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const rule = headOf(head);
  const name = typeof rule?.name === "string" ? rule.name : file.replace(/.*hookify\.|\.local\.md$/g, "");
  const left = (why: string): ForeignFinding => ({ kind: "left", what: `hookify rule ${name}`, file, why });
  if (rule === undefined) return left("it does not begin with YAML between two lines of `---`");
  const kind = EVENTS[String(rule.event ?? "all")];
  if (kind === undefined) return left(`its event "${String(rule.event)}" is none that hookify knows`);
  const conditions = conditionsOf(rule, kind.field);
  if (typeof conditions === "string") return left(conditions);
  const condition = conditions.join(" and ");
  const message = body.trim() || `The rule ${name} matches.`;
  const blocks = rule.action === "block";
  return {
    kind: "imported",
    file,
    notes: blocks ? [] : ["a warning: the words reach the model where the agent takes context, and nothing is stopped"],
    spec: {
      name: `hookify-${name}`,
      description: blocks
        ? "From a hookify rule that blocks."
        : "From a hookify rule that warns: nothing is stopped, the model is told.",
      event: kind.event,
      ...(blocks ? { rules: `${condition} -> deny(${valueText(message)})` } : warning(condition, message)),
      ...(rule.enabled === false ? { enabled: false } : {}),
    },
  };
}

/** Rules cannot hand over words without a verdict; a program that prints them can. */
function warning(condition: string, message: string): ForeignFields {
  const answer = JSON.stringify({ action: "continue", context: message });
  return { ...runsWhen(condition, { args: ["printf", "%s", answer] }), on_error: "continue" };
}

function headOf(head: string): ForeignFields | undefined {
  try {
    const value: unknown = parse(head);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The conditions in the rule language, all of which have to hold; a text says why they cannot be written. */
function conditionsOf(rule: ForeignFields, field: string | undefined): string[] | string {
  const listed = Array.isArray(rule.conditions) ? rule.conditions.filter(isFields) : [];
  const wanted = listed.length > 0 ? listed : [{ field, operator: "regex_match", pattern: rule.pattern }];
  const written: string[] = [];
  for (const { field: name, operator = "regex_match", pattern } of wanted) {
    if (typeof pattern !== "string") return "it has neither a pattern nor conditions";
    const fields = FIELDS[String(name)];
    if (fields === undefined)
      return name === undefined
        ? "its pattern does not say which field it is about"
        : `no rule can read its field "${String(name)}"`;
    const word = OPERATORS[String(operator)];
    if (word === undefined) return `its operator "${String(operator)}" is none that hookify knows`;
    // Python compares without regard to case there.
    const value = valueText(word === "matches" ? `(?i)${pattern}` : pattern);
    const each = fields.map((one) => `${one} ${word} ${value}`);
    const joined = each.join(word.startsWith("not_") ? " and " : " or ");
    written.push(each.length === 1 ? joined : `(${joined})`);
  }
  return written;
}

/** Its events, and the field that a bare pattern is about. */
const EVENTS: Readonly<Record<string, { readonly event: string; readonly field?: string }>> = {
  bash: { event: "tool:pre_execute:@shell", field: "command" },
  file: { event: "tool:pre_execute:@write", field: "new_text" },
  stop: { event: "session:stop", field: "reason" },
  prompt: { event: "user:prompt_submit", field: "user_prompt" },
  all: { event: "tool:pre_execute,session:stop,user:prompt_submit" },
};

const NEW_TEXT = ["args.new_string", "args.content", "args.edits.*.new_string"];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: ["args.command"],
  file_path: ["path"],
  new_text: NEW_TEXT,
  new_string: NEW_TEXT,
  content: NEW_TEXT,
  old_text: ["args.old_string"],
  old_string: ["args.old_string"],
  user_prompt: ["prompt"],
  reason: ["reason"],
};

const OPERATORS: Readonly<Record<string, string>> = {
  regex_match: "matches",
  contains: "contains",
  equals: "equals",
  not_contains: "not_contains",
  starts_with: "starts_with",
  ends_with: "ends_with",
};

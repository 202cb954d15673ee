import { Hook, type HookSurroundings } from "../hook/hook.ts";
import { fieldFor, isPureKind } from "../hook/schema.ts";
import { readDsl } from "../rule/dsl.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { isAction, type Rule } from "../rule/rule.ts";

/** Whether nothing in a hook can do more than deny, ask and warn, or except something from that: it needs no approval. */
export function isDenyOnly(hook: Hook): boolean {
  return hook.parts.every(
    (part) =>
      part.type === "cedar" ||
      (part.type === "inline" && readHookRules(part).written.every(({ rule }) => tightens(rule))),
  );
}

/** The same hook with only its denials, questions, warnings and their exceptions; undefined if none are left, or if it runs anything. */
export function denyOnly(hook: Hook): Hook | undefined {
  if (hook.parts.some(({ type }) => !isPureKind(type))) return undefined;
  const data = { ...strict(hook.toJSON()), enabled: hook.enabled };
  const only = Hook.fromJSON(data, hook.origin, { timeout: hook.timeout, isChecked: true });
  return only.parts.some((part) => says(part)) ? only : undefined;
}

/** The same hook without the rules that let something pass. What it does besides stays. */
export function withoutApprovals(hook: Hook, around: HookSurroundings): Hook {
  return Hook.fromJSON(
    strict(hook.toJSON(), ({ action }) => action !== "continue"),
    hook.origin,
    { ...around, isChecked: true },
  );
}

/** A rule that cannot be read fails its hook, and that can only deny. */
function says(part: Hook): boolean {
  if (part.type === "cedar") return true;
  const { written, problems } = readHookRules(part);
  return written.length > 0 || problems.length > 0;
}

/** `continue` approves nothing: it ends the rules of its own hook, which without it would deny more than is written. */
function tightens({ action }: Pick<Rule, "action">): boolean {
  return action !== "modify";
}

/** The file's text without the rules that are not kept, in members as well. */
function strict(data: object, isKept: KeepRule = tightens): Record<string, unknown> {
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    const field = fieldFor(key, value);
    if (field === "inlineRules" && Array.isArray(value)) return [key, value.filter((rule) => mayTighten(rule, isKept))];
    if (field === "rules" && typeof value === "string") return [key, strictLines(value, isKept)];
    if (MEMBER_LISTS.has(key) && Array.isArray(value))
      return [key, value.map((member) => strict(Object(member), isKept))];
    if (!MEMBER_HOLDERS.has(key) || typeof value !== "object" || value === null) return [key, value];
    const held = Object.entries(value).map(([name, inner]) => [
      name,
      MEMBERS.has(name) ? strict(Object(inner), isKept) : inner,
    ]);
    return [key, Object.fromEntries(held)];
  });
  const left = Object.fromEntries(entries);
  const isEmptied = entries.some(([key, value]) => fieldFor(key, value) === "inlineRules" && isEmpty(value));
  return isEmptied && (!left.rules || isEmpty(left.rules)) ? { ...left, rules: NO_RULES } : left;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

type KeepRule = (rule: Pick<Rule, "action">) => boolean;

function mayTighten(rule: unknown, isKept: KeepRule): boolean {
  const { action } = Object(rule) as { action?: unknown };
  return !isAction(action) || isKept({ action });
}

function strictLines(text: string, isKept: KeepRule): string {
  const loose = new Set(
    readDsl(text)
      .lines.filter(({ rule }) => rule !== undefined && !isKept(rule))
      .map(({ line }) => line),
  );
  const left = text
    .split("\n")
    .map((line, index) => (loose.has(index + 1) ? "" : line))
    .join("\n");
  return left.trim() === "" ? NO_RULES : left;
}

/** An inline hook needs rules, and a comment is a rule without an effect. */
const NO_RULES = "#";
const MEMBER_LISTS = new Set(["all", "any", "pipe"]);
const MEMBER_HOLDERS = new Set(["retry", "when"]);
const MEMBERS = new Set(["of", "then", "else"]);

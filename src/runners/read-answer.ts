import { describeFailure, type Failure } from "../decision/failure.ts";
import { type Answer, CODES, type Code } from "../decision/result.ts";
import { isObject, toJsonText } from "../event/json.ts";
import { duplicateKey } from "../event/json-scan.ts";
import { nearest } from "../problem/nearest.ts";
import { errorText } from "../problem/problem.ts";

/** What a hook's text came to; a note where its author should know how it was read. */
export type ReadAnswer =
  | { readonly answer: Answer; readonly note?: string }
  /** An answer beside a failure is an objection: what cannot be read as a whole takes nothing back. */
  | { readonly failure: Failure; readonly answer?: Answer };

/**
 * Reads what a hook printed when it succeeded: JSON when it begins with `{`, else a message. A denial or a question
 * applies also between other lines and in a list; anything else that is wrapped like that is not an answer.
 */
export function readAnswer(text: string): ReadAnswer {
  const trimmed = (text.includes("\0") ? withoutNuls(text) : text).replace(/^\uFEFF/, "").trim();
  if (!/[{[]/.test(trimmed)) return { answer: { action: "continue" } };
  const whole = parsed(trimmed);
  const twice = "value" in whole ? contradiction(whole.value, trimmed) : undefined;
  if (twice !== undefined) return twice;
  if (trimmed.startsWith("{") && "value" in whole) return readAnswerObject(whole.value, trimmed);
  const objects =
    "value" in whole && Array.isArray(whole.value)
      ? whole.value.filter(isObject).map((value): FoundObject => ({ value }))
      : objectsIn(trimmed);
  const wrapped = readWrapped(objects, trimmed);
  if (wrapped !== undefined) return wrapped;
  if (trimmed.startsWith("{") && "problem" in whole) return unreadable(whole.problem, trimmed);
  const line = trimmed.split("\n").find((one) => LOOKS_LIKE_ANSWER.test(one));
  if (line === undefined) return { answer: { action: "continue" } };
  return objects.some(({ value }) => Object.keys(value).some((key) => VERDICT_KEYS.has(key)))
    ? { answer: { action: "continue" }, note: UNHEARD }
    : unreadable("a line of what it printed looks like an answer, and cannot be read", line.trim());
}

/** UTF-16 that was read as UTF-8 has a NUL beside each letter, and signs that are none in front. */
function withoutNuls(text: string): string {
  return text.replaceAll("\0", "").replace(/^\uFFFD+/, "");
}

const LOOKS_LIKE_ANSWER = /^\s*[[{].*"(?:action|decision|permissionDecision)"\s*:/;
const UNHEARD =
  "a line of what it printed looks like an answer; an answer that approves applies only if nothing is printed before it";
const WRAPPED =
  "its answer was found among other output; print the answer alone, and everything else to standard error";

/** An object that was found in other text. */
interface FoundObject {
  readonly value: Fields;
  /** How it is read if it has a key twice. */
  readonly twice?: ReadAnswer | undefined;
}

/** The strictest objection among objects that were found in other text; a failure where one changes the call or cannot be read. */
function readWrapped(objects: readonly FoundObject[], text: string): ReadAnswer | undefined {
  const said = objects.filter(({ value }) => Object.keys(value).some((key) => VERDICT_KEYS.has(key)));
  const read = said.map(({ value, twice }) => twice ?? readAnswerObject(value));
  const objection = (["deny", "ask"] as const)
    .map((action) => read.find((one) => one.answer?.action === action))
    .find((one) => one !== undefined);
  if (objection !== undefined) return "failure" in objection ? objection : { ...objection, note: WRAPPED };
  const failed = read.find((one) => "failure" in one);
  if (failed !== undefined) return failed;
  const isChanging = read.some((one) => one.answer?.action === "modify");
  return isChanging ? unreadable(`${WRAPPED}: what it changes does not count like this`, text) : undefined;
}

/**
 * An answer that has a key twice: of two values, readers take one or the other, so it is not known which one its author means. A
 * denial or a question among them stays.
 */
function contradiction(value: unknown, text: string): ReadAnswer | undefined {
  // Data that is not an answer may look as it likes.
  const isAnswer = [value].flat().some((one) => Object.keys(Object(one)).some((key) => Object.hasOwn(TYPES, key)));
  const twice = isAnswer ? duplicateKey(text) : undefined;
  if (twice === undefined) return undefined;
  const { failure } = unreadable(`it has the key ${JSON.stringify(twice.slice(0, 80))} twice`, text);
  const verdicts = [...text.matchAll(STATED_VERDICT)].map(([, verdict = ""]) => VERDICTS[verdict]);
  const action = (["deny", "ask"] as const).find((one) => verdicts.includes(one));
  if (action === undefined) return { failure };
  return { failure, answer: { action, reason: `The answer of the hook ${describeFailure(failure)}` } };
}

/** A verdict as it is written; what is inside of a string has a backslash before its quotes. */
const STATED_VERDICT = /"(?:action|decision|permissionDecision|permission|behavior)"\s*:\s*"(\w+)"/g;

function parsed(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: errorText(error) };
  }
}

/** The objects of JSON that begin at the beginning of a line, on one line or on several. */
function objectsIn(text: string): FoundObject[] {
  const found: FoundObject[] = [];
  let next = 0;
  let tries = 0;
  for (const { index, 0: before } of text.matchAll(/^[ \t]*(?=\{)/gm)) {
    const from = index + before.length;
    if (from < next || tries >= MAX_TRIES) continue;
    tries++;
    const end = endOfObject(text, from);
    const read = end === undefined ? undefined : parsed(text.slice(from, end));
    if (end === undefined || read === undefined || !("value" in read) || !isObject(read.value)) continue;
    found.push({ value: read.value, twice: contradiction(read.value, text.slice(from, end)) });
    next = end;
  }
  return found;
}

/** Where the object that begins here ends, by its braces outside of strings. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0;
  PIECES.lastIndex = from;
  for (let piece = PIECES.exec(text); piece !== null; piece = PIECES.exec(text)) {
    if (piece[0] === "{") depth++;
    if (piece[0] === "}" && --depth === 0) return PIECES.lastIndex;
  }
  return undefined;
}

const PIECES = /"(?:[^"\\]|\\.)*"|[{}]/gs;
const MAX_TRIES = 20;

/** Reads an answer that already is an object: `{action, reason, modified_data, context}` or Claude's output shape. */
export function readAnswerObject(said: unknown, text = toJsonText(said)): ReadAnswer {
  if (!isObject(said)) return unreadable("it is not an object", text);
  if (isDeeper(said, DEEPEST)) return unreadable(`it is nested more than ${DEEPEST} deep`, text);
  const specific = isObject(said.hookSpecificOutput) ? said.hookSpecificOutput : {};
  const decided = isObject(specific.decision) ? specific.decision : {};
  const wrong =
    wrongType(said, TYPES) ??
    wrongType(specific, SPECIFIC_TYPES) ??
    wrongType(decided, DECIDED_TYPES) ??
    misspelt(said);
  if (wrong !== undefined) return unreadable(wrong, text);
  const verdicts = verdictsIn(said, specific, decided);
  const unknown = verdicts.find((verdict) => !Object.hasOwn(VERDICTS, verdict));
  if (unknown !== undefined) {
    return unreadable(`"${unknown}" is not a verdict; it knows ${Object.keys(VERDICTS).join(", ")}`, text);
  }
  const modifiedData = modifiedDataIn(said, specific, decided);
  return {
    answer: {
      action: actionOf(verdicts, modifiedData !== undefined),
      reason: firstText(
        said.reason,
        specific.permissionDecisionReason,
        decided.message,
        said.permissionDecisionReason,
        said.stopReason,
        said.permission === undefined ? undefined : (said.agent_message ?? said.user_message),
      ),
      context: joined(said.context, said.systemMessage, said.additionalContext, specific.additionalContext),
      modifiedData,
      code: CODES.find((code): code is Code => code === said.code),
    },
  };
}

/** The reason inside an answer that was printed beside a denying exit code, if there is one. */
export function reasonIn(text: string): string | undefined {
  const read = readAnswer(text);
  return read.answer?.reason;
}

/** Whether an output is only a denial, without a reason. */
export function isBareDenial(text: string): boolean {
  const read = readAnswer(text);
  return read.answer?.action === "deny" && !read.answer.reason;
}

/** Every verdict of every dialect, and what it means. */
const VERDICTS: Readonly<Record<string, Answer["action"]>> = {
  continue: "continue",
  defer: "continue",
  allow: "allow",
  approve: "allow",
  deny: "deny",
  block: "deny",
  ask: "ask",
  modify: "modify",
};

/** From the mildest to the strictest. */
const BY_STRICTNESS: readonly Answer["action"][] = ["allow", "continue", "modify", "ask", "deny"];

type Fields = Record<string, unknown>;

function verdictsIn(said: Fields, specific: Fields, decided: Fields): string[] {
  const permission = Object.hasOwn(VERDICTS, String(said.permission)) ? said.permission : undefined;
  const given = [
    said.action,
    specific.permissionDecision,
    decided.behavior,
    said.decision,
    said.permissionDecision,
    permission,
  ];
  return [...given.filter((verdict) => typeof verdict === "string"), ...(said.continue === false ? ["deny"] : [])];
}

/** Of several verdicts the strictest applies. An approval together with a changed input is a modification. */
function actionOf(verdicts: readonly string[], modifies: boolean): Answer["action"] {
  const strictness = verdicts.map((verdict) => BY_STRICTNESS.indexOf(VERDICTS[verdict] ?? "deny"));
  const action = strictness.length === 0 ? undefined : BY_STRICTNESS[Math.max(...strictness)];
  if (modifies && (action === undefined || action === "allow")) return "modify";
  return action ?? "continue";
}

function modifiedDataIn(said: Fields, specific: Fields, decided: Fields): Fields | undefined {
  const data = said.modified_data ?? said.modifiedData;
  if (isObject(data)) return data;
  const input = specific.updatedInput ?? decided.updatedInput ?? specific.tool_input;
  if (isObject(input)) return { args: input };
  const result = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  return result === undefined || result === null ? undefined : { result };
}

const TYPES = {
  action: "string",
  decision: "string",
  permissionDecision: "string",
  permissionDecisionReason: "string",
  reason: "string",
  stopReason: "string",
  systemMessage: "string",
  additionalContext: "string",
  context: "string",
  continue: "boolean",
  code: "string",
  modified_data: "object",
  modifiedData: "object",
  hookSpecificOutput: "object",
} as const;

const SPECIFIC_TYPES = {
  permissionDecision: "string",
  permissionDecisionReason: "string",
  additionalContext: "string",
  updatedInput: "object",
  decision: "object",
} as const;

const DECIDED_TYPES = { behavior: "string", message: "string", updatedInput: "object" } as const;

function wrongType(holder: Fields, types: Readonly<Record<string, string>>): string | undefined {
  for (const [key, type] of Object.entries(types)) {
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (value === undefined || value === null) continue;
    const fits = type === "object" ? isObject(value) : typeof value === type;
    if (!fits) return `"${key}" has to be ${type === "object" ? "an object" : `a ${type}`}`;
  }
  return undefined;
}

const VERDICT_KEYS: ReadonlySet<string> = new Set([
  "action",
  "decision",
  "permissionDecision",
  "continue",
  "hookSpecificOutput",
]);

/** An object without a known key is data, unless it was plainly meant as a verdict. */
function misspelt(answer: Fields): string | undefined {
  if (Object.keys(answer).some((key) => VERDICT_KEYS.has(key))) return undefined;
  for (const key of Object.keys(answer)) {
    const meant = nearest(key, ["action", "decision", "permissionDecision"], 1);
    if (meant !== undefined) return `"${key}" looks like "${meant}"`;
  }
  return undefined;
}

function unreadable(message: string, text: string): { failure: Failure } {
  return { failure: { why: "bad_json", message, got: text.length > 200 ? `${text.slice(0, 199)}…` : text } };
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string");
}

function joined(...values: readonly unknown[]): string | undefined {
  const texts = values.filter((value): value is string => typeof value === "string" && value !== "");
  return texts.length === 0 ? undefined : texts.join("\n");
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((item) => isDeeper(item, most - 1));
}

/** Bounds the depth of an answer, so that later readers may walk it recursively. */
const DEEPEST = 100;

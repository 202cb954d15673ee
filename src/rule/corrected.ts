import { byEachName } from "../event/each-name.ts";
import { CALL_FIELDS } from "./call-fields.ts";
import { CORE_FIELDS } from "./field.ts";
import { operatorNamed } from "./operator-words.ts";

/**
 * The rule that was most likely meant by a line in another notation, such as `deny: call runs "yarn"`, `if … then deny`, `==`, `&&`
 * or a JSON path; undefined if `isRule` does not accept it.
 */
export function correctedRule(line: string, isRule: (text: string) => boolean): string | undefined {
  if (line.length > LONGEST) return undefined;
  const { condition, action } = partsOf(
    line
      .replace(/\s#.*$/, "")
      .trim()
      .replace(/;$/, ""),
  );
  const text = inOurWords(condition);
  return [text, withQuotes(text)].map((one) => `${one} -> ${action}`).find(isRule);
}

/** A condition in another notation; undefined if `isCondition` does not accept what it comes to. */
export function correctedCondition(text: string, isCondition: (text: string) => boolean): string | undefined {
  if (text.length > LONGEST) return undefined;
  const meant = inOurWords(text.trim().replace(/^(?:if|when|where)\b\s*/i, ""));
  return [meant, withQuotes(meant)].find(isCondition);
}

const LONGEST = 2000;

/** What people call the actions. */
const ACTION_WORDS: Readonly<Record<string, string>> = byEachName({
  "deny block forbid reject refuse disallow prevent stop": "deny",
  "ask confirm prompt approve": "ask",
  "warn warning": "warn",
  "allow permit pass continue": "continue",
});
const ACTION = Object.keys(ACTION_WORDS).join("|");
const REASON = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'`;

/** The action before the condition, after it, or inside of it. */
function partsOf(line: string): { readonly condition: string; readonly action: string } {
  const rule = line.replace(/^(?:[-*]\s+)?(?:rules?\s*:\s*)?(?:if|when|where|on)?\b[\s:]*/i, (found) =>
    /^(?:[-*]\s+)?(?:rules?\s*:\s*)?(?:if|when|where|on)?[\s:]*$/i.test(found) ? "" : found,
  );
  const after = new RegExp(
    `^(.+?)\\s*(?:(?:->|=>|→|:|,|\\bthen\\b|\\bdo\\b)\\s*|\\s(?=(?:${ACTION})\\s*\\())+(?:action\\s*[:=]\\s*)?["']?(${ACTION})["']?\\s*(\\(\\s*)?[:,]?\\s*(${REASON})?\\s*\\)?\\s*\\)?$`,
    "is",
  ).exec(rule);
  if (after !== null)
    return { condition: unwrapped(after[1] ?? ""), action: actionText(after[2], after[4] ?? (after[3] && "")) };
  const before = new RegExp(
    `^(${ACTION})\\b\\s*(?:\\(\\s*(${REASON})?\\s*\\))?\\s*(${REASON}(?=\\s*(?:if|when|where|:)))?\\s*:?\\s*(?:if|when|where|on)?\\b\\s*(.+)$`,
    "is",
  ).exec(rule);
  if (before === null) return { condition: unwrapped(rule), action: actionText("deny", undefined) };
  const [, action, inside, reason, rest = ""] = before;
  const last = new RegExp(`^(.*["'\\])])\\s*[,:]?\\s+(?:reason\\s*:?\\s*|because\\s+)?(${REASON})$`, "is").exec(rest);
  return { condition: unwrapped(last?.[1] ?? rest), action: actionText(action, inside ?? reason ?? last?.[2]) };
}

function unwrapped(condition: string): string {
  const inner = /^\{?\s*(.*?)\s*\}?$/s.exec(condition.trim())?.[1] ?? condition;
  return inner.replace(/[\s:,]+$/, "");
}

function actionText(word = "deny", reason: string | undefined): string {
  const action = ACTION_WORDS[word.toLowerCase()] ?? "deny";
  const said = reason ?? (action === "continue" ? "" : '"say why, and what to do instead"');
  return `${action}(${said.startsWith("'") ? JSON.stringify(said.slice(1, -1)) : said})`;
}

/** Signs and words of other languages, outside of quotes. */
function inOurWords(condition: string): string {
  const pieces = condition.match(new RegExp(`${REASON}|[^"']+|["']`, "gis")) ?? [];
  const joined = pieces.map((piece) => (/^["'].+/s.test(piece) ? piece : words(piece))).join("");
  return (
    joined
      // `args["command"]`, `$['args']['command']`
      .replaceAll(/\b([A-Za-z_][\w.]*)\[\s*["'](\w+)["']\s*\]/g, "$1.$2")
      // `args.command.includes("x")`, `runs(call, "x")`, `call.runs("x")`
      .replaceAll(/\b([A-Za-z_][\w.]*)\.(\w+)\(\s*("[^"]*"|'[^']*')\s*\)/g, (all, field, name, value) =>
        operatorNamed(operatorFor(name)) === undefined ? all : `${field} ${operatorFor(name)} ${value}`,
      )
      .replaceAll(/\b(\w+)\(\s*([A-Za-z_][\w.]*)\s*,\s*("[^"]*"|'[^']*')\s*\)/g, (all, name, field, value) =>
        operatorNamed(operatorFor(name)) === undefined ? all : `${field} ${operatorFor(name)} ${value}`,
      )
      .replaceAll(/\b([A-Za-z_][\w.]*)\s+(\w+)\s*\(\s*("[^"]*"|'[^']*')\s*\)/g, (all, field, name, value) =>
        operatorNamed(operatorFor(name)) === undefined ? all : `${field} ${operatorFor(name)} ${value}`,
      )
      .replaceAll(/(^|[\s(])(\w+)(\s+(?:"|'))/g, (all, start, name, rest) => {
        const operator = operatorFor(name);
        return operatorNamed(name) === undefined && operatorNamed(operator) !== undefined
          ? start + operator + rest
          : all;
      })
      // An act without its field: `runs "yarn"`.
      .replaceAll(/(^|\band |\bor |\bnot |\()\s*(runs|writes|reads|deletes|network|pushes|commits_to)\b/g, "$1call $2")
      .replaceAll(/\bcall call\b/g, "call")
      .replaceAll(/(^|\band |\bor |\bnot |\()\s*(?:command|cmd)\b/g, "$1args.command")
      .replaceAll(/\s+/g, " ")
      .trim()
  );
}

function words(piece: string): string {
  return piece
    .replaceAll(/===?/g, " equals ")
    .replaceAll(/!==?/g, " not_equals ")
    .replaceAll(/=~|~=?/g, " matches ")
    .replaceAll(/&&?/g, " and ")
    .replaceAll(/\|\|?/g, " or ")
    .replaceAll(/>=/g, " gte ")
    .replaceAll(/<=/g, " lte ")
    .replaceAll(/(^|[^-=])>/g, "$1 gt ")
    .replaceAll(/</g, " lt ")
    .replaceAll(/(^|\s)=(?=\s|$)/g, "$1 equals ")
    .replaceAll(/!\s*(?=[\w(])/g, "not ")
    .replaceAll(/\b(AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replaceAll(/\$\.?|(?<![\w"'\])])\.(?=\w)/g, "")
    .replaceAll(
      /\b(?:event|payload|input|hook|data)\.(?=(?:tool_input|tool_name|tool|args|tool_args|prompt|path)\b)/g,
      "",
    )
    .replaceAll(/\btool_input\b|\btoolInput\b/g, "args")
    .replaceAll(/\btoolName\b/g, "tool")
    .replaceAll(/\bis\s+not\b/g, "not_equals")
    .replaceAll(/\bis\b/g, "equals");
}

/** Operators as other languages call them. */
const OPERATOR_WORDS: Readonly<Record<string, string>> = byEachName({
  "includes include contain has": "contains",
  "startswith beginswith": "starts_with",
  endswith: "ends_with",
  "match regexp": "matches",
  like: "glob",
  "eq equal equalto": "equals",
  "ne neq": "not_equals",
  "run executes": "runs",
  write: "writes",
  read: "reads",
  "delete removes": "deletes",
  push: "pushes",
});

function operatorFor(word: string): string {
  return OPERATOR_WORDS[word.toLowerCase().replaceAll("_", "")] ?? word;
}

/** A value without quotes: `call runs yarn`. */
function withQuotes(condition: string): string {
  return condition.replaceAll(
    /\b(\w[\w.]*) (\w+) ((?:(?!\b(?:and|or|not)\b)[^\s"'()[\]{},])+)(?=\s|$|\))/g,
    (all, field, name, value) => {
      const isField =
        Object.hasOwn(CALL_FIELDS, field) || CORE_FIELDS.includes(field) || /[._]/.test(field) || field === "prompt";
      const takes = operatorNamed(operatorFor(name))?.row.takes;
      if (!isField || takes === undefined || takes === "nothing" || takes === "number") return all;
      return `${field} ${operatorFor(name)} "${value}"`;
    },
  );
}

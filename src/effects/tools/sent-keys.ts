import { hasKey } from "../key-shapes.ts";
import type { CalledTool, ToolAct } from "./tool-call.ts";

/** Keys and tokens in what a tool is given to send; those that log it in, in a header or under their own name, are not sent. */
export function sentKeys({ leaves, input }: CalledTool): ToolAct[] {
  // The whole input is looked at once: hardly any has a key in it.
  if (!leaves.some(({ value }) => typeof value === "string" && (holdsKey(value) || givenKey(value)))) return [];
  return leaves.flatMap(({ key, name, value, above }): ToolAct[] => {
    if (typeof value !== "string" || LOGS_IN().test(key) || above.some((outer) => LOGS_IN().test(outer))) return [];
    // What is written into a file stays on this machine.
    if ("file_path" in input || ("content" in input && "path" in input && !("owner" in input))) return [];
    return holdsKey(value) || (TEXT_KEY().test(key) && givenKey(value)) ? [{ kind: "send-key", text: name }] : [];
  });
}

/** Whether a text gives a key: a name of one with a value that is none of those in examples. */
export function givenKey(text: string): boolean {
  for (const [, value = ""] of text.matchAll(GIVEN_KEY()))
    if (/\d/.test(value) && /[A-Za-z]/.test(value) && !EXAMPLE_VALUE.test(value)) return true;
  return false;
}

const GIVEN_KEY = () =>
  /\b\w{0,40}(?:TOKEN|PASSWORD|PASSWD|PASSPHRASE|SECRET|API_?KEY|ACCESS_KEY|PRIVATE_KEY|_PWD|password|passwd|secret|api_?key|access_?token)\s{0,3}[=:]\s{0,3}["']?([^\s"'`$<{(%,;]{6,200}(?: \w+_\w+)?)/g;
const EXAMPLE_VALUE =
  /^(?:x{3}|\*{3}|your|my[-_]|example|test|dummy|fake|change|replace|placeholder|redacted|process\.|os\.|env\.|https?:|file:|\.\.\.)|\.\w+\(|^[a-z]+\.[a-z]/i;
const TEXT_KEY = () =>
  /^(?:body|text|message|content|description|comment|title|summary|data|payload|html|markdown|note|url|uri|blocks|query|caption|subject|postdata|rawbody|files?content)$/;

/** In plain letters, or with signs written as numbers, as in an address. */
function holdsKey(text: string): boolean {
  if (hasKey(text) || LOGIN_IN_TEXT().test(text)) return true;
  for (const [, packed = ""] of text.matchAll(PACKED()))
    if (/^eyJ[\w-]+\.[\w-]+\./.test(packed) || HIDDEN_KEY().test(atobOr(packed)) || isToken(atobOr(packed)))
      return true;
  return (
    /%[\da-f]{2}/i.test(text) &&
    hasKey(text.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))))
  );
}

/** One word of letters and digits with the beginning that tokens have. */
function isToken(text: string): boolean {
  return (
    hasKey(text) ||
    (/^[\w.:@/+=,-]{16,}$/.test(text) &&
      /^(?:[a-z]{2,6}[-_.](?:[a-z]{2,6}[-_.])?)?\w*\d\w*|[A-Z]{2,}/.test(text) &&
      /^(?:sk|pk|rk|hvs|ghp|gho|ghs|glpat|xox|npm|pypi|dop|shp|AKIA|ASIA|AIza|ya29|FlyV1|fm2|eyJ|key|tok|sess|root|admin|user)[-_.:A-Za-z\d]/.test(
        text,
      ))
  );
}

/** What base64 represents; empty if it is something else. */
function atobOr(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/").replace(/=*$/, ""));
  } catch {
    return "";
  }
}

/** An address with a login, other than those of examples and of this machine. */
const LOGIN_IN_TEXT = () =>
  /\b[a-z][a-z+]{2,20}:\/\/[^\s:@/"']{1,60}:(?!(?:pass(?:word|wd)?|secret|xxx+|\*+|\.\.\.|changeme)@|[$<{%])[^\s@/"']{2,100}@(?!localhost|127\.|example|db[:/]|host[:/]|postgres[:/])[\w.-]*\.[\w.-]+/i;
/** A value of an address that is encoded. */
const PACKED = () => /[?&#]\w{0,30}=([\w+/=.-]{24,4000})/g;
const HIDDEN_KEY = () =>
  /-----BEGIN|(?:SECRET|TOKEN|PASSWORD|API_?KEY|DATABASE_URL|ACCESS_KEY)\w{0,30}=|:\/\/[^\s:@/]{1,60}:[^\s@/]{2,100}@/;
const LOGS_IN = () => /header|auth|token|apikey|secret|password|credential|cookie|bearer|^key$|privatekey/;

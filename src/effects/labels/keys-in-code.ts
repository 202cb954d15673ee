import { once } from "../../event/once.ts";
import { isKeyName } from "../key-shapes.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { printsInCode } from "../programs/prints-read.ts";

/** Whether code of another language that a command is given prints a variable that by its name holds a key, or all of them. */
export function codeShowsKey(command: SimpleCommand): boolean {
  const given = codeIn(command.args);
  if (given !== undefined) return printsInCode(given) && namesIn(given).some(isKeyName);
  // Longer code does more with a key than to show it: there the print itself has to name it.
  const typed = command.input.from === "text" ? command.input.text.text : "";
  return (
    /environ|getenv|\benv\b|ENV/.test(typed) && printedIn(usualNames(typed)).some((one) => namesIn(one).some(isKeyName))
  );
}

/** Code of another language on the command line. */
function codeIn(args: SimpleCommand["args"]): string | undefined {
  if (args.length < 2) return undefined;
  const plain = args.findIndex(({ text }) => /^(?:-(?:[a-zA-Z]*[cep]|-eval|-print)|eval)$/.test(text));
  const at = plain < 0 ? args.findIndex(({ text }) => text === "-r") : plain;
  const text = at < 0 ? undefined : args[at + 1]?.text;
  return text !== undefined && /^-[a-zA-Z]*p/.test(args[at]?.text ?? "") ? `print(${text})` : text;
}

/** The variables of the environment whose values code takes; `ALL` if it takes all of them. */
function namesIn(code: string): readonly string[] {
  return [...withoutTests(usualNames(code)).matchAll(IN_CODE())].map(
    (found) => found.slice(1).find((name) => name !== undefined) ?? "ALL_PASSWORD",
  );
}

/** The same code with the environment under its usual name, where it has been imported or assigned under another. */
function usualNames(written: string): string {
  const code = written
    .replaceAll(/__import__\(["']os["']\)/g, "os")
    .replaceAll(/\benvironb\b/g, "environ")
    .replaceAll(/\[b(?=["'])/g, "[");
  const imported = /\bfrom\s+os\s+import\s+[^;\n]{0,300}\benviron\b(?:\s+as\s+(\w+))?/.exec(code);
  const assigned = /\b(\w+)\s*=\s*(?:dict\()?(?:os\.)?environ(?:\.copy\(\))?\)?(?=\s*(?:[;\n]|$))/.exec(code);
  return [imported && (imported[1] ?? "environ"), assigned?.[1]].reduce<string>(
    (text, name) =>
      name ? text.replaceAll(new RegExp(`(?<![\\w.])${name}\\b(?!\\s*=[^=])`, "g"), "os.environ") : text,
    code,
  );
}

/** What only asks whether a variable is set, or how long it is, takes no value; nor does a program that is given the environment. */
function withoutTests(code: string): string {
  const [names, value = ""] = /\bfor\s+\w+\s*,\s*(\w+)\s+in\s+os\.environ\.items\(\)/.exec(code) ?? [""];
  // Of pairs whose values are left alone only the names are taken.
  const isNamesOnly = value !== "" && code.match(new RegExp(`\\b${value}\\b`, "g"))?.length === 1;
  return TESTS().reduce((text, test) => text.replaceAll(test, " "), isNamesOnly ? code.replace(names, " ") : code);
}

/** What the prints of some code are given, each up to its end; variables that hold what was taken from the environment come as that. */
function printedIn(code: string): readonly string[] {
  const taken = new Map(
    [...code.matchAll(TAKEN())].flatMap(([, name, value]) =>
      name && value ? [[name, shortened(value)] as const] : [],
    ),
  );
  return [...code.matchAll(PRINTS())].map(([, given = ""]) =>
    given
      .replaceAll(/(?<![fF])(["'])(?:(?!\1)[^{}$#\\])*\1/g, (text) => (/^["']\w+["']$/.test(text) ? text : '""'))
      .replaceAll(/(?<![\w.])\w+/g, (name) => taken.get(name) ?? name),
  );
}

/** One variable in few letters, all with the same name where that is one of keys: a long name may be printed a thousand times. */
function shortened(taken: string): string {
  if (/^(?:os\.environ|process\.env)$/.test(taken)) return taken;
  return `process.env.${namesIn(taken).some(isKeyName) ? "ALL_PASSWORD" : "PLAIN"}`;
}

/** A variable of the environment as each language writes it, with a name. */
const ONE = String.raw`(?:process\.env(?:\.\w+|\[["']\w+["']\])|os\.environ(?:\.get\([^()]*\)|\[["']\w+["']\])|(?:os\.)?getenv\([^()]*\)|\$?ENV(?:\[["']?\w+["']?\]|\{["']?\w+["']?\})|\$_ENV\[["']\w+["']\])`;

const TESTS = once(() => [
  /["']\w+["']\s+(?:not\s+)?in\s+(?:os\.environ|process\.env)(?![\w.[])/g,
  new RegExp(
    String.raw`\b(?:bool|len|Boolean|strlen|isset|empty|defined|exists|length|typeof)(?:\s*\(\s*|\s+)${ONE}\s*\)?`,
    "g",
  ),
  new RegExp(String.raw`!!?\s*${ONE}(?!\s*\|\||[.[(])`, "g"),
  new RegExp(
    String.raw`${ONE}\s*(?:is\s+(?:not\s+)?None|[!=]==?\s*(?:undefined|null|None|false|nil)\b|\?(?![.?])|\.length\b|\?\.length\b|\.nil\?|\.to_s\.empty\?|\.size\b)`,
    "g",
  ),
  new RegExp(String.raw`\bif\s+(?:not\s+)?${ONE}(?=\s*(?:else\b|:))`, "g"),
  new RegExp(String.raw`\bif\s*\(\s*!?${ONE}\s*\)`, "g"),
  /\benv\s*[=:]\s*(?:dict\(|\{\s*(?:\*\*|\.\.\.))?(?:os\.environ(?:\.copy\(\))?|process\.env)(?![\w.[])/g,
]);

const IN_CODE = () =>
  /process\.env(?:\.(\w+)|\[["'](\w+)["']\])|os\.environ(?:\.get\(["'](\w+)|\[["'](\w+))|getenv\(["'](\w+)|(?:Deno|Bun)\.env(?:\.get\(["'](\w+)["']\)|\.(?!get|set|has|toObject|delete)(\w+)|\[["'](\w+))|ENV(?:\[|\{|\.fetch\()["']?(\w+)|(?<!keys\(|len\(|sorted\()(?:os\.environ(?=\s*[),]|\.(?:items|values)\(\)|\.copy\(\)\s*[):,\]]|\[(?!["']\w+["']\]))|process\.env(?![\w.[]|\s*\[)|process\.env\[(?!["']\w+["']\]))|Deno\.env\.toObject|%ENV\b|\bENV\.(?:to_h|to_a|each|inspect|map|sort)|getenv\(\)|\$_(?:ENV|SERVER)(?!\[)|\$_ENV\[["'](\w+)/g;
/** Blanks alone before a name: with line ends too, every empty line would be read to the end of all. */
const TAKEN = once(
  () =>
    new RegExp(
      String.raw`(?:^|[;\n]|\b(?:const|let|var|my)\s)[ \t]*\$?(\w+)\s*=\s*(${ONE}|os\.environ\b|process\.env\b)`,
      "g",
    ),
);
const PRINTS = () => /(?:\b(?:p?print|puts|echo|say|pp|print_r|var_dump|stdout\.write)|console\.\w+)\b\s*\(?([^;\n]*)/g;

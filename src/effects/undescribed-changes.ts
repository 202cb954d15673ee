import { dataField, type EventFacts } from "../event/field.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import type { CallEffects, Effect, ToolChanges } from "./effect.ts";
import { effectsOf, wrappersOf } from "./effects-by-command.ts";
import { fromAddress } from "./file-tools.ts";
import { isOurName, isUnclear, onlyShows, ownCallsIn } from "./own-command.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { isStream, nameOf } from "./paths.ts";
import { isReadOnlyRun, recordsRun } from "./programs/apply-row.ts";
import { isProgram, programNamed } from "./programs/program-name.ts";
import { ROLE_WEIGHTS } from "./role-weight.ts";
import { isOrder, ownWord, toolSays } from "./tool-meaning.ts";

/** What is not known about the effects of a command, in a few words; empty if they are described well enough. */
export function undescribedChanges(
  command: SimpleCommand,
  at: number,
  call: Pick<CallEffects, "commands" | "effects">,
): string[] {
  if (command.program === undefined) return [];
  const isClear = isPlainCode(command, call.effects) || isDescribed(command, at, call);
  return isClear ? [] : [`what \`${command.source.replaceAll(GAP, "…").slice(0, MAX_LENGTH)}\` changes`];
}

/** Whether it is not known what a command changes, by what it does itself. */
export function isUndescribed(
  command: SimpleCommand,
  at: number,
  call: Pick<CallEffects, "commands" | "effects">,
): boolean {
  if (command.program === undefined) return false;
  return !isPlainCode(command, effectsOf(at, call)) && !isDescribed(command, at, call);
}

function isDescribed(
  { program, args }: SimpleCommand,
  at: number,
  call: Pick<CallEffects, "commands" | "effects">,
): boolean {
  const name = nameOf(program?.text ?? "");
  const words = args.map(({ text }) => text);
  if (words.length > 0 && words.every((word) => ABOUT_ITSELF.test(word))) return true;
  const row = programNamed(name);
  const isReadOnly = isReadOnlyRun(row, args);
  if (isReadOnly !== undefined) return isReadOnly;
  const does = told(effectsOf(at, call));
  if (does.has("code")) return isSubstitution(words) && does.has("write");
  const writesUnnamed = isProgram("writes-unnamed", name);
  // What a wrapper runs stands in the list itself.
  if (!writesUnnamed && wrappersOf(call.commands).has(name)) return true;
  if (does.has("write") || does.has("delete") || does.has("role")) return true;
  if (isOurName(name)) return ownCallsIn([name, ...words]).every((own) => !isUnclear(own.verb) && onlyShows(own));
  return !writesUnnamed && (does.has("read") || does.has("network"));
}

/** Which kinds of things are known about the command; a role that weighs nothing tells nothing about files. */
function told(own: readonly Effect[]): ReadonlySet<string> {
  const does = new Set<string>();
  for (const effect of own) {
    if (effect.does !== "run") {
      if (!("isAssumed" in effect)) does.add(effect.does);
    } else if (effect.roles.some((role) => ROLE_WEIGHTS[role] !== "nothing")) does.add("role");
    if (effect.does === "run" && effect.data !== undefined) does.add("role");
    if (effect.does === "run" && (effect.code === "read" || effect.code === "unread")) does.add("code");
  }
  return does;
}

/** Whether a command changes what git keeps beside the files: the index, commits, branches, tags. */
function recordsHistory({ program, args }: SimpleCommand): boolean {
  const row = program && programNamed(program.text);
  return row !== undefined && recordsRun(row, args);
}

/** Whether nothing that is known of a call changes anything, and everything about it is known. */
export function changesNothing(call: Pick<CallEffects, "effects" | "commands" | "unknown">): boolean {
  return !call.effects.some(isChange) && call.unknown.length === 0 && !call.commands.some(recordsHistory);
}

function isChange(effect: Effect): boolean {
  switch (effect.does) {
    case "write":
    case "delete":
      return !isStream(effect.path.text);
    case "run":
      return effect.roles.some((role) => ROLE_WEIGHTS[role] !== "nothing");
    case "unknown":
      return true;
    case "read":
    case "network":
    case "flow":
      return false;
  }
}

/** `perl -pi -e s/a/b/ file`: the one kind of code that is read here. */
function isSubstitution(words: readonly string[]): boolean {
  const codes = words.flatMap((word, index) => (/^-\w*[eE]$/.test(word) ? (words[index + 1] ?? "") : []));
  return (
    codes.length > 0 &&
    codes.every((code) => /^\s*(?:s|tr|y)([/|#,!])(?:(?!\1).)*\1(?:(?!\1).)*\1[gimsx]*;?\s*$/.test(code))
  );
}

/**
 * Whether a program that runs code is given nothing but writes, reads and prints of which every part is a literal:
 * `python3 -c "open('a', 'w').write('x')"`. What it writes has to be among the known effects as well.
 */
export function isPlainCode({ program, args, assignments }: SimpleCommand, effects: readonly Effect[]): boolean {
  if (isPlainAwk(program?.text ?? "", args)) return true;
  const row = ROWS.find(({ program: named }) => named.test(program?.text ?? ""));
  const [flag, code] = args;
  if (row === undefined || args.length !== 2 || Object.keys(assignments).length > 0) return false;
  if (flag?.text !== row.flag || code === undefined || !code.isKnown) return false;
  const written = writtenBy(code.text, row.statements);
  const told = effects.flatMap((effect) => (effect.does === "write" ? effect.path.text : []));
  return written?.every((path) => told.some((known) => known === path || known.endsWith(`/${path}`))) ?? false;
}

/** `awk '/x/' a`, `awk '{ print $1 }' a`: lines are chosen and shown. */
function isPlainAwk(program: string, args: SimpleCommand["args"]): boolean {
  if (programNamed(program)?.interpreter?.language !== "awk") return false;
  const code = args.find(({ text }) => !text.startsWith("-"));
  if (
    code === undefined ||
    !code.isKnown ||
    args.some(({ text }) => /^-[fiEl]|^--(?:file|include|exec|load)/.test(text))
  )
    return false;
  const rest = code.text.replaceAll(/\/(?:\\.|[^/\\\n])+\//g, "").replaceAll(/"(?:\\.|[^"\\])*"/g, "");
  return !/[>|]|system|getline|@/.test(rest);
}

/** The paths that statements write, one after the other; undefined if there is anything else among them. */
function writtenBy(code: string, statements: readonly RegExp[]): string[] | undefined {
  const paths: string[] = [];
  let rest = code.trim();
  while (rest !== "") {
    const found = statements.map((statement) => statement.exec(rest)).find((match) => match !== null);
    if (found === undefined) return undefined;
    const path = found.groups?.path;
    if (path !== undefined) paths.push(path.slice(1, -1).replace(/^(?:\.\/)+/, ""));
    rest = rest.slice(found[0].length);
  }
  return paths;
}

interface Row {
  readonly program: RegExp;
  readonly flag: string;
  readonly statements: readonly RegExp[];
}

/** Texts that mean what they show; in what is written into a file, marks such as `\n` may stand. */
const PATH = String.raw`(?:'[^'\\\n#]+'|"[^"\\\n#]+")`;
const TEXT = String.raw`(?:'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*")`;
const PLAIN = String.raw`(?:'[^'\\\n#]*'|"(?:[^"\\\n#]|\\n)*")`;
const JS_TEXT = String.raw`(?:${TEXT}|\x60[^\x60\\$]*\x60)`;
const UTF8 = String.raw`['"]utf-?8['"]`;
/** Node takes its own module of this name whatever lies in the project. */
const FS = String.raw`require\((?:'(?:node:)?fs'|"(?:node:)?fs")\)`;
const FS_CALL = "(?:writeFileSync|appendFileSync|readFileSync)";
const MODE = String.raw`['"][wax]t?\+?['"]`;
const WRITES = String.raw`open\((?<path>${PATH}), *${MODE}\)`;

const ROWS: readonly Row[] = [
  {
    program: /^python[\d.]*$/,
    flag: "-c",
    statements: [
      statement(String.raw`${WRITES}\.write\(${TEXT}\)`),
      statement(String.raw`with ${WRITES} as (?<name>[a-z]\w*):\s*\k<name>\.write\(${TEXT}\)`),
      statement(String.raw`print\((?:${TEXT}|\d+|open\(${PATH}\)\.read\(\))?\)`),
    ],
  },
  {
    program: /^node$/,
    flag: "-e",
    statements: [
      statement(String.raw`(?:const|let|var) (?:fs|\{ *${FS_CALL}(?: *, *${FS_CALL})* *\}) *= *${FS}`),
      statement(
        String.raw`import (?:fs|\* as fs|\{ *${FS_CALL}(?: *, *${FS_CALL})* *\}) from (?:'(?:node:)?fs'|"(?:node:)?fs")`,
      ),
      statement(
        String.raw`(?:(?:fs|${FS})\.)?(?:write|append)FileSync\((?<path>${PATH}), *${JS_TEXT}(?:, *${UTF8})?\)`,
      ),
      statement(
        String.raw`console\.(?:log|error)\((?:${JS_TEXT}|\d+|(?:fs|${FS})\.readFileSync\(${PATH}(?:, *${UTF8})?\))?\)`,
      ),
    ],
  },
  {
    program: /^ruby[\d.]*$/,
    flag: "-e",
    statements: [statement(String.raw`File\.write\((?<path>${PATH}), *${PLAIN}\)`), statement(`puts ${PLAIN}`)],
  },
];

function statement(form: string): RegExp {
  return new RegExp(String.raw`^${form}[ \t]*(?:[;\n]\s*|$)`);
}

/**
 * What the input of a tool other than a shell shows about files, besides what is known about the tool. A tool that does not
 * show what it does is treated as writing every path that it is given, and what else it writes is unknown.
 */
export function toolChanges(event: EventFacts, effects: readonly Effect[]): ToolChanges {
  const { toolName = "" } = event;
  const input = dataField(event, "tool_args");
  const args = Object(input) as Readonly<Record<string, unknown>>;
  const paths = namedPaths(input);
  if (effects.some(({ does }) => does === "write" || does === "delete")) return touching(paths);
  const meaning = toolSays(toolName, args);
  const doubt = `what the tool ${toolName} writes`;
  switch (meaning) {
    case "elsewhere":
      return NOTHING;
    case "reads":
      return touching(outputsOf(args));
    case "runs":
      return touching(outputsOf(args), [`what the tool ${toolName} runs`]);
    case "writes":
    case "unclear": {
      if (paths.length > 0) return touching(paths, meaning === "writes" ? [] : [doubt]);
      const mayPass = isOfKind(toolName, "@mcp") ? isLook(toolName, args) : meaning === "unclear";
      return mayPass ? NOTHING : touching([], [doubt]);
    }
  }
}

function touching(paths: readonly string[], unknown: readonly string[] = []): ToolChanges {
  return { paths, unknown };
}

/** A tool of another program that is given no path, and whose name says that it looks at something. */
function isLook(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  return LOOKS().test(ownWord(tool, args)) && !isOrder(tool, args);
}

/** What is read may be kept in a file. */
function outputsOf(args: Readonly<Record<string, unknown>>): string[] {
  const kept = Object.entries(args).filter(([key]) => OUTPUT_KEY.test(key));
  return namedPaths(Object.fromEntries(kept)).filter((path) => /[./]/.test(path));
}

/** Texts that stand under a key for a file or a folder, however deep. */
function namedPaths(value: unknown, depth = 0): string[] {
  if (typeof value !== "object" || value === null || depth > 4) return [];
  if (Array.isArray(value)) return value.flatMap((item) => namedPaths(item, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!PATH_KEY().test(key) || NO_PATH_KEY.test(key)) return namedPaths(inner, depth + 1);
    const texts = (Array.isArray(inner) ? inner : [inner]).filter((item) => typeof item === "string");
    return [...texts.filter(isPath).map(fromAddress), ...namedPaths(inner, depth + 1)];
  });
}

function isPath(text: string): boolean {
  return text !== "" && text.length < 4096 && !text.includes("\n") && !/^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(text);
}

const NOTHING: ToolChanges = { paths: [], unknown: [] };
const PATH_KEY = () => /path|(?<!pro)file|uri|dest|target|folder|dir(?!ect(?!or))|^(?:source|src|from|to|out)$|output/i;
const NO_PATH_KEY = /text|content|string|code|pattern|type|glob|line|mode|count|size|format|schema/i;
const OUTPUT_KEY = /^out$|output|^dest|^save_?(?:to|as|path)|^download_?(?:to|path|dir)/i;
const LOOKS = () =>
  /^(?:get|list|read|search|find|query|fetch|view|describe|show|status|count|check|look|inspect|resolve|explain|ping|help|diff|browse|open|screenshot|navigate)/i;

const ABOUT_ITSELF = /^(?:-v|-V|-h|--version|--help|version|help)$/;
const MAX_LENGTH = 80;

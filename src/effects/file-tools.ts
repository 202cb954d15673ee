import { dataField, type EventFacts, namedPaths } from "../event/field.ts";
import { unpacked } from "../event/packed.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { isShellCall } from "./command-line.ts";
import type { Effect, PathChange, PathEffect } from "./effect.ts";
import type { Word } from "./parse/command.ts";
import { type PatchedFile, patchedFiles } from "./patched-files.ts";

/** How a call has to be read: as a tool for files or the network, or as a command line. */
export function kindOfCall(event: EventFacts): "file" | "command" {
  const toolName = bareName(event.toolName);
  if (isOfKind(toolName, "@shell") || toolName === "") return "command";
  if (isOfKind(toolName, "@write") || isOfKind(toolName, "@read") || isOfKind(toolName, "@network")) return "file";
  if (isShellCall(event)) return "command";
  if (namedPaths(event).length > 0 || isOfKind(toolName, "@mcp")) return "file";
  return LEAVES.test(wordOf(toolName)) && textsAt(inputOf(event), SOURCE_KEYS).length > 0 ? "file" : "command";
}

/** What a tool for files, a patch or an MCP tool does to files, and which hosts it talks to. */
export function fileEffects(event: EventFacts, isFolder: (path: string) => boolean = () => false): Effect[] {
  const toolName = bareName(event.toolName);
  const own = wordOf(toolName);
  const [moves, leaves] = [MOVES().test(own), LEAVES.test(own)];
  const input = inputOf(event);
  const patched = patchesIn(event);
  const isTree = input.recursive === true || input.recurse === true || /dir|folder|tree/i.test(own);
  const does = doesOf(toolName, input);
  const isStat = does === "read" && STATS().test(own);
  const given = [
    ...namedPaths(event).map(fromAddress),
    ...(does === "delete" || (does === "write" && !moves) ? addressed(input) : []),
  ];
  // A tool that deletes may use other keys for what it deletes.
  const other =
    does === "delete" && given.length === 0 ? textsAt(input, DELETED_KEYS).filter((text) => text.includes("/")) : [];
  const named = isStat ? [] : [...given, ...other, ...searched(input, does)];
  const paths = named.map((path) => effect(does, path, toolName, isTree || (does === "delete" && isFolder(path))));
  const from = moves || leaves ? textsAt(input, SOURCE_KEYS) : [];
  const by: PathChange = leaves ? "move" : "copy";
  const moved = moves
    ? targets(input).flatMap((path) =>
        (from.length === 0 ? [undefined] : from).map((source) => put(path, source, by, toolName)),
      )
    : [];
  const isVoid = leaves && targets(input).includes("/dev/null");
  const left = leaves
    ? from.map((path) => ({ ...effect("delete", path, toolName, isVoid || path === event.cwd), by }))
    : [];
  const files = patched.map(({ path, act }) => effect(act, path, toolName));
  return [...files, ...paths, ...left, ...moved, ...hosts(input, toolName)];
}

/** The files that the patches in a call's input touch; none for a command line and for a tool that reads. */
export function patchesIn(event: EventFacts): readonly PatchedFile[] {
  const texts = patchTexts(event);
  return texts.length === 0 ? NO_FILES : texts.flatMap((text) => patchedFiles(text, "prefix"));
}

/** The texts of a call's input that may be patches. */
export function patchTexts(event: EventFacts): readonly string[] {
  const toolName = bareName(event.toolName);
  if (toolName === "" || isOfKind(toolName, "@read") || isOfKind(toolName, "@shell")) return NO_TEXTS;
  return textsOf(event).filter((text) => text.includes("\n"));
}

/** A tool's name without the group that some models put in front of it: `functions.apply_patch` is `apply_patch`. */
export function bareName(tool = ""): string {
  return tool.startsWith(GROUP) ? tool.slice(GROUP.length) : tool;
}

/** A path that may be written as an address: `file:///src/a.ts` is `/src/a.ts`. */
export function fromAddress(path: string): string {
  if (!path.startsWith("file:/")) return path;
  try {
    const { pathname } = new URL(path);
    return /%2f|%5c/i.test(pathname) ? path : decodeURIComponent(pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return path;
  }
}

/** What a tool is to change may be named by an address under any key: `uri`, `documentUri`, `textDocument: { uri }`. */
function addressed(input: Readonly<Record<string, unknown>>, depth = 0): string[] {
  return Object.values(input).flatMap((value) => {
    if (typeof value === "string")
      return /^file:\//i.test(value) ? [fromAddress(value.replace(/^file:/i, "file:"))] : [];
    return typeof value === "object" && value !== null && depth < MAX_DEPTH ? addressed({ ...value }, depth + 1) : [];
  });
}

/** The tool's own name: `mcp__files__write_file` is `write_file`. */
function wordOf(tool: string): string {
  return tool.replace(/^.*(?:__|:)/s, "");
}

function doesOf(tool: string, input: Readonly<Record<string, unknown>>): "read" | "write" | "delete" {
  const word = wordOf(tool);
  if (isOfKind(tool, "@read") || input.command === "view") return "read";
  if (DELETES.test(word)) return "delete";
  if (isOfKind(tool, "@write") || WRITES.test(word) || MOVES().test(word)) return "write";
  if (FINDS().test(word)) return "read";
  return [...CONTENT_KEYS, "text"].some((key) => Object.hasOwn(input, key)) ? "write" : "read";
}

/** Files with keys that a search is narrowed to, and whose lines it shows. */
function searched(input: Readonly<Record<string, unknown>>, does: PathEffect["does"]): string[] {
  if (does !== "read" || input.output_mode === "files_with_matches" || input.output_mode === "count") return [];
  if (typeof input.pattern !== "string" && typeof input.query !== "string") return [];
  const folder = typeof input.path === "string" ? input.path.replace(/(?<!\/)\/+$/, "") : ".";
  return NARROWING_KEYS.flatMap((key) => {
    const glob = input[key];
    return typeof glob === "string" && SECRET_NAME.test(glob) ? [`${folder}/${glob}`] : [];
  });
}

/** What is moved or copied to a folder is put into it. */
function put(path: string, source: string | undefined, by: PathChange, tool: string): PathEffect {
  const landing = source === undefined ? {} : { source: word(source), landsIn: true };
  return { ...effect("write", path, tool), by, ...landing };
}

function effect(does: "read" | "write" | "delete", path: string, program: string, isTree = false): PathEffect {
  const isGlob = does === "delete" && /[*?]/.test(path);
  return {
    does,
    path: { text: path, isKnown: !isGlob, isGlob },
    isTree: isTree && does === "delete",
    isForced: false,
    program,
    command: 0,
  };
}

function hosts({ url, uri }: Readonly<Record<string, unknown>>, tool: string): Effect[] {
  const address = typeof url === "string" ? url : uri;
  if (typeof address !== "string" || !URL.canParse(address)) return [];
  const { hostname, protocol } = new URL(address);
  if (protocol === "file:") return [];
  return [{ does: "network", way: "both", host: word(hostname), program: tool, command: 0 }];
}

function targets(input: Readonly<Record<string, unknown>>): string[] {
  return textsAt(input, TARGET_KEYS);
}

function textsAt(input: Readonly<Record<string, unknown>>, keys: readonly string[]): string[] {
  return keys
    .map((key) => input[key])
    .filter((value) => typeof value === "string")
    .map(fromAddress);
}

function textsOf(event: EventFacts): string[] {
  const args = dataField(event, "tool_args");
  if (typeof args === "string") return [args];
  const { input, patch, patchText, diff, command } = inputOf(event);
  const found: string[] = [];
  for (const value of [input, patch, patchText, diff, command])
    for (const text of Array.isArray(value) ? value : [value]) if (typeof text === "string") found.push(text);
  return found;
}

function inputOf(event: EventFacts): Readonly<Record<string, unknown>> {
  const args = unpacked(dataField(event, "tool_args"));
  return typeof args === "object" && args !== null ? (args as Readonly<Record<string, unknown>>) : {};
}

function word(text: string): Word {
  return { text, isKnown: true, isGlob: false };
}

const NO_FILES: readonly PatchedFile[] = [];
const NO_TEXTS: readonly string[] = [];
const GROUP = "functions.";
const MAX_DEPTH = 4;
/** What is shown of a file without its content. */
const STATS = () =>
  /info|stat(?!ement)|exists|metadata|attributes|permission|list_?-?(?:dir|folder|files|contents)|(?:dir|directory|folder|file)_?-?(?:tree|list)|^(?:ls|list|tree|list_allowed_\w+)$/i;
const NARROWING_KEYS = ["glob", "include", "include_pattern", "includePattern", "file_pattern", "filePattern"];
const SECRET_NAME = /^(?:\*\*\/)?(?:\.env|.*\.pem$|.*\.key$|id_rsa|credentials)/;
const DELETES = /delete|remove|unlink|^rm/i;
/** A file that is copied stays where it was. */
const LEAVES = /move|rename|^mv/i;
const MOVES = () => /move|rename|copy|unzip|untar|unpack|extract_?(?:archive|zip|tar|all|files)|^extract$/i;
const WRITES = /write|edit|create|save|append|insert|replace|update|patch|put|touch|mkdir/i;
const CONTENT_KEYS = ["content", "contents", "file_text", "file_content", "new_string", "new_str", "edits"];
/** A tool that finds something is given a text to look for, not one to write. */
const FINDS = () => /search|find|grep|list|read|get|view|glob|query|lookup|match|scan|stat|exists|count/i;
const TARGET_KEYS = ["destination", "dest", "to", "new_path", "newPath", "target", "target_path"];
const DELETED_KEYS = ["target", "item", "name", "source", "src", "location", "resource", "key", "dir"];
const SOURCE_KEYS = ["source", "src", "from", "old_path", "oldPath", "source_path", "sourcePath"];

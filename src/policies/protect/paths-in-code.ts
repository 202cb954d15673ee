import { relative } from "node:path";
import {
  type CallEffects,
  changesPrintedPath,
  commandLineOf,
  type Effect,
  effectsOf,
  fromAddress,
  isPlainCode,
  namesOf,
  type Role,
  toolSays,
} from "../../effects/index.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { once } from "../../event/once.ts";
import { unpacked } from "../../event/packed.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import type { ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import { absolutePath, type ProtectedWrite } from "./written-protected-paths.ts";

/** A protected place in code that cannot be read completely and that contains words for changing something. */
export function placeInCode(event: EventFacts, call: CallEffects, paths: ProtectedPaths): ProtectedWrite | undefined {
  const text = commandText(event);
  const isOpaque = call.effects.some(
    (effect) =>
      effect.does === "unknown" ||
      (effect.does === "run" && (isOpaqueCode(effect, call) || OPAQUE.some((role) => effect.roles.includes(role)))) ||
      changesPrintedPath(effect, call),
  );
  const place = isOpaque ? placeInText(text, paths) : undefined;
  return place && { place, how: "names, in code that cannot be followed," };
}

/** Whether code may do more than is known; code that only shows or selects lines does not. */
function isOpaqueCode({ code, command: at }: Extract<Effect, { does: "run" }>, call: CallEffects): boolean {
  if (code === undefined) return false;
  const command = call.commands[at];
  return command === undefined || !isPlainCode(command, effectsOf(at, call));
}

/** A protected place that a text names, if the text also contains words for changing something. */
export function placeInText(text: string, paths: ProtectedPaths): ProtectedPlace | undefined {
  if (!hasWordsForChange(text)) return undefined;
  const code = codeText(text);
  return paths.places.find((candidate) => isNamedIn(code, candidate));
}

/** The command line of a call, as it is written; empty if there is none. */
export function commandText(event: EventFacts): string {
  return commandLineOf(event) ?? "";
}

/** Whether code contains words for changing a file. */
export function hasWordsForChange(text: string): boolean {
  return CHANGES.test(text) || COPIES().test(text);
}

/** A protected path in the input of a tool, under any key; for a tool that only reads, only the path that it writes. */
export function placeInInput(event: EventFacts, call: CallEffects, paths: ProtectedPaths): ProtectedWrite | undefined {
  const { toolName = "" } = event;
  if (isOfKind(toolName, "@shell") || isOfKind(toolName, "@read")) return undefined;
  const input = dataField(event, "tool_args");
  const isReading = toolSays(toolName, Object(input) as Readonly<Record<string, unknown>>) === "reads";
  const texts = isReading ? call.ofTool.paths : [...textsIn(input)].filter((text) => !ADDRESS.test(text));
  for (const text of isReading ? texts : [...texts, ...joinedPaths(texts)]) {
    const path = absolutePath(writtenOut(text, call), call);
    const place = path === undefined ? undefined : paths.holds(path);
    if (place !== undefined) return { place, how: "may change" };
  }
  return undefined;
}

/** The combinations of a folder and a file name that are two texts of an input. */
function joinedPaths(texts: readonly string[]): string[] {
  const folders = texts.filter((text) => text.includes("/") || text.startsWith(".")).slice(0, MAX_JOINED);
  const names = texts.filter((text) => !/[/\s]/.test(text)).slice(0, MAX_JOINED);
  return folders.flatMap((folder) => names.map((name) => (name === folder ? folder : `${folder}/${name}`)));
}

type CodeText = ReturnType<typeof codeText>;

/** A text with cached searches: it may be long, and many places share their folders. */
function codeText(text: string) {
  const known = new Map<string, boolean>();
  return {
    includes: (piece: string) => {
      const isThere = known.get(piece) ?? text.includes(piece);
      known.set(piece, isThere);
      return isThere;
    },
    takesAway: once(() => TAKES_AWAY.test(text)),
  };
}

/** Whether every piece of the path is somewhere in the text: code joins paths in many ways. */
function isNamedIn(text: CodeText, { path, base }: ProtectedPlace): boolean {
  if (text.includes(path.split(/[\\/]/).slice(-2).join("/"))) return true;
  const pieces = relative(base, path).split(/[\\/]/);
  const isTelling = pieces.length > 1 || (pieces[0]?.startsWith(".") ?? false);
  if (isTelling && pieces.every((piece) => text.includes(piece))) return true;
  // A folder that exists only for the place, as a separate text, is removed with everything in it.
  const [folder = ""] = pieces;
  const isFolderNamed = pieces.length > 1 && folder.startsWith(".") && text.takesAway();
  return (
    isFolderNamed && [`"${folder}"`, `'${folder}'`, `"${folder}/"`, `"./${folder}"`].some((one) => text.includes(one))
  );
}

/** A path as a tool may interpret it: a URL with escapes, or with the variable of the home directory. */
function writtenOut(text: string, { place: { home = "~" } }: CallEffects): string {
  if (/^file:/i.test(text)) return fromAddress(text.replace(/^file:/i, "file:"));
  return text.replace(/^\$(?:HOME\b|\{HOME\})/, home);
}

/** The short texts of an input, at any depth; a path is never long. */
function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") {
    if (value.length > 0 && value.length < MAX_PATH && !value.includes("\n")) yield value;
    const held = value.length < MAX_JSON ? unpacked(value) : value;
    if (typeof held === "object") yield* textsIn(held, depth + 1);
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [key, inner] of Object.entries(value)) if (!WORDS().test(key)) yield* textsIn(inner, depth + 1);
  }
}

/** Compiled at first use, because few calls contain code. */
const COPIES = once(() => new RegExp(`\\b(?:${namesOf("copies-data").join("|")})\\b`, "i"));
const CHANGES =
  /writ|spit|out(?:put)?[-_]?file|open_out|:output|del_dir|open\s*\([^)\n]*,\s*(?:mode\s*=\s*)?['"][rbtU]*[wax+]|unlink|remove|rename|rmtree|rmdir|rmSync|rm\b|chmod|replace|truncate|link|copy|move|mkdir|delete|append|save|dump|touch|>|exec|system|spawn|subprocess|-i\b|:w|\bw\b/i;
/** Words with which code removes a folder. */
const TAKES_AWAY = /delete|remove|rename|move|unlink|del_dir|rmtree|rmdir|\brm/i;
/** Keys of content and prose, which may be the name of a file by chance. */
const WORDS = () =>
  /^(?:contents?|text|body|message|prompt|description|query|pattern|regex|title|summary|edits|code|(?:file|insert|old|new)_?(?:text|string|str|content))$/i;
const ADDRESS = /^(?!file:)[a-z][a-z\d+.-]+:\/\//i;
const MAX_JOINED = 8;
const MAX_PATH = 4096;
const MAX_DEPTH = 6;
const MAX_JSON = 100_000;
/** Roles of code that runs later or elsewhere, which is a text in the call. */
const OPAQUE: readonly Role[] = ["persistence", "container"];

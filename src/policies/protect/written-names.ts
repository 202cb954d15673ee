import { relative } from "node:path";
import { commandLineOf } from "../../effects/command-line.ts";
import type { CallEffects, Effect } from "../../effects/effect.ts";
import { GAP } from "../../effects/parse/command.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { absolutePath, type ProtectedWrite } from "./written-protected-paths.ts";
import type { ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** Code that nobody can read to its end, that names a protected place and has words for changing something. */
export function placeInCode(
  event: EventFacts,
  act: CallEffects,
  territory: ProtectedPaths,
): ProtectedWrite | undefined {
  const text = commandText(event);
  const isOpaque = act.effects.some(
    (effect) =>
      effect.does === "unknown" ||
      (effect.does === "run" && INTERPRETERS.test(effect.program)) ||
      isHandedOn(effect, act),
  );
  if (!isOpaque || !hasWordsForChange(text)) return undefined;
  const place = territory.places.find((candidate) => isNamedIn(text, candidate));
  return place && { place, how: "names, in code that cannot be followed," };
}

/** A change to whatever another command of the line names: `ls .sluice/* | xargs rm`. */
export function isHandedOn(effect: Effect, { commands }: CallEffects): boolean {
  if ((effect.does !== "write" && effect.does !== "delete") || !effect.path.text.includes(GAP)) return false;
  const { via = [], source = "" } = commands[effect.command] ?? {};
  return via.some((name) => /^(?:xargs|parallel)\b/.test(name)) || /\$\(|`/.test(source);
}

/** The command line of a call, as it is written; empty where there is none. */
export function commandText(event: EventFacts): string {
  return commandLineOf(event) ?? "";
}

/** Whether code says something that could change a file. */
export function hasWordsForChange(text: string): boolean {
  return CHANGES.test(text);
}

/** An input of a tool that is a protected path, whatever the key is called, unless the tool only looks. */
export function placeInInput(
  event: EventFacts,
  act: CallEffects | undefined,
  territory: ProtectedPaths,
): ProtectedWrite | undefined {
  const { toolName = "", cwd } = event;
  if (isOfKind(toolName, "@shell") || isOfKind(toolName, "@read") || LOOKS.test(lastWord(toolName))) return undefined;
  const input = dataField(event, "tool_args");
  if (onlyViews(input)) return undefined;
  const about = { place: act?.place ?? { cwd, home: undefined } };
  for (const text of textsIn(input)) {
    const path = absolutePath(text.replace(/^file:\/\//, ""), about);
    const place = path === undefined ? undefined : territory.holds(path);
    if (place !== undefined) return { place, how: "may change" };
  }
  return undefined;
}

/** Every piece of the path stands somewhere in the text: code joins paths in many ways. */
function isNamedIn(text: string, { path, base }: ProtectedPlace): boolean {
  if (text.includes(path)) return true;
  const pieces = relative(base, path).split(/[\\/]/);
  const isTelling = pieces.length > 1 || (pieces[0]?.startsWith(".") ?? false);
  return isTelling && pieces.every((piece) => text.includes(piece));
}

/** Short texts of an input, at any depth; a path is never long. */
function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") {
    if (value.length > 0 && value.length < LONGEST_PATH && !value.includes("\n")) yield value;
  } else if (typeof value === "object" && value !== null && depth < DEEPEST) {
    for (const [key, inner] of Object.entries(value)) if (!WORDS.test(key)) yield* textsIn(inner, depth + 1);
  }
}

function onlyViews(input: unknown): boolean {
  return typeof input === "object" && input !== null && (input as { readonly command?: unknown }).command === "view";
}

function lastWord(tool: string): string {
  return tool.slice(Math.max(tool.lastIndexOf("__") + 2, tool.lastIndexOf(":") + 1, 0));
}

const INTERPRETERS =
  /^(?:python|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|osascript|tclsh|pwsh|powershell|awk|gawk|mawk|ed|ex|vi|vim|nvim|emacs|sqlite3|jshell|groovy|Rscript|julia|ts-node|tsx)[\d.]*$/;
const CHANGES =
  /writ|open\s*\([^)\n]*,\s*(?:mode\s*=\s*)?['"][rbtU]*[wax+]|unlink|remove|rename|rmtree|rmdir|rmSync|rm\b|chmod|replace|truncate|link|copy|move|mkdir|delete|append|save|dump|touch|>|exec|system|spawn|subprocess|\b(?:mv|cp|tee|dd)\b|-i\b|:w|\bw\b/i;
const LOOKS =
  /^(?:read|get|list|search|view|stat|info|grep|glob|find|fetch|show|describe|query|lookup|tree|head|cat|open_file|ls)/i;
/** Keys of what is written or said; it may well be the name of a file. */
const WORDS =
  /^(?:contents?|text|body|message|prompt|description|query|pattern|regex|title|summary|edits|code|(?:file|insert|old|new)_?(?:text|string|str|content))$/i;
const LONGEST_PATH = 4096;
const DEEPEST = 6;

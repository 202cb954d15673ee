import { parse } from "jsonc-parser";
import { isOurUrl } from "../adapters/http-form.ts";
import { isOurs } from "../install/command-line.ts";
import { tablesIn } from "../install/import/toml-hooks.ts";
import { shellWord } from "../effects/parse/shell-word.ts";

/** The command lines in a file that call us for this agent; a script of our own is its own command line. */
export function ourCommands(text: string, agent: string, path: string): string[] {
  const found = [...textsIn(settingsIn(text, path))].filter((line) => isOurs(line, agent) && !isOurUrl(line, agent));
  if (found.length > 0) return [...new Set(found)];
  if (!isOurs(text, agent)) return [];
  const words = PLUGIN_WORDS.exec(text)?.[1];
  if (words !== undefined) return [(JSON.parse(words) as string[]).map(shellWord).join(" ")];
  return text.startsWith("#!") ? [shellWord(path)] : [];
}

function settingsIn(text: string, path: string): unknown {
  if (path.endsWith(".toml")) return tablesIn(text);
  const isJson = /^\s*[{[]|^\uFEFF?\s*\/[/*]/.test(text);
  return isJson ? parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }) : undefined;
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** How a plugin of ours holds its command line. */
const PLUGIN_WORDS = /^const SLUICE = (\[.*\]);?$/m;

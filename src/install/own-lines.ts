import { parse } from "jsonc-parser";
import { isOurUrl } from "../adapters/recipe.ts";
import { shellWord } from "../effects/parse/value.ts";
import { tomlIn } from "./import/foreign-hooks.ts";
import { isOurs } from "./invocation.ts";

/** The command lines in a settings file that start Sluice for this agent; a script of ours is its own command line. */
export function ownLines(text: string, agent: string, path: string): string[] {
  const found = [...textsIn(settingsIn(text, path))].filter((line) => isOurs(line, agent) && !isOurUrl(line, agent));
  if (found.length > 0) return [...new Set(found)];
  if (!isOurs(text, agent)) return [];
  const call = PLUGIN_CALL.exec(text)?.[1];
  if (call !== undefined) return pluginLine(call);
  return text.startsWith("#!") ? [shellWord(path)] : [];
}

/** The arguments in a plugin as one line. A file that only resembles ours may have anything in their place. */
function pluginLine(call: string): string[] {
  try {
    const args: unknown = JSON.parse(call);
    return Array.isArray(args) ? [args.map((arg) => shellWord(String(arg))).join(" ")] : [];
  } catch {
    return [];
  }
}

function settingsIn(text: string, path: string): unknown {
  if (path.endsWith(".toml")) return tomlIn(text);
  const isJson = /^\s*[{[]|^\uFEFF?\s*\/[/*]/.test(text);
  return isJson ? parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }) : undefined;
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** How a plugin of ours contains its command line. */
const PLUGIN_CALL = /^const SLUICE = (\[.*\]);?$/m;

import { dataField, type EventFacts } from "../event/field.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import type { Effect, ToolChanges } from "./effect.ts";
import { fromAddress } from "./file-tools.ts";
import { isOrder, ownWord, toolSays } from "./tool-meaning.ts";

/**
 * What the input of a tool that is no shell says about files, besides what is known about the tool. A tool that does not
 * say what it does counts as writing every path that it is given, and what else it writes is unknown.
 */
export function toolChanges(event: EventFacts, effects: readonly Effect[]): ToolChanges {
  const { toolName = "" } = event;
  const input = dataField(event, "tool_args");
  const args = Object(input) as Readonly<Record<string, unknown>>;
  const paths = namedPaths(input);
  if (effects.some(({ does }) => does === "write" || does === "delete")) return touching(paths);
  const said = toolSays(toolName, args);
  const doubt = `what the tool ${toolName} writes`;
  switch (said) {
    case "elsewhere":
      return NOTHING;
    case "reads":
      return touching(outputsOf(args));
    case "runs":
      return touching(outputsOf(args), [`what the tool ${toolName} runs`]);
    case "writes":
    case "unclear": {
      if (paths.length > 0) return touching(paths, said === "writes" ? [] : [doubt]);
      const mayPass = isOfKind(toolName, "@mcp") ? isLook(toolName, args) : said === "unclear";
      return mayPass ? NOTHING : touching([], [doubt]);
    }
  }
}

function touching(paths: readonly string[], unknown: readonly string[] = []): ToolChanges {
  return { paths, unknown };
}

/** A tool of another program that is given no path, and whose name says that it looks at something. */
function isLook(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  return LOOKS.test(ownWord(tool, args)) && !isOrder(tool, args);
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
    if (!PATH_KEY.test(key) || NO_PATH_KEY.test(key)) return namedPaths(inner, depth + 1);
    const texts = (Array.isArray(inner) ? inner : [inner]).filter((item) => typeof item === "string");
    return [...texts.filter(isPath).map(fromAddress), ...namedPaths(inner, depth + 1)];
  });
}

function isPath(text: string): boolean {
  return text !== "" && text.length < 4096 && !text.includes("\n") && !/^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(text);
}

const NOTHING: ToolChanges = { paths: [], unknown: [] };
const PATH_KEY = /path|(?<!pro)file|uri|dest|target|folder|dir(?!ect(?!or))|^(?:source|src|from|to|out)$|output/i;
const NO_PATH_KEY = /text|content|string|code|pattern|type|glob|line|mode|count|size|format|schema/i;
const OUTPUT_KEY = /^out$|output|^dest|^save_?(?:to|as|path)|^download_?(?:to|path|dir)/i;
const LOOKS =
  /^(?:get|list|read|search|find|query|fetch|view|describe|show|status|count|check|look|inspect|resolve|explain|ping|help|diff|browse|open|screenshot|navigate)/i;

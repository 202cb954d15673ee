import { fileURLToPath } from "node:url";
import { dataField, type EventFacts } from "../event/field.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import type { Effect } from "../shell/effect.ts";
import { type MoreTouches, touch } from "./touch.ts";

/** What the input of a tool that is no shell says about files, besides what is known about the tool. */
export function inputTouches(event: EventFacts, effects: readonly Effect[]): MoreTouches {
  const { toolName = "" } = event;
  const writes = effects.some(({ does }) => does === "write" || does === "delete");
  const isReading = effects.some(({ does }) => does === "read");
  const word = wordOf(toolName);
  const mayWrite = !isReading && !PLANS.has(toolName) && (isOfKind(toolName, "@write") || isUnclear(toolName, word));
  if (!writes && !mayWrite) return NOTHING;
  const paths = namedPaths(dataField(event, "tool_args")).map(touch);
  const isUnknown = !writes && paths.length === 0;
  return {
    paths,
    climbs: [],
    copies: [],
    unknowns: isUnknown ? [`what the tool ${toolName} writes`] : [],
    changes: true,
  };
}

/** A tool of somebody else whose name does not say that it only looks, or one of the agent's whose name says that it writes. */
function isUnclear(tool: string, word: string): boolean {
  return isOfKind(tool, "@mcp") ? !LOOKS.test(word) : WRITES.test(word);
}

/** The tool's own word: `mcp__files__write_file` is `write_file`. */
function wordOf(tool: string): string {
  return tool.replace(/^.*(?:__|:)/, "");
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

function fromAddress(text: string): string {
  if (!text.startsWith("file:")) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

const NOTHING: MoreTouches = { paths: [], climbs: [], copies: [], unknowns: [], changes: false };
const PATH_KEY = /path|file|uri|dest|target|folder|dir|^(?:source|src|from|to)$/i;
const NO_PATH_KEY = /text|content|string|code|pattern|type|glob|line|mode|count|size/i;
const LOOKS =
  /^(?:get|list|read|search|find|query|fetch|view|describe|show|status|count|check|look|inspect|resolve|explain|ping|help|diff|browse|open|screenshot|navigate)/i;
const WRITES = /write|edit|create|delete|remove|rename|move|replace|patch|save|insert|append|overwrite|update/i;
/** Tools that write into the agent's own plan and nowhere else. */
const PLANS: ReadonlySet<string> = new Set(
  "TodoWrite todo_write todowrite write_todos TodoUpdate update_todo_list update_plan updatePlan TaskCreate TaskUpdate manage_todo_list create_plan".split(
    " ",
  ),
);

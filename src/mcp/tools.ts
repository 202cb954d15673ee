import { loadLayers } from "../config/load.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { requestScope } from "../policies/intent/declare.ts";
import { INTENT_TOOLS, type IntentTool } from "../policies/intent/handshake.ts";
import { type Intent, isActive } from "../policies/intent/intent.ts";
import { readIntents } from "../policies/intent/intents-file.ts";
import { recordLessons } from "../policies/intent/memory-file.ts";
import { MODE_MEANS } from "../policies/intent/mode-means.ts";
import { grantCommand } from "../policies/intent/scope-requests.ts";
import { contextOf } from "../policies/intent/select.ts";
import { selectableIntent } from "../policies/intent/select-for-session.ts";
import { problems } from "../problem/problem.ts";

/** Where a tool works. */
export interface ToolSurroundings extends StateHome {
  readonly root: string;
  /** The program at the other end, once it has sent its name. */
  readonly client?: McpClient;
}

/** What a program at the other end sent about itself, and what was agreed with it. */
export interface McpClient {
  name?: string;
  /** The version of the protocol that is in use. */
  protocol?: string | undefined;
}

/** One tool that the server offers. */
export interface McpTool {
  readonly name: IntentTool;
  readonly means: string;
  /** The properties of its input, as JSON Schema. */
  readonly input: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly isReading: boolean;
  readonly run: (input: Readonly<Record<string, unknown>>, around: ToolSurroundings) => string;
}

const INTENT_ID = { type: "string", description: "the id of the intent, such as INT-001" };

/** Every tool of the server. The session is bound by the agent's hook before the call; the server only answers. */
export const MCP_TOOLS: readonly McpTool[] = [
  {
    name: "list_intents",
    means: `${sentence("list_intents")} Only those in progress can be selected.`,
    input: {},
    required: [],
    isReading: true,
    run: (_, { root }) => listText(root),
  },
  {
    name: "select_active_intent",
    means: `${sentence("select_active_intent")} Call it before you change files; it answers with what the intent demands and owns.`,
    input: { intent_id: INTENT_ID },
    required: ["intent_id"],
    isReading: true,
    run: contextFor,
  },
  {
    name: "get_intent_context",
    means: sentence("get_intent_context"),
    input: { intent_id: INTENT_ID },
    required: ["intent_id"],
    isReading: true,
    run: contextFor,
  },
  {
    name: "request_scope",
    means: `${sentence("request_scope")} It owns no more before a person agrees.`,
    input: {
      intent_id: INTENT_ID,
      paths: { type: "array", items: { type: "string" }, description: "paths or globs from the project's root" },
      reason: { type: "string", description: "why the work cannot do without them" },
    },
    required: ["intent_id", "paths", "reason"],
    isReading: false,
    run: (input, { root, client }) => {
      const id = textOf(input, "intent_id");
      const paths = pathsOf(input);
      requestScope(root, id, { paths, reason: textOf(input, "reason").slice(0, LONGEST), by: client?.name });
      return `The request is written down. Nothing is allowed by it yet: a person has to run \`${grantCommand(id, paths)}\`.`;
    },
  },
  {
    name: "record_lesson",
    means: `${sentence("record_lesson")} One sentence that the next session should know.`,
    input: { lesson: { type: "string", description: "what was learned, in a sentence" } },
    required: ["lesson"],
    isReading: false,
    run: (input, { root }) =>
      `The lesson is written into ${recordLessons(root, [textOf(input, "lesson")], "AGENTS.md")}.`,
  },
];

function sentence(tool: IntentTool): string {
  const words: string = INTENT_TOOLS[tool];
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function listText(root: string): string {
  const file = readIntents(root);
  if (file.state === "corrupt") throw file.problem;
  if (file.state === "missing" || file.intents.length === 0) return "No intents are declared in this project.";
  return [...file.intents.map(line), ...modeNote(root)].join("\n");
}

function line(intent: Intent): string {
  const { id, status, name, ownedScope } = intent;
  const can = isActive(intent) ? "can be selected" : "cannot be selected";
  return `${id}  ${status || "no status"} (${can})  ${name}  owns: ${ownedScope.join(", ") || "nothing"}`;
}

function contextFor(input: Readonly<Record<string, unknown>>, { root, ...where }: ToolSurroundings): string {
  const intent = selectableIntent(root, textOf(input, "intent_id"));
  const context = contextOf(root, intent, { agent: undefined, sessionId: undefined }, where);
  return [context, ...modeNote(root)].join("\n");
}

/** Says that a scope is not enforced, where it is not. */
function modeNote(root: string): string[] {
  const { mode } = loadLayers(root).settings.intents;
  return mode === "enforce" ? [] : [MODE_MEANS[mode]];
}

function textOf(input: Readonly<Record<string, unknown>>, key: string): string {
  const value = input[key];
  if (typeof value !== "string" || value.trim() === "") throw PROBLEMS.missing({ key });
  return value.trim();
}

function pathsOf({ paths }: Readonly<Record<string, unknown>>): string[] {
  const texts = (Array.isArray(paths) ? paths : [paths]).filter(
    (path) => typeof path === "string" && path.trim() !== "",
  );
  if (texts.length === 0 || texts.length > MAX_PATHS) throw PROBLEMS.missing({ key: "paths" });
  return texts.map((path) => String(path).trim());
}

const LONGEST = 500;
const MAX_PATHS = 50;

const PROBLEMS = problems("mcp", {
  missing: ({ key }: { key: string }) => ({
    what: `\`${key}\` is missing.`,
    fix: "Look at the tool's input schema.",
  }),
});

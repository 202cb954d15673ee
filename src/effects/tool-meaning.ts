import { isOfKind, PLANNING_TOOLS } from "../event/tool-kinds.ts";
import { bareName } from "./file-tools.ts";

/** What the name of a tool shows about files. */
export type ToolMeaning =
  /** It only looks. */
  | "reads"
  /** It writes the paths that its input names. */
  | "writes"
  /** It keeps the agent's own books, asks a person, or talks to other machines. */
  | "elsewhere"
  /** It runs what it is given, such as tests; what these do is not known. */
  | "runs"
  /** Its name shows neither. */
  | "unclear";

/** Reads the name of a tool other than a shell; a name with a reading and a changing verb is unclear. */
export function toolSays(named: string, args: Readonly<Record<string, unknown>>): ToolMeaning {
  const tool = bareName(named);
  const isOthers = isOfKind(tool, "@mcp");
  if (!isOthers && (PLANNING_TOOLS.has(tool) || isOfKind(tool, "@network"))) return "elsewhere";
  if (isOfKind(tool, "@write")) return args.command === "view" ? "reads" : "writes";
  if (isOfKind(tool, "@read") || tool === "access_mcp_resource") return "reads";
  const words = wordsOf(ownWord(tool, args));
  // `fetch_to_file` reads elsewhere, and writes here.
  if (words.some((word, at) => INTO.has(word) && PLACES.has(words[at + 1] ?? ""))) return "writes";
  if (words.some((word) => WRITES.has(word))) return "writes";
  if (RUNS.has(words[0] ?? "") && words.some((word) => TESTS.has(word))) return "runs";
  if (words.some((word) => CHANGES.has(word)) || isOrder(tool, args)) return "unclear";
  const [first = "", second = ""] = words;
  if (READS.has(first) || (NOUNS.has(first) && (READS.has(second) || RECORDS.has(second)))) return "reads";
  if (first === "open" && NOUNS.has(second)) return "reads";
  // An agent's own tools often name the thing first: `notebook_summary_read`, `code_usages`.
  return !isOthers && words.some((word) => READS.has(word) || LOOKED_UP.has(word)) ? "reads" : "unclear";
}

/** The tool's own name: `mcp__files__write_file` is `write_file`; a tool that carries another's call has the other's. */
export function ownWord(tool: string, args: Readonly<Record<string, unknown>>): string {
  const carried = args.tool_name ?? args.toolName;
  if (CARRIERS.has(tool) && typeof carried === "string") return carried;
  const own = tool.replace(/^.*(?:__|:)/s, "").replace(/^mcp_[^_]+_/, "");
  // Some agents put the name of the server in front with a dash.
  return own === tool && isOfKind(tool, "@mcp") ? own.replace(/^[^-]+-(?=[^-])/, "") : own;
}

/** Whether a tool that asks a database may be given an order instead. */
export function isOrder(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  const isQuery = /^query/i.test(ownWord(tool, args));
  if (isQuery && (Object.hasOwn(args, "sql") || Object.hasOwn(args, "statement"))) return true;
  return [args.sql, args.query, args.statement].some((text) => typeof text === "string" && ORDERS().test(text));
}

function wordsOf(name: string): string[] {
  const parts = name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").split(/[^A-Za-z\d]+/);
  return parts.map((part) => part.toLowerCase()).filter(Boolean);
}

const ORDERS = () =>
  /(?:^|;)\s*(?:drop\s+\w+\s|delete\s+from\s|insert\s+into\s|update\s+\S+\s+set\s|alter\s+\w+\s|truncate\s+|create\s+(?:or\s+replace\s+)?(?:table|index|view|database|function)\s|grant\s+|merge\s+into\s|replace\s+into\s)/i;
const CARRIERS = words("use_mcp_tool mcp_tool_use");
const WRITES = words(
  "write edit create delete remove rename move copy replace patch save insert append overwrite update touch mkdir unlink rm",
);
const INTO = words("to into onto as in");
const PLACES = words("file files disk path local folder dir directory workspace");
const CHANGES = words(`
  add apply chmod clean clear convert download drop execute export fix format generate import init install migrate
  purge put refactor reset restore run set store sync transform truncate upload`);
const RUNS = words("run execute rerun");
const TESTS = words("test tests spec specs");
const READS = words(`
  cat count describe diff explain fetch find get glob grep head info inspect list lookup ls peek query read search show
  stat status tail tree view`);
const NOUNS = words("dir directory file files fs git repo resource resources");
const RECORDS = words("blame branches log");
const LOOKED_UP = words(`
  definition definitions diagnostics errors hover lints lsp oracle problems references retrieval symbols think usages`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

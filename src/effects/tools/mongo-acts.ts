import type { ToolAct } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** What a call does to a store of documents: filters that mean everything, commands, code of its shell. */
export function mongoActs(call: CalledTool): ToolAct[] {
  const { words: name, server, input } = call;
  const acts: ToolAct[] = [];
  const isMany = name.some((word) => MANY.has(word)) && name.some((word) => CHANGES.has(word));
  const filter = FILTER_KEYS.map((key) => input[key]).find((value) => value !== undefined);
  const isStore = [...name, ...server].some((word) => STORES.has(word)) || "collection" in input || "index" in input;
  // Rows that are given one by one are no others.
  const isListed =
    filter === undefined && Object.values(input).some((value) => Array.isArray(value) && value.length > 0);
  if (isMany && isStore && !isListed && isEverything(filter))
    acts.push({ kind: "data-loss", text: collectionOf(input) });
  for (const { value, key } of call.leaves) {
    if (key === "$out" || key === "$merge") acts.push({ kind: "data-loss", text: `${key} ${String(value)}` });
    if (typeof value === "string" && value.length < LONGEST && CODE_KEY.test(key)) {
      const [text] = LOSES.exec(value) ?? [];
      if (text !== undefined) acts.push({ kind: "data-loss", text });
    }
  }
  const [command, of] = Object.entries(objectOf(input.command ?? input.cmd ?? input.operation))[0] ?? [];
  if (
    command !== undefined &&
    /^(?:drop|dropDatabase|dropAllUsersFromDatabase|dropUser|renameCollection|shutdown)$/.test(command)
  )
    acts.push({ kind: "data-loss", text: `${command} ${typeof of === "string" ? of : ""}`.trim() });
  if (command === "delete") {
    const deletes = objectOf(input.command ?? input.cmd ?? input.operation).deletes;
    if (Array.isArray(deletes) && deletes.some((one) => isEverything(objectOf(one).q)))
      acts.push({ kind: "data-loss", text: `delete ${String(of)}` });
  }
  return acts;
}

function collectionOf({ collection, index, table, database }: CalledTool["input"]): string {
  return [collection ?? index ?? table ?? database].filter((value) => typeof value === "string").join("");
}

/** No filter, an empty one, or one that fits every document. */
function isEverything(filter: unknown): boolean {
  if (filter === undefined || filter === null || filter === "") return true;
  if (typeof filter === "string") return /^\s*(?:\{\s*\}|\*|\*:\*|true|1\s*=\s*1)\s*$/.test(filter);
  const keys = Object.keys(objectOf(filter));
  if (keys.length === 0) return true;
  const [only = ""] = keys;
  if (keys.length > 1) return false;
  if (only === "match_all" || only === "query") return only === "match_all" || isEverything(objectOf(filter).query);
  const test = objectOf(objectOf(filter)[only]);
  return only === "_id" && (test.$exists === true || test.$ne === null);
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

const MANY = words("many all bulk document record by_query row item entry point vector");
const CHANGES = words("delete remove update replace deletemany updatemany purge");
const STORES = words(
  "mongo mongodb atlas documentdb cosmos couchbase firestore elasticsearch elastic opensearch dynamodb pinecone qdrant weaviate milvus chroma supabase database db collection airtable",
);
const FILTER_KEYS = [
  "filter",
  "query",
  "where",
  "selector",
  "match",
  "conditions",
  "ids",
  "id",
  "_id",
  "key",
  "Key",
  "keys",
  "document_id",
  "documentId",
  "record_id",
  "recordId",
  "recordIds",
  "row_id",
  "rowId",
];
const CODE_KEY = /^(?:code|script|command|cmd|query|eval|expression|js|operation|pipeline|function)$/;
const LOSES =
  /\bdb\.(?:getSiblingDB\([^)]{0,80}\)\.)?(?:[\w$]{1,80}|getCollection\([^)]{0,80}\)|\[["'][^"']{0,80}["']\])?\.?(?:drop(?:Database|AllUsers)?\s{0,4}\(|(?:deleteMany|remove|delete_many)\s{0,4}\(\s{0,4}(?:\{\s{0,4}\})?\s{0,4}[),])|\b(?:delete_many|deleteMany)\s{0,4}\(\s{0,4}\{\s{0,4}\}\s{0,4}\)|\.drop_(?:database|collection)\s{0,4}\(|\.dropDatabase\s{0,4}\(/;
const LONGEST = 20_000;

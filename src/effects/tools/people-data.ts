import { sqlReads } from "../sql/sql.ts";
import { addressIn, isLocalHost } from "./addresses.ts";
import { isForDevelopment } from "./named-things.ts";
import { type CalledTool, type InputLeaf, type ToolAct, wordsOf } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** Data about people, or a whole collection of data or code, that a call shows, exports or sends. */
export function peopleDataActs(call: CalledTool): ToolAct[] {
  const { leaves, words: name } = call;
  const sent = leaves.flatMap((leaf) => sentData(leaf, call));
  if (sent.length > 0 || isForDevelopment(call)) return sent.slice(0, 1);
  const personal = leaves.filter(
    ({ key, value }) =>
      COLUMNS_KEY.test(key) &&
      String(value)
        .split(/[\s,]+/)
        .filter(isPersonalColumn).length > 0,
  );
  const count = personal.reduce(
    (sum, { value }) =>
      sum +
      String(value)
        .split(/[\s,]+/)
        .filter(isPersonalColumn).length,
    0,
  );
  const about = [
    ...name,
    ...call.server,
    ...leaves.flatMap(({ key, value }) => (OBJECT_KEY.test(key) ? wordsOf(String(value)) : [])),
  ];
  const isAboutPeople = about.some((word) => PEOPLE.has(word));
  if (count > 1 && leaves.some(isMuch)) return [{ kind: "people-data", text: personal.map(shown).join(" ") }];
  const isExport = name.some((word) => EXPORTS.has(word));
  const target = leaves.find(({ key, value }) => typeof value === "string" && TARGET_KEY.test(key));
  if (isAboutPeople && (isExport || (target !== undefined && name.some((word) => LISTS.has(word)))))
    return [{ kind: "people-data", text: [...name, shown(target)].join(" ").trim() }];
  if (isExport && count > 0) return [{ kind: "people-data", text: personal.map(shown).join(" ") }];
  if (
    MESSAGES_OF.test([...call.server, ...name].join(" ")) &&
    name.some((word) => LISTS.has(word) || EXPORTS.has(word))
  )
    return [{ kind: "people-data", text: name.join(" ") }];
  return leaves.flatMap(({ value }) => (typeof value === "string" ? listedPeople(value) : [])).slice(0, 1);
}

/** A query whose answer is a list of people with what belongs to them alone. */
function listedPeople(text: string): ToolAct[] {
  if (text.length > MAX_LENGTH || !MAY_LIST().test(text)) return [];
  const [, columns = ""] = /\bselect\s+(?:distinct\s+)?([\s\S]{1,2000}?)\s+from\b/i.exec(text) ?? [];
  const personal = columns.split(/[\s,]+/).filter(isPersonalColumn);
  const isAll = /(?:^|[\s,.])\*/.test(columns) && !/\bwhere\b|\blimit\s+\d{1,2}\b|\btop\s+\d{1,2}\b/i.test(text);
  if ((personal.length === 0 && !isAll) || AGGREGATE.test(columns) || isFew(text)) return [];
  const tables = sqlReads(text).map(({ object }) => object);
  const isOfPeople = tables.some((table) => wordsOf(table).some((word) => PEOPLE.has(word)));
  const isPrivate = personal.some((column) => PRIVATE.test(column));
  // Whole rows of users are looked at every day; those of customers and patients are not.
  const isWhole =
    isAll && tables.some((table) => wordsOf(table).some((word) => PEOPLE.has(word) && !ACCOUNTS.has(word)));
  return (isOfPeople && (personal.length > 1 || isWhole || isPrivate)) || (isPrivate && personal.length > 1)
    ? [{ kind: "people-data", text: text.slice(0, 300) }]
    : [];
}

/** One person by a key, or a handful. */
function isFew(text: string): boolean {
  const [, limit] = /\b(?:limit|top|fetch\s+first)\s*\(?\s*(\d{1,9})/i.exec(text) ?? [];
  return (
    Number(limit ?? MANY) < FEW ||
    /\bwhere\b[\s\S]{0,200}\b(?:\w*id|email|uuid|username)\s*=\s*(?!.*\bor\b)/i.test(text)
  );
}

/** A list of people in a text that is sent, or a file by whose name it holds one, or everything of a project. */
function sentData({ key, value }: InputLeaf, { words: name, leaves, server, isMcp }: CalledTool): ToolAct[] {
  if (typeof value !== "string" || value === "") return [];
  const all = [...name, ...server];
  if (all.some((word) => OF_FILES.has(word))) return [];
  const isSent = name.some((word) => SENDS.has(word)) || /^https?$/.test(name[0] ?? "");
  if (BODY_KEY.test(key) && value.length < MAX_LENGTH && (isMcp || isSent || "url" in keysOf(leaves))) {
    const [first = "", ...lines] = value.trim().split("\n", 3);
    const columns = first.split(/[,;\t]/);
    const isAway = leaves.every(({ key: other, value: url }) => other !== "url" || !isLocalAddress(String(url)));
    if (lines.length > 0 && columns.length > 1 && columns.filter(isPersonalColumn).length > 1 && isAway)
      return [{ kind: "people-data", text: first }];
  }
  if (!FILE_KEY.test(key) || !isSent || value.length > 1000) return [];
  if (/(?:^|\/)(?:tests?|__tests__|fixtures?|e2e|spec|examples?|samples?|seeds?|testdata)\//.test(value)) return [];
  const file = value.slice(value.lastIndexOf("/") + 1);
  const isList = DATA_FILE.test(file) && wordsOf(file).some((word) => PEOPLE.has(word));
  const isWhole =
    WHOLE_FILE.test(file) && all.some((word) => word === "browser" || word === "paste" || word === "gist");
  return isList || isWhole ? [{ kind: "people-data", text: value }] : [];
}

function keysOf(leaves: readonly InputLeaf[]): Readonly<Record<string, true>> {
  return Object.fromEntries(leaves.map(({ key }) => [key, true]));
}

function isLocalAddress(text: string): boolean {
  const address = addressIn(text);
  return address !== undefined && isLocalHost(address.hostname);
}

function isPersonalColumn(column: string): boolean {
  return (
    PERSONAL.test(column) && !/_(?:at|id|count|verified|sent|status|type|hash)$|^(?:has|is|count)_|\(/i.test(column)
  );
}

function isMuch({ key, value }: InputLeaf): boolean {
  return /^(?:size|limit|first|count|max\w*|perpage|pagesize|top|rows)$/.test(key) && Number(value) >= FEW;
}

function shown(leaf: InputLeaf | undefined): string {
  return leaf === undefined ? "" : String(leaf.value).slice(0, 300);
}

const PEOPLE = words(
  "user customer client patient member subscriber contact guest employee student donor profile person people citizen resident applicant candidate attendee participant passenger buyer tenant guardian staff personnel payroll kunden patienten mitarbeiter personen lead audience newsletter",
);
const ACCOUNTS = words("user profile member person people");
const PERSONAL =
  /(?:^|[._"`])(?:e-?mail\w*|phone\w*|mobile\w*|telefon\w*|address\w*|street\w*|(?:date_of_)?birth\w*|dob|geburts\w*|ssn|social_security\w*|iban|passport\w*|salary|gehalt|diagnos\w*|(?:first|last|full|sur|given|family)_?name|(?:nach|vor)name|name|ip_?address|home_location|location|card_?number|insurance\w*|tax_id|national_id|medical\w*|health\w*|password\w*|gender|religion|ethnicity)["`]?$/i;
/** What hardly anyone but its owner should see. */
const PRIVATE =
  /(?:^|[._"`])(?:e-?mail|phone|mobile|ssn|social_security\w*|iban|passport\w*|salary|gehalt|diagnos\w*|card_?number|tax_id|national_id|medical\w*|password\w*|dob|birth\w*)/i;
const AGGREGATE = /\b(?:count|sum|avg|min|max|group_concat|string_agg|md5|sha\d*)\s*\(/i;
const MAY_LIST = () => /\bselect\b[\s\S]{1,2000}?\bfrom\b/i;
const EXPORTS = words("export dump download extract backup exfiltrate");
const LISTS = words("list search find query read fetch get scan");
/** What people wrote to each other, and whom they know. */
const MESSAGES_OF = /\b(?:imessage|whatsapp|signal|address ?book)\b/;
const COLUMNS_KEY = /^(?:source|fields?|columns?|select|projection|includes?|attributes?|properties|attributestoget)$/;
const OBJECT_KEY =
  /^(?:index|table|collection|resource|object|objecttype|entity|dataset|model|type|bucket|list|report)$/;
const TARGET_KEY =
  /^(?:export\w*|output\w*|path|filepath|file|destination\w*|dest|saveto|target\w*|downloadpath|filename)$/;
const BODY_KEY = /^(?:body|data|payload|text|content|message|rawbody|json|form)$/;
const FILE_KEY = /path|file|attachment|^(?:source|src)$/;
const SENDS = words("upload send post share attach submit import publish create put email message sync add");
/** Tools for the files of this machine. */
const OF_FILES = words("filesystem write edit append copy move commander docker compose git ide serena insert save");
const DATA_FILE = /\.(?:csv|tsv|xlsx?|ods|json|jsonl|ndjson|parquet|sql|dump|db|sqlite3?|vcf|zip|gz|txt|pdf)$/i;
/** A whole project or database in one file. */
const WHOLE_FILE = /\.(?:zip|tar|tgz|tar\.(?:gz|xz|bz2|zst)|7z|rar|sql|dump|bak|bundle|sqlite3?|db)$/i;
const FEW = 50;
const MANY = 1_000_000;
const MAX_LENGTH = 20_000;

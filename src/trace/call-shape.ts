import type { DecisionRecord } from "./record.ts";
import { recordedInput, recordedText } from "./recorded-event.ts";

/**
 * What a call has in common with others like it: of a command line its programs, subcommands and options, of a file its
 * folder and ending. Two calls of one shape differ in names and values alone.
 */
export function callShape(record: DecisionRecord): string {
  const { command } = Object(recordedInput(record)) as { readonly command?: unknown };
  if (typeof command === "string") return commandShape(command);
  const tool = record.tool ?? record.event;
  const text = recordedText(record);
  return /^[^\s{]*\/[^\s]*$|^[\w.-]+\.\w+$/.test(text) ? `${tool} ${pathShape(text, record.root)}` : tool;
}

function commandShape(command: string): string {
  const parts = command
    .slice(0, LONGEST)
    .split(/\s*(?:\|\|?|&&|;|\n)\s*/)
    .filter(Boolean);
  const shapes = parts.slice(0, MOST_PARTS).map(partShape).filter(Boolean);
  return [...shapes, ...(parts.length > MOST_PARTS ? ["…"] : [])].join(" | ");
}

function partShape(part: string): string {
  const words = part
    .trim()
    .split(/\s+/)
    .filter((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [program = "", ...rest] = words;
  const known = rest.map((word, index) => {
    if (word.startsWith("-")) return word.replace(/=.*$/, "=…");
    return index === 0 && /^[a-z][a-z-]+$/.test(word) ? word : "…";
  });
  const once = known.filter((word, index) => word !== "…" || known[index - 1] !== "…");
  return [program.replace(/^.*\//, ""), ...once].join(" ");
}

function pathShape(path: string, root: string | undefined): string {
  const seen = root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const parts = seen.split("/");
  const name = parts.pop() ?? "";
  const ending = /\.[A-Za-z]\w{0,9}$/.exec(name)?.[0];
  return [...parts.slice(0, 3), ending === undefined ? name : `*${ending}`].join("/");
}

const LONGEST = 4000;
const MOST_PARTS = 6;

import { REDACTION_MARK } from "./redact.ts";
import { CUT, CUT_MARKS, LEFT_OUT } from "./shorten.ts";

/** JSON pointers into a record: what a secret was taken out of, and what was shortened. */
export interface RemovedFields {
  readonly redacted: readonly string[];
  readonly cut: readonly string[];
}

/** Compares a value with what a record keeps of it, and names every place that lost something. */
export function removedFields(whole: unknown, kept: unknown): RemovedFields {
  const found: Found = { redacted: [], cut: [], left: MAX_COMPARED };
  compare(whole, kept, "", found, 0);
  return { redacted: found.redacted, cut: found.cut };
}

/** Whether a JSON text may contain such places. */
export function mayHaveRemoved(json: string): boolean {
  return MARKS.test(json);
}

/** All marks begin with the same sign, so that one look finds them. */
const MARKS = new RegExp(
  `\\[(?:${[REDACTION_MARK, ...CUT_MARKS].map((mark) => mark.replace(/^\u2026?\[/, "").replace("]", "\\]")).join("|")})`,
);

/** The places in a record from before such places were noted, found by the marks that were left there. */
export function markedFields(kept: unknown): RemovedFields {
  const found: Found = { redacted: [], cut: [], left: MAX_COMPARED };
  compare(undefined, kept, "", found, 0);
  return { redacted: found.redacted, cut: found.cut };
}

interface Found {
  readonly redacted: string[];
  readonly cut: string[];
  /** Values that are still looked at; a record that has more lost something there. */
  left: number;
}

function compare(whole: unknown, kept: unknown, pointer: string, found: Found, depth: number): void {
  if (whole === kept) return;
  if (found.left-- <= 0 || depth > DEEPEST) note(found.cut, pointer);
  else if (typeof kept === "string") compareText(whole, kept, pointer, found);
  else if (typeof kept === "object" && kept !== null) compareFields(whole, kept, pointer, found, depth);
}

function compareFields(whole: unknown, kept: object, pointer: string, found: Found, depth: number): void {
  const plain = plainOf(whole);
  if (Array.isArray(kept)) {
    if (kept.at(-1) === LEFT_OUT) note(found.cut, pointer);
    else if (Array.isArray(plain) && plain.length !== kept.length) note(found.redacted, pointer);
  }
  for (const name of Object.keys(kept)) {
    const inner = kept[name as keyof typeof kept] as unknown;
    if (name === LEFT_OUT) note(found.cut, pointer);
    // A name that the value does not have is a name that was changed itself.
    else if (plain !== undefined && !Object.hasOwn(plain, name))
      note(name.includes(REDACTION_MARK) ? found.redacted : found.cut, pointer);
    else compare(plain?.[name as keyof typeof plain], inner, `${pointer}/${escaped(name)}`, found, depth + 1);
  }
}

function compareText(whole: unknown, kept: string, pointer: string, found: Found): void {
  if (whole === kept) return;
  const isCut = CUT_MARKS.some((mark) => kept.includes(mark));
  if (isCut) note(found.cut, pointer);
  // A text that was only cut begins as the whole one does.
  const cutAt = kept.lastIndexOf(CUT);
  const begin = cutAt < 0 ? kept : kept.slice(0, cutAt);
  const isWholeKnown = typeof whole === "string";
  if (kept.includes(REDACTION_MARK) && !(isWholeKnown && isCut && whole.startsWith(begin)))
    note(found.redacted, pointer);
}

/** The JSON form of a value with a `toJSON` of its own. */
function plainOf(value: unknown): object | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") return plainOf((value.toJSON as () => unknown)());
  } catch {
    return undefined;
  }
  return value;
}

function note(list: string[], pointer: string): void {
  if (list.at(-1) !== pointer && list.length < MAX_NOTED) list.push(pointer);
  else if (list.length === MAX_NOTED) list.push("");
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

const MAX_COMPARED = 20_000;
const MAX_NOTED = 100;
const DEEPEST = 64;

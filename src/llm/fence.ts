import { createHash, randomBytes } from "node:crypto";
import type { SlotValue } from "./prompt-template.ts";

/** Puts values of an event into a prompt so that they stay data: between tags that cannot be foreseen. */
export interface Fence {
  readonly nonce: string;
  around(slot: SlotValue): string;
  /** The fields that were too long to be shown whole, with their size. */
  readonly cut: readonly CutField[];
}

/** A field of which a prompt shows only the beginning and the end. */
export interface CutField {
  readonly path: string;
  readonly bytes: number;
}

/** A fence for one prompt. All values together get so many bytes. */
export function makeFence(most: number = MOST_DATA): Fence {
  const nonce = randomBytes(16).toString("hex");
  const cut: CutField[] = [];
  let left = most;
  const around = (slot: SlotValue): string => {
    if (isBare(slot)) return slot.text;
    const whole = slot.isJson ? visible(slot.text) : quoted(slot.text);
    const fits = bytesOf(whole) <= left;
    if (!fits) cut.push({ path: slot.path, bytes: bytesOf(slot.text) });
    const shown = fits ? whole : headAndTail(slot.text, left);
    left = Math.max(0, left - bytesOf(shown));
    return `<data-${nonce} field="${slot.path}"${fits ? "" : ' cut="yes"'}>${shown}</data-${nonce}>`;
  };
  return { nonce, around, cut };
}

/** The most that a model is shown of an event, in bytes. */
export const MOST_DATA = 16 * 1024;

/** Numbers, nothing at all, and short names that are one plain word cannot carry instructions. */
function isBare({ path, value, text }: SlotValue): boolean {
  if (value === undefined || value === null || typeof value === "number" || typeof value === "boolean") return true;
  return path === "event" || (PLAIN_FIELDS.has(path) && /^[A-Za-z0-9_-]{1,24}$/.test(text));
}

const PLAIN_FIELDS: ReadonlySet<string> = new Set(["tool", "tool_name", "session_id"]);

function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** Still the same JSON: no closing tag can stand in it, and what people would not see is written out. */
function visible(json: string): string {
  return json
    .replaceAll("</", "<\\/")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, escaped);
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The beginning, the end, and a hash of all of it, so that two long values are never the same question. */
function headAndTail(text: string, most: number): string {
  const about = `"bytes":${bytesOf(text)},"sha256":"${createHash("sha256").update(text).digest("hex")}"`;
  for (let half = Math.floor(most / 2); half > 0; half = Math.floor(half * 0.8)) {
    const shown = `{"head":${quoted(text.slice(0, half))},"tail":${quoted(text.slice(-half))},${about}}`;
    if (bytesOf(shown) <= most) return shown;
  }
  return `{${about}}`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

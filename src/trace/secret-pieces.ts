/** A range of a text, and what to write instead. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/**
 * Removes secrets that are split into pieces: literals that are concatenated or adjacent, lines that continue in the
 * next one. What is found in the text without its seams goes, from the first piece to the last.
 */
export function withoutPieces(text: string, find: Find): string {
  const found = foundAcross(SEAM, () => "", text, find);
  // A secret within one piece was found before.
  return replaced(
    text,
    found.filter(({ start, end, length }) => end - start > length),
  );
}

/** Takes out secrets of a text that was written into another text, however often: its quotes and lines are escaped. */
export function withoutEscaped(text: string, find: Find): string {
  return replaced(text, foundAcross(ESCAPE, meaningOf, text, find));
}

/** Takes out what is a text with a secret in it when it is decoded: base64, hexadecimal digits. */
export function withoutEncoded(text: string, find: Find): string {
  const spans: Span[] = [];
  for (const { index, 0: run } of text.matchAll(ENCODED)) {
    const decoded = decodedText(run);
    if (decoded !== undefined && find(decoded).length > 0)
      spans.push({ start: index, end: index + run.length, mark: "[redacted:encoded]" });
  }
  return replaced(text, spans);
}

/** The decoded form of a run of letters, if that is text. */
function decodedText(run: string): string | undefined {
  const isHex = run.length % 2 === 0 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(run);
  const bytes = Buffer.from(run, isHex ? "hex" : "base64");
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte > 126 || (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9)) return undefined;
  }
  return bytes.toString("latin1");
}

/** Runs of letters that may be another text; a hyphen and an underscore are letters of base64 in addresses. */
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g;

/** What an escaped character means. */
function meaningOf(seam: string): string {
  const code = /^(?:%|\\+x|\\+u00|&#x)([0-9a-f]{2});?$/i.exec(seam)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (seam.startsWith("&#")) return String.fromCharCode(Number.parseInt(seam.slice(2), 10));
  if (seam.startsWith("&")) return ENTITIES[seam] ?? "";
  return MEANINGS[seam.at(-1) ?? ""] ?? "";
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
};

type Find = (joined: string) => readonly Span[];

/** Findings for each meaning of the seams, by their position in the text itself. */
function foundAcross(
  seam: RegExp,
  meaning: (seam: string) => string,
  text: string,
  find: Find,
): readonly (Span & { readonly length: number })[] {
  const seams = [...text.matchAll(seam)];
  if (seams.length === 0) return [];
  const { joined, places } = joinedAt(text, seams, meaning);
  return find(joined).map(({ start, end, mark }) => ({
    start: originalOf(start, places),
    end: originalOf(end - 1, places) + 1,
    length: end - start,
    mark,
  }));
}

/** Removes secrets that are recognised only by their neighbours: the arguments of a command, one by one. */
export function withoutArguments(items: readonly string[], find: Find): readonly string[] {
  const spans = find(items.join(" "));
  if (spans.length === 0) return items;
  let begin = 0;
  return items.map((item) => {
    const from = begin;
    begin += item.length + 1;
    const own = spans.map(({ start, end, mark }) => ({
      start: Math.max(0, start - from),
      end: Math.min(item.length, end - from),
      mark,
    }));
    return replaced(
      item,
      own.filter(({ start, end }) => start < end),
    );
  });
}

interface Place {
  readonly joined: number;
  readonly original: number;
}

function joinedAt(
  text: string,
  seams: readonly RegExpExecArray[],
  meaning: (seam: string) => string,
): { joined: string; places: readonly Place[] } {
  const places: Place[] = [{ joined: 0, original: 0 }];
  let joined = "";
  let from = 0;
  for (const { index, 0: seam } of seams) {
    joined += text.slice(from, index);
    from = index + seam.length;
    const meant = meaning(seam);
    places.push({ joined: joined.length, original: from - meant.length });
    joined += meant;
  }
  return { joined: joined + text.slice(from), places };
}

function originalOf(at: number, places: readonly Place[]): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((places[middle]?.joined ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const { joined, original } = places[low] ?? { joined: 0, original: 0 };
  return original + at - joined;
}

/** The text with marks in place of what is found. */
export function replaced(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, mark } of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (start >= from) pieces.push(text.slice(from, start), mark);
    from = Math.max(from, end);
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(from);
}

/** Where one literal ends and the next begins, with nothing or a concatenation operator between them; or a line that continues. */
const SEAM = /\\?["'`]\s{0,40}(?:(?:\+|\.\.?|&|\|\|)\s{0,40})?[fFrRbBuU]{0,2}\\?["'`]|\\\r?\n[ \t]{0,40}/g;
/** A quote, the end of a line or any letter, written into another text. */
const ESCAPE =
  /(?<!\\)\\+(?:[nrt"'`]|x[0-9a-fA-F]{2}|u00[0-9a-fA-F]{2})|%[0-9a-fA-F]{2}|&(?:quot|apos|amp|lt|gt|#\d{2,3}|#x[0-9a-fA-F]{2});/g;
const MEANINGS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "'": "'", "`": "`" };

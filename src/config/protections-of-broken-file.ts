import type { Layer } from "../hook/hook.ts";
import type { Place } from "../problem/problem.ts";
import { countsAs, type Protects, partNamed, tightening, unreadSetting } from "./protection.ts";
import { protectionMeant, type Statement } from "./settings.ts";

/** What a file that cannot be read still says about protections: one wrong sign in it does not switch them off. */
export function protectionsOfBrokenFile(text: string, layer: Layer, place: Place): Statement[] {
  const seen = text.replaceAll(UNSEEN, "").replaceAll(COMMENT_LINE, "");
  const said: Statement[] = [];
  for (const found of seen.matchAll(STATED)) {
    const [whole, lead = "", key = "", word = ""] = found;
    const meant = protectionMeant(key, [], MOST_EDITS);
    if (meant === undefined) continue;
    const { setting, protects } = meant;
    const stated = protects.whole
      ? [countsAs(word, protects.whole)]
      : partsIn(bodyAfter(seen, found.index + whole.length - word.length, lead.length), protects);
    const values = stated.map((value) => tightening(value, protects)).filter((value) => value !== undefined);
    said.push(...values.map((value) => ({ setting, value, layer, place })));
    if (said.length >= MOST_SAID) break;
  }
  return said;
}

/** The parts that are stated in the text of a setting; where there are none, nothing in it could be read. */
function partsIn(body: string, protects: Protects): unknown[] {
  const found = [...body.matchAll(STATED)].flatMap(([, , key = "", word = ""]) => {
    const name = partNamed(key, protects);
    const part = protects.parts?.[name ?? ""];
    return name === undefined || part === undefined ? [] : [{ [name]: countsAs(word, part) }];
  });
  return found.length === 0 ? [unreadSetting(protects, undefined)] : found;
}

/** Up to the end of its braces, or of the lines that stand deeper than its key. */
function bodyAfter(text: string, from: number, depth: number): string {
  const rest = text.slice(from, from + LONGEST_BODY);
  const [braced] = /^\s*\{[^}]*/.exec(rest) ?? [];
  if (braced !== undefined) return braced;
  const [line = "", ...below] = rest.split("\n");
  const end = below.findIndex((next) => next.trim() !== "" && next.search(/[^ \t]/) <= depth);
  return [line, ...(end === -1 ? below : below.slice(0, end))].join("\n");
}

/** What is between the letters when a text is read in another encoding than its own, and the mark before it. */
const UNSEEN = /[\0\uFEFF\uFFFD]/g;
const COMMENT_LINE = /^[ \t]*(?:#|\/\/).*$/gm;
/** A key at the beginning of a line or in braces, in either notation, and the first word of its value. */
const STATED = /(?:^|[{,])([ \t]*)["']?([A-Za-z_-]{1,40})["']?[ \t]*:[ \t]*["']?(\w*)/gm;
/** Nobody asks for more; a text that does is somebody's attack. */
const MOST_SAID = 100;
const LONGEST_BODY = 2000;
/** Nearly every word of a broken text may come by here. */
const MOST_EDITS = 1;

import { isDeepStrictEqual } from "node:util";
import type { ConfigTree, ParsedConfig } from "../../src/config/tree.ts";

/** A plain reader, and the one it stands in for. */
export interface Readers {
  readonly plain: (text: string) => ConfigTree | undefined;
  readonly library: (text: string) => ParsedConfig;
}

/** Reads texts both ways; tells how many the plain reader took on, and the first that the library reads otherwise. */
export function compared(texts: Iterable<string>, { plain, library }: Readers) {
  let all = 0;
  let taken = 0;
  for (const text of texts) {
    all++;
    const tree = plain(text);
    if (tree === undefined) continue;
    taken++;
    const parsed = library(text);
    if (!isDeepStrictEqual(parsed.tree, tree)) return { all, taken, otherwise: { text, tree, parsed } };
  }
  return { all, taken, otherwise: undefined };
}

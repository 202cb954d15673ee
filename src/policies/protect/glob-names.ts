import { compileGlob } from "../../pattern/glob.ts";

/**
 * Whether a glob matches exactly this path. A star does not match a leading dot, as in a shell by default. `**` matches
 * everything below a folder, as `find` searches it; a star after it matches every name, as in `find`.
 */
export function globNames(glob: string, path: string, findsHidden = false): boolean {
  return fits(glob.split("/"), path.split("/"), findsHidden);
}

/**
 * Whether a glob goes into a folder: `inside` if its first pieces name the folder, `deep` if only a `**` reaches it, so that the
 * rest of the glob decides about the content of the folder.
 */
export function globEnters(glob: string, folder: string, findsHidden = false): "inside" | "deep" | undefined {
  const pieces = glob.split("/");
  for (const [at, name] of folder.split("/").entries()) {
    const piece = pieces[at];
    if (piece === "**") return "deep";
    if (piece === undefined || !isNamed(piece, name, findsHidden)) return undefined;
  }
  return "inside";
}

/** The pieces of a glob; several `**` in a row are one. */
export function piecesOf(glob: string): string[] {
  const all = glob.split("/");
  return all.filter((piece, index) => piece !== "**" || all[index + 1] !== "**");
}

/** Whether a piece of a path is a pattern. */
export function isPattern(piece: string): boolean {
  return /[*?[(]/.test(piece);
}

/** Whether a name matches one piece of a glob. */
export function isNamed(piece: string, name: string, findsHidden: boolean): boolean {
  if (piece === name) return true;
  if (!isPattern(piece)) return false;
  // No disk has such names, and a pattern of this length may match anything.
  if (piece.length > MAX_PIECE) return true;
  // A group may contain the dot, or enable names with dots.
  const isOpen = findsHidden || GROUP.test(piece);
  if (!isOpen && /^[*?[]/.test(piece) && name.startsWith(".")) return false;
  return compileGlob(widened(piece))(name);
}

/** Whether all pieces of a path match those of a glob. Only the last `**` before a mismatch is retried, so many cost no more. */
function fits(glob: readonly string[], path: readonly string[], findsHidden: boolean): boolean {
  let [piece, name] = [0, 0];
  let last: { readonly piece: number; name: number } | undefined;
  while (name < path.length) {
    const wanted = glob[piece];
    if (wanted === "**") {
      // At the end it matches everything below.
      if (++piece === glob.length) return true;
      last = { piece, name };
    } else if (wanted !== undefined && isNamed(wanted, path[name] ?? "", findsHidden || glob[piece - 1] === "**")) {
      piece++;
      name++;
    } else if (last !== undefined) {
      piece = last.piece;
      name = ++last.name;
    } else return false;
  }
  return piece === glob.length;
}

/** Replaces `@(a|b)` of bash and `(a|b)` of zsh by `*`, and `[[:alpha:]]` by `?`. */
function widened(piece: string): string {
  return piece.replaceAll(GROUPS, "*").replaceAll(/\[[!^]?(?:[^\]]*\[[:.=][^\]]*[:.=]\])+[^\]]*\]/g, "?");
}

const MAX_PIECE = 4096;
const GROUP = /\(.*\)/;
const GROUPS = /[?*+@!]?\(.*\)/g;

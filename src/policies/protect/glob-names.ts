import { compileGlob } from "../../pattern/glob.ts";

/**
 * Whether this very path is one that a glob finds: a star finds no name that begins with a dot, as in a shell that was
 * not told otherwise; `**` stands for whatever lies below a folder, as `find` goes through it. The pattern behind it is
 * one of `find` too, whose star finds every name.
 */
export function globNames(glob: string, path: string, findsHidden = false): boolean {
  return fits(glob.split("/"), path.split("/"), findsHidden);
}

/**
 * Whether a glob goes into a folder: its first pieces name the folder. `deep` where only a `**` gets there, so that what
 * follows decides about what lies in the folder.
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

/** A glob by its pieces; any number of `**` in a row is one. */
export function piecesOf(glob: string): string[] {
  const all = glob.split("/");
  return all.filter((piece, index) => piece !== "**" || all[index + 1] !== "**");
}

/** Whether a piece of a path is a pattern. */
export function isPattern(piece: string): boolean {
  return /[*?[(]/.test(piece);
}

/** Whether a name fits one piece of a glob. */
export function isNamed(piece: string, name: string, findsHidden: boolean): boolean {
  if (piece === name) return true;
  if (!isPattern(piece)) return false;
  // No disk has such names, and a pattern of this length may mean any.
  if (piece.length > LONGEST_PIECE) return true;
  // A choice may spell the dot, or say that names with dots are meant.
  const isOpen = findsHidden || GROUP.test(piece);
  if (!isOpen && /^[*?[]/.test(piece) && name.startsWith(".")) return false;
  return compileGlob(widened(piece))(name);
}

/** Whether all pieces of a path fit those of a glob; only the last `**` before a difference is tried again, so that many cost no more. */
function fits(glob: readonly string[], path: readonly string[], findsHidden: boolean): boolean {
  let [piece, name] = [0, 0];
  let last: { readonly piece: number; name: number } | undefined;
  while (name < path.length) {
    const wanted = glob[piece];
    if (wanted === "**") {
      // At the end it stands for everything below.
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

/** `@(a|b)` of bash and `(a|b)` of zsh may stand for anything, `[[:alpha:]]` for any sign. */
function widened(piece: string): string {
  return piece.replaceAll(GROUPS, "*").replaceAll(/\[[!^]?(?:[^\]]*\[[:.=][^\]]*[:.=]\])+[^\]]*\]/g, "?");
}

const LONGEST_PIECE = 4096;
const GROUP = /\(.*\)/;
const GROUPS = /[?*+@!]?\(.*\)/g;

import { compileGlob } from "../../pattern/glob.ts";

/**
 * Whether this very path is one that a glob finds: a star finds no name that begins with a dot, as in a shell that was
 * not told otherwise; `**` stands for whatever lies below a folder, as `find` goes through it.
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

/** Whether a piece of a path is a pattern. */
export function isPattern(piece: string): boolean {
  return /[*?[(]/.test(piece);
}

/** Whether a name fits one piece of a glob. */
export function isNamed(piece: string, name: string, findsHidden: boolean): boolean {
  if (piece === name) return true;
  if (!isPattern(piece)) return false;
  // A choice may spell the dot, or say that names with dots are meant.
  const isOpen = findsHidden || GROUP.test(piece);
  if (!isOpen && /^[*?[]/.test(piece) && name.startsWith(".")) return false;
  return compileGlob(widened(piece))(name);
}

function fits([piece, ...rest]: readonly string[], pieces: readonly string[], findsHidden: boolean): boolean {
  if (piece === undefined) return pieces.length === 0;
  if (piece === "**")
    return pieces.some((_, index) => fits(rest, pieces.slice(rest.length === 0 ? index + 1 : index), findsHidden));
  const [name, ...deeper] = pieces;
  return name !== undefined && isNamed(piece, name, findsHidden) && fits(rest, deeper, findsHidden);
}

/** `@(a|b)` of bash and `(a|b)` of zsh may stand for anything, `[[:alpha:]]` for any sign. */
function widened(piece: string): string {
  return piece.replaceAll(GROUPS, "*").replaceAll(/\[[!^]?(?:[^\]]*\[[:.=][^\]]*[:.=]\])+[^\]]*\]/g, "?");
}

const GROUP = /\(.*\)/;
const GROUPS = /[?*+@!]?\(.*\)/g;

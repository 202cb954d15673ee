import { compileGlob } from "../../pattern/glob.ts";

/**
 * Whether this very path is one that a pattern finds: a star finds no name that begins with a dot, as in a shell;
 * `**` stands for whatever lies below a folder, as `find` goes through it.
 */
export function globNames(glob: string, path: string): boolean {
  return fits(glob.split("/"), path.split("/"));
}

function fits([piece, ...rest]: readonly string[], pieces: readonly string[]): boolean {
  if (piece === undefined) return pieces.length === 0;
  if (piece === "**") return pieces.some((_, index) => fits(rest, pieces.slice(rest.length === 0 ? index + 1 : index)));
  const [name, ...deeper] = pieces;
  return name !== undefined && isNamed(piece, name) && fits(rest, deeper);
}

function isNamed(piece: string, name: string): boolean {
  if (/^[*?[]/.test(piece) && name.startsWith(".")) return false;
  return piece === name || (/[*?[]/.test(piece) && compileGlob(piece)(name));
}

import { basename } from "node:path";

/** Whether `make` reads a file as its own. */
export function isMakefile(path: string): boolean {
  return /^(?:GNU)?makefile$|\.mk$/i.test(basename(path));
}

/** A makefile as a shell would write it: variables, what is included, and the commands. */
export function recipesIn(text: string): string {
  return text
    .replaceAll(/\$[({](\w+)[)}]/g, "${$1}")
    .replaceAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[:?+]{0,3}=[ \t]*/gm, "$1=")
    .replaceAll(/^[-s]?include[ \t]+/gm, ". ")
    .replaceAll(/^\t[ \t]*[@+-]+/gm, "\t");
}

/** The part of a `package.json` that names tasks. */
export interface PackageFile {
  readonly scripts?: unknown;
}

/** The script of that name in a package, with what runs before and after it. */
export function packageTask({ scripts }: PackageFile, name: string): string | undefined {
  if (typeof scripts !== "object" || scripts === null) return undefined;
  const lines = [`pre${name}`, name, `post${name}`].map((key) => (scripts as Record<string, unknown>)[key]);
  const found = lines.filter((line) => typeof line === "string");
  return typeof lines[1] === "string" ? found.join("\n") : undefined;
}

/** How a task runner names the files with its recipes, and how it indents them. */
export interface Recipes {
  readonly files: readonly string[];
  /** What each line of a recipe begins with. */
  readonly indent: RegExp;
}

/** The files of task runners whose tasks are recipes, by the canonical name of the runner. */
export const RECIPES: Readonly<Record<string, Recipes>> = {
  make: { files: ["GNUmakefile", "makefile", "Makefile"], indent: /^\t/gm },
  just: { files: ["justfile", "Justfile", ".justfile"], indent: /^[ \t]+/gm },
};

/** A file of recipes: its lines, and the line at which each target begins. */
export interface RecipeFile {
  readonly lines: readonly string[];
  readonly begins: ReadonlyMap<string, number>;
}

/** Finds the targets in the text of a file of recipes. */
export function readRecipes(text: string, { indent }: Pick<Recipes, "indent">): RecipeFile {
  // The values of `{{…}}` are known only when the runner runs.
  const lines = text
    .replaceAll(indent, "\t")
    .replaceAll(/\{\{[^{}\n]*\}\}/g, "$filled_in")
    .split("\n");
  const begins = new Map<string, number>();
  for (const [at, line] of lines.entries())
    if (/^[^\t#].*:/.test(line))
      for (const word of wordsOf(line.split(RULE)[0])) if (!begins.has(word)) begins.set(word, at);
  return { lines, begins };
}

/** The recipe of a target after the recipes of its prerequisites, without the prefixes `@`, `+` and `-` of their lines. */
export function recipeTask({ lines, begins }: RecipeFile, name: string): string | undefined {
  const seen = new Set<string>();
  const recipeOf = (wanted: string): string[] | undefined => {
    if (seen.has(wanted) || seen.size >= MAX_TARGETS) return undefined;
    seen.add(wanted);
    const begin = begins.get(wanted);
    if (begin === undefined) return undefined;
    const needed = wordsOf(lines[begin]?.split(RULE)[1]?.split(/[;#]/)[0]).filter((word) => word !== "|");
    let end = begin + 1;
    while (end < lines.length && /^\t|^\s*$/.test(lines[end] ?? "")) end++;
    const recipe = lines.slice(begin + 1, end).filter((line) => line.startsWith("\t"));
    const own = recipe.map((line) => line.replace(/^\t[@+-]*/, "").replaceAll("$$", "$"));
    return [...needed.flatMap((one) => recipeOf(one) ?? []), ...own];
  };
  return recipeOf(name)?.join("\n");
}

function wordsOf(text = ""): string[] {
  return text.trim().split(/\s+/);
}

/** The colon between a target and its prerequisites; `:=` sets a variable. */
const RULE = /::?(?!=)/;
const MAX_TARGETS = 50;

import { normalisePath } from "../pattern/path.ts";

/** What is wrong with the path or pattern of a rule, so that no path can ever be it, and what to write instead. */
export interface DeadPath {
  readonly what: string;
  readonly fix: string;
}

/** How a rule looks at paths: as the field `path`, as `path_absolute`, or by the patterns of matchers and of `writes`. */
export type PathView = "path" | "absolute" | "pattern";

/** The path of the project, and what is on the disk. */
export interface ProjectPlace {
  readonly root: string;
  readonly exists: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
}

/** Why no path of a call can match this text; undefined if one can. */
export function deadPath(
  text: string,
  { view, operator }: { readonly view: PathView; readonly operator: string },
  { root, exists, isFolder }: ProjectPlace,
): DeadPath | undefined {
  const isPattern = operator === "glob" || view === "pattern";
  if (text === "") return undefined;
  if (/\$\{?\w/.test(text))
    return { what: "names a variable, and none is opened in a rule", fix: "Write the path itself." };
  if (!isPattern && /[*?]|\{.*,.*\}/.test(text))
    return { what: `has a sign of a pattern, which \`${operator}\` takes as it is`, fix: `Write \`glob "${text}"\`.` };
  if (!isPattern && text.includes("\\"))
    return { what: "has a backslash", fix: `Paths have / on every system: "${text.replaceAll(/\\+/g, "/")}".` };
  if (/(?:^|\/)\.\.(?:\/|$)|\/\//.test(text))
    return { what: "has a part that is taken out of every path", fix: `Write "${normalisePath(text)}".` };
  if (view !== "pattern" && /^\.\//.test(text))
    return { what: "begins with `./`, and no path does", fix: `Write "${text.replace(/^(?:\.\/)+/, "")}".` };
  if (/[^/]\/$/.test(text) && operator !== "starts_with" && operator !== "contains")
    return { what: "ends with `/`, and no path does", fix: `Write "${text}**" for everything in that folder.` };
  if (!isPattern && /^~(?:\/|$)/.test(text))
    return {
      what: "begins with `~`, which is opened in patterns alone",
      fix: `Write ${glob(`${text.replace(/\/$/, "")}`)}.`,
    };
  const isWhole = operator === "glob" || operator === "equals" || operator === "in";
  if (isWhole && !/[*?[{]/.test(text) && isFolder(text.startsWith("/") ? text : `${root}/${text}`))
    return { what: "is a folder", fix: `Write ${isPattern ? "" : "glob "}"${text}/**" for everything in it.` };
  if (view === "absolute") return relativeShape(text, operator, root);
  return absoluteShape(text, view, { root, exists, isFolder });
}

/** An absolute path fits what begins at the root of the disk. */
function relativeShape(text: string, operator: string, root: string): DeadPath | undefined {
  const mayBeginAnywhere = operator === "ends_with" || operator === "contains";
  const isFree = operator === "glob" && (!text.includes("/") || /^(?:\*\*|~|\{)/.test(text));
  if (mayBeginAnywhere || isFree || /^(?:\/|[A-Za-z]:\/)/.test(text)) return undefined;
  return { what: "is relative, and path_absolute is not", fix: `Ask for path, or write "${root}/${text}".` };
}

function absoluteShape(text: string, view: PathView, { root, exists }: ProjectPlace): DeadPath | undefined {
  if (!text.startsWith("/")) return undefined;
  const inside = text.startsWith(`${root}/`) ? text.slice(root.length + 1) : undefined;
  if (view === "path" && inside !== undefined)
    return { what: "is in the project, where path is relative", fix: `Write "${inside}", or ask for path_absolute.` };
  const [, top = ""] = /^\/([^/*?[{]+)(?:\/|$)/.exec(text) ?? [];
  if (inside !== undefined || top === "" || exists(`/${top}`) || !exists(`${root}/${top}`)) return undefined;
  return { what: "begins at the root of the disk", fix: `For a folder of the project write "${text.slice(1)}".` };
}

function glob(text: string): string {
  return `path glob "${text}/**"`;
}

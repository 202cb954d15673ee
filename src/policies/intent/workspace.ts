import { isAbsolute, join, normalize, resolve, sep } from "node:path";
import { type ResolvedPath, realPath, resolvePath } from "../../fs/resolve-path.ts";

/** A path of a call, as it is written and as it is in the end, both seen from the project's root. */
export type Located =
  | {
      readonly kind: "inside";
      readonly lexical: string;
      readonly resolved: string;
      readonly absolute: string;
      /** The kind of the entry at this path. */
      readonly is: ResolvedPath["is"];
    }
  /** It is outside of the project, or its place is unknown. */
  | { readonly kind: "outside"; readonly why: string };

/** The folder that a project is, wherever links make it lie. */
export class Workspace {
  /** Without any link. */
  readonly root: string;
  readonly #spelled: string;
  /** Whether this disk takes large letters for small ones. */
  readonly folds: boolean;

  /** `real` is the resolved root, for a caller that has resolved it already. */
  constructor(root: string, platform: NodeJS.Platform = process.platform, real?: string) {
    this.#spelled = resolve(root);
    this.root = real ?? realPath(this.#spelled);
    this.folds = platform === "darwin" || platform === "win32";
  }

  /** A path as this disk compares it: some do not tell large letters from small ones. */
  fold(path: string): string {
    return this.folds ? path.normalize("NFC").toLowerCase() : path;
  }

  /** The place of a path of a call; `cwd` is the folder of a relative one. */
  locate(path: string, cwd: string | undefined): Located {
    if (path === "") return { kind: "outside", why: "it is empty" };
    if (CONTROL.test(path)) return { kind: "outside", why: "it holds control characters" };
    const whole = isAbsolute(path) ? path : `${this.#realFolder(cwd)}/${path}`;
    const unspelled = this.#unspelled(whole);
    const end = resolvedTarget(unspelled, this.root);
    if (end === undefined) return { kind: "outside", why: "where its symlinks lead is unknown" };
    const inside = this.#within(end.path);
    if (inside === undefined) return { kind: "outside", why: `it leads to ${end.path}, outside of the project` };
    const lexical = this.#within(normalize(unspelled));
    if (lexical === undefined) return { kind: "outside", why: "it is written as a path outside of the project" };
    return { kind: "inside", lexical, resolved: inside, absolute: join(this.root, inside), is: end.is };
  }

  #realFolder(cwd: string | undefined): string {
    const folder = resolve(this.root, cwd ?? "");
    return folder === this.root || folder === this.#spelled ? this.root : realPath(folder);
  }

  /** The project's folder may be reached by a link of its own. */
  #unspelled(path: string): string {
    return path === this.#spelled || path.startsWith(`${this.#spelled}/`)
      ? this.root + path.slice(this.#spelled.length)
      : path;
  }

  #within(path: string): string | undefined {
    const trimmed = path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
    const [one, other] = [this.fold(trimmed), this.fold(this.root)];
    if (one === other) return ".";
    const base = other.endsWith(sep) ? other : other + sep;
    if (!one.startsWith(base)) return undefined;
    return trimmed.slice(base.length).replaceAll(sep, "/");
  }
}

/** Where a path leads; nothing for links in a loop, and for folders that may not be searched. `root` has no link in it. */
export function resolvedTarget(path: string, root?: string): ResolvedPath | undefined {
  const known = root === undefined ? undefined : { path: root, real: root };
  const target = resolvePath(path, { known, procfs: "keep" });
  return target.is === "hidden" || target.is === "loop" ? undefined : target;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;

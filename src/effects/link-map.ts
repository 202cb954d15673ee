import type { CallPlace, Effect } from "./effect.ts";
import type { MadeLink } from "./made-links.ts";
import { GAP, type Lookups } from "./parse/command.ts";
import { globsMeet } from "./path-test.ts";
import { isAtOrUnder, nameOf, withoutLastSlash } from "./paths.ts";

/** Where a path leads through a link; undefined if that is not known. */
export interface Way {
  readonly link: MadeLink;
  readonly place: string | undefined;
}

/** How a path is gone: by which command, through its last part or only up to it. */
export interface Going {
  readonly command: number;
  readonly isFollowed: boolean;
  readonly isDelete: boolean;
  readonly isGlob: boolean;
}

type Named = readonly [name: string, link: MadeLink];

/** What was found on the way, and where one has been. */
interface Tour {
  readonly going: Going;
  readonly found: Map<string, Way>;
  readonly seen: Set<string>;
}

/** Links that are not on the disk yet, and where paths lead through them. */
export class LinkMap {
  readonly #links: Named[] = [];
  #left = MAX_LOOKS;
  #hasPatterns = false;
  readonly #base: string;
  readonly #home: string | undefined;

  constructor(links: readonly MadeLink[], effects: readonly Effect[], { cwd, home }: CallPlace, around: Lookups) {
    this.#base = cwd?.startsWith("/") ? withoutLastSlash(cwd) : `/${GAP}`;
    this.#home = home;
    const deleted = effects.flatMap((effect) => (effect.does === "delete" ? [this.#tidy(effect.path.text)] : []));
    // A link is put into a folder that is there, and stays there, and takes its place otherwise.
    const isFolder = (name: string) =>
      around.isMissing?.(`${name}/${UNUSED_NAME}`) === true &&
      !deleted.some((path) => path.includes(GAP) || GLOB.test(path) || isAtOrUnder(this.#tidy(name), path));
    for (const link of links)
      for (const name of [link.inside, link.inside !== undefined && isFolder(link.name) ? undefined : link.name])
        if (name !== undefined)
          for (const spelled of this.#spellings(name, around)) {
            this.#links.push([spelled, link]);
            this.#hasPatterns ||= isPattern(spelled, link);
          }
  }

  /** Whether so much was looked at that the rest was left out. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Where a path leads through these links, one way or several; undefined if it meets none. */
  ways(path: string, going: Going): readonly Way[] {
    const tour: Tour = { going, found: new Map(), seen: new Set() };
    this.#go("", this.#whole(path).split("/"), undefined, tour);
    return [...tour.found.values()];
  }

  /** Where the links below a folder lead. */
  waysBelow(path: string, command: number): readonly Way[] {
    const folder = this.#tidy(path);
    const going = { command, isFollowed: true, isDelete: false, isGlob: false };
    const below = this.#links.filter(([name]) => name !== folder && isAtOrUnder(name, folder));
    return below.flatMap(([name]) => this.ways(name, going));
  }

  #go(start: string, pieces: readonly string[], through: MadeLink | undefined, tour: Tour): void {
    const { going, found, seen } = tour;
    let done = start;
    for (const [at, piece] of pieces.entries()) {
      if (piece === "" || piece === ".") continue;
      if (piece === "..") {
        done = above(done);
        continue;
      }
      const next = `${done}/${piece}`;
      const rest = pieces.slice(at + 1).filter((part) => part !== "" && part !== ".");
      if (rest.length > 0 || going.isFollowed)
        for (const [name, link] of this.#at(next, going)) {
          const [from, ahead] = this.#leads(name, link, done, piece, rest);
          const key = `${from}\0${ahead.join("/")}`;
          if (seen.has(key)) continue;
          seen.add(key);
          // A circle that grows would never end.
          if (link.to.includes(GAP) || seen.size > MAX_WAYS)
            found.set(`${GAP}${link.name}`, { link, place: undefined });
          else this.#go(from, ahead, through ?? link, tour);
        }
      done = next;
    }
    if (through !== undefined) found.set(done, { link: through, place: this.#seen(done) });
  }

  /** The links that lie at a path; a command does not go through what it makes itself. */
  #at(path: string, { command, isDelete, isGlob }: Going): readonly Named[] {
    if (this.isSpent) return [];
    const isWide = isGlob && GLOB.test(path);
    this.#left -= this.#links.length * (isWide || this.#hasPatterns ? COST_OF_PATTERN : 1);
    return this.#links.filter(
      ([name, link]) =>
        link.command !== command &&
        !(isDelete && link.isHard) &&
        (name === path || ((isWide || isPattern(name, link)) && globsMeet(name.replaceAll(GAP, "*"), path))),
    );
  }

  #leads(
    name: string,
    { to, from, isGlob }: MadeLink,
    folder: string,
    piece: string,
    rest: readonly string[],
  ): readonly [start: string, pieces: readonly string[]] {
    const isOneOfMany = isGlob && GLOB.test(nameOf(name)) && GLOB.test(nameOf(to));
    const own = isOneOfMany ? `${to.slice(0, to.lastIndexOf("/") + 1)}${piece}` : to;
    const isFree = from === "the start" || /^[/~]/.test(own);
    return isFree ? ["", [...this.#whole(own).split("/"), ...rest]] : [folder, [...own.split("/"), ...rest]];
  }

  /** The name, and the name in the real path of its folder. */
  #spellings(name: string, { real }: Lookups): readonly string[] {
    const letters = this.#tidy(name);
    if (name.includes(GAP)) return [letters];
    const other = real?.(name, false);
    return other === undefined ? [letters] : [...new Set([letters, this.#tidy(other)])];
  }

  #whole(path: string): string {
    if (path.startsWith("/")) return path;
    if (this.#home !== undefined && /^~(?=\/|$)/.test(path)) return this.#home + path.slice(1);
    return path.startsWith("~") || path.startsWith(GAP) ? path : `${this.#base}/${path}`;
  }

  #tidy(path: string): string {
    let done = "";
    for (const piece of this.#whole(path).split("/")) {
      if (piece === "..") done = above(done);
      else if (piece !== "" && piece !== ".") done += `/${piece}`;
    }
    return done;
  }

  /** As seen from where the line starts, if it is inside. */
  #seen(path: string): string {
    if (path === this.#base) return ".";
    if (path.startsWith(`${this.#base}/`)) return path.slice(this.#base.length + 1);
    return /^\/(?:~|\uFFFC)/.test(path) ? path.slice(1) : path || "/";
  }
}

/** A name of which only a part is known fits every name with that part; one of which nothing is known fits only itself. */
function isPattern(name: string, { isGlob }: MadeLink): boolean {
  if (isGlob && GLOB.test(name)) return true;
  return name.includes(GAP) && !name.split("/").includes(GAP);
}

/** The folder above a place that is known only at run time is not known from the text. */
function above(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return last === ".." || last.includes(GAP) || last.startsWith("~")
    ? `${path}/..`
    : path.slice(0, path.lastIndexOf("/"));
}

const GLOB = /[*?[]/;
/** How many names are compared for one line. */
const MAX_LOOKS = 100_000;
const COST_OF_PATTERN = 50;
const MAX_WAYS = 64;
/** A name that no file has. */
const UNUSED_NAME = `${GAP}.unused`;

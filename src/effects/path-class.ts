import { isRooted, normalisePath, relativePath } from "../pattern/path.ts";
import { withoutCases } from "./any-case.ts";
import type { CallPlace } from "./effect.ts";
import { GAP, type Word } from "./parse/command.ts";
import { isAtOrUnder } from "./paths.ts";
import { canonicalProgram, isProgram } from "./programs/program-name.ts";

/** A path as a guard sees it: from the call's folder if it is inside, else from the root or the home. */
function seenFrom(path: Word, { cwd, home }: CallPlace): string {
  const text = withoutCases(path.text).replace(/^\/proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?cwd(?=\/|$)/, ".");
  const opened = home !== undefined && isAtOrUnder(text, home) ? `~${text.slice(home.length)}` : text;
  const whole = home !== undefined && /^~(?=\/|$)/.test(opened) ? home + opened.slice(1) : text;
  if (cwd === undefined || text.startsWith(GAP)) return normalisePath(opened) || ".";
  if (!isRooted(whole)) return normalisePath(whole) || ".";
  const [tidy, folder] = [normalisePath(whole), normalisePath(cwd)];
  if (tidy === folder) return ".";
  return isAtOrUnder(tidy, folder) ? relativePath(tidy, folder) : normalisePath(opened);
}

/** The whole path, with the user's home as `~`, wherever the call works: also in the home itself. */
function fromHome(path: Word, { cwd, home }: CallPlace): string {
  const text = withoutCases(path.text);
  const isFree = isRooted(text) || text.startsWith("~") || text.startsWith(GAP) || cwd === undefined;
  const whole = normalisePath(isFree ? text : `${cwd}/${text}`);
  return home !== undefined && isAtOrUnder(whole, home) ? `~${whole.slice(home.length)}` : whole;
}

/**
 * What can be made again, or was never meant to last: installed packages, build output, caches, temporary files. The disk
 * decides if it can be asked; a name alone decides only if nothing else is known.
 */
export function isDisposable(path: Word, place: CallPlace): boolean {
  const seen = seenFrom(path, place);
  if (holdsPlace(seen, place)) return false;
  const isTemporary = TEMPORARY().test(seen) && !isInProject(seen, place);
  if (!isTemporary && (isSystemName(seen) || seen.startsWith("/**"))) return false;
  const folder = path.text.replace(/\/\*{1,2}$/, "");
  if (!/[*?[\]{]/.test(folder) && !folder.includes(GAP) && !FILES().test(seen)) {
    const known = place.isDisposable?.(folder);
    if (known !== undefined) return known;
  }
  return isTemporary || isNamedMade(seen);
}

/** Whether a path has the name of something that is made again. */
function isNamedMade(seen: string): boolean {
  if (isPackageCache(seen)) return true;
  // At the root, such a name means something else: `/tmp` itself, `/build` of a container.
  const pieces = seen.startsWith("/") ? seen.split("/").slice(2) : seen.split("/");
  const below = pieces.slice(pieces.lastIndexOf("..") + 1);
  const named = below.filter((piece) => !/^\*+$/.test(piece));
  if (named.some((piece) => MADE_FOLDERS.has(piece)) || FRAMEWORK_CACHES().test(seen)) return true;
  // People give folders these names as well: the folder itself is meant, and what is in the one at the top of the project.
  const isInside = below.length === pieces.length && !isRooted(seen);
  const last = named.at(-1) ?? "";
  if (MAY_BE_MADE.has(last) && named.at(-2) !== "~" && (isInside || last !== "bin")) return true;
  if (isInside && MAY_BE_MADE.has(named[0] ?? "") && named[1] !== "src") return true;
  return below.length === pieces.length && FILES().test(pieces.at(-1) ?? "");
}

/** What a package manager or a build tool keeps in the home, given as `~/…`, and fetches or makes again. */
export function isPackageCache(fromHome: string): boolean {
  return PACKAGE_CACHES().test(fromHome);
}

/** Whether a path is in the project, in whichever folder of it the call works. */
function isInProject(seen: string, { root }: CallPlace): boolean {
  return root !== undefined && isAtOrUnder(seen, normalisePath(root));
}

/** The folder in which the call happens, or one above it, or all that is in one. */
function holdsPlace(seen: string, { cwd, home }: CallPlace): boolean {
  const below = seen.replace(/\/\*+$/, "");
  const folder = home !== undefined && below.startsWith("~/") ? home + below.slice(1) : below;
  return cwd !== undefined && folder !== "" && isRooted(folder) && isAtOrUnder(normalisePath(cwd), folder);
}

/** A name that files have and folders hardly ever have; no pattern. */
export function isNamedLikeFile({ text, isGlob }: Word): boolean {
  return !isGlob && FILE_NAME().test(text);
}

/** Whether a path leaves the folder of the call by `..`: then it means a neighbour, also where both lie in a temporary folder. */
export function climbsOut({ text }: Word): boolean {
  return /^\.\.(?:\/|$)/.test(normalisePath(text));
}

/** Outside of the folder that the call works in; what cannot be known is treated as inside. */
export function isOutside(path: Word, place: CallPlace): boolean {
  const seen = seenFrom(path, place);
  return isRooted(seen) || seen.startsWith("~") || seen === ".." || seen.startsWith("../");
}

/** A part of the system, or of what keeps a user's keys and a project's history. */
export function isProtected(path: Word, place: CallPlace): boolean {
  const seen = seenFrom(path, place);
  return isOfSystem(seen, place) || KEPT().test(seen) || KEPT().test(fromHome(path, place));
}

/** A part of the system that is none of the project, wherever in the project the call works. */
function isOfSystem(seen: string, { root }: CallPlace): boolean {
  return isSystemName(seen) && !(root !== undefined && /^\/(?:srv|opt)\/./.test(root) && isAtOrUnder(seen, root));
}

/** A part of the system by its name; what a service or a user keeps in a folder of its own is none. */
function isSystemName(seen: string): boolean {
  return SYSTEM().test(seen) && !OF_SERVICES().test(seen);
}

/** A folder of the home where people keep their files, or something in it. */
export function isUsersFolder(path: Word, place: CallPlace): boolean {
  return USERS_FOLDER().test(fromHome(path, place));
}

/** One of these folders itself, or all that is in it. */
export function isWholeUsersFolder(path: Word, place: CallPlace): boolean {
  return USERS_FOLDER().exec(fromHome(path, place).replace(/(?:\/\*+|\/)$/, ""))?.[1] === "";
}

/** What was downloaded comes from other machines, and can mostly be fetched again. */
export function isDownloaded(path: Word, place: CallPlace): boolean {
  return fromHome(path, place).startsWith("~/Downloads/");
}

/** A file or a folder of the user's own outside of the project: what is visible in the home and cannot be made again. */
export function isPersonal(path: Word, place: CallPlace): boolean {
  const whole = fromHome(path, place);
  const folder = IN_HOME().exec(whole)?.[1];
  if (folder === undefined || !isOutside(path, place) || climbsOut(path)) return false;
  if (NOT_PERSONAL.has(folder) && !USERS_FOLDER().test(whole)) return false;
  return !isInProject((place.home ?? "~") + whole.slice(1), place) && !isDisposable(path, place);
}

/** A part of the system itself. */
export function isSystem(path: Word, place: CallPlace): boolean {
  return isOfSystem(seenFrom(path, place), place);
}

/** A file that is run at every start, login or commit, or a folder of such files. */
export function isStartup(path: Word, place: CallPlace): boolean {
  const whole = fromHome(path, place);
  const shadowing = OWN_PROGRAM.exec(whole)?.[1];
  return (
    STARTUP().test(whole) ||
    (STARTUP_NAME().test(whole) && isOutside(path, place)) ||
    (shadowing !== undefined && isProgram("often-shadowed", shadowing) && canonicalProgram(shadowing) === shadowing)
  );
}

/** The root, a home, the folder that the call works in, or one above it. */
export function isRootOfMuch(path: Word, place: CallPlace): boolean {
  const seen = seenFrom(path, place);
  if (isBelowRoot(seen, place)) return false;
  if (holdsPlace(seen, place)) return true;
  return /^(?:\/\*{0,2}|~|\.|\.\.(?:\/\.\.)*|\/(?:home|Users|root)(?:\/[^/]+)?)(?:\/\*{0,2})?$/.test(seen);
}

/** Whether a path is a folder inside of the project, though the call works in it or below it. */
function isBelowRoot(seen: string, { cwd, root }: CallPlace): boolean {
  if (
    cwd === undefined ||
    root === undefined ||
    !isRooted(root) ||
    !isAtOrUnder(normalisePath(cwd), normalisePath(root))
  )
    return false;
  const folder = seen.replace(/\/?\*{1,2}$/, "");
  if (folder === "" || folder.startsWith("~") || folder.includes(GAP)) return false;
  const whole = normalisePath(isRooted(folder) ? folder : `${cwd}/${folder}`);
  return whole !== normalisePath(root) && isAtOrUnder(whole, normalisePath(root));
}

/** Every name of a folder, or names in all folders below: `*`, `src/*`, `.*`, `**`, `**\/*.ts`; or how many is not known. */
export function isEveryName(path: Word): boolean {
  if (path.isGlob && path.text === GAP) return true;
  // In quotes, a pattern that represents what was found is no longer a pattern of the shell.
  if (!path.isGlob && !path.isKnown && /(?:^|\/)\*\*(?:\/\*|$)/.test(path.text)) return true;
  return path.isGlob && /(?:^|\/)\*\*\/|(?:^|\/)(?:\*+|\.\*|\*\.\*|\.\[[^\]]*\]\*|\.\?\*)$/.test(path.text);
}

/** Folders that only tools make. */
export const MADE_FOLDERS: ReadonlySet<string> = new Set(
  `node_modules bower_components jspm_packages .pnpm-store .next .nuxt .output .svelte-kit .astro .docusaurus
  .cache .parcel-cache .turbo .vite .rollup.cache .webpack .angular .expo storybook-static .nyc_output htmlcov
  __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .eggs .ipynb_checkpoints .hypothesis
  .gradle .dart_tool .terraform .serverless .aws-sam cdk.out .vercel .netlify .wrangler .sass-cache
  DerivedData cmake-build-debug cmake-build-release test-results __snapshots__ playwright-report
  .build TestResults .stryker-tmp .eslintcache _cacache _npx _logs .swc .esbuild .zig-cache zig-out bazel-out bazel-bin deps.lock.tmp`
    .trim()
    .split(/\s+/),
);
/** Folders that tools make, and people too. */
export const MAY_BE_MADE: ReadonlySet<string> = new Set(
  "dist build bin out target coverage venv .venv tmp temp .tmp .temp obj logs .logs _site _build Pods vendor deps".split(
    " ",
  ),
);
/** What frameworks compile and keep in a folder of the project. */
const FRAMEWORK_CACHES = () =>
  /(?:^|\/)(?:bootstrap\/cache|storage\/(?:framework\/(?:cache|views|sessions|testing)|logs)|var\/(?:cache|log)|wp-content\/cache|charts\/[^/]*\.tgz)(?:\/|$)/;
const PACKAGE_CACHES = () =>
  /^~\/(?:\.m2\/repository|\.gradle\/caches|\.ivy2\/cache|\.coursier\/cache|\.cargo\/(?:registry|git)|go\/pkg\/mod|\.nuget\/packages|\.pub-cache\/(?:hosted|git)|\.bun\/install\/cache|\.yarn\/(?:berry\/)?cache|\.local\/share\/pnpm\/store|\.composer\/cache|\.bundle\/cache|\.hex\/packages|\.terraform\.d\/plugin-cache|Library\/Caches\/[^/*?]+)(?:\/|$)/;
const FILES = () =>
  /\.(?:py[co]\*?|py\[[cod]+\]|o|obj|a|so|class|log|tmp|temp|swp|swo|orig|rej|bak|tsbuildinfo|gcda|gcno|prof|pid|map|snap)$|\.log\.\d+$|\.egg-info$|\.lcov$|^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock|go\.sum)$|^\.DS_Store$|^Thumbs\.db$|^\.coverage$|^\.eslintcache$|^npm-debug|^core\.\d+$|.~$/;
const FILE_NAME = () =>
  /[^/]\.(?:txt|md|mdx|rst|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|[cm]?[jt]sx?|vue|svelte|py|ipynb|rb|go|rs|java|kt|swift|c|cc|cpp|h|hpp|cs|php|sh|bash|zsh|css|scss|less|html?|xml|svg|png|jpe?g|gif|webp|ico|pdf|csv|tsv|sql|db|sqlite3?|zip|tar|t?gz|bz2|xz|lock|patch|diff|out|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|mp[34]|m4[av]|mov|avi|mkv|wav|flac|heic|psd|ics|vcf|eml|dmg|exe|msi|iso)$/i;
const TEMPORARY = () => /^(?:\/tmp|\/private\/tmp|\/var\/tmp|\/private\/var\/folders|\/var\/folders|\/dev\/shm)\/[^/]/;
const SYSTEM = () =>
  /^(?:\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|proc|sbin|sys|usr|var|opt|srv|run|System|Library|Applications|private)(?:\/|$)|[A-Za-z]:[\\/](?:Windows|Program Files))/i;
/** Folders for what runs on a machine besides the system; some hold what a package manager has put there. */
const OF_SERVICES = () =>
  /^\/dev\/shm\/.|^\/(?:srv|opt)\/(?!(?:homebrew|local|X11|google|microsoft|containerd|cni|rocm|puppetlabs)(?:\/|$))(?!\.+(?:\/|$))[^/*?]+(?:\/|$)/;
/** What a shell, a login, a desktop or a scheduler runs by itself. */
const STARTUP = () =>
  /^~\/(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|inputrc|vimrc|gvimrc|exrc|emacs|gdbinit|lldbinit|pythonrc|irbrc|tmux\.conf|screenrc|xinitrc|xprofile|xsession|xsessionrc|pam_environment|rhosts|shosts)$|\.config\/(?:fish\/(?:config\.fish|conf\.d|functions)|nvim\/(?:init\.(?:lua|vim)|plugin)|direnv\/direnvrc|zsh\/\.z\w+|autostart|systemd|environment\.d)(?:\/|$)|\.(?:oh-my-zsh\/custom|bashrc\.d|zshrc\.d|profile\.d|vim\/plugin|ipython\/profile_default\/startup)(?:\/|$)|\.(?:emacs\.d\/init\.el|hammerspoon\/init\.lua|Rprofile|direnvrc)$|\.ssh\/(?:authorized_keys2?|rc|config|environment)$|Library\/Launch(?:Agents|Daemons)(?:\/|$)|\.local\/share\/systemd(?:\/|$))|^\/(?:root|home\/[^/]+|Users\/[^/]+)\/\.(?:ssh\/authorized_keys2?|bashrc|bash_profile|profile|zshrc|zshenv)$|^\/etc\/(?:profile|bash\.bashrc|zshrc|crontab|anacrontab|rc\.local|ld\.so\.preload|environment|(?:profile\.d|cron\.\w+|init\.d|systemd|xdg\/autostart|ssh|pam\.d|sudoers\.d)(?:\/|$))|^\/var\/spool\/cron(?:\/|$)|^\/(?:System\/)?Library\/(?:LaunchAgents|LaunchDaemons|StartupItems)(?:\/|$)|^\/(?:usr\/)?lib\/systemd(?:\/|$)|(?:^\uFFFC|\/(?:site|dist)-packages|\/lib\/python[\d.]*)\/(?:(?:user|site)customize\.py|[^/]+\.pth)$|(?:^|\/)(?:Microsoft\.\w+_)?[Pp]rofile\.ps1$|[\\/]Start Menu[\\/]Programs[\\/]Startup(?:[\\/]|$)|[\\/]ssh[\\/]administrators_authorized_keys$/;
/** The same names in any other place outside of a project: another home, or one that is found by climbing. */
const STARTUP_NAME = () =>
  /\/\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin)$|^\/home\/[^/]+\/\.config\/(?:systemd\/user|autostart)\/|^\/Users\/[^/]+\/Library\/Launch(?:Agents|Daemons)\//;
/** A file in a folder of the user's own programs, which are found before the system's of the same name. */
const OWN_PROGRAM = /^~\/(?:\.local\/)?bin\/([^/]+)$/;
const USERS_FOLDER = () =>
  /^~\/(?:Desktop|Documents|Downloads|Pictures|Photos|Music|Videos|Movies|Dropbox|OneDrive|Google Drive|Nextcloud|Library\/Mobile Documents)(?=$|\/)(.*)/i;
const IN_HOME = () => /^~\/([^/\uFFFC*?.][^/]*)/;
/** What package managers and the system keep there. */
const NOT_PERSONAL: ReadonlySet<string> = new Set(
  "go bin snap opt tmp temp perl5 conda anaconda anaconda3 miniconda miniconda3 Library".split(" "),
);
/** A lock that git has left is not part of the history. */
const KEPT = () =>
  /(?:^|\/)\.git(?:$|\/(?![^*?\uFFFC]+\.lock$))|^[~\uFFFC]\/\.(?:ssh|gnupg|aws|kube|docker|config\/gcloud|password-store)(?:\/|$)/;

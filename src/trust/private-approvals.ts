import type { Stats } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { homeDir } from "../fs/home-dir.ts";
import { readOnce } from "../fs/read-once.ts";
import { entryAt, isWithin, realPath } from "../fs/resolve-path.ts";
import { type StateHome, stateDir, WORLD_WRITES, whyUnsafe } from "../fs/state-dir.ts";
import { type Problem, problems } from "../problem/problem.ts";

/** The folder with this user's approvals. */
export function trustFolder(where: StateHome = {}): string {
  return join(stateDir(where), "trust");
}

/** Why approvals in this folder are ignored; undefined if they are valid. */
export function unsafeFolderProblem(folder: string, root: string, home?: string): Problem | undefined {
  if (isHeldByProject(root, folder, home)) return PROBLEMS.insideProject({ folder }, { place: { file: folder } });
  return (
    unsafeStateProblem(dirname(folder), "folder", { forbidden: WORLD_WRITES }) ?? unsafeStateProblem(folder, "folder")
  );
}

/** Why one file or folder of the approvals is ignored; undefined if it is safe or missing. */
export function unsafeStateProblem(
  path: string,
  kind: "file" | "folder",
  options: { forbidden?: number; stats?: Stats | undefined } = {},
): Problem | undefined {
  const place = { place: { file: path } };
  switch (whyUnsafe(path, kind, options)) {
    case undefined:
      return undefined;
    case "other-kind":
      return PROBLEMS.otherKind({ path, kind }, place);
    case "foreign":
      return PROBLEMS.foreign({ path }, place);
    case "writable":
      return PROBLEMS.writable({ path }, place);
  }
}

/** Whether the project has a file that sets this variable in environments that load such files. */
export function projectSets(root: string, name: string): boolean {
  const sets = new RegExp(`(?:^|[\\s"'{,;])${name}["']?\\s*[=:]`);
  const read = readOnce();
  return ENVIRONMENT_FILES.some((file) => sets.test(read(join(root, file))?.text ?? ""));
}

/** A project must not contain its own approvals. If it contains the whole home directory, only the usual folder is valid. */
function isHeldByProject(root: string, folder: string, known?: string): boolean {
  const where = realPath(root);
  if (![folder, realPath(nearestExisting(folder))].some((path) => isWithin(where, path))) return false;
  const home = known ?? homeOfUser();
  const usual = join(home, ".local", "state");
  return (
    !(isWithin(where, realPath(home)) && isWithin(usual, folder)) ||
    HOME_VARIABLES.some((name) => projectSets(root, name))
  );
}

/** The home directory in the system's user database, whatever the environment says; the lookup may ask a server. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homeDir();
  }
}

function nearestExisting(path: string): string {
  return entryAt(path) === undefined ? nearestExisting(dirname(path)) : path;
}

const HOME_VARIABLES = ["XDG_STATE_HOME", "HOME"];
const ENVIRONMENT_FILES = [
  ...[".env", ".envrc", ".env.local", ".env.development", ".env.production", ".env.test", ".sluice/.env"],
  ...["mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml", "mise/config.toml", ".mise/config.toml"],
  ...[".config/mise.toml", ".config/mise/config.toml", ".claude/settings.json", ".claude/settings.local.json"],
  ...[".codex/config.toml", ".gemini/settings.json", ".gemini/.env", ".qwen/settings.json", ".qwen/.env"],
  ...[".vscode/settings.json", ".devcontainer.json", ".devcontainer/devcontainer.json"],
];

const PROBLEMS = problems("trust", {
  insideProject: ({ folder }: { folder: string }) => ({
    what: `${folder} is inside the project that it approves. Approvals there are ignored.`,
    fix: "Set XDG_STATE_HOME to a folder outside of the project, or leave it out.",
  }),
  otherKind: ({ path, kind }: { path: string; kind: string }) => ({
    what: `${path} is not a ${kind}. Approvals there are ignored.`,
    fix: "Remove it, and approve again with `sluice trust`.",
  }),
  foreign: ({ path }: { path: string }) => ({
    what: `${path} belongs to another user. Approvals there are ignored.`,
    fix: `Remove it, or make it yours: chown "$(id -u)" ${path}`,
  }),
  writable: ({ path }: { path: string }) => ({
    what: `Other users can write to ${path}. Approvals there are ignored.`,
    fix: `Run \`chmod go-w ${path}\`, and check the approvals with \`sluice trust\`.`,
  }),
});

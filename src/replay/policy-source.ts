import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { filesRunBy } from "../config/examine.ts";
import { type Candidate, configHome, LAYER_FILES } from "../config/locate.ts";
import { configuredRoot } from "../config/root.ts";
import { readLayers, readLayersInstead } from "../decide/layers.ts";
import type { Layers, ProcessEnvironment } from "../decide/project.ts";
import { type RecordedPolicy, recordedPolicy } from "../decide/recorded-policy.ts";
import { realPath } from "../fs/resolve-path.ts";
import { problems } from "../problem/problem.ts";
import { projectsHere } from "./checkouts.ts";
import { folderOfCommit } from "./git-folder.ts";
import { installedPackFolder, isPack, layersWithPack, type PolicyPack, packInFolder } from "./pack-policy.ts";
import { RecentMap } from "./recent-map.ts";
import type { ReplayPolicy } from "./replay-calls.ts";

/** Where a policy is read, and for whom. */
export interface PolicyPlace {
  /** The project that the command is called in. */
  readonly root: string;
  /** The folder that relative paths begin at. */
  readonly cwd: string;
  readonly env: ProcessEnvironment;
  /** Reads the archive of a pack, of which nothing is unpacked. */
  readonly readArchive: (path: string) => PolicyPack;
}

/**
 * The policy as it is on the disk. It applies to the calls of this project, in whichever checkout of the repository they were
 * recorded. A call of another project that has a policy of its own is judged by that one.
 */
export function policyOnDisk({ root, env }: PolicyPlace): ReplayPolicy {
  const layers = new RecentMap<string, Layers>(MAX_PROJECTS);
  const here = readLayers(root);
  layers.set(root, here);
  const otherFor = otherPolicies(root);
  const at = perRoot((project) => {
    const folder = otherFor(project) ?? root;
    const known = layers.get(folder) ?? readLayers(folder);
    layers.set(folder, known);
    return recordedPolicy(known, project, env, folder);
  });
  return { name: "the working tree", at, otherFor, fileOf: relativeFile, unread: here.errors };
}

/** The folder of another project with a policy of its own that a call was recorded in; undefined for a call of this project. */
function otherPolicies(root: string): (project: string) => string | undefined {
  const projectHere = projectsHere(root);
  const here = realPath(root);
  return (project) => {
    const found = projectHere(project);
    const own = found === here ? undefined : configuredRoot(found ?? project, new Map());
    return own === undefined || realPath(own) === here ? undefined : own;
  };
}

/** A named policy as the older one: a call that another policy than the newer one judges is judged by that on both sides. */
export function olderPolicyNamed(text: string, after: ReplayPolicy, place: PolicyPlace): ReplayPolicy {
  const before = policyNamed(text, place);
  return { ...before, at: (root) => (after.otherFor?.(root) === undefined ? before : after).at(root) };
}

/**
 * The policy that a person names: `git:REF`, a folder, a file, or a pack as a folder, as an archive or by its name. It applies
 * to the calls of every project.
 */
export function policyNamed(text: string, place: PolicyPlace): ReplayPolicy {
  if (text.startsWith("git:")) return policyOfCommit(text.slice("git:".length), place);
  const path = resolve(place.cwd, text);
  const found = statSync(path, { throwIfNoEntry: false });
  const pack = found === undefined ? installedPackFolder(place.root, text) : undefined;
  if (pack !== undefined) return policyOfPack(packInFolder(pack), text, place);
  if (found === undefined) throw PROBLEMS.noPolicy({ text });
  if (found.isDirectory()) return policyInFolder(path, text, place);
  return ARCHIVE.test(path) ? policyOfPack(place.readArchive(path), text, place) : policyInFile(path, text, place);
}

/** A policy that is put together by a program: what holds besides it are the layers of the user. */
export function policyOfLayers(name: string, layers: Layers, env: ProcessEnvironment): ReplayPolicy {
  return { name, at: perRoot((root) => recordedPolicy(layers, root, env)), fileOf: relativeFile };
}

function policyOfCommit(ref: string, { root, env }: PolicyPlace): ReplayPolicy {
  const { folder, commit, add, remove } = folderOfCommit(root, ref);
  const layers = readLayers(folder);
  const run = layers.hooks.flatMap((hook) => filesRunBy(hook, folder).files.map(({ path }) => relative(folder, path)));
  add(run.filter((path) => !path.startsWith("..") && !isAbsolute(path)));
  return {
    name: `git:${ref} (${commit.slice(0, SHORT_COMMIT)})`,
    at: perRoot((project) => recordedPolicy(layers, project, env, folder)),
    fileOf: (file) => relativeFile(file.replace(folder, root), root),
    unread: layers.errors,
    close: remove,
  };
}

/** The configuration of the project, and the pack as if it were added. */
function policyOfPack(pack: PolicyPack, text: string, { root, env }: PolicyPlace): ReplayPolicy {
  const layers = layersWithPack(root, pack);
  const at = perRoot((project) => recordedPolicy(layers, project, env, root));
  return { name: `the working tree with ${text}`, at, fileOf: relativeFile };
}

/** A project, a pack, or a folder that holds files as `.sluice` does. */
function policyInFolder(path: string, name: string, place: PolicyPlace): ReplayPolicy {
  if (basename(path) === ".sluice") return policyInFolder(dirname(path), name, place);
  const own = OWN_FILES.map((file) => ({ layer: "project", path: join(path, file) }) as const).filter(isThere);
  const isProject = [...LAYER_FILES.project, ...LAYER_FILES.local].some((file) => isThere({ path: join(path, file) }));
  if (!isProject && isPack(path)) return policyOfPack(packInFolder(path), name, place);
  if (!isProject && own.length === 0) throw PROBLEMS.emptyPolicy({ text: name });
  if (!isProject) return policyInstead(own, name, place);
  const layers = readLayers(path);
  const at = perRoot((root) => recordedPolicy(layers, root, place.env, path));
  return { name, at, fileOf: relativeFile, unread: layers.errors };
}

/** A file is the project's; one in the user's own folder is the user's. */
function policyInFile(path: string, name: string, place: PolicyPlace): ReplayPolicy {
  const isUsers = dirname(path) === join(configHome({ env: place.env }), "sluice");
  return policyInstead([{ layer: isUsers ? "user" : "project", path }], name, place);
}

function policyInstead(instead: readonly Candidate[], name: string, { root, env }: PolicyPlace): ReplayPolicy {
  const isUsers = instead.some(({ layer }) => layer === "user");
  const known = new RecentMap<string, Layers>(MAX_PROJECTS);
  const at = perRoot((project) => {
    const folder = isUsers && isFolder(project) ? project : root;
    const layers = known.get(folder) ?? readLayersInstead(folder, instead, env);
    known.set(folder, layers);
    const problem = layers.errors.find(({ place }) => instead.some(({ path }) => path === place?.file));
    if (problem !== undefined) throw problem;
    return recordedPolicy(layers, project, env, folder);
  });
  return { name, at, fileOf: relativeFile, isUsers };
}

/** A path relative to the project; absolute if it is elsewhere. */
function relativeFile(file: string, root: string): string {
  const path = isAbsolute(file) ? relative(root, file) : file;
  return path === "" || path.startsWith("..") || isAbsolute(path) ? file : path;
}

function perRoot(make: (root: string) => RecordedPolicy): (root: string) => RecordedPolicy {
  const known = new RecentMap<string, RecordedPolicy>(MAX_PROJECTS);
  return (root) => {
    const policy = known.get(root) ?? make(root);
    known.set(root, policy);
    return policy;
  };
}

function isThere({ path }: { readonly path: string }): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const ARCHIVE = /\.(?:tgz|tar\.gz)$/;
const OWN_FILES = ["hooks.yaml", "hooks.json"];
const SHORT_COMMIT = 10;
/** Every session may have a folder of its own; what holds in the others is read again. */
const MAX_PROJECTS = 100;

const PROBLEMS = problems("replay", {
  noPolicy: ({ text }: { text: string }) => ({
    what: `--policy or --against ${text}: there is no such file, folder or installed pack.`,
    fix: "Write a file of hooks, the folder of a project, the folder or .tgz of a pack, a pack as `sluice packs` names it, or git:REF.",
  }),
  emptyPolicy: ({ text }: { text: string }) => ({
    what: `The folder ${text} has no hooks: neither .sluice/hooks.yaml nor hooks.yaml is in it.`,
    fix: "Name the folder of a project, or a file of hooks.",
  }),
});

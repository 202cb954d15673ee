import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  type CallEffects,
  type CommandRun,
  type Effect,
  isPackageManager,
  type PathEffect,
  runsOf,
} from "../../effects/index.ts";
import { attempt } from "../../event/attempt.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { archiveNames } from "../../runners/archive-names.ts";
import { fromFolder } from "./printed-places.ts";

/**
 * What a package manager would do to packages that Sluice needs: it installs another one under Sluice's name, or removes a
 * pack whose hooks are used here. Undefined if it does neither.
 */
export function replacedPackage(call: CallEffects, root: string, files: readonly string[] = []): string | undefined {
  const other = call.effects.find(isOtherProgram);
  if (other !== undefined) return `${other.path.text} would be found in place of a program that Sluice needs`;
  for (const run of runsOf(call)) {
    if (!isPackageManager(run.name)) continue;
    const words = run.args.filter((word) => !word.startsWith("-"));
    if (words.some((word) => SETS_PACKAGE.test(word))) return `${run.shown} sets which package is called sluice`;
    const gone = removedPack(run, words, packsIn(files));
    if (gone !== undefined) return `${run.shown} removes ${gone}, whose hooks are used here`;
    const at = words.findIndex((word) => INSTALLS.test(word));
    if (at < 0) continue;
    const operands = words.slice(at + 1);
    const isLinking = /^(?:link|ln)$/.test(words[at] ?? "");
    const named = operands.length === 0 && isLinking ? ["."] : operands;
    if (named.some((word) => isOurPackage(word, run, call, root)))
      return `${run.shown} installs a package that is called sluice`;
  }
  return undefined;
}

/** The packs of these files, and the folder whose `node_modules` has each. */
function packsIn(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap((file) => {
      const [, folder, name] = PACK_FILE.exec(file) ?? [];
      return folder === undefined || name === undefined ? [] : [[name, folder] as const];
    }),
  );
}

/** The pack that a package manager would remove: by its name, or because the project does not depend on it. */
function removedPack({ args }: CommandRun, words: readonly string[], packs: ReadonlyMap<string, string>) {
  const at = words.findIndex((word) => REMOVES.test(word));
  const named = at < 0 ? [] : words.slice(at + 1).map((word) => word.replace(/(?<=.)@.*$/, ""));
  const found = named.find((name) => packs.has(name));
  if (found !== undefined || packs.size === 0) return found;
  const isWithoutDev = args.some((text) => WITHOUT_DEV.test(text));
  const prunes = words.some((word) => word === "prune" || (isWithoutDev && CLEANS.test(word)));
  if (!prunes) return undefined;
  return [...packs].find(([name, folder]) => !isNeeded(name, folder, isWithoutDev))?.[0];
}

/** Whether a project depends on a package, so that it is not pruned. A project that cannot be read depends on none. */
function isNeeded(name: string, folder: string, isWithoutDev: boolean): boolean {
  const { dependencies, devDependencies, optionalDependencies } = Object(manifestIn(join(folder, "package.json")));
  const lists = [dependencies, optionalDependencies, ...(isWithoutDev ? [] : [devDependencies])];
  return lists.some((list) => Object.hasOwn(Object(list), name));
}

/** A program with our name, or the name of our interpreter, in a folder of programs. */
function isOtherProgram(effect: Effect): effect is PathEffect {
  if (effect.does !== "write") return false;
  const { path, source, landsIn } = effect;
  const names = [path.text, ...(landsIn && source !== undefined ? [join(path.text, basename(source.text))] : [])];
  return names.some((name) => PROGRAM_FOLDERS.test(dirname(name)) && OWN_PROGRAMS.has(basename(name)));
}

function isOurPackage(word: string, { command }: CommandRun, call: CallEffects, root: string): boolean {
  if (NAMED.test(word)) return true;
  const path = word.replace(/^(?:[^/@:]+@)?(?:file|link|portal):(?:\/\/)?/, "");
  if (path === word && !/^(?:[./~]|$)|\.tgz$|\.tar(?:\.gz)?$/.test(path)) return false;
  const whole = fromFolder(path, command.folder, call) ?? resolve(root, path);
  if (/\.(?:tgz|tar|tar\.gz)$/.test(whole)) return isNotOther(whole);
  return Object(manifestIn(join(whole, "package.json"))).name === "sluice";
}

/** The names in an archive do not include the package's own name, so any archive of a package may be ours. */
function isNotOther(archive: string): boolean {
  const names = existsSync(archive) ? archiveNames(archive) : undefined;
  return names === undefined || names.some((name) => /(?:^|\/)package\.json$/.test(name));
}

function manifestIn(file: string): unknown {
  return attempt(() => JSON.parse(readRegularFile(file).toString()));
}

const PROGRAM_FOLDERS = /(?:^|\/)s?bin$/;
const OWN_PROGRAMS: ReadonlySet<string> = new Set(["sluice", basename(process.execPath)]);
/** `npm pkg set dependencies.sluice=…`, `overrides.sluice=…`. */
const SETS_PACKAGE = /^(?:\w*[dD]ependencies|overrides|resolutions|pnpm\.overrides)[.[]["']?sluice["']?\]?=/;
const INSTALLS = /^(?:install|i|in|ins|isntall|add|link|ln|update|up|upgrade)$/;
const NAMED = /^sluice(?:@.*)?$|^[^@/]+@npm:sluice(?:@|$)|[/:]sluice(?:\.git)?(?:#.*)?$/;
const PACK_FILE = /^(.*?)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const REMOVES = /^(?:uninstall|unlink|remove|rm|r|un)$/;
/** Verbs that also remove packages on which the project does not depend. */
const CLEANS = /^(?:ci|clean-install|install|i)$/;
const WITHOUT_DEV = /^--(?:production|prod|omit=dev|only=prod(?:uction)?)$|^-P$/;

import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Look } from "../effects/act.ts";
import { isFolder, isMissing, realFolder, realPlace } from "./real-place.ts";

/** What may be seen beside a command line on this machine: the scripts and tasks that it is about to run. */
export const lookAround: Look = ({ cwd = process.cwd() }) => {
  let base: string | undefined;
  return {
    script: (path) => textOf(resolve(cwd, path.replace(/^~(?=\/|$)/, homedir))),
    real: (path, isFollowed) => {
      base ??= realFolder(cwd);
      return realPlace(cwd, path, isFollowed, base);
    },
    isMissing: (path) => isMissing(cwd, path),
    isFolder: (path) => isFolder(resolve(cwd, path.replace(/^~(?=\/|$)/, homedir))),
    task: (runner, name) => (runner === "make" ? target(cwd, name) : packageScript(cwd, name)),
  };
};

/** The beginning of a text file; nothing for what is no text, or not there. */
function textOf(path: string): string | undefined {
  let file: number | undefined;
  try {
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, "r");
    const buffer = Buffer.alloc(LONGEST);
    const text = buffer.toString("utf8", 0, readSync(file, buffer, 0, LONGEST, 0));
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The script of that name in the nearest package, with what runs before and after it. */
function packageScript(folder: string, name: string): string | undefined {
  const { scripts } = nearestPackage(folder);
  if (typeof scripts !== "object" || scripts === null) return undefined;
  const lines = [`pre${name}`, name, `post${name}`].map((key) => (scripts as Record<string, unknown>)[key]);
  const found = lines.filter((line) => typeof line === "string");
  return typeof lines[1] === "string" ? found.join("\n") : undefined;
}

function nearestPackage(folder: string): { readonly scripts?: unknown } {
  for (let at = folder; ; at = dirname(at)) {
    try {
      return Object(JSON.parse(readFileSync(join(at, "package.json"), "utf8")));
    } catch {
      if (dirname(at) === at) return {};
    }
  }
}

/** The recipe of a target, without make's own signs in front of its lines. */
function target(folder: string, name: string): string | undefined {
  const text = ["GNUmakefile", "makefile", "Makefile"].map((file) => textOf(join(folder, file))).find(Boolean);
  const lines = text?.split("\n") ?? [];
  const begin = lines.findIndex(
    (line) =>
      line
        .split(/::?(?!=)/)[0]
        ?.trim()
        .split(/\s+/)
        .includes(name) && /^[^\t#].*:/.test(line),
  );
  if (begin === -1) return undefined;
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && !line.startsWith("\t"));
  const recipe = rest.slice(0, end === -1 ? rest.length : end).filter((line) => line.startsWith("\t"));
  return recipe.map((line) => line.replace(/^\t[@+-]*/, "").replaceAll("$$", "$")).join("\n");
}

const LONGEST = 64 * 1024;

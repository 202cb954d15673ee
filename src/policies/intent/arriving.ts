import { normalize } from "node:path/posix";
import { GAP, type SimpleCommand } from "../../effects/parse/command.ts";
import { nameOf } from "../../effects/paths.ts";
import { gitVerb } from "./unclear-program.ts";

/**
 * What a command puts at a path that it writes, as seen from where the line starts; when the path is a folder, it comes
 * to lie in it under its own name. Nothing for programs that put nothing.
 */
export function arriving(command: SimpleCommand | undefined, path: string): readonly string[] | undefined {
  if (command === undefined) return undefined;
  const { program, args, folder } = command;
  const name = nameOf(program?.text ?? "");
  const texts = args.map(({ text }) => text);
  const isGit = name === "git" && gitVerb(texts) === "mv";
  if (!isGit && !PUTS.test(name)) return undefined;
  const words = isGit ? texts.slice(texts.indexOf("mv") + 1) : texts;
  const hasTarget = words.some((word) => TARGET.test(word));
  const operands = words.filter((word, at) => !/^-./.test(word) && !TARGET_NEXT.test(words[at - 1] ?? ""));
  const sources = hasTarget ? operands : operands.slice(0, -1);
  // Several things are told apart by the paths they get; values of options may stand among them.
  const isWhole = !hasTarget && tidy(fromFolder(folder, operands.at(-1) ?? "")) === tidy(path);
  const own = isWhole ? [] : sources.filter((source) => nameOf(source) === nameOf(path));
  const put = own.length > 0 ? own : sources;
  return put.map((source) => fromFolder(folder, REMOTE.test(name) ? source.replace(HOST, "") : source));
}

function tidy(path: string): string {
  return normalize(path).replace(/(?<=.)\/+$/, "");
}

function fromFolder(folder: string, path: string): string {
  const isWhole = path.startsWith("/") || path.startsWith("~") || folder === "" || folder === ".";
  return isWhole || folder.includes(GAP) ? path : `${folder}/${path}`;
}

const PUTS = /^(?:g?cp|g?mv|g?install|g?ln|link|rsync|scp|rcp|ditto)$/;
const REMOTE = /^(?:rsync|scp|rcp)$/;
const HOST = /^(?:rsync:\/\/[^/]*\/|[^/:]+::?)/;
const TARGET = /^(?:-t|--target-directory)/;
const TARGET_NEXT = /^(?:-t|--target-directory)$/;

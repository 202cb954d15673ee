import { onlyShows, ownCommands } from "../../effects/own-command.ts";
import { GAP, type SimpleCommand, type Word } from "../../effects/parse/command.ts";
import type { Effect } from "../../effects/effect.ts";
import { nameOf } from "../../effects/paths.ts";
import { RECORDING_GIT } from "./program-words.ts";
import { type MoreTouches, type Touch, touch } from "./touch.ts";
import { gitVerb, isGitQuestion, isIndexOnly, unclearProgram } from "./unclear-program.ts";

/** Looks at commands for what only matters to scopes: links that lead elsewhere, `..` behind links, unclear programs. */
export function commandTouches(commands: readonly SimpleCommand[], effects: readonly Effect[]): MoreTouches {
  return {
    paths: commands.flatMap((command) => [...linked(command), ...declared(command)]),
    climbs: commands.flatMap(climbing),
    // What is copied in one call is written through in the next, where it is seen.
    copies: commands.length > 1 ? commands.flatMap(copied) : [],
    unknowns: commands.flatMap((command, at) => [
      ...unclearProgram(command, at, commands, effects),
      ...(at < commands.length - 1 ? bringsLinks(command) : []),
    ]),
    changes: commands.some(recordsGit),
  };
}

/** What comes out of an archive or a patch may be a link, which whatever follows would write through. */
function bringsLinks({ program, args, source }: SimpleCommand): string[] {
  const name = nameOf(program?.text ?? "");
  const words = args.map(({ text }) => text);
  const brings = name === "git" ? GIT_BRINGS.test(gitVerb(words)) && !isQuietGit(words) : BRINGS.test(name);
  return brings ? [`links that \`${source.slice(0, 80)}\` may bring`] : [];
}

function recordsGit({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ text }) => text);
  if (nameOf(program?.text ?? "") !== "git") return false;
  return isIndexOnly(words) || (RECORDING_GIT.has(gitVerb(words)) && !isGitQuestion(words));
}

function isQuietGit(words: readonly string[]): boolean {
  return isGitQuestion(words) || isIndexOnly(words);
}

/** A copied link is a new way out. */
function copied({ program, args, folder }: SimpleCommand): string[] {
  if (!/^(?:g?cp|rsync|ditto)$/.test(nameOf(program?.text ?? ""))) return [];
  return args
    .filter(({ text }) => !text.startsWith("-") && !text.includes(GAP))
    .map(({ text }) => joined(folder, text));
}

/** `..` is taken from where a link leads, and not from where it stands: what climbs is looked at once more as it is written. */
function climbing({ args, redirects, folder }: SimpleCommand): string[] {
  const words = [...args.flatMap(valuesIn), ...redirects.map(({ target }) => target.text)];
  return words.filter((text) => CLIMBS.test(text) && !text.includes(GAP)).map((text) => joined(folder, text));
}

function valuesIn({ text }: Word): string[] {
  const at = text.indexOf("=");
  return at < 0 ? [text] : [text, text.slice(at + 1)];
}

/** A link that leads out of the scope would carry every later write out of it. */
function linked({ program, args, folder }: SimpleCommand): Touch[] {
  const name = nameOf(program?.text ?? "");
  const flags = args.filter(({ text }) => text.startsWith("-")).map(({ text }) => text);
  const isSymbolic = flags.some((flag) => /^-[a-zA-Z]*s|^--symbolic/.test(flag));
  const isLink =
    /^g?ln$|^link$/.test(name) ||
    (/^g?cp$/.test(name) && flags.some((flag) => /^-[a-zA-Z]*[ls]|^--(?:link|symbolic)/.test(flag)));
  if (!isLink) return [];
  const operands = args.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text.replaceAll(GAP, "?"));
  const link = operands.length > 1 ? (operands.at(-1) ?? "") : ".";
  const sources = operands.length > 1 ? operands.slice(0, -1) : operands;
  const from = isSymbolic ? joined(folder, operands.length > 1 ? `${link}/..` : ".") : folder;
  return sources.map((source) => touch(joined(from, source)));
}

/** Whoever works under an intent does not write its scope. */
function declared(command: SimpleCommand): Touch[] {
  const isWriting = ownCommands(command).some((own) => own.verb === "intents" && !onlyShows(own));
  return isWriting ? [touch(".orchestration/active_intents.yaml")] : [];
}

function joined(folder: string, path: string): string {
  if (path.startsWith("/") || path.startsWith("~") || folder === "" || folder === ".") return path;
  return `${folder}/${path}`;
}

const BRINGS = /^(?:g?tar|bsdtar|unzip|7za?|cpio|scp|patch)$/;
const GIT_BRINGS = /^(?:am|apply|checkout|clone|restore|stash|worktree)$/;
const CLIMBS = /[^/]\/\.\.(?:\/|$)|^\.\.(?:\/|$)/;

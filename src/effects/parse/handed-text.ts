import type { Effect } from "../effect.ts";
import { formatted } from "../output/printf.ts";
import { isAtOrUnder, resolvedPath } from "../paths.ts";
import { outputKind } from "../programs/program-name.ts";
import { GAP, type Lookups, type SimpleCommand, type Word } from "./command.ts";

/** What can be read of the data of a line before it runs. */
export interface Readable {
  readonly commands: readonly SimpleCommand[];
  /** The effects of the commands before. */
  readonly effects: readonly Effect[];
  readonly script: Lookups["script"];
}

/** The text on a command's standard input, from the line itself or from a file; undefined if that is not known. */
export function handedText(command: SimpleCommand, about: Readable, left = MAX_STAGES): string | undefined {
  const { input } = command;
  if (input.from === "text") return input.text.text;
  if (input.from === "file") return fileText(input.path, command, about);
  if (input.from === "nothing" || left === 0) return undefined;
  const texts = input.of.map((at) => printed(about.commands[at], about, left - 1));
  return texts.includes(undefined) ? undefined : texts.join("\n");
}

/** The text of a file when a command runs: what the line wrote into it, or what is on the disk. */
export function fileText(path: Word, command: SimpleCommand, about: Readable): string | undefined {
  if (path.text === "/dev/null") return "";
  const { commands, effects, script } = about;
  const key = resolvedPath(command.folder, path.text);
  if (!path.isKnown || key.includes(GAP)) return undefined;
  const at = commands.indexOf(command);
  const writers = effects.filter((effect) => isChange(effect, key) && (effect.command ?? 0) < at);
  const last = writers.at(-1)?.command;
  if (last === undefined) return script?.(key);
  const writer = commands[last];
  const isWhole = writer?.redirects.some(
    ({ way, target }) => way === "write" && resolvedPath(writer.folder, target.text) === key,
  );
  return isWhole ? printed(writer, about, MAX_STAGES) : undefined;
}

function isChange(effect: Effect, key: string): boolean {
  if (effect.does !== "write" && effect.does !== "delete") return false;
  const { text } = effect.path;
  return text === key || text.includes(GAP) || effect.path.isGlob || (effect.isTree && isAtOrUnder(key, text));
}

/** What a command that only prints puts out. */
function printed(command: SimpleCommand | undefined, about: Readable, left: number): string | undefined {
  const words = command?.args.map(({ text }) => text) ?? [];
  if (command?.program === undefined) return undefined;
  switch (outputKind(command.program.text)) {
    case "format":
      return formatted(command.args);
    case "words":
      return echoed(words);
    case "nothing":
    case "success":
    case "failure":
      return "";
    case "files": {
      if (words.some((word) => word.startsWith("-") && word !== "-")) return undefined;
      if (words.length === 0 || words.includes("-")) return handedText(command, about, left);
      const texts = command.args.map((path) => fileText(path, command, about));
      return texts.includes(undefined) ? undefined : texts.join("");
    }
    default:
      return undefined;
  }
}

/** Some shells take `\n` for the end of a line without being asked. */
function echoed(words: readonly string[]): string {
  const at = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const text = at < 0 ? "" : words.slice(at).join(" ");
  return text.includes("\\n") && !text.includes("\n") ? text.replaceAll("\\n", "\n") : text;
}

const MAX_STAGES = 8;

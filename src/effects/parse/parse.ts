import { type ParsedScript, parse, type Word, type WordPart } from "unbash";
import { plainLine } from "./plain-line.ts";

/** The syntax of a script; what cannot be parsed is reported in `errors`, here or in the scripts inside of it. */
export function parseScript(text: string): ParsedScript {
  return plainLine(text) ?? parse(text);
}

/** A text as one word, with its quotes and expansions; undefined if it is more or less than one. */
export function parseWord(text: string): Word | undefined {
  const script = parse(`: ${text}`);
  const command = script.commands[0]?.command;
  if (script.errors?.length || script.commands.length !== 1 || command?.type !== "Command") return undefined;
  const [word, ...others] = command.suffix;
  return word?.type === "Word" && others.length === 0 ? word : undefined;
}

/** The expansions in a text that the shell reads as between double quotes, although quotes in it mean nothing. */
export function parseQuoted(text: string): readonly WordPart[] | undefined {
  if (!/[$`\\]/.test(text)) return undefined;
  let end = "END";
  while (text.includes(end)) end += "D";
  const script = parse(`: <<${end}\n${text}\n${end}\n`);
  const command = script.commands[0]?.command;
  const document = command?.type === "Command" ? command.redirects[0] : undefined;
  return script.errors?.length || document?.type !== "HereDoc" ? undefined : document.body.parts;
}

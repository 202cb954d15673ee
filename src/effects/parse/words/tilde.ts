import type { Word } from "unbash";
import type { Shell } from "../shell-state.ts";
import { guess, textValue, UNKNOWN, type Value } from "../value.ts";
import { lookUp } from "../variables.ts";
import type { FieldBuilder } from "./field-builder.ts";

/** Adds a leading `~`; says how much of the word that was: nothing, its first part, or all. */
export function expandTilde(
  word: Word,
  builder: FieldBuilder,
  isAssigned: boolean,
  shell: Shell,
): "nothing" | "first part" | "done" {
  const first = word.parts?.[0];
  const literal = word.parts === undefined ? word : first?.type === "Literal" ? first : undefined;
  const source = (literal?.text ?? "").replaceAll("\\\n", "");
  if (!source.includes("~")) return "nothing";
  const [lead = ""] = isAssigned ? [] : (/^[A-Za-z_]\w*=/.exec(source) ?? []);
  const isList = isAssigned || lead !== "";
  if (source[0] !== "~" && !isList) return "nothing";
  const isFollowed = word.parts !== undefined && word.parts.length > 1;
  const escapeAt = source.indexOf("\\");
  // The text before an escape is the same in the source and in the value.
  const plain = escapeAt < 0 ? source : source.slice(0, escapeAt);
  const pieces = isList ? plain.slice(lead.length).split(/(?<=:)/) : [plain];
  builder.plain(lead);
  // After `~:`, shells differ in what they expand.
  if ((isFollowed || escapeAt >= 0) && !isAssigned && /~[^/]*:/.test(plain)) builder.unsure();
  for (const [index, piece] of pieces.entries()) {
    const [prefix = ""] = /^~[^/:]*/.exec(piece) ?? [];
    // A prefix that runs into a quote, an escape or an expansion is no prefix.
    const isWhole = (!isFollowed && escapeAt < 0) || index < pieces.length - 1 || prefix.length < piece.length;
    const home = prefix !== "" && isWhole ? folderOf(prefix, shell) : undefined;
    if (home === undefined) builder.plain(piece);
    else {
      builder.quoted(home);
      builder.plain(piece.slice(prefix.length));
    }
  }
  if (escapeAt >= 0) {
    const rest = literal?.value.slice(plain.length) ?? "";
    if (rest !== "") builder.quoted({ text: rest, isSure: !isList || !source.includes(":~", escapeAt) });
  }
  return isFollowed ? "first part" : "done";
}

function folderOf(prefix: string, shell: Shell): Value | undefined {
  const name = NAMES[prefix];
  if (name === undefined) return /^~[a-z_][\w-]*$/i.test(prefix) ? guess(prefix) : UNKNOWN;
  const found = lookUp(shell, name);
  return found.is === "set" ? found.value : prefix === "~" ? guess("~") : textValue(prefix);
}

const NAMES: Readonly<Record<string, string>> = { "~": "HOME", "~+": "PWD", "~-": "OLDPWD" };

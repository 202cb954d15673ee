import { dataField, type EventFacts } from "../event/field.ts";
import { observedOf } from "../event/observed.ts";
import { unpacked } from "../event/packed.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { callEffects } from "./call-effects.ts";
import type { LookupsFor } from "./effect.ts";
import { bareName, patchTexts } from "./file-tools.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { addedTexts } from "./patched-files.ts";

/**
 * The texts that a call would write, one a file or edit: what tools for files are given, what patches add, what a command
 * line prints into files. Empty if nothing is written or if the text is known only at run time.
 */
export function callContents(event: EventFacts, lookupsFor?: LookupsFor): readonly string[] {
  if (last?.event !== event || last.lookupsFor !== lookupsFor)
    last = { event, lookupsFor, texts: contentsOf(event, lookupsFor) };
  return last.texts;
}

let last:
  | { readonly event: EventFacts; readonly lookupsFor: LookupsFor | undefined; readonly texts: readonly string[] }
  | undefined;

function contentsOf(event: EventFacts, lookupsFor: LookupsFor | undefined): readonly string[] {
  const { toolName } = event;
  const effects = toolName === undefined ? undefined : callEffects(event, lookupsFor);
  if (toolName === undefined || effects === undefined) return [];
  if (observedOf(event) !== undefined) return effects.texts;
  if (effects.commands.length > 0) {
    const added = effects.commands.flatMap(handedPatches).flatMap(addedTexts);
    return [...effects.texts, ...added].map((text) => text.replaceAll(GAP, "")).filter((text) => text !== "");
  }
  const isWrite = isOfKind(bareName(toolName), "@write") || effects.effects.some(({ does }) => does === "write");
  if (!isWrite) return [];
  const given: string[] = [];
  collect(unpacked(dataField(event, "tool_args")), given);
  return [...new Set([...given, ...patchTexts(event).flatMap(addedTexts)])];
}

/** The patches that a command is given, as its input or as an argument. */
function handedPatches({ input, args }: SimpleCommand): string[] {
  const texts = [...(input.from === "text" ? [input.text] : []), ...args].map(({ text }) => text);
  return texts.filter((text) => PATCH.test(text));
}

const PATCH = /^(?:\*\*\* Begin Patch|\+\+\+ )/m;

/** Texts under a key for new content, however deep: edits are lists of objects. */
function collect(value: unknown, found: string[], depth = 0): void {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  for (const [key, inner] of Object.entries(value)) {
    const text = CONTENT_KEY().test(key) ? textOf(inner) : undefined;
    if (text !== undefined) found.push(text);
    else collect(inner, found, depth + 1);
  }
}

/** Cells of notebooks come as lists of lines. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isLines = Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === "string");
  return isLines ? value.join("\n") : undefined;
}

const MAX_DEPTH = 4;
const CONTENT_KEY = () =>
  /^(?:contents?|text|code|code_?edit|file_?(?:text|contents?)|new_?(?:str(?:ing)?|text|source|contents?|code|lines)(?:_\d+)?|insert(?:ed)?_?text|replacement|replace_?with|cell_?source)$/i;

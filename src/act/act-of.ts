import { dataField, type EventFacts } from "../event/field.ts";
import { effectsOf } from "../shell/effects.ts";
import { readCommandLine } from "../shell/read-command-line.ts";
import type { Act, Look, Place } from "./act.ts";
import { fileEffects, kindOfCall } from "./file-tools.ts";

/**
 * What a call does. A tool for files is told by its input; everything else by the text of a command, which is the value
 * that a rule looks at, or the call's own. Nothing when there is neither.
 */
export function actOf(event: EventFacts, values: readonly unknown[], look: Look | undefined): Act | undefined {
  const known = MADE.get(event);
  if (known !== undefined && known.text === values[0]) return known.act;
  const kind = kindOfCall(event);
  if (kind === "file") return remembered(event, "", () => actWith(fileEffects(event), event));
  const text = values.find((value) => typeof value === "string") ?? commandOf(event);
  if (typeof text !== "string") return undefined;
  return remembered(event, text, () => {
    const around = look?.(event) ?? {};
    const reading = readCommandLine(text, { ...around, variables: { ...knownVariables(), ...around.variables } });
    return { ...actWith(effectsOf(reading), event), commands: reading.commands };
  });
}

function actWith(effects: Act["effects"], { cwd }: EventFacts): Act {
  return { effects, commands: [], place: { cwd, home: homeOf().HOME } };
}

function commandOf(event: EventFacts): unknown {
  const args = dataField(event, "tool_args");
  if (typeof args !== "object" || args === null) return args;
  const { command, cmd, script } = args as Readonly<Record<string, unknown>>;
  const [stated] = [command, cmd, script].filter((value) => value !== undefined);
  return Array.isArray(stated) && stated.every((word) => typeof word === "string")
    ? stated.map(quoted).join(" ")
    : stated;
}

/** A word of a list stays one word of a line. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Many guards look at one call; it is taken apart once. */
function remembered(event: EventFacts, text: string, make: () => Act): Act {
  const known = MADE.get(event);
  if (known?.text === text) return known.act;
  const act = make();
  MADE.set(event, { text, act });
  return act;
}

const MADE = new WeakMap<EventFacts, { readonly text: string; readonly act: Act }>();

/** The user's folders, where there is a process to ask. */
function homeOf(): { readonly HOME?: string | undefined; readonly TMPDIR?: string | undefined } {
  return globalThis.process?.env ?? {};
}

/** Variables that the shell of an agent has from the same user. */
function knownVariables(): Readonly<Record<string, string>> {
  const { HOME, TMPDIR } = homeOf();
  return { ...(HOME !== undefined && { HOME }), ...(TMPDIR !== undefined && { TMPDIR }) };
}

/** Where a call happens, for whoever compares its paths. */
export function placeOf({ cwd }: EventFacts): Place {
  return { cwd, home: homeOf().HOME };
}

import { dataField, type EventFacts } from "../event/field.ts";
import { effectsOf } from "../shell/effects.ts";
import { readCommandLine } from "../shell/read-command-line.ts";
import type { Act, Look, Place } from "./act.ts";
import { commandLineOf } from "./command-line.ts";
import { fileEffects, kindOfCall } from "./file-tools.ts";
import { asOnDisk } from "./on-disk.ts";
import { isEveryName, isRootOfMuch, isSystem } from "./path-class.ts";
import { throughLinks } from "./through-links.ts";

/**
 * What a call does. A tool for files is told by its input; everything else by the text of a command, which is the value
 * that a rule looks at, or the call's own. Nothing when there is neither.
 */
export function actOf(event: EventFacts, value: unknown, look: Look | undefined): Act | undefined {
  if (last?.event === event && last.text === value) return last.act;
  const kind = kindOfCall(event);
  if (kind === "file")
    return remembered(event, "", () => {
      const around = look?.(event) ?? {};
      return actWith(asOnDisk(fileEffects(event, around.isFolder), [], around), event);
    });
  const text = typeof value === "string" && !isCommand(value, event) ? value : commandLineOf(event);
  if (typeof text !== "string") return undefined;
  return remembered(event, text, () => actOfLine(text, event, look));
}

/** A rule that looks at the command means all of the line, also what stands under other keys. */
function isCommand(value: string, event: EventFacts): boolean {
  const args = dataField(event, "tool_args");
  return typeof args === "object" && args !== null && (args as { readonly command?: unknown }).command === value;
}

function actOfLine(text: string, event: EventFacts, look: Look | undefined): Act {
  const around = look?.(event) ?? {};
  const { script, task, variables } = around;
  const { HOME, TMPDIR } = homeOf();
  const known: Record<string, string> = {};
  if (HOME !== undefined) known.HOME = HOME;
  if (TMPDIR !== undefined) known.TMPDIR = TMPDIR;
  if (variables !== undefined) Object.assign(known, variables);
  const place = { cwd: event.cwd, home: HOME };
  if (TMPDIR === undefined && NAMES_TEMPORARY.test(text)) nameTemporary(text, known, place);
  const reading = readCommandLine(text, { script, task, variables: known });
  const { commands } = reading;
  const effects = asOnDisk(effectsOf(reading, script), commands, around);
  const more = throughLinks(effects, commands, place, around);
  return { effects: more.length === 0 ? effects : [...effects, ...asOnDisk(more, [], around)], commands, place };
}

/**
 * A folder for temporary files that nobody has named may be set in the agent's shell, or may be nothing at all: what
 * then lies at the root counts where that is a part of the system, or everything.
 */
function nameTemporary(text: string, known: Record<string, string>, place: Place): void {
  const bare = effectsOf(readCommandLine(text, { variables: { ...known, TMPDIR: "", TMP: "", TEMP: "" } }));
  const isWorse = bare.some(
    (effect) =>
      (effect.does === "delete" || effect.does === "write") &&
      effect.path.text.startsWith("/") &&
      (isRootOfMuch(effect.path, place) || isSystem(effect.path, place) || isEveryName(effect.path)),
  );
  for (const name of ["TMPDIR", "TMP", "TEMP"]) known[name] ??= isWorse ? "" : "/tmp";
}

const NAMES_TEMPORARY = /\$\{?(?:TMPDIR|TMP|TEMP)\b/;

function actWith(effects: Act["effects"], event: EventFacts): Act {
  return { effects, commands: [], place: placeOf(event) };
}

/** Many guards look at one call, one after the other; it is taken apart once. */
function remembered(event: EventFacts, text: string, make: () => Act): Act {
  if (last?.event === event && last.text === text) return last.act;
  const act = make();
  last = { event, text, act };
  return act;
}

let last: { readonly event: EventFacts; readonly text: string; readonly act: Act } | undefined;

/** The user's folders, where there is a process to ask; the shell of an agent has them from the same user. */
function homeOf(): { readonly HOME?: string | undefined; readonly TMPDIR?: string | undefined } {
  return globalThis.process?.env ?? {};
}

/** Where a call happens, for whoever compares its paths. */
export function placeOf({ cwd }: EventFacts): Place {
  return { cwd, home: homeOf().HOME };
}

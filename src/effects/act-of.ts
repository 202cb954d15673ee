import { dataField, type EventFacts } from "../event/field.ts";
import type { SimpleCommand, Surroundings } from "./parse/command.ts";
import { effectsOf } from "./effects.ts";
import { resolvedPath } from "./paths.ts";
import { readCommandLine } from "./parse/read-command-line.ts";
import type { Act, Look, Place } from "./act.ts";
import { commandLineOf } from "./command-line.ts";
import { fileEffects, kindOfCall } from "./file-tools.ts";
import { asOnDisk } from "./on-disk.ts";
import { isEveryName, isRootOfMuch, isSystem } from "./path-class.ts";
import { standingsOf, wholeStanding } from "./standings.ts";
import { throughLinks } from "./through-links.ts";
import { together } from "./together.ts";

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
  const [first = ".", ...others] = standingsOf(event);
  const act = actFrom(first, text, event, look);
  return others.length === 0 ? act : together(act, ...others.map((other) => actFrom(other, text, event, look)));
}

/** What a line does that begins in a folder, with every path as seen from the event's own. */
function actFrom(standing: string, text: string, event: EventFacts, look: Look | undefined): Act {
  const around = look?.(event) ?? {};
  const place = placeOf(event);
  const start = wholeStanding(standing, place.cwd, INHERITED.HOME);
  const { script, task } = standing === "." ? around : lookFrom(start, event, look);
  const given = NAMES_TEMPORARY.test(text) ? withTemporary(text, around.variables, place) : around.variables;
  const variables = start !== undefined && NAMES_FOLDER.test(text) ? { ...given, PWD: start } : given;
  const read = readCommandLine(text, { script, task, variables, inherited: INHERITED });
  const reading = standing === "." ? read : { ...read, commands: read.commands.map((one) => movedTo(standing, one)) };
  const { commands } = reading;
  const effects = asOnDisk(effectsOf(reading, around.script), commands, around);
  const more = throughLinks(effects, commands, place, around);
  return { effects: more.length === 0 ? effects : [...effects, ...asOnDisk(more, [], around)], commands, place };
}

function lookFrom(start: string | undefined, event: EventFacts, look: Look | undefined): Surroundings {
  return start === undefined ? {} : (look?.({ ...event, cwd: start }) ?? {});
}

function movedTo(standing: string, command: SimpleCommand): SimpleCommand {
  return { ...command, folder: resolvedPath(standing, command.folder) };
}

/**
 * A folder for temporary files that nobody has named may be set in the agent's shell, or may be nothing at all: what
 * then lies at the root counts where that is a part of the system, or everything.
 */
function withTemporary(text: string, given: Variables, place: Place): Variables {
  if (given?.TMPDIR !== undefined || INHERITED.TMPDIR() !== undefined) return given;
  const empty = { ...given, TMPDIR: "", TMP: "", TEMP: "" };
  const bare = effectsOf(readCommandLine(text, { variables: empty, inherited: INHERITED }));
  const isWorse = bare.some(
    (effect) =>
      (effect.does === "delete" || effect.does === "write") &&
      effect.path.text.startsWith("/") &&
      (isRootOfMuch(effect.path, place) || isSystem(effect.path, place) || isEveryName(effect.path)),
  );
  const folder = isWorse ? "" : "/tmp";
  return { TMPDIR: folder, TMP: folder, TEMP: folder, ...given };
}

type Variables = Surroundings["variables"];

/** Where the line starts, which it may come back to by name. */
const NAMES_FOLDER = /PWD\b|~[+-]/;
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
const INHERITED = {
  HOME: () => globalThis.process?.env.HOME,
  TMPDIR: () => globalThis.process?.env.TMPDIR,
};

/** Where a call happens, for whoever compares its paths. */
export function placeOf({ cwd }: EventFacts): Place {
  return new CallPlace(cwd);
}

/** Most calls name nothing in the home; the environment is slow to ask. */
class CallPlace implements Place {
  readonly cwd: string | undefined;

  constructor(cwd: string | undefined) {
    this.cwd = cwd;
  }

  get home(): string | undefined {
    return INHERITED.HOME();
  }
}

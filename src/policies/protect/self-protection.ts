import type { HookResult } from "../../decision/result.ts";
import { type CallEffects, type Effect, isReadOnlyRun, runsOf, toolEffects } from "../../effects/index.ts";
import { milliseconds } from "../../event/clock.ts";
import { HookEvent } from "../../event/event.ts";
import { errorText } from "../../problem/problem.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { agentWithoutHooks, settingWithoutHooks } from "./agent-escapes.ts";
import { arrivingTree } from "./arriving-trees.ts";
import { builtInHook, builtInResult } from "./built-in.ts";
import { carriedFiles } from "./carried-code.ts";
import { isOurProcess } from "./ended-processes.ts";
import { unknownHistory } from "./git-doubts.ts";
import { GitSilence, overwrittenByGit } from "./git-overwrites.ts";
import { laterSettings } from "./later-settings.ts";
import { looseningCommand, verbInCode } from "./loosening-commands.ts";
import { mayOpen, otherTerminal, rememberTerminals } from "./other-terminals.ts";
import { commandText, placeInCode, placeInInput, placeInText } from "./paths-in-code.ts";
import { pauseAt, timeLeft } from "./pause.ts";
import { reachesPerson } from "./person-channel.ts";
import { namedByUnread, printedPlace } from "./printed-places.ts";
import { type ProtectedPaths, protectedPaths } from "./protected-paths.ts";
import type { ProtectionContext } from "./protection-context.ts";
import { replacedPackage } from "./replaced-package.ts";
import { toolLines } from "./tool-lines.ts";
import { reachedUiPort } from "./ui-ports.ts";
import { type ProtectedWrite, unreadPatch, writtenProtectedPath } from "./written-protected-paths.ts";

/** A built-in hook that no layer can switch off. */
export const SELF_PROTECTION = builtInHook(
  "self-protection",
  "An agent changes neither Sluice, nor its configuration and records, nor the settings through which it calls its hooks.",
);

/**
 * The result of self-protection for a call: a denial, a question, a note while it is paused, or undefined. An error denies
 * too, with `HOOK_ERROR`. A caller that checks many calls may pass the protected paths.
 */
export function selfProtection(
  event: HookEvent,
  context: ProtectionContext,
  known?: ProtectedPaths,
): HookResult | undefined {
  const began = milliseconds();
  const done = (answer: Parameters<typeof builtInResult>[1]) =>
    builtInResult(SELF_PROTECTION, answer, milliseconds() - began);
  try {
    const paths = known ?? protectedPaths(context);
    const why = whyNotIfKnown(event, context, paths);
    if (why === undefined) return undefined;
    const pause = why.about === "command" ? undefined : pauseAt(context);
    if (pause !== undefined)
      return done({ action: "continue", notes: [`paused, ${timeLeft(pause)} left: ${why.text}`] });
    if (ASKED.has(why.about)) return done({ action: "ask", reason: `${why.text}. ${STEPS[why.about]}` });
    return done({ action: "deny", reason: `Sluice protects itself: ${why.text}. ${STEPS[why.about]}` });
  } catch (error) {
    const message = errorText(error);
    return done({
      action: "deny",
      reason: `self-protection could not check this call: ${message}`,
      code: "HOOK_ERROR",
      failure: { why: "exception", message },
    });
  }
}

/** Remembers the terminal sessions that a call opens, which later calls of its session may use. */
export function noteOpened(event: HookEvent, context: ProtectionContext): void {
  if (mayOpen(commandText(event))) rememberTerminals(event, toolEffects(event, diskLookups), context);
}

/** Checks a call, and the command lines to which the input of a tool is equivalent. */
function whyNotIfKnown(event: HookEvent, context: ProtectionContext, paths: ProtectedPaths): Refusal | undefined {
  try {
    const own = whyNot(event, context, paths);
    if (own !== undefined) return own;
    for (const command of toolLines(event)) {
      const why = whyNot(HookEvent.toolPreExecute("Bash", { command }, { cwd: event.cwd }), context, paths);
      if (why !== undefined) return why;
    }
    return undefined;
  } catch (error) {
    if (error instanceof GitSilence) return { about: "history", text: error.message };
    throw error;
  }
}

/** The same for files that the call may run as code; their content is judged as if the call ran them. */
function whyNotAsFiles(event: HookEvent, call: CallEffects, context: ProtectionContext, paths: ProtectedPaths) {
  for (const { path, text, line } of carriedFiles(call)) {
    const command = HookEvent.toolPreExecute("Bash", { command: line }, { cwd: event.cwd });
    const place = line === undefined ? placeInText(text, paths) : undefined;
    const why: Refusal | undefined = place
      ? { about: "place", text: `it names ${place.path}, ${place.what}` }
      : line === undefined
        ? undefined
        : whyNot(command, context, paths, "the files that it may run");
    if (why === undefined || !CERTAIN.has(why.about)) continue;
    return { about: why.about, text: `this call may run ${path} as code: ${why.text}` };
  }
  return undefined;
}

/** A guess must not hide a certain result. */
function certain(found: ProtectedWrite | undefined): ProtectedWrite | undefined {
  return found?.isGuess ? undefined : found;
}

/** Why a call would remove hooks, by what it runs or by a place that it changes; undefined if it would not. */
function whyNot(
  event: HookEvent,
  context: ProtectionContext,
  paths: ProtectedPaths,
  without?: "the files that it may run",
): Refusal | undefined {
  const call = toolEffects(event, diskLookups);
  const line = commandText(event);
  // A long patch is read completely; of a long command, much is unknown.
  if (line.length > MAX_COMMAND && call.effects.some(({ does }) => does === "unknown"))
    return { about: "long", text: `this command has ${line.length} characters, more than can be checked` };
  const command =
    looseningCommand(call) ?? agentWithoutHooks(call) ?? settingWithoutHooks(event) ?? verbInCode(line, call);
  if (command !== undefined) return { about: "command", text: command };
  if (call.effects.some(holdsProcess)) return { about: "command", text: "it holds or ends processes of this machine" };
  const terminal = otherTerminal(event, call, line, context) ?? reachesPerson(call, event, context);
  if (terminal !== undefined) return { about: "command", text: terminal };
  const port = reachedUiPort(event, call, context);
  if (port !== undefined)
    return { about: "command", text: `this call may reach port ${port}, at which \`sluice ui\` runs` };
  if (certainlyReads(call)) return undefined;
  const touched = call.effects.length;
  if (touched > MAX_TOUCHED)
    return { about: "many", text: `this call touches ${touched} files, more than can be checked while it waits` };
  const arriving = arrivingTree(call, paths, context.root);
  const [written, printed] = [writtenProtectedPath(call, paths), printedPlace(call, paths)];
  const found =
    certain(written) ??
    placeInInput(event, call, paths) ??
    placeInCode(event, call, paths) ??
    overwrittenByGit(call, paths, context.root) ??
    certain(printed) ??
    (arriving !== undefined && "found" in arriving ? arriving.found : undefined);
  const guess = written ?? printed;
  if (found === undefined && guess !== undefined)
    return {
      about: "listed",
      text: `the files that this call changes may be ${guess.place.path}, ${guess.place.what}`,
    };
  if (found !== undefined)
    return { about: "place", text: `this call ${found.how} ${found.place.path}, ${found.place.what}` };
  const carried = without === undefined ? whyNotAsFiles(event, call, context, paths) : undefined;
  if (carried !== undefined) return carried;
  const patch = unreadPatch(call, context.root);
  if (patch !== undefined) return { about: "patch", text: patch };
  if (arriving !== undefined && "unread" in arriving) return { about: "arrival", text: arriving.unread };
  const history = unknownHistory(call, paths, context.root);
  if (history !== undefined) return { about: "history", text: history };
  const named = namedByUnread(call, paths);
  if (named !== undefined) return { about: "named", text: named };
  const later = laterSettings(event, call);
  if (later !== undefined) return { about: "later", text: later };
  const other = replacedPackage(call, context.root, context.files);
  return other === undefined ? undefined : { about: "package", text: other };
}

/** Whether a line only runs programs that are known to read, so that there is no place to look for. */
function certainlyReads({ commands, effects }: CallEffects): boolean {
  return (
    commands.length > 0 &&
    effects.every(
      (effect) =>
        effect.does === "read" || (effect.does === "run" && effect.roles.length === 0 && effect.code === undefined),
    ) &&
    runsOf({ commands, effects }).every(
      ({ row, command: { args, assignments } }) =>
        Object.keys(assignments).length === 0 && isReadOnlyRun(row, args) === true,
    )
  );
}

/** A file with which the system ends, holds or changes processes: those of Sluice, or all. */
function holdsProcess(effect: Effect): boolean {
  if (effect.does !== "write") return false;
  const [, pid] = /^\/proc\/(\d+)\//.exec(effect.path.text) ?? [];
  return (
    (pid !== undefined && isOurProcess(pid)) || /^\/proc\/sysrq-trigger$|^\/sys\/fs\/cgroup\//.test(effect.path.text)
  );
}

interface Refusal {
  readonly about: keyof typeof STEPS;
  readonly text: string;
}

/** Each of them is looked up on disk. */
const MAX_TOUCHED = 20_000;
/** No system starts a shell with a longer command. */
const MAX_COMMAND = 1_000_000;

const STEPS = {
  command: "Ask the user to do it.",
  place: "Ask the user to do it; in a terminal of their own, `sluice pause 10m` lets such changes pass for a while.",
  listed: "Leave its folder out, or list the files of one folder.",
  patch: "It could change Sluice's own files: put it into a file of the project first, where it can be read.",
  arrival: "It could replace Sluice's own files: put it into a new folder first, and copy from there.",
  history: "It could bring other hooks: name the branch or commit itself, once it exists.",
  named: "It could change that file: let the program write elsewhere, or ask the user.",
  later: "Set it for single commands instead.",
  package: "It could put another program in Sluice's place, or take hooks away: ask the user.",
  long: "Write it as several shorter calls.",
  many: `Touch at most ${MAX_TOUCHED} files in one call.`,
} as const;

/** Certain enough to deny a file that may be run. */
const CERTAIN: ReadonlySet<keyof typeof STEPS> = new Set(["command", "place"]);

/** What cannot be determined before the call, so that the user is asked. */
const ASKED = new Set<keyof typeof STEPS>(["listed", "patch", "arrival", "history", "named", "later", "package"]);

import type { HookResult } from "../../decision/result.ts";
import { toolEffects } from "../../effects/call-effects.ts";
import { milliseconds } from "../../event/clock.ts";
import type { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { builtInHook, builtInResult } from "./built-in.ts";
import { unpackedPlace, unreadPatch, writtenProtectedPath } from "./written-protected-paths.ts";
import { overwrittenByGit } from "./git-overwrites.ts";
import type { ProtectionContext } from "./protection-context.ts";
import { pauseAt, timeLeft } from "./pause.ts";
import { type ProtectedPaths, protectedPaths } from "./protected-paths.ts";
import { verbInCode, looseningCommand } from "./loosening-commands.ts";
import { reachedUiPort } from "./ui-ports.ts";
import { commandText, placeInCode, placeInInput } from "./paths-in-code.ts";

/** A built-in hook that no layer can switch off: what it denies stays denied whatever the layers say. */
export const SELF_PROTECTION = builtInHook(
  "self-protection",
  "An agent changes neither Sluice, nor its configuration and records, nor the settings through which it calls its hooks.",
);

/**
 * What self-protection says about a call: a denial, a question, a note while it is paused, or nothing. A look that
 * breaks denies too, with `HOOK_ERROR`. What is protected may be known already, to a caller that asks about many calls at once.
 */
export function selfProtection(
  event: HookEvent,
  context: ProtectionContext,
  known?: ProtectedPaths,
): HookResult | undefined {
  const began = milliseconds();
  const done = (said: Parameters<typeof builtInResult>[1]) =>
    builtInResult(SELF_PROTECTION, said, milliseconds() - began);
  try {
    const why = whyNot(event, context, known);
    if (why === undefined) return undefined;
    const pause = why.about === "place" || why.about === "patch" ? pauseAt(context) : undefined;
    if (pause !== undefined)
      return done({ action: "continue", notes: [`paused, ${timeLeft(pause)} left: ${why.text}`] });
    if (why.about === "patch") return done({ action: "ask", reason: `${why.text}. ${STEPS.patch}` });
    return done({ action: "deny", reason: `Sluice protects itself: ${why.text}. ${STEPS[why.about]}` });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return done({
      action: "deny",
      reason: `self-protection could not look at this call: ${message}`,
      code: "HOOK_ERROR",
      failure: { why: "exception", message },
    });
  }
}

/** Why a call would take hooks away, by what it runs or by a place that it changes; nothing when it would not. */
function whyNot(
  event: HookEvent,
  context: ProtectionContext,
  known: ProtectedPaths | undefined,
): { about: keyof typeof STEPS; text: string } | undefined {
  const call = toolEffects(event, diskLookups);
  const command = looseningCommand(call) ?? verbInCode(commandText(event), call);
  if (command !== undefined) return { about: "command", text: command };
  const port = reachedUiPort(event, context);
  if (port !== undefined)
    return { about: "command", text: `this call names port ${port}, at which \`sluice ui\` runs` };
  const paths = known ?? protectedPaths(context);
  const found =
    writtenProtectedPath(call, paths) ??
    placeInInput(event, call, paths) ??
    placeInCode(event, call, paths) ??
    unpackedPlace(call, paths) ??
    overwrittenByGit(call, paths, context.root);
  if (found === undefined) {
    const patch = unreadPatch(call, context.root);
    return patch === undefined ? undefined : { about: "patch", text: patch };
  }
  const { place, how } = found;
  return { about: "place", text: `this call ${how} ${place.path}, ${place.what}` };
}

const STEPS = {
  command: "Ask the user to do it.",
  place: "Ask the user to do it; in a terminal of their own, `sluice pause 10m` lets such changes pass for a while.",
  patch: "It could change Sluice's own files: have it in a file of the project first, where it is read.",
} as const;

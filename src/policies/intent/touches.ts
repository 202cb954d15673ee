import type { CallEffects, Effect } from "../../effects/effect.ts";
import { callEffects } from "../../effects/call-effects.ts";
import { isStream } from "../../effects/devices.ts";
import { effectText } from "../../effects/effect-text.ts";
import { bareName, fileEffects, kindOfCall } from "../../effects/file-tools.ts";
import { GAP } from "../../effects/parse/command.ts";
import type { HookEvent } from "../../event/event.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { type ToolChanges, toolChanges } from "../../effects/tool-changes.ts";
import { commandTouches } from "./command-touches.ts";
import { ROLE_WEIGHTS } from "../../effects/role-weight.ts";
import { type MoreTouches, type Touch, type Touches, touch } from "./touch.ts";

/** Tells what a call changes; a call that only reads changes nothing. */
export function touchesOf(event: HookEvent): Touches {
  if (isOfKind(bareName(event.toolName), "@read")) return NOTHING;
  const act = kindOfCall(event) === "file" ? fileAct(event) : callEffects(event, diskLookups);
  const paths: Touch[] = [];
  const unknowns: string[] = [];
  const losses: string[] = [];
  let changes = false;
  const effects = act?.effects ?? [];
  for (const effect of effects) {
    switch (effect.does) {
      case "write":
      case "delete": {
        if (isStream(effect.path.text)) break;
        const { path, isTree, isForced, by, source } = effect;
        const isWorkTree = isTree && isForced && by === "pick";
        // Without a gap in it, only a pattern can keep a word from being known.
        const isGlob = path.isGlob || !path.isKnown;
        // A file that is renamed in place is gone under the name that is written.
        const isGone = effect.does === "delete" || (by === "move" && source === undefined);
        const puts = isGone || source === undefined ? undefined : [source.text];
        if (!path.text.includes(GAP)) paths.push({ path: path.text, isTree, isGlob, isWorkTree, isGone, puts });
        else unknowns.push(effectText(effect));
        if (effect.does === "delete" && (isTree || isForced)) losses.push(effectText(effect));
        break;
      }
      case "run":
        for (const role of effect.roles) {
          const weight = ROLE_WEIGHTS[role];
          if (weight === "destroys") losses.push(`${runText(effect)} (${role})`);
          else if (weight === "unknown") unknowns.push(`${runText(effect)} (${role})`);
          changes ||= weight !== "nothing";
        }
        break;
      case "unknown":
        unknowns.push(`${effect.doubt.why}: ${effect.doubt.what}`);
        break;
      case "read":
      case "network":
      case "flow":
        break;
    }
  }
  const more =
    act !== undefined && act.commands.length > 0
      ? commandTouches(act.commands, effects)
      : touchesOfTool(toolChanges(event, effects));
  // A tool for files names its path in its effects and in its input.
  for (const touch of more.paths) if (!paths.some((other) => isSame(touch, other))) paths.push(touch);
  unknowns.push(...more.unknowns);
  const isMutating = changes || more.changes || paths.length + unknowns.length + losses.length > 0;
  return {
    paths,
    climbs: more.climbs,
    copies: more.copies,
    unknowns: [...new Set(unknowns)],
    losses: [...new Set(losses)],
    isMutating,
  };
}

/** What a tool for files does, as it is written: where its paths really lead is asked when they are compared with a scope. */
function fileAct(event: HookEvent): Pick<CallEffects, "effects" | "commands"> {
  return { effects: fileEffects(event, diskLookups(event).isFolder), commands: [] };
}

function touchesOfTool({ paths, unknown }: ToolChanges): MoreTouches {
  const changes = paths.length + unknown.length > 0;
  return { paths: paths.map(touch), climbs: [], copies: [], unknowns: unknown, changes };
}

function isSame(one: Touch, other: Touch): boolean {
  const isPlain = one.puts === undefined && other.puts === undefined;
  const isAlike = one.isTree === other.isTree && one.isGlob === other.isGlob && one.isWorkTree === other.isWorkTree;
  return isPlain && isAlike && one.path === other.path;
}

function runText({ program, verb }: Extract<Effect, { does: "run" }>): string {
  return [program, verb].filter(Boolean).join(" ");
}

const NOTHING: Touches = { paths: [], climbs: [], copies: [], unknowns: [], losses: [], isMutating: false };

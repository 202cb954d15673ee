import {
  bareName,
  type CallEffects,
  type Effect,
  effectText,
  fileToolEffects,
  GAP,
  isStream,
  kindOfCall,
  namedFiles,
  type PathEffect,
  ROLE_WEIGHTS,
  type ToolChanges,
  toolEffects,
} from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { commandChanges } from "./command-changes.ts";
import { type CallChanges, type OtherChanges, type WrittenPath, writtenPath } from "./written-path.ts";

/** Tells what a call changes; a call that only reads changes nothing. */
export function callChanges(event: HookEvent): CallChanges {
  if (isOfKind(bareName(event.toolName), "@read")) return NOTHING;
  // Where the paths of a tool for files really lead is asked when they are compared with a scope.
  const call = kindOfCall(event) === "file" ? fileToolEffects(event, diskLookups) : toolEffects(event, diskLookups);
  if (call.readOnly) return NOTHING;
  const paths: WrittenPath[] = [];
  const unknowns: string[] = [];
  const losses: string[] = [];
  for (const effect of call.effects) {
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
        const isPicked = by === "pick";
        if (!path.text.includes(GAP))
          paths.push({
            path: path.text,
            isTree,
            isGlob,
            names: namesOf(effect, call),
            isWorkTree,
            isPicked,
            isGone,
            puts,
          });
        else unknowns.push(effectText(effect));
        if (effect.does === "delete" && (isTree || isForced)) losses.push(effectText(effect));
        break;
      }
      case "run":
        for (const role of effect.roles) {
          const weight = ROLE_WEIGHTS[role];
          if (weight === "destroys") losses.push(`${runText(effect)} (${role})`);
          else if (weight === "unknown") unknowns.push(`${runText(effect)} (${role})`);
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
  const more = call.commands.length > 0 ? commandChanges(call) : changesOfTool(call.ofTool);
  // A tool for files names its path in its effects and in its input.
  const told = new Set(paths.filter(isPlain).map(({ path }) => path));
  for (const written of more.paths) if (!told.has(written.path)) paths.push(written);
  unknowns.push(...more.unknowns);
  return {
    paths,
    climbs: more.climbs,
    copies: more.copies,
    unknowns: [...new Set(unknowns)],
    losses: [...new Set(losses)],
    isMutating: true,
  };
}

function namesOf(effect: PathEffect, call: CallEffects): readonly string[] | undefined {
  const named = namedFiles(effect, call);
  return named?.doubt === undefined ? named?.names : undefined;
}

function changesOfTool({ paths, unknown }: ToolChanges): OtherChanges {
  return { paths: paths.map(writtenPath), climbs: [], copies: [], unknowns: unknown };
}

/** One named path, as `writtenPath` makes it. */
function isPlain({ puts, isTree, isGlob }: WrittenPath): boolean {
  return puts === undefined && !isTree && !isGlob;
}

function runText({ program, verb }: Extract<Effect, { does: "run" }>): string {
  return [program, verb].filter(Boolean).join(" ");
}

const NOTHING: CallChanges = { paths: [], climbs: [], copies: [], unknowns: [], losses: [], isMutating: false };

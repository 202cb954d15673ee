import type { CallEffects, Effect } from "../../effects/effect.ts";
import { callEffects } from "../../effects/call-effects.ts";
import { isStream } from "../../effects/devices.ts";
import { effectText } from "../../effects/effect-text.ts";
import { bareName, fileEffects, kindOfCall } from "../../effects/file-tools.ts";
import { GAP } from "../../effects/parse/command.ts";
import { nameOf } from "../../effects/paths.ts";
import type { HookEvent } from "../../event/event.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { arriving } from "./arriving.ts";
import { commandTouches } from "./command-touches.ts";
import { inputTouches } from "./input-touches.ts";
import { ROLE_WEIGHTS } from "./role-weight.ts";
import type { Touch, Touches } from "./touch.ts";

/** Tells what a call changes; a call that only reads changes nothing. */
export function touchesOf(event: HookEvent): Touches {
  if (isOfKind(bareName(event.toolName), "@read")) return NOTHING;
  const act = kindOfCall(event) === "file" ? fileAct(event) : callEffects(event, diskLookups);
  const paths: Touch[] = [];
  const unknowns: string[] = [];
  const losses: string[] = [];
  let changes = false;
  const effects = act?.effects ?? [];
  const lossy = lossyGit(effects);
  const moved = movedByTool(event, act);
  for (const effect of effects) {
    switch (effect.does) {
      case "write":
      case "delete": {
        if (isStream(effect.path.text)) break;
        const { path, isTree, isForced } = effect;
        const isWorkTree = isTree && isForced && lossy.has(effect.command);
        // Without a gap in it, only a pattern can keep a word from being known.
        const isGlob = path.isGlob || !path.isKnown;
        const isGone = effect.does === "delete" || RENAMERS.test(nameOf(effect.program));
        const puts = isGone ? undefined : (arriving(act?.commands[effect.command], path.text) ?? moved);
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
    act !== undefined && act.commands.length > 0 ? commandTouches(act.commands, effects) : inputTouches(event, effects);
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

/** What a tool of that name puts where it is told to; nothing for tools that put nothing. */
function movedByTool({ toolName = "" }: HookEvent, act: Pick<CallEffects, "effects" | "commands"> | undefined) {
  if (act === undefined || act.commands.length > 0 || !MOVES.test(toolName)) return undefined;
  const gone = act.effects.flatMap((effect) => (effect.does === "delete" ? effect.path.text : []));
  return gone.length > 0 ? gone : undefined;
}

function isSame(one: Touch, other: Touch): boolean {
  const isPlain = one.puts === undefined && other.puts === undefined;
  const isAlike = one.isTree === other.isTree && one.isGlob === other.isGlob && one.isWorkTree === other.isWorkTree;
  return isPlain && isAlike && one.path === other.path;
}

/** The commands of git that throw work away; they speak of the folder where others would name files. */
function lossyGit(effects: readonly Effect[]): ReadonlySet<number> {
  const runs = effects.filter((effect) => effect.does === "run" && effect.program === "git");
  const lossy = runs.filter((effect) => effect.does === "run" && effect.roles.includes("work-loss"));
  return new Set(lossy.flatMap(({ command }) => command ?? []));
}

function runText({ program, verb }: Extract<Effect, { does: "run" }>): string {
  return [program, verb].filter(Boolean).join(" ");
}

/** Programs that give what they are told of another name, where it stands. */
const RENAMERS = /^(?:p?rename|file-rename|perl-rename|rename\.ul|mmv)$/;
const MOVES = /move|rename|mv/i;
const NOTHING: Touches = { paths: [], climbs: [], copies: [], unknowns: [], losses: [], isMutating: false };

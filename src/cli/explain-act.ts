import { callEffects } from "../effects/call-effects.ts";
import { effectText } from "../effects/effect-text.ts";
import type { SimpleCommand, Word } from "../effects/parse/command.ts";
import type { HookEvent } from "../event/event.ts";
import { diskLookups } from "../runners/disk-lookups.ts";

/** What a call does, for people and programs. */
export interface ExplainedAct {
  readonly commands: readonly string[];
  readonly effects: readonly string[];
  /** How long it took to find out. */
  readonly microseconds: number;
}

/** Says which programs a call runs and what they do; nothing for events that are no call. */
export function explainAct(event: HookEvent): ExplainedAct | undefined {
  if (event.type !== "tool:pre_execute") return undefined;
  callEffects(warmUp(event), diskLookups);
  const began = performance.now();
  const act = callEffects(event, diskLookups);
  const microseconds = Math.round((performance.now() - began) * 1000);
  if (act === undefined) return undefined;
  return {
    commands: act.commands.map(commandText),
    effects: [...new Set(act.effects.map(effectText).filter(Boolean))],
    microseconds,
  };
}

/** The same call once more, so that loading the parser is not counted. */
function warmUp(event: HookEvent): HookEvent {
  return event.withData({ ...event.data });
}

function commandText({ program, args, via, redirects, folder }: SimpleCommand): string {
  const words = [program, ...args].filter((word) => word !== undefined).map(wordText);
  const files = redirects.map(({ way, target }) => `${SIGNS[way]} ${wordText(target)}`);
  const around = [
    ...(via.length > 0 ? [`through ${via.join(", ")}`] : []),
    ...(folder && folder !== "." ? [`in ${folder}`] : []),
  ];
  const line = [...words, ...files].join(" ") || "sets variables";
  return around.length === 0 ? line : `${line}  (${around.join("; ")})`;
}

/** A word as one would write it; what only the run will know is a `…`. */
function wordText({ text }: Word): string {
  const shown = text.replaceAll("\uFFFC", "…");
  return /^[\w@%+=:,./\u2026*?[\]{}~-]+$/u.test(shown) ? shown : `'${shown}'`;
}

const SIGNS = { read: "<", write: ">", append: ">>" } as const;

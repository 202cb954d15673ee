import { inputShape } from "../approvals/input-shape.ts";
import { whyUnknown } from "../approvals/known-call.ts";
import { callEffects } from "../effects/call-effects.ts";
import { commandLineOf } from "../effects/command-line.ts";
import { attachRoot, dataField } from "../event/field.ts";
import { toJsonText } from "../event/json.ts";
import { realPath } from "../fs/resolve-path.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import type { ReplayCall } from "./replay-call.ts";

/** What `approve: known` would have meant for recorded calls. */
export interface SparedQuestions {
  /** Calls that no hook objected to, so that the agent decided whether it asks. */
  readonly total: number;
  /** Those that would have been approved, so that the agent does not ask. */
  readonly spared: number;
  /** Those that were not recorded whole. */
  readonly cannot_tell: number;
  readonly shapes: readonly { readonly shape: string; readonly count: number; readonly example: string }[];
  /** The ten of them that are most worth a look. */
  readonly riskiest: readonly string[];
  /** Why the others would still be asked about, the most frequent first. */
  readonly left: readonly { readonly why: string; readonly count: number }[];
}

/** Looks at recorded calls as the setting would; nothing is run. */
export async function sparedQuestions(
  calls: Iterable<ReplayCall> | AsyncIterable<ReplayCall>,
): Promise<SparedQuestions> {
  const shapes = new Map<string, { count: number; example: string }>();
  const left = new Map<string, number>();
  const risks = new Map<string, number>();
  let [total, spared, unclear] = [0, 0, 0];
  for await (const call of calls) {
    const { event, recorded, redacted, cut, isKept } = call;
    if (event.type !== "tool:pre_execute" || recorded !== "continue") continue;
    total++;
    if (redacted.length + cut.length > 0) {
      unclear++;
      continue;
    }
    const root = call.root ?? event.cwd ?? "/";
    attachRoot(event, root, realPath(root));
    const why = whyUnknown(event, { root, isKept });
    if (why !== undefined) {
      const kind = why.replace(/ \/.*?,/, " something,");
      left.set(kind, (left.get(kind) ?? 0) + 1);
      continue;
    }
    spared++;
    const text = textOf(call);
    const shape = inputShape(event);
    const known = shapes.get(shape);
    if (known === undefined) shapes.set(shape, { count: 1, example: text });
    else known.count++;
    if (!risks.has(text)) risks.set(text, riskOf(call));
  }
  return {
    ...{ total, spared, cannot_tell: unclear },
    shapes: [...shapes].map(([shape, rest]) => ({ shape, ...rest })).sort((one, other) => other.count - one.count),
    riskiest: [...risks]
      .sort(([, one], [, other]) => other - one)
      .slice(0, SHOWN)
      .map(([text]) => text),
    left: [...left].map(([why, count]) => ({ why, count })).sort((one, other) => other.count - one.count),
  };
}

/** Calls that delete come first, then those that read elsewhere, then long lines. */
function riskOf({ event, root = "/" }: ReplayCall): number {
  const call = callEffects(event, diskLookups);
  const effects = call?.effects ?? [];
  const deletes = effects.filter(({ does }) => does === "delete").length;
  const elsewhere = effects.filter(
    (effect) => effect.does === "read" && /^[/~]/.test(effect.path.text) && !effect.path.text.startsWith(root),
  );
  return 1000 * deletes + 50 * elsewhere.length + (call?.commands.length ?? 0);
}

function textOf({ event }: ReplayCall): string {
  const text = commandLineOf(event) ?? `${event.toolName} ${toJsonText(dataField(event, "tool_args") ?? {})}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const SHOWN = 10;
const LONGEST = 200;

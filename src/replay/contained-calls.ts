import { inputShape } from "../approvals/input-shape.ts";
import type { ContainSettings } from "../config/contain-settings.ts";
import { callEffects } from "../effects/call-effects.ts";
import { commandLineOf } from "../effects/command-line.ts";
import { attachRoot } from "../event/field.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { realPath } from "../fs/resolve-path.ts";
import { boxNeed } from "../policies/contain/needs-box.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import type { ReplayCall } from "./replay-call.ts";

/** What `contain` would have meant for recorded calls. */
export interface ContainedCalls {
  /** Calls of a shell that were not denied. */
  readonly total: number;
  readonly contained: number;
  /** Those of them that talk to other machines, as far as that shows. */
  readonly network: number;
  /** Those that were not recorded whole. */
  readonly cannot_tell: number;
  readonly shapes: readonly {
    readonly shape: string;
    readonly count: number;
    readonly example: string;
    readonly why: string;
    /** What it talks to, where a box has no network unless `network.hosts` lists it. */
    readonly hosts: readonly string[];
  }[];
}

/** Looks at recorded calls as the setting would, with files as they are now; nothing is run. */
export async function containedCalls(
  calls: Iterable<ReplayCall> | AsyncIterable<ReplayCall>,
  settings: ContainSettings,
): Promise<ContainedCalls> {
  const shapes = new Map<string, { count: number; example: string; why: string; hosts: Set<string> }>();
  let [total, contained, network, unclear] = [0, 0, 0, 0];
  for await (const { event, recorded, redacted, cut, root = event.cwd ?? "/" } of calls) {
    if (event.type !== "tool:pre_execute" || recorded === "deny" || !isOfKind(event.toolName ?? "", "@shell")) continue;
    total++;
    if (redacted.length + cut.length > 0) {
      unclear++;
      continue;
    }
    attachRoot(event, root, realPath(root));
    const need = await boxNeed(event, settings);
    if (need === undefined) continue;
    contained++;
    const hosts = (callEffects(event, diskLookups)?.effects ?? []).flatMap((effect) =>
      effect.does === "network" ? [effect.host?.text ?? "?"] : [],
    );
    if (hosts.length > 0) network++;
    const shape = inputShape(event);
    const known = shapes.get(shape) ?? {
      count: 0,
      example: commandLineOf(event)?.slice(0, LONGEST) ?? "",
      why: need.why,
      hosts: new Set<string>(),
    };
    known.count++;
    for (const host of hosts) known.hosts.add(host);
    shapes.set(shape, known);
  }
  return {
    ...{ total, contained, network, cannot_tell: unclear },
    shapes: [...shapes]
      .map(([shape, { hosts, ...rest }]) => ({ shape, ...rest, hosts: [...hosts].sort() }))
      .sort((one, other) => other.count - one.count),
  };
}

const LONGEST = 200;

import { callEffects } from "../effects/call-effects.ts";
import { callFiles } from "../effects/call-files.ts";
import { commandLineOf } from "../effects/command-line.ts";
import type { HookEvent } from "../event/event.ts";
import { rootOfEvent } from "../event/field.ts";
import { diskLookups } from "./disk-lookups.ts";

/** What a policy engine is told about an event: the same words whichever agent and tool, and nothing of an agent's own payload. */
export interface PolicyInput {
  readonly agent: string;
  readonly event: string;
  readonly tool: string;
  /** The command line; empty for tools that are no shell. */
  readonly command: string;
  /** The file that the call changes, else reads; empty where it names none. */
  readonly path: string;
  /** Every file of the call, from the root of the disk. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly programs: readonly string[];
  readonly hosts: readonly string[];
  /** What the call does, in words: `write`, `delete`, `network-out`, `package-install`, … */
  readonly effects: readonly string[];
  /** Whether nothing is changed, destroyed or left unknown. */
  readonly read_only: boolean;
  /** Whether something cannot be known before it runs. */
  readonly unknown: boolean;
  readonly session: string;
  readonly cwd: string;
  readonly project: string;
}

/** Works out what a call does, for a policy engine. */
export function policyInput(event: HookEvent): PolicyInput {
  const act = event.toolName === undefined ? undefined : callEffects(event, diskLookups);
  const files = callFiles(event, diskLookups);
  const absolute = (list: readonly { readonly absolute: string }[]) => list.map((file) => file.absolute);
  const [writes, deletes, reads] = [absolute(files.written), absolute(files.deleted), absolute(files.read)];
  const programs = new Set<string>();
  const hosts = new Set<string>();
  const effects = new Set<string>();
  for (const effect of act?.effects ?? []) {
    effects.add(effect.does);
    if (effect.does === "run") {
      if (effect.program !== "") programs.add(effect.program);
      for (const role of effect.roles) effects.add(role);
    } else if (effect.does === "network") {
      effects.add(`network-${effect.way}`);
      if (effect.host !== undefined && effect.host.text !== "") hosts.add(effect.host.text);
    }
  }
  const command = commandLineOf(event);
  return {
    agent: event.agent ?? "",
    event: event.type,
    tool: event.toolName ?? "",
    command: typeof command === "string" ? command : "",
    path: writes[0] ?? deletes[0] ?? reads[0] ?? "",
    reads,
    writes,
    deletes,
    programs: [...programs],
    hosts: [...hosts],
    effects: [...effects],
    read_only: act?.readOnly ?? false,
    unknown: effects.has("unknown") || (act?.unknown.length ?? 0) > 0,
    session: event.sessionId ?? "",
    cwd: event.cwd ?? "",
    project: rootOfEvent(event) ?? event.cwd ?? "",
  };
}

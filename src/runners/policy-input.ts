import { callEffects } from "../effects/call-effects.ts";
import { callFiles } from "../effects/call-files.ts";
import { commandLineOf } from "../effects/command-line.ts";
import type { HookEvent } from "../event/event.ts";
import { rootOfEvent } from "../event/field.ts";
import { diskLookups } from "./disk-lookups.ts";

/**
 * The input of a policy engine for an event, and the source of each field: the same fields whichever agent and tool, and
 * nothing of an agent's own payload. Paths begin at the root of the disk; what is not known is empty.
 */
const FIELDS = {
  agent: ({ event }) => event.agent ?? "",
  event: ({ event }) => event.type,
  tool: ({ event }) => event.toolName ?? "",
  command: ({ event }) => {
    const command = commandLineOf(event);
    return typeof command === "string" ? command : "";
  },
  /** The file that the call changes, else reads. */
  path: ({ files: { written, deleted, read } }) => (written[0] ?? deleted[0] ?? read[0])?.absolute ?? "",
  reads: ({ files }) => files.read.map(({ absolute }) => absolute),
  writes: ({ files }) => files.written.map(({ absolute }) => absolute),
  deletes: ({ files }) => files.deleted.map(({ absolute }) => absolute),
  programs: ({ sums }) => [...sums.programs],
  hosts: ({ sums }) => [...sums.hosts],
  /** The labels of what the call does: `write`, `delete`, `network-out`, `package-install`, … */
  effects: ({ sums }) => [...sums.effects],
  /** Whether nothing is changed, destroyed or left unknown. */
  read_only: ({ act }) => act?.readOnly ?? false,
  /** Whether something cannot be known before it runs. */
  unknown: ({ act, sums }) => sums.effects.has("unknown") || (act?.unknown.length ?? 0) > 0,
  session: ({ event }) => event.sessionId ?? "",
  cwd: ({ event }) => event.cwd ?? "",
  project: ({ event }) => rootOfEvent(event) ?? event.cwd ?? "",
} satisfies Record<string, (call: AskedCall) => string | boolean | string[]>;

/** The name of a field in the input of a policy engine. */
export type PolicyField = keyof typeof FIELDS;

/** The input of a policy engine for an event. */
export type PolicyInput = { readonly [Field in PolicyField]: ReturnType<(typeof FIELDS)[Field]> };

/** Every field of the input of a policy engine. */
export const POLICY_FIELDS = Object.keys(FIELDS) as readonly PolicyField[];

/** Tells about a call; each part is worked out when a field is asked for. */
export function policyInput(event: HookEvent): (field: PolicyField) => string | boolean | readonly string[] {
  const call = new AskedCall(event);
  return (field) => FIELDS[field](call);
}

/** Everything about a call. */
export function wholePolicyInput(event: HookEvent): PolicyInput {
  const told = policyInput(event);
  return Object.fromEntries(POLICY_FIELDS.map((field) => [field, told(field)])) as unknown as PolicyInput;
}

/** A call that is analysed lazily. */
class AskedCall {
  readonly event: HookEvent;
  #files: ReturnType<typeof callFiles> | undefined;
  #act: ReturnType<typeof callEffects> | undefined;
  #sums: EffectSums | undefined;

  constructor(event: HookEvent) {
    this.event = event;
  }

  get files() {
    this.#files ??= callFiles(this.event, diskLookups);
    return this.#files;
  }

  get act() {
    if (this.event.toolName !== undefined) this.#act ??= callEffects(this.event, diskLookups);
    return this.#act;
  }

  get sums(): EffectSums {
    this.#sums ??= summed(this.act?.effects ?? []);
    return this.#sums;
  }
}

interface EffectSums {
  readonly programs: Set<string>;
  readonly hosts: Set<string>;
  readonly effects: Set<string>;
}

function summed(all: NonNullable<ReturnType<typeof callEffects>>["effects"]): EffectSums {
  const [programs, hosts, effects] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const effect of all) {
    effects.add(effect.does);
    if (effect.does === "run") {
      if (effect.program !== "") programs.add(effect.program);
      for (const role of effect.roles) effects.add(role);
    } else if (effect.does === "network") {
      effects.add(`network-${effect.way}`);
      if (effect.host !== undefined && effect.host.text !== "") hosts.add(effect.host.text);
    }
  }
  return { programs, hosts, effects };
}

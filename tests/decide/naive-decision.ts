/**
 * A second, naive decision function, written from the manual and not from the engine: what a list of hooks with known answers
 * comes to. The differential test compares it with the engine.
 */
export interface NaiveHook {
  readonly name: string;
  readonly layer: "managed" | "user" | "project" | "local";
  readonly priority: number;
  readonly enabled: boolean;
  readonly parallel: boolean;
  readonly monitor: boolean;
  readonly onError: "deny" | "ask" | "continue";
  readonly exitCodes: "any" | "claude" | "amplifier";
  /** The hook has something to say only when this field has this value; always without it. */
  readonly when?: { readonly field: Field; readonly is: number } | undefined;
  readonly says: NaiveAnswer;
}

/** What a hook does when it runs. */
export type NaiveAnswer =
  | { readonly does: "answer"; readonly action: "continue" | "allow" | "deny" | "ask"; readonly context: boolean }
  | { readonly does: "change"; readonly action: "modify" | "ask"; readonly field: Field; readonly to: number }
  | { readonly does: "exit"; readonly code: number; readonly out: boolean; readonly err: boolean }
  | { readonly does: "break"; readonly why: "timeout" | "bad_json" | "not_found" };

export type Field = "a" | "b";
export type Input = Readonly<Record<Field, number>>;

/** What is known of an event. */
export interface NaiveEvent {
  readonly isGate: boolean;
  readonly changes: "input" | "output" | undefined;
}

type Action = "continue" | "modify" | "ask" | "deny";

interface Said {
  readonly hook: NaiveHook;
  readonly action: Action;
  readonly reason?: string;
  readonly context?: string;
  readonly approves?: boolean;
  readonly change?: { readonly field: Field; readonly to: number };
}

/** What it comes to. */
export interface NaiveDecision {
  readonly action: Action;
  readonly reasons: readonly string[];
  readonly contexts: readonly string[];
  readonly approved: boolean;
  /** The input or the result that hooks made, where the call goes on with one. */
  readonly value: Input | undefined;
  readonly actions: readonly Action[];
}

const LAYERS = ["managed", "user", "project", "local"];
const STRICT: readonly Action[] = ["continue", "modify", "ask", "deny"];

export function naiveDecision(
  hooks: readonly NaiveHook[],
  { isGate, changes }: NaiveEvent,
  original: Input,
  stopOnFailure: boolean,
): NaiveDecision {
  const order = hooks
    .filter(({ enabled }) => enabled)
    .map((hook, turn) => ({ hook, turn }))
    .sort(
      (one, other) =>
        LAYERS.indexOf(one.hook.layer) - LAYERS.indexOf(other.hook.layer) ||
        one.hook.priority - other.hook.priority ||
        one.turn - other.turn,
    )
    .map(({ hook }) => hook);

  let input = original;
  let version = 0;
  const said: { words: Said; saw: number }[] = [];
  while (order.length > 0) {
    // Neighbours that are marked parallel run together on the same input.
    const batch = [order.shift() as NaiveHook];
    while (batch[0]?.parallel && order[0]?.parallel) batch.push(order.shift() as NaiveHook);
    const words = batch.map((hook) => withChange(speak(hook, input), input, isGate, changes));
    const disputed = words.map((one) =>
      words.find(({ change, hook }) => hook !== one.hook && change && one.change && differ(change, one.change)),
    );
    const authors = words.filter(({ change }, at) => change && !disputed[at]);
    for (const { change } of authors) if (change) input = { ...input, [change.field]: change.to };
    if (authors.length > 0) version++;
    for (const [at, one] of words.entries()) {
      const other = disputed[at];
      const names = [one.hook.name, other?.hook.name ?? ""].sort();
      const reason = `hooks "${names[0]}" and "${names[1]}" change ${one.change?.field} differently at the same time`;
      said.push({
        words: other ? { ...one, action: "deny", reason } : one,
        // An author alone knows what it made.
        saw: authors.length === 1 && authors[0] === one ? version : version - (authors.length > 0 ? 1 : 0),
      });
    }
    if (stopOnFailure && said.slice(-batch.length).some(({ words: { action } }) => action === "deny")) break;
  }
  // No approval outlives the input that it approved.
  if (isGate && said.every(({ words }) => words.action !== "deny"))
    for (const one of said)
      if (one.saw !== version && !one.words.hook.monitor) {
        let again = withChange(speak(one.words.hook, input), input, isGate, changes);
        const reason = `the input did not settle: hook "${again.hook.name}" changes what later hooks made of it`;
        if (again.change) again = { ...again, action: "deny", reason };
        if (STRICT.indexOf(again.action) >= STRICT.indexOf(one.words.action))
          one.words = { ...again, ...(again.context || !one.words.context ? {} : { context: one.words.context }) };
      }
  return added(
    said.map(({ words }) => words),
    isGate,
    version > 0 ? input : undefined,
  );
}

/** Any deny denies, then ask, then modify; what is no gate blocks nothing, and objections are told instead. */
function added(said: readonly Said[], isGate: boolean, changed: Input | undefined): NaiveDecision {
  const counting = isGate ? said : said.filter(({ action }) => action === "modify");
  const action = STRICT.findLast((one) => counting.some((words) => words.action === one)) ?? "continue";
  const objections = said.filter((words) => words.action === "ask" || words.action === "deny");
  const told = isGate
    ? []
    : objections.map(({ reason, hook, action: what }) => reason ?? `hook "${hook.name}" says ${what}`);
  const contexts = said.flatMap(({ context }) => context ?? []);
  return {
    action,
    reasons:
      action === "continue"
        ? []
        : [...new Set(said.filter((words) => words.action === action).flatMap(({ reason }) => reason ?? []))],
    contexts: [...new Set([...told, ...contexts])],
    approved:
      (action === "continue" || action === "modify") &&
      said.some(({ approves, hook }) => approves && (hook.layer === "user" || hook.layer === "managed")),
    value: action === "deny" ? undefined : changed,
    actions: said.map((words) => words.action),
  };
}

/** What a hook says about an input. */
function speak(hook: NaiveHook, input: Input): Said {
  const { says, when, name } = hook;
  if (when && input[when.field] !== when.is) return { hook, action: "continue" };
  const words = ((): Said => {
    if (says.does === "break") return { hook, action: hook.onError, reason: `fails:${name}` };
    if (says.does === "change") return { hook, action: says.action, change: says, reason: `why ${name}` };
    if (says.does === "exit") {
      if (says.code === 0) return { hook, action: "continue" };
      const denies = { any: true, claude: says.code === 2, amplifier: says.code === 1 }[hook.exitCodes];
      if (!denies) return { hook, action: hook.onError, reason: `fails:${name}` };
      const [out, err] = [says.out ? `out ${name}` : "", says.err ? `err ${name}` : ""];
      return {
        hook,
        action: "deny",
        reason: (hook.exitCodes === "claude" ? err || out : out || err) || `fails:${name}`,
      };
    }
    const context = says.context ? { context: `context of ${name}` } : {};
    if (says.action === "allow") return { hook, action: "continue", approves: true, ...context };
    return { hook, action: says.action, ...(says.action === "continue" ? {} : { reason: `why ${name}` }), ...context };
  })();
  return hook.monitor ? { hook, action: "continue" } : words;
}

/** A change that changes nothing is none; where nothing can be changed, a gate stays shut. */
function withChange(words: Said, input: Input, isGate: boolean, changes: NaiveEvent["changes"]): Said {
  const { change, hook, ...rest } = words;
  if (!change) return words;
  if (changes === undefined) return { hook, action: isGate ? "deny" : hook.onError, reason: `fails:${hook.name}` };
  return input[change.field] === change.to ? { hook, ...rest } : words;
}

function differ(one: { field: Field; to: number }, other: { field: Field; to: number }): boolean {
  return one.field === other.field && one.to !== other.to;
}

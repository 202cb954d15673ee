import type { Decision } from "../decision/decision.ts";
import { withModifiable } from "../decision/modification.ts";
import type { HookResult } from "../decision/result.ts";
import { callEffects } from "../effects/call-effects.ts";
import type { CallEffects, Effect } from "../effects/effect.ts";
import type { HookEvent } from "../event/event.ts";
import { namedPaths } from "../event/field.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import { repositoryName } from "../runners/git-remotes.ts";
import { callHash } from "./call-hash.ts";
import type { AskedCall } from "./grants.ts";
import { inputShape } from "./input-shape.ts";

/** What an approval of a decision is bound to; undefined if no approval may lift it. */
export function askedCall(
  decision: Decision,
  { root, policy }: { readonly root: string; readonly policy: string },
): AskedCall | undefined {
  const { event, action } = decision;
  if (event.type !== "tool:pre_execute" || (action !== "ask" && action !== "deny")) return undefined;
  const objecting = objectionsOf(decision);
  // What no hook says, such as a loss that could not be kept, is a question of the decision itself.
  if (objecting.length === 0 && action === "deny") return undefined;
  if (objecting.some((result) => whyNotLifted(result, action) !== undefined)) return undefined;
  const shape = shapeKey(finalEvent(decision), root);
  return {
    root,
    agent: event.agent ?? "",
    session: event.sessionId ?? "",
    input: inputHash(decision),
    shape: shape && sha256Text(shape),
    askers: objecting.length === 0 ? ["sluice"] : [...new Set(objecting.map(askerOf))].sort(),
    policy,
    action,
  };
}

/** The results that object as strictly as the decision does. */
function objectionsOf({ action, results }: Decision): readonly HookResult[] {
  return results.filter((result) => result.action === action);
}

/**
 * Why no person can lift an objection; undefined if one may. A question of the administrator's is meant for the user; a
 * denial of the administrator's, and what self-protection says, are not.
 */
export function whyNotLifted(
  {
    hook,
    code,
  }: {
    readonly hook: { readonly name: string; readonly layer: string };
    readonly code?: HookResult["code"] | undefined;
  },
  action: string,
): string | undefined {
  if (hook.name === SELF_PROTECTION) return "Sluice's own protection has no approvals";
  if (hook.layer === "managed" && action === "deny") return "it comes from the administrator";
  return code === "INTENT_REQUIRED" || code === "SCOPE_VIOLATION"
    ? "it is about an intent; change the intent"
    : undefined;
}

/** The same call as other machines know it: its repository, and its input seen from there; undefined outside of such a repository. */
export function callElsewhere(decision: Decision, call: AskedCall): AskedCall | undefined {
  const project = repositoryName(call.root);
  return project === undefined ? undefined : { ...call, root: project, input: inputHash(decision, call.root) };
}

/** The input of a call, as it would run: changed by hooks where they have changed it. */
export function inputHash(decision: Decision, root?: string): string {
  const own = callHash(decision.event, root);
  return decision.input === undefined ? own : sha256Text(`${own} ${callHash(finalEvent(decision), root)}`);
}

/** The shape of a call as text that may leave the machine: programs with their known verbs and the names of options. */
export function shapeText(decision: Decision): string {
  const event = finalEvent(decision);
  const call = callEffects(event, diskLookups);
  if (call === undefined || call.commands.length === 0) {
    const [path = ""] = namedPaths(event);
    const ending = /\.[a-z0-9]{1,8}$/i.exec(path)?.[0];
    return ending === undefined ? (event.toolName ?? "") : `${event.toolName} *${ending}`;
  }
  const shapes = call.commands.slice(0, MAX_COMMANDS).map((command, at) => commandText(command, at, call));
  const more = call.commands.length - shapes.length;
  return `${shapes.join(" ; ")}${more > 0 ? ` ; and ${more} more` : ""}`;
}

function commandText({ program, args }: CallEffects["commands"][number], at: number, { effects }: CallEffects): string {
  const run = effects.find((effect) => effect.does === "run" && effect.command === at);
  const verb = run?.does === "run" ? run.verb : undefined;
  const options = args.flatMap(({ text }) => {
    const [name = ""] = /^(?:--[a-z][a-z-]*|-[a-zA-Z]{1,3}$|-[a-zA-Z])/.exec(text) ?? [];
    return name === "" ? [] : [name];
  });
  const known = program?.isKnown ? (program.text.split("/").at(-1) ?? "") : "…";
  return [known, ...(verb === undefined ? [] : [verb]), ...new Set(options)].join(" ").slice(0, MAX_SHAPE);
}

function finalEvent({ event, input }: Decision): HookEvent {
  return input === undefined ? event : withModifiable(event, input);
}

/** A guard's rule, or the hook. */
function askerOf({ hook, rule }: HookResult): string {
  return rule === undefined ? hook.name : `${hook.name} ${rule}`;
}

/**
 * A text that is equal for calls of the same shape: programs with verbs and options, and where they write, delete and
 * connect to. Undefined if a part of the call is unknown or is code, because another call of that shape could do anything.
 */
function shapeKey(event: HookEvent, root: string): string | undefined {
  const call = callEffects(event, diskLookups);
  if (call === undefined) return isStructured(event) ? inputShape(event) : undefined;
  if (call.commands.length > MAX_COMMANDS || call.effects.length > MAX_EFFECTS) return undefined;
  if (call.unknown.length > 0 || call.effects.some(isOpen)) return undefined;
  const places = new Set(call.effects.flatMap((effect) => placeOf(effect, call, root)));
  return [inputShape(event), ...[...places].sort()].join("\n");
}

/** A tool other than a shell: its name and the names of its arguments are its shape. */
function isStructured(event: HookEvent): boolean {
  return event.toolName !== undefined;
}

function isOpen(effect: Effect): boolean {
  if (effect.does === "unknown") return true;
  return effect.does === "run" && (effect.code !== undefined || effect.roles.includes("privilege"));
}

function placeOf(effect: Effect, { place: { cwd = "/", home = "" } }: CallEffects, root: string): string[] {
  switch (effect.does) {
    case "write":
    case "delete": {
      const { text, isKnown } = effect.path;
      if (!isKnown) return [`${effect.does} ${text}`];
      const path = absolute(text, cwd, home);
      // Outside of the project the folder is a part of the shape.
      return [
        `${effect.does} ${path.startsWith(`${root}/`) ? "in the project" : path.slice(0, path.lastIndexOf("/") + 1)}`,
      ];
    }
    case "network":
      return [`network ${effect.way} ${effect.host?.text ?? effect.remote?.name ?? "?"}`];
    case "read":
    case "flow":
    case "run":
    case "unknown":
      return [];
  }
}

function absolute(text: string, cwd: string, home: string): string {
  const whole = text.startsWith("~/") ? `${home}/${text.slice(2)}` : text.startsWith("/") ? text : `${cwd}/${text}`;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The hook whose objections cannot be lifted. */
const SELF_PROTECTION = "self-protection";
const MAX_COMMANDS = 6;
const MAX_EFFECTS = 200;
const MAX_SHAPE = 120;

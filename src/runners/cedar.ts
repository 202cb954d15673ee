import type { HookEvent } from "../event/event.ts";
import { type Hook, keepPrepared, preparedOf } from "../hook/hook.ts";
import { errorText } from "../problem/problem.ts";
import { type CedarEntity, type CedarPolicies, cedarPolicies } from "./cedar-policies.ts";
import { policyInput } from "./policy-input.ts";
import { broken, PASSED, type Ran } from "./runner.ts";

/**
 * Asks Cedar policies about a call, in process: once for each path, host and program that it touches. A `forbid` denies; where
 * nothing is permitted, only `default: deny` does. A policy that breaks is a failure, because Cedar itself would leave it out.
 */
export function runCedar(hook: Hook, event: HookEvent): Promise<Ran> | Ran {
  const kept = preparedOf(hook) as CedarPolicies | undefined;
  if (kept?.isFresh()) return ask(hook, kept, event);
  return cedarPolicies(hook).then(
    (fresh) => {
      keepPrepared(hook, fresh);
      return ask(hook, fresh, event);
    },
    (error: unknown) => broken({ why: "exception", message: errorText(error) }),
  );
}

function ask(hook: Hook, { engine, policies, schema, entities, words, asks }: CedarPolicies, event: HookEvent): Ran {
  const told = policyInput(event);
  const tool: Entity = { type: "Tool", id: told("tool") as string };
  // A schema declares the resource of each event.
  const all = asks.resources || schema !== undefined ? resourcesOf(told, tool) : [tool];
  const resources = asks.resources ? all : all.slice(0, 1);
  if (resources.length > MAX_RESOURCES)
    return broken({
      why: "exception",
      message: `the call touches more than ${MAX_RESOURCES} paths, hosts and programs`,
    });
  const context = Object.fromEntries(asks.context.map((field) => [field, told(field)])) as CedarContext;
  const [principal, action] = [
    { type: "Agent", id: told("agent") as string },
    { type: "Action", id: told("event") as string },
  ];
  const failures: string[] = [];
  let isPermitted = true;
  for (const resource of resources) {
    const answer = engine.statefulIsAuthorized({
      principal,
      action,
      resource,
      context,
      preparsedPolicySetId: policies,
      ...(schema !== undefined && { preparsedSchemaName: schema, validateRequest: true }),
      entities: (asks.folders ? withFolders(entities, resource) : entities) as [],
    });
    if (answer.type === "failure")
      return broken({ why: "exception", message: answer.errors[0]?.message ?? "Cedar gave no answer" });
    const { decision, diagnostics } = answer.response;
    for (const { policyId, error } of diagnostics.errors) failures.push(`policy ${policyId}: ${error.message}`);
    if (decision === "deny" && diagnostics.reason.length > 0)
      return said(
        diagnostics.reason.map((id) => words.get(id) ?? `Forbidden by the policy ${id}.`).join("\n"),
        failures,
      );
    isPermitted &&= decision === "allow";
  }
  if (!isPermitted && hook.cedar?.default === "deny") return said("No policy permits it.", failures);
  return failures.length === 0 ? PASSED : broken({ why: "exception", message: failures.slice(0, 5).join("\n") });
}

function said(reason: string, failures: readonly string[]): Ran {
  const failure = failures.length === 0 ? undefined : ({ why: "exception", message: failures.join("\n") } as const);
  return { answer: { action: "deny", reason }, exitCode: null, stdout: "", stderr: "", ...(failure && { failure }) };
}

interface Entity {
  readonly type: "Path" | "Host" | "Program" | "Tool";
  readonly id: string;
}

/** What a call is about, each once; the tool itself where it names nothing. */
function resourcesOf(told: ReturnType<typeof policyInput>, tool: Entity): Entity[] {
  const all = (...fields: Parameters<typeof told>[0][]) => fields.flatMap((field) => told(field) as readonly string[]);
  const paths = new Set(all("writes", "deletes", "reads"));
  const found: Entity[] = [
    ...[...paths].map((id) => ({ type: "Path" as const, id })),
    ...all("hosts").map((id) => ({ type: "Host" as const, id })),
    ...all("programs").map((id) => ({ type: "Program" as const, id })),
  ];
  return found.length === 0 ? [tool] : found;
}

/** A path is in every folder above it, so that `resource in Path::"/srv"` is true, and in its parents among the entities. */
function withFolders(entities: readonly CedarEntity[], resource: Entity): readonly CedarEntity[] {
  if (resource.type !== "Path") return entities;
  const parents: Entity[] = [];
  for (
    let slash = resource.id.lastIndexOf("/");
    slash >= 0;
    slash = slash === 0 ? -1 : resource.id.lastIndexOf("/", slash - 1)
  )
    parents.push({ type: "Path", id: slash === 0 ? "/" : resource.id.slice(0, slash) });
  const above = parents.filter(({ id }) => id !== resource.id);
  const known = entities.find((one) => isEntity(one, resource));
  const path = { uid: resource, attrs: {}, ...known, parents: [...(known?.parents ?? []), ...above] };
  return [...entities.filter((one) => one !== known), path];
}

/** Cedar writes the name of an entity in two ways. */
function isEntity({ uid }: CedarEntity, { type, id }: Entity): boolean {
  const stated = uid.__entity ?? uid;
  return stated.id === id && stated.type === type;
}

type CedarContext = Record<string, string | boolean | string[]>;

const MAX_RESOURCES = 200;

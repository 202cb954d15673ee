// One vector: its mock model, mock tools and scripted interceptors around a real host, and its expectations.
import { isDeepStrictEqual } from "node:util";
import { failuresOf, valueAtPath } from "./expectations.mjs";

/** Runs a vector and returns what it expected and did not find. */
export async function runVector(library, vector) {
  const { scenario, interceptor_script, interceptor_scripts, approval_script = [] } = vector;
  const recorded = [];
  const scripts = interceptor_scripts ?? [interceptor_script ?? []];
  const invocations = [];
  const host = library.agentHooks({
    agent: { id: "ctk-agent", framework: "sluice" },
    interceptors: scripts.map((rules, index) => scriptedInterceptor(rules, index === 0 ? recorded : [])),
    composition: vector.composition ?? { profile: "sequential/first_deny", on_approval: "stop" },
    mode: vector.mode ?? "enforce",
    identityProvider: providerOf(library, vector),
    ...(approval_script.length === 0 ? {} : { resolver: scriptedResolver(library, approval_script) }),
    ...(vector.redact_for_approval === undefined ? {} : { redactor: redactor(library, vector.redact_for_approval) }),
  });
  const session = host.session();
  const run = await host.run(
    scenario.input,
    { model: scriptedModel(scenario.model_script ?? []), tools: scriptedTools(scenario.tools ?? [], invocations) },
    session,
  );
  return failuresOf(library, vector, { ...run, recorded, invocations, records: session.records, posture: "continue" });
}

/** The first rule for this point whose conditions hold answers; without one the verdict is `allow`. */
function scriptedInterceptor(rules, recorded) {
  return (context) => {
    recorded.push(structuredClone(context));
    const rule = rules.find(({ at, match }) => at === context.interception_point && holds(match, context));
    if (rule?.fault === "raise") throw new Error("scripted fault");
    if (rule?.fault === "malformed_verdict") return { decision: "transform" };
    if (rule?.fault === "mutate") {
      spoil(context);
      return { decision: "allow", reason: "ctk:mutated" };
    }
    return structuredClone(rule?.return ?? { decision: "allow" });
  };
}

/** Changes every value that it can reach. */
function spoil(value) {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "object" && inner !== null) spoil(inner);
    else value[key] = "spoiled";
  }
}

function scriptedResolver({ JCS_SHA256 }, rules) {
  return ({ context, context_identity }) => {
    const resolve = rules.find(({ match }) => holds(match, context))?.resolve ?? { outcome: "unresolved" };
    if (resolve.fault === "raise") throw new Error("scripted fault");
    const echoed = resolve.echo_recomputed
      ? JCS_SHA256.compute(context)
      : (resolve.identity_override ?? context_identity);
    const { outcome, verdict } = resolve;
    return { outcome, context_identity: echoed, ...(verdict === undefined ? {} : { verdict }) };
  };
}

function holds(match = {}, context) {
  return Object.entries(match).every(([path, wanted]) => isDeepStrictEqual(valueAtPath(context, path).value, wanted));
}

function providerOf({ JCS_SHA256 }, vector) {
  const name = Object.hasOwn(vector, "identity_provider") ? vector.identity_provider : "jcs-sha256";
  if (name === null) return null;
  if (name === "jcs-sha256") return JCS_SHA256;
  const compute = () => {
    throw new Error("scripted fault");
  };
  return { name, compute };
}

/** Puts a text in place of each path, in both places where a context has its target. */
function redactor({ replacedAt }, paths) {
  return (context) => {
    const target = paths.reduce((value, path) => replacedAt(value, path, "[redacted]")?.value ?? value, context.target);
    const field = Object.keys(context).find(
      (name) => name !== "target" && isDeepStrictEqual(context[name], context.target),
    );
    if (field !== undefined) return { ...context, [field]: target, target };
    const slots = { tool_call: "args", tool_result: "value" };
    const [slot, key] = Object.entries(slots).find(([name, inner]) =>
      isDeepStrictEqual(context[name]?.[inner], context.target),
    );
    return { ...context, [slot]: { ...context[slot], [key]: target }, target };
  };
}

function scriptedModel(script) {
  let at = 0;
  const respond = () => {
    const { respond: answer } = script[at++] ?? {};
    if (answer === undefined) throw new Error("the model was asked more often than its script has answers");
    const { content, tool_calls, finish_reason } = answer;
    return structuredClone({ content, tool_calls, finish_reason });
  };
  // A vector without a script has no model of its own; the lifecycle is what it tests.
  return { id: "ctk-model", respond: script.length === 0 ? () => EMPTY : respond };
}

const EMPTY = { content: "", tool_calls: [], finish_reason: "stop" };

function scriptedTools(tools, invocations) {
  return Object.fromEntries(
    tools.map(({ name, behavior }) => [
      name,
      (args) => {
        invocations.push({ name, args: structuredClone(args) });
        const clause = behavior.find(({ when_args }) => when_args === undefined || isDeepStrictEqual(when_args, args));
        if (clause === undefined) throw new Error("no scripted behavior for these arguments");
        if (clause.is_error)
          throw new Error(typeof clause.return === "string" ? clause.return : JSON.stringify(clause.return));
        return structuredClone(clause.return);
      },
    ]),
  );
}

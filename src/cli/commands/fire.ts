import type { Decision } from "../../decision/decision.ts";
import type { HookResult } from "../../decision/result.ts";
import { HookExecutor } from "../../engine/executor.ts";
import { type Alias, type EventName, eventNamed, eventSpellings } from "../../event/catalogue.ts";
import { HookEvent } from "../../event/event.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { HookRegistry } from "../../registry/registry.ts";
import type { Input } from "../command.ts";
import { configurationOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { showDecision } from "../show-decision.ts";

/** Fires one event at the hooks that are active here, and shows what each said. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  const event = eventFrom(input);
  const configuration = configurationOf(input, { strict: input.has("strict") });
  const registry = new HookRegistry();
  registry.loadHooks(configuration.hooks);
  const { root, notices, settings } = configuration;
  const executor = new HookExecutor({ registry, workingDir: root, notices, llm: settings.llm });
  const decision = await executor.decide(event, { stopOnFailure: input.has("stop-on-failure") });
  const background = await executor.idle();
  if (input.has("json")) io.out(JSON.stringify(asJson(decision, background, configuration.errors), null, 2));
  else {
    for (const line of showDecision(decision, background, io)) io.out(line);
    const count = configuration.errors.length;
    if (count > 0) io.err(`\n${count} of the hooks' problems need you; \`sluice check\` shows them.`);
  }
  return EXITS[decision.action];
}

const EXITS: Readonly<Record<Decision["action"], Exit>> = {
  continue: "done",
  modify: "done",
  ask: "asked",
  deny: "denied",
};

/** `PreToolUse:Bash` names the event and the tool at once. */
function eventFrom(input: Input): HookEvent {
  const [word, extra] = input.words;
  if (word === undefined) throw PROBLEMS.noEvent({});
  if (extra !== undefined) throw PROBLEMS.tooMany({ extra });
  const { type, tool } = splitEvent(word);
  const args = jsonOption(input, "args");
  const data = jsonOption(input, "data") ?? {};
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw PROBLEMS.noObject({ option: "--data" });
  const prompt = input.text("prompt");
  return new HookEvent({
    type,
    toolName: input.text("tool") ?? tool,
    sessionId: input.text("session"),
    cwd: input.io.cwd,
    data: { ...(args === undefined ? {} : { tool_args: args }), ...(prompt === undefined ? {} : { prompt }), ...data },
  });
}

function splitEvent(word: string): { type: EventName | Alias; tool: string | undefined } {
  for (let end = word.length; end > 0; end = word.lastIndexOf(":", end - 1)) {
    const type = eventNamed(word.slice(0, end));
    if (type !== undefined) return { type, tool: word.slice(end + 1) || undefined };
  }
  throw PROBLEMS.unknownEvent({ word });
}

function jsonOption(input: Input, name: "args" | "data"): unknown {
  const text = input.text(name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw PROBLEMS.noJson({ option: `--${name}`, why }, { cause });
  }
}

function asJson(decision: Decision, background: readonly HookResult[], errors: readonly object[]): object {
  const { event, action, reasons, contexts, input, output, approved, results } = decision;
  return {
    event,
    action,
    reasons,
    contexts,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    approved,
    results: results.map(resultJson),
    background: background.map(resultJson),
    problems: errors,
  };
}

function resultJson({ hook, ...result }: HookResult): object {
  const { place, layer } = hook.origin ?? {};
  return { hook: hook.name, layer, ...place, ...result };
}

const PROBLEMS = problems("usage", {
  noEvent: (_: object) => ({
    what: "`sluice fire` needs the event to fire.",
    fix: 'For example: sluice fire tool:pre_execute --tool bash --args \'{"command":"ls"}\'',
  }),
  tooMany: ({ extra }: { extra: string }) => ({
    what: `\`sluice fire\` takes one event; "${extra}" is one word too many.`,
    fix: "Put JSON in quotes, behind --args or --data.",
  }),
  unknownEvent: ({ word }: { word: string }) => ({
    what: `"${word}" is no event that Sluice knows.`,
    fix: `${didYouMean(word, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
  noJson: ({ option, why }: { option: string; why: string }) => ({
    what: `${option} is no JSON: ${why}.`,
    fix: `Write it in single quotes: ${option} '{"command":"ls"}'`,
  }),
  noObject: ({ option }: { option: string }) => ({
    what: `${option} is no JSON object.`,
    fix: `Write it like ${option} '{"message":"hello"}'`,
  }),
});

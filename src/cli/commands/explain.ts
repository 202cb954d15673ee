import { eventNamed } from "../../event/catalogue.ts";
import { HookEvent } from "../../event/event.ts";
import type { Hook } from "../../hook/hook.ts";
import type { Problem } from "../../problem/problem.ts";
import { HookRegistry } from "../../registry/registry.ts";
import { explainRules, type RuleExplanation } from "../../rule/explain.ts";
import { explanationText } from "../../rule/explain-text.ts";
import { readHookRules } from "../../rule/hook-rules.ts";
import { prepareTools } from "../../rule/tools.ts";
import type { Input } from "../command.ts";
import { configurationOf, shortPath } from "../configuration.ts";
import { eventFrom } from "../event-from-words.ts";
import type { Exit } from "../exit-codes.ts";
import { paintFor, visible } from "../paint.ts";

/** Shows what every rule that hears an event would say about it, and why. Nothing is run. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  const event = described(input);
  const registry = new HookRegistry();
  registry.loadHooks(configurationOf(input).hooks);
  const hooks = registry.getHooks(event);
  const explained = await Promise.all(hooks.map((hook) => explainHook(hook, event)));
  if (input.has("json")) io.out(JSON.stringify({ event, hooks: explained.map(asJson) }, null, 2));
  else {
    const paint = paintFor(io);
    io.out(`${paint.name(event.type)}  ${hooks.length === 1 ? "1 hook hears" : `${hooks.length} hooks hear`} it`);
    for (const { hook, rules, problems } of explained) {
      const { file, line } = hook.origin?.place ?? {};
      const where = file ? shortPath(`${file}:${line}`, io) : "";
      io.out(`\n${paint.strong(visible(hook.name))}  ${paint.dim([hook.type, where].filter(Boolean).join("  "))}`);
      for (const problem of problems) io.out(paint.bad(`  ${problem.message}`));
      if (rules) io.out(visible(explanationText(rules)).trimEnd().replaceAll(/^/gm, "  "));
      else io.out(paint.dim("  has no rules; `sluice fire` runs it"));
    }
  }
  return "done";
}

/** A word that names no event is a shell command that an agent might run. */
function described(input: Input): HookEvent {
  const [word = ""] = input.words;
  const isEvent = eventNamed(word.split(":").slice(0, 2).join(":")) ?? eventNamed(word.split(":", 1)[0] ?? "");
  if (word === "" || isEvent !== undefined || !/[\s;&|<>$]/.test(word)) return eventFrom(input);
  return HookEvent.toolPreExecute(input.text("tool") ?? "bash", { command: word }, { cwd: input.io.cwd });
}

interface Explained {
  readonly hook: Hook;
  /** Absent for hooks that have no rules. */
  readonly rules?: readonly RuleExplanation[];
  readonly problems: readonly Problem[];
}

async function explainHook(hook: Hook, event: HookEvent): Promise<Explained> {
  if (hook.type !== "inline") return { hook, problems: [] };
  const { written, problems } = readHookRules(hook);
  const rules = written.map(({ rule }) => rule);
  return { hook, rules: explainRules(rules, event, await prepareTools(rules)), problems };
}

function asJson({ hook, rules, problems }: Explained): object {
  return { hook: hook.name, layer: hook.layer, ...hook.origin?.place, type: hook.type, rules, problems };
}

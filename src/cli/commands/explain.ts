import type { Decision } from "../../decision/decision.ts";
import { type Govern, HookExecutor } from "../../engine/executor.ts";
import { lately } from "../../engine/history.ts";
import { eventNamed, eventSpellings } from "../../event/catalogue.ts";
import { HookEvent } from "../../event/event.ts";
import { isGuardHook } from "../../guards/guard-hooks.ts";
import type { Hook } from "../../hook/hook.ts";
import { nearest } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { HookRegistry } from "../../registry/registry.ts";
import { explanationText } from "../../rule/explain-text.ts";
import { attachRecent } from "../../rule/recent.ts";
import type { Input } from "../command.ts";
import { configurationOf, historyFor, shortPath } from "../configuration.ts";
import { eventFrom, folderOf } from "../event-from-words.ts";
import type { Exit } from "../exit-codes.ts";
import type { ExplainedAct } from "../explain-act.ts";
import { type Explained, explainHook } from "../explain-hook.ts";
import { governing } from "../governing.ts";
import { paintFor, visible } from "../paint.ts";
import { trustJson } from "../show-trust.ts";

/** Shows what every rule that hears an event would say about it, and why. Nothing is run. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  const event = described(input);
  const registry = new HookRegistry();
  const configuration = configurationOf(input);
  registry.loadHooks(configuration.hooks);
  const hooks = registry.getHooks(event);
  const history = await historyFor(hooks, io);
  if (history) attachRecent(event, (name, tool, seconds) => history.count(lately(event, name, tool, seconds)));
  const act = event.type === "tool:pre_execute" ? (await import("../explain-act.ts")).explainAct(event) : undefined;
  const { decision, microseconds } = await decidedByRules(hooks, event, governing(configuration, input));
  const explained = await Promise.all(hooks.flatMap((hook) => hook.parts).map((hook) => explainHook(hook, event)));
  if (input.has("json")) {
    io.out(
      JSON.stringify(
        {
          event,
          act,
          decision,
          microseconds,
          hooks: explained.map(asJson),
          problems: configuration.errors,
          ...trustJson(configuration.trust),
        },
        null,
        2,
      ),
    );
  } else {
    const paint = paintFor(io);
    io.out(`${paint.name(event.type)}  ${hooks.length === 1 ? "1 hook hears" : `${hooks.length} hooks hear`} it`);
    for (const line of act ? actLines(act) : []) io.out(visible(line));
    const isQuiet = ({ hook, rules = [] }: Explained) => isGuardHook(hook) && !rules.some(({ matched }) => matched);
    const shown = input.has("all") ? explained : explained.filter((one) => !isQuiet(one));
    for (const { hook, rules, problems } of shown) {
      const { file, line } = hook.origin?.place ?? {};
      const where = file ? shortPath(`${file}:${line}`, io) : "";
      io.out(`\n${paint.strong(visible(hook.name))}  ${paint.dim([hook.type, where].filter(Boolean).join("  "))}`);
      for (const problem of problems) io.out(paint.bad(`  ${problem.message}`));
      const told = isGuardHook(hook) && !input.has("all") ? rules?.filter(({ matched }) => matched) : rules;
      if (told) io.out(visible(explanationText(told)).trimEnd().replaceAll(/^/gm, "  "));
      else io.out(paint.dim("  has no rules; `sluice fire` runs it"));
    }
    const quiet = explained.length - shown.length;
    if (quiet > 0) io.out(paint.dim(`\n${quiet} guards have nothing to say; \`--all\` shows their rules.`));
    const { action, reasons } = decision;
    const mark = action === "deny" ? paint.bad : action === "ask" ? paint.warn : paint.good;
    io.out(
      visible(`\n${mark(action)}  ${reasons.join("; ")}  ${paint.dim(`rules took ${microseconds} µs`)}`).trimEnd(),
    );
  }
  if (!input.has("json")) for (const notice of configuration.notices) io.err(notice);
  return configuration.errors.length > 0 ? "problem" : "done";
}

/** What the rules and self-protection come to, with the time of a second look: the first one loads what they need. */
async function decidedByRules(hooks: readonly Hook[], event: HookEvent, govern: Govern): Promise<RuledOn> {
  const registry = new HookRegistry();
  registry.loadHooks(hooks.filter((hook) => hook.parts.every(({ type }) => type === "inline")));
  const executor = new HookExecutor({ registry, govern });
  await executor.decide(event.withData({ ...event.data }));
  const again = event.withData({ ...event.data });
  const began = performance.now();
  const { action, reasons } = await executor.decide(again);
  return { decision: { action, reasons }, microseconds: Math.round((performance.now() - began) * 1000) };
}

interface RuledOn {
  readonly decision: Pick<Decision, "action" | "reasons">;
  readonly microseconds: number;
}

function actLines({ commands, effects, microseconds }: ExplainedAct): string[] {
  return [
    ...commands.map((command, index) => `${index === 0 ? "  runs   " : "         "} ${command}`),
    ...effects.map((effect, index) => `${index === 0 ? "  does   " : "         "} ${effect}`),
    `  took    ${microseconds} µs to take apart`,
  ];
}

/** A word that names no event, and is not nearly one, is a shell command that an agent might run. */
function described(input: Input): HookEvent {
  const [word = "", ...more] = input.words;
  const isEvent = eventNamed(word.split(":").slice(0, 2).join(":")) ?? eventNamed(word.split(":", 1)[0] ?? "");
  const isNearly = /^[\w:@*]+$/.test(word) && nearest(word, eventSpellings()) !== undefined;
  if (word === "" && input.text("args") === undefined) throw PROBLEMS.nothing({});
  if (word === "" || isEvent !== undefined || isNearly) return eventFrom(input);
  if (more.length > 0) throw PROBLEMS.unquoted({ words: input.words });
  return HookEvent.toolPreExecute(input.text("tool") ?? "bash", { command: word }, { cwd: folderOf(input) });
}

function asJson({ hook, rules, problems }: Explained): object {
  return { hook: hook.name, layer: hook.layer, ...hook.origin?.place, type: hook.type, rules, problems };
}

const PROBLEMS = problems("usage", {
  nothing: (_: object) => ({
    what: "`sluice explain` needs an event or a shell command.",
    fix: 'Write, for example, sluice explain "rm -rf build".',
  }),
  unquoted: ({ words }: { words: readonly string[] }) => ({
    what: "`sluice explain` takes one event or one shell command.",
    fix: `Put the command in quotes: sluice explain "${words.join(" ")}"`,
  }),
});

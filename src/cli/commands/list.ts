import type { Configuration } from "../../decide/project.ts";
import type { EventName } from "../../event/catalogue.ts";
import { compilePattern } from "../../event/pattern.ts";
import type { Hook } from "../../hook/hook.ts";
import { isGuardHook } from "../../policies/guards/guard-hooks.ts";
import { DENY_MEMORY } from "../../policies/protect/deny-memory.ts";
import { SELF_PROTECTION } from "../../policies/protect/self-protection.ts";
import { formatPlace, type Place } from "../../problem/problem.ts";
import { HookRegistry } from "../../registry/registry.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { hookCount } from "../show/hook-count.ts";
import { columns, countsHint, paintFor, visible } from "../show/terminal-text.ts";
import { trustJson, trustLines } from "../show/trust.ts";
import { unknownEvent } from "./event-options.ts";

/** Shows the hooks that hold here in the order in which they run, and where each is written down. */
export function run(input: CommandInput): Exit {
  const { io } = input;
  const configuration = configurationOf(input);
  const shown = chosen(configuration, input);
  if (input.has("json")) {
    io.out(
      JSON.stringify(
        {
          root: configuration.root,
          hooks: shown.map((hook) => json(hook, configuration)),
          guards: guardsJson(configuration),
          built_in: BUILT_INS.map(({ name, description }) => ({ name, description })),
          files: configuration.files,
          ...trustJson(configuration.trust),
        },
        null,
        2,
      ),
    );
    return "done";
  }
  const paint = paintFor(io);
  const place = (at: Place) => shortPath(formatPlace({ file: at.file, ...(at.line && { line: at.line }) }), io);
  const rows = shown.map((hook) => [
    hook.enabled && !isSkipped(hook, configuration) ? paint.good("on") : paint.dim("off"),
    isGuardHook(hook) ? "built in" : hook.layer,
    paint.name(visible(hook.name)),
    visible(heard(hook)),
    hook.type,
    `${hook.timeout} s`,
    paint.dim(
      hook.origin ? place(hook.origin.place) : isGuardHook(hook) ? `guards: ${configuration.settings.guards}` : "",
    ),
    paint.dim(whyOff(hook, configuration, place)),
  ]);
  for (const line of columns(
    [["", "layer", "hook", "matches", "kind", "timeout", "where", ""].map(paint.dim), ...rows],
    io.width,
  ))
    io.out(line);
  if (shown.length > 0) io.out(hookCount(shown));
  if (shown.length === 0) io.out(emptyMessage(input));
  else for (const { name, description } of BUILT_INS) io.out(paint.dim(`built in  ${name}: ${description}`));
  for (const line of guardLines(configuration, place)) io.out(line);
  for (const { layer, path, state } of configuration.files)
    io.out(paint.dim(`${state}  ${shortPath(path, io)}  (${layer})`));
  for (const line of trustLines(configuration.trust)) io.err(line);
  if (configuration.errors.length + configuration.warnings.length > 0) io.err(countsHint(configuration));
  return "done";
}

/** All hooks in order, or those that can match some events: with any tool, or with the one that is named. */
function chosen(configuration: Configuration, input: CommandInput): Hook[] {
  const registry = new HookRegistry();
  registry.loadHooks(configuration.written);
  const [word] = input.words;
  if (word === undefined) return registry.hooks;
  const events = [...compilePattern(word).events.keys()];
  if (events.length === 0) throw unknownEvent(word);
  const tool = input.text("tool");
  const hears = (hook: Hook, event: EventName) =>
    tool === undefined ? hook.toolsFor(event) !== "never" : hook.patternMatches(event, tool);
  return registry.hooks.filter((hook) => events.some((event) => hears(hook, event)));
}

/** The events, with the tools that a matcher wants. */
function heard({ eventPattern, matcher }: Hook): string {
  const tools = matcher?.tools ?? [];
  return tools.length === 0 ? eventPattern : `${eventPattern} with ${tools.join(", ")}`;
}

function isSkipped(hook: Hook, { trust }: Configuration): boolean {
  return trust.skipped.some((skipped) => skipped.hook === hook);
}

function whyOff(hook: Hook, { disabledBy, trust }: Configuration, place: (at: Place) => string): string {
  const skipped = trust.skipped.find((one) => one.hook === hook);
  if (hook.enabled && skipped) return `${skipped.why}${skipped.stillDenies ? "; its denials hold" : ""}`;
  if (hook.enabled) return hook.mode === "monitor" ? "monitor mode: it stops nothing" : "";
  const by = disabledBy.get(hook);
  return by ? `disabled by ${place(by)}` : "enabled: false";
}

function json(hook: Hook, configuration: Configuration): object {
  const { disabledBy, trust } = configuration;
  const { name, layer, eventPattern, type, priority, timeout, enabled, onError, mode, description } = hook;
  return {
    name,
    layer,
    event: eventPattern,
    matcher: hook.matcher,
    type,
    priority,
    timeout,
    enabled,
    on_error: onError,
    mode: isGuardHook(hook) && configuration.guardPolicy?.isMonitored ? "monitor" : mode,
    description,
    ...hook.origin?.place,
    disabled_by: disabledBy.get(hook),
    active: hook.enabled && !isSkipped(hook, configuration),
    skipped: trust.skipped.find((skipped) => skipped.hook === hook)?.why,
  };
}

/** What the configuration changes about the guards of its preset: severities, exceptions, monitor mode. */
function guardLines({ guardPolicy: policy, settings }: Configuration, place: (at: Place) => string): string[] {
  if (policy === undefined) return [];
  const mode = policy.isMonitored
    ? [`guards     ${settings.guards}, in monitor mode: what they would stop passes`]
    : [];
  const severities = [...policy.severities].map(([rule, severity]) => `rule       ${rule}: ${severity}`);
  const exceptions = policy.exceptions.map(({ rule, path, command, host, until, endsAt, reason, place: at }) => {
    const what = [command && `\`${command}\``, path && `path ${path}`, host && `host ${host}`].filter(Boolean);
    const end = until === undefined ? "" : endsAt <= Date.now() ? `, ended ${until}` : `, until ${until}`;
    return `exception  ${rule}: ${what.join(" and ")}${end} (${reason})  ${place(at)}`;
  });
  return [...mode, ...severities, ...exceptions].map(visible);
}

function guardsJson({ guardPolicy: policy, settings }: Configuration): object {
  return {
    preset: settings.guards,
    mode: policy?.isMonitored ? "monitor" : "enforce",
    rules: Object.fromEntries(policy?.severities ?? []),
    exceptions: (policy?.exceptions ?? []).map(({ rules: _, covers: __, text: ___, endsAt, place, ...one }) => ({
      ...one,
      ...place,
      active: Date.now() < endsAt,
    })),
  };
}

function emptyMessage({ words }: CommandInput): string {
  return words.length > 0
    ? `No hook here matches ${words[0]}.`
    : "No hooks here yet. `sluice init` writes the first ones.";
}

/** What runs for every call of an agent, and is written in no file. */
const BUILT_INS = [SELF_PROTECTION, DENY_MEMORY];

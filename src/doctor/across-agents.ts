import type { Adapter } from "../adapters/adapter.ts";
import { ADAPTERS } from "../adapters/index.ts";
import { eventsOf, neverSent } from "../adapters/sent-events.ts";
import type { EventName } from "../event/catalogue.ts";
import type { Hook } from "../hook/hook.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/**
 * What only shows when all agents are looked at together: calls that come twice, and hooks that no agent calls. That every
 * hook is called is only reported for agents without problems.
 */
export function acrossAgents(wired: readonly Adapter[], sound: readonly Adapter[], hooks: readonly Hook[]): Finding[] {
  if (wired.length === 0) return [];
  const found = [...doubled(wired), ...uncalled(wired, hooks), ...otherShells(wired, hooks)];
  if (found.length > 0 || sound.length === 0) return found;
  return [fine(`every hook is called by ${titles(sound)}`)];
}

function doubled(wired: readonly Adapter[]): Finding[] {
  return wired.flatMap(({ title, id, alsoReads = [] }) =>
    wired
      .filter(({ recipe }) => recipe?.kind === "entries" && alsoReads.includes(recipe.files.user))
      .map((other) => {
        const fix = `If a hook must not run twice, keep one of them: \`sluice uninstall ${id}\`, for example.`;
        return note(`${title} reads the settings of ${other.title} too: each hook runs twice there.`, fix);
      }),
  );
}

function uncalled(wired: readonly Adapter[], hooks: readonly Hook[]): Finding[] {
  return neverSent(wired, hooks)
    .filter(({ enabled }) => enabled)
    .map((hook) => {
      const fix = "Let it match another event, or fire that one from a program of your own.";
      const what = `hook "${hook.name}" matches ${hook.eventPattern}, which ${titles(wired)} never send${wired.length === 1 ? "s" : ""}.`;
      return wrong(what, fix, hook.origin?.place);
    });
}

/** Hooks that name the shell of other agents alone: names of tools compare exactly, so the shell of these agents never calls them. */
function otherShells(wired: readonly Adapter[], hooks: readonly Hook[]): Finding[] {
  const own = new Map(wired.flatMap((adapter) => shellOf(adapter).map((name) => [adapter.title, name] as const)));
  const others = new Set(ADAPTERS.flatMap(shellOf));
  const sent = wired.flatMap(eventsOf);
  return hooks
    .filter(({ enabled }) => enabled && own.size === wired.length)
    .flatMap((hook) => {
      const named = new Set(sent.flatMap((event) => namedFor(hook, event)));
      const strange = [...named].filter((name) => others.has(name));
      if (strange.length === 0 || [...own.values()].some((name) => named.has(name))) return [];
      const names = [...own].map(([title, name]) => `${title} calls its shell ${name}`).join(", ");
      const what = `hook "${hook.name}" names the tool ${strange.join(" and ")}, but ${names}.`;
      return [{ ...note(what, FIX_SHELL), place: hook.origin?.place }];
    });
}

function namedFor(hook: Hook, event: EventName): readonly string[] {
  const tools = hook.toolsFor(event);
  return Array.isArray(tools) ? tools : [];
}

const FIX_SHELL = "Names of tools compare exactly: write @shell for the shell of every agent, or the agent's own name.";

/** What the agent calls its shell when it reports a call. */
function shellOf({ canary, hookEvents }: Adapter): string[] {
  const { toolName } = (canary && hookEvents[canary.hookEvent]?.decode(canary.payload("true", "/"))) ?? {};
  return toolName === undefined ? [] : [toolName];
}

function titles(wired: readonly Adapter[]): string {
  return wired.map(({ title }) => title).join(", ");
}

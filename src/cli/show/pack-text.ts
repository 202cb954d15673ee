import { type PackContent, runsAnything } from "../../config/pack-content.ts";
import type { PackProvenance } from "../../config/pack-lock.ts";
import type { Hook } from "../../hook/hook.ts";
import { isLocal, type PackCandidate, SHIPPED } from "../../packs/candidate.ts";
import type { Io } from "../io.ts";
import { columns, oneLine, paintFor, visible } from "./terminal-text.ts";

/** What a pack brings, before or after it is installed: its origin, its rules, what it would run. */
export function packText(candidate: PackCandidate, content: PackContent, io: Io): string[] {
  const paint = paintFor(io);
  const { name, version, resolved, notes } = candidate;
  const running = content.hooks.filter(runsAnything);
  const rules = content.hooks.filter((hook) => !running.includes(hook));
  const values = [...content.values].map(([word, value]) => `${word}: ${JSON.stringify(value)}`);
  return [
    `${paint.name(visible(name))} ${visible(version)}  ${paint.dim(visible(resolved))}`,
    `  ${originText(candidate)}`,
    ...(values.length === 0 ? [] : [`  with ${visible(values.join(", "))}`]),
    ...notes.map((note) => `  ${paint.warn("!")} ${visible(note)}`),
    ...section("applies at once", rules, io),
    ...section("would run, after `sluice trust`", running, io),
  ];
}

function section(title: string, hooks: readonly Hook[], io: Io): string[] {
  if (hooks.length === 0) return [];
  const paint = paintFor(io);
  const rows = hooks.map((hook) => [
    `  ${paint.name(visible(hook.name))}`,
    hook.eventPattern,
    oneLine(hook.description || actOf(hook), 100),
  ]);
  return [`  ${title}:`, ...columns(rows, io.width)];
}

function actOf({ parts }: Hook): string {
  const acts = parts.map(
    ({ type, command, script, args, module, url }) => command ?? script ?? args?.join(" ") ?? module ?? url ?? type,
  );
  return acts.join(", ");
}

/** What is known about where a pack comes from. */
interface KnownOrigin {
  readonly resolved?: string | undefined;
  readonly published?: string | undefined;
  readonly provenance?: PackProvenance | undefined;
}

/** When and from what a pack was published, in one line. */
export function originText({ resolved = "", published, provenance }: KnownOrigin): string {
  if (isLocal({ resolved }))
    return resolved.startsWith(SHIPPED) ? "comes with Sluice" : `from ${visible(resolved.slice("file:".length))}`;
  const age = published === undefined ? [] : [`published ${published.slice(0, 10)}`];
  return [...age, provenanceText(provenance)].join(", ");
}

/** What is known about the build of a pack. */
function provenanceText({ state, repository, commit, workflow }: PackProvenance = { state: "none" }): string {
  if (state === "none") return "no provenance";
  const built = [repository, commit?.slice(0, 12), workflow].filter((part) => part !== undefined).join(" ");
  return visible(`provenance ${state === "verified" ? "verified" : "not verified"}${built === "" ? "" : `: ${built}`}`);
}

/** The same for programs. */
export function packJson(candidate: PackCandidate, content: PackContent): object {
  const { name, version, integrity, resolved, published, repository, provenance, notes } = candidate;
  const hooks = content.hooks.map((hook) => ({ name: hook.name, event: hook.eventPattern, runs: runsAnything(hook) }));
  const given = Object.fromEntries(content.values);
  return { name, version, integrity, resolved, published, repository, provenance, with: given, hooks, notes };
}

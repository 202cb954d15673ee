import { relative } from "node:path";
import type { Box, BoxChange, BoxReceipt } from "../policies/contain/box-store.ts";

/** What became of a contained call, in one sentence for the agent and the person; undefined if there is nothing to report. */
export function containedText({ plan }: Box, receipt: BoxReceipt): string | undefined {
  const { changes, record, failed } = receipt;
  const told = [...networkText(plan.hosts, receipt), ...lateText(receipt)];
  if (changes.length === 0 && failed === undefined) {
    return told.length === 0 ? undefined : `Ran contained: nothing changed. ${told.join(" ")}`;
  }
  const counts = STATES.flatMap(({ state, means }) => {
    const some = changes.filter((change) => change.state === state);
    return some.length === 0 ? [] : [`${countText(some)}${means}`];
  });
  const why = record === undefined ? "" : ` (why: sluice why ${record})`;
  const step = changes.some(({ state }) => state === "held")
    ? ` A person keeps or drops what is held: sluice inside --show ${plan.id}`
    : "";
  const reasons = reasonLines(plan.root, changes);
  return [
    `Ran contained: ${counts.join(", ")}${why}.${step}`,
    ...reasons,
    ...told,
    ...(failed === undefined ? [] : [failed]),
  ].join("\n");
}

function lateText({ late }: BoxReceipt): string[] {
  if (late === undefined) return [];
  return [
    `It was ended after ${late} s: \`contain: { limits: { time } }\` in the user's own configuration allows no more.`,
  ];
}

function networkText(hosts: readonly string[], { offline = 0, refused = [] }: BoxReceipt): string[] {
  if (refused.length > 0)
    return [
      `It may not reach ${refused.join(", ")}: \`contain: { network: { hosts } }\` in the user's own configuration lists the hosts that it may reach.`,
    ];
  if (offline === 0) return [];
  return [
    hosts.length === 0
      ? "A contained program has no network. `contain: { network: { hosts } }` in the user's own configuration lists hosts that it may reach, and `exempt` programs that run outside."
      : "A contained program reaches the allowed hosts by the proxy that HTTPS_PROXY names, and nothing without it.",
  ];
}

/** The reasons of what was not kept, each with the first paths that it is about. */
function reasonLines(root: string, changes: readonly BoxChange[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { state, why, path } of changes) {
    if (state === "kept" || why === undefined) continue;
    const key = `${state === "held" ? "Held" : "Dropped"} %: ${why}`;
    paths.set(key, [...(paths.get(key) ?? []), shortPath(root, path)]);
  }
  return [...paths].slice(0, MAX_REASONS).map(([reason, named]) => {
    const more = named.length > MAX_PATHS ? ` and ${named.length - MAX_PATHS} more` : "";
    return reason.replace("%", () => named.slice(0, MAX_PATHS).join(", ") + more);
  });
}

/** `3 files changed, 1 deletion`. */
export function countText(changes: readonly BoxChange[]): string {
  const deletions = changes.filter(({ change }) => change === "deleted").length;
  const others = changes.length - deletions;
  const parts = [
    ...(others > 0 ? [`${others} ${others === 1 ? "file" : "files"} changed`] : []),
    ...(deletions > 0 ? [`${deletions} ${deletions === 1 ? "deletion" : "deletions"}`] : []),
  ];
  return parts.join(" and ");
}

/** A path as seen from the project. */
export function shortPath(root: string, path: string): string {
  const inner = relative(root, path);
  return inner.startsWith("..") ? path : inner || ".";
}

const STATES = [
  { state: "kept", means: "" },
  { state: "held", means: " held back" },
  { state: "dropped", means: " dropped" },
] as const;
const MAX_REASONS = 5;
const MAX_PATHS = 5;

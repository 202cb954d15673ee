import type { CurrentBundle } from "../config/managed-bundle.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { BundleContent } from "./content.ts";
import type { OpenBundle } from "./open-bundle.ts";

/** What is to be done with a bundle that was fetched and verified. */
export type BundleVerdict =
  | { readonly kind: "take" }
  /** It is the one that counts already. */
  | { readonly kind: "same" }
  /** It is for other machines first; the bundle for this one is the fallback. */
  | { readonly kind: "other-ring" }
  | { readonly kind: "refuse"; readonly problem: Problem };

/** What a verdict is made with. */
export interface BundleFacts {
  readonly bundle: Pick<OpenBundle, "manifest" | "hash" | "key">;
  readonly content: BundleContent;
  readonly current: CurrentBundle | undefined;
  /** Whether the key of the current bundle is still configured. */
  readonly isCurrentTrusted: boolean;
  /** The place of this machine, from 0 to 100. */
  readonly ring: number;
  readonly now: number;
}

/** Whether a verified bundle takes the place of the current one. Everything that is in doubt changes nothing. */
export function judgeBundle({ bundle, content, current, isCurrentTrusted, ring, now }: BundleFacts): BundleVerdict {
  const { manifest, hash, key } = bundle;
  if (now >= Date.parse(manifest.expires)) return refuse(PROBLEMS.expired({ expires: manifest.expires }));
  if (current?.hash === hash) return { kind: "same" };
  if (content.problems[0] !== undefined) return refuse(PROBLEMS.unreadable({ problem: content.problems[0] }));
  const seen = current === undefined ? 0 : Math.max(current.seen[key] ?? 0, isCurrentTrusted ? current.version : 0);
  if (manifest.version <= seen) return refuse(PROBLEMS.older({ version: manifest.version, seen }));
  const less = current === undefined ? isEmpty(content) : isSmaller(content, current);
  const isMeant = current === undefined ? manifest.replaces.length > 0 : manifest.replaces.includes(current.hash);
  if (less && !isMeant) return refuse(PROBLEMS.shrunken({ content, current }));
  return ring < manifest.ring || manifest.ring === 100 ? { kind: "take" } : { kind: "other-ring" };
}

function refuse(problem: Problem): BundleVerdict {
  return { kind: "refuse", problem };
}

function isEmpty({ hooks, settings }: BundleContent): boolean {
  return hooks.length === 0 && settings.length === 0;
}

function isSmaller({ hooks, settings }: BundleContent, current: CurrentBundle): boolean {
  return hooks.length < current.hooks || settings.length < current.settings;
}

const PROBLEMS = problems("bundle", {
  expired: ({ expires }: { expires: string }) => ({
    what: `The bundle expired on ${expires}.`,
    fix: "Build and publish a new one; `--expires 30d` sets how long it is valid.",
  }),
  older: ({ version, seen }: { version: number; seen: number }) => ({
    what: `The bundle has version ${version}, and version ${seen} was taken before: an old one is never taken again.`,
    fix: `Publish what you want to go back to as version ${seen + 1} or higher.`,
  }),
  unreadable: ({ problem }: { problem: Problem }) => ({
    what: `The bundle's configuration has a problem: ${problem.message}`,
    fix: problem.fix ?? "`sluice bundle build` would have named it; build it again.",
  }),
  shrunken: ({ content, current }: { content: BundleContent; current: CurrentBundle | undefined }) => ({
    what: `The bundle holds ${content.hooks.length} hooks and ${content.settings.length} settings${current === undefined ? "" : `, ${current.hooks} and ${current.settings} before`}, and does not say that it replaces ${current === undefined ? "anything" : "that"}.`,
    fix: "If less is meant, build it with --replaces and the bundle before it.",
  }),
});

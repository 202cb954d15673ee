import { noticesAbout, type Trust } from "../config/trusted.ts";
import { visible } from "./paint.ts";

/** What a person has to know about hooks that did not run. */
export function trustLines(trust: Trust): string[] {
  const problem = trust.problem ? [visible(trust.problem.format())] : [];
  return [...problem, ...noticesAbout(trust)];
}

/** What a program has to know about them. */
export function trustJson({ state, hash, skipped, problem }: Trust): { trust: object; skipped: object[] } {
  return {
    trust: { state, hash, problem },
    skipped: skipped.map(({ hook, why, stillDenies }) => ({
      hook: hook.name,
      layer: hook.layer,
      type: hook.type,
      ...hook.origin?.place,
      why,
      still_denies: stillDenies,
    })),
  };
}

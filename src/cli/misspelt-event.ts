import { json } from "../adapters/json.ts";
import { eventSpellings } from "../event/catalogue.ts";
import type { Happened } from "../pipeline.ts";
import { didYouMean } from "../problem/nearest.ts";
import { visible } from "./paint.ts";

/**
 * Agents have moments that this version does not know, and those pass. A program that speaks our own words has misspelt
 * one of them, and may have meant a gate: nobody can read what it says.
 */
export function misspeltEvent(happened: Happened): Extract<Happened, { kind: "failed" }> | undefined {
  if (happened.kind !== "failed" || happened.call.kind !== "unknown moment") return undefined;
  const { adapter, name } = happened.call;
  if (adapter !== json) return undefined;
  const meant = [didYouMean(name, eventSpellings()), "`sluice events` lists them all."].filter(Boolean).join(" ");
  const why = `the payload's \`type\` is "${visible(name)}", which is no event that Sluice knows. ${meant}`;
  return { kind: "failed", why, call: { kind: "nothing", why } };
}

import type { HookResult } from "../../decision/result.ts";

/** Why an objection of that origin holds whatever a user says; nothing when a user may lift it. */
export function whyFirm(layer: string, code: HookResult["code"] | undefined): string | undefined {
  if (layer === "managed") return "it comes from the administrator or from Sluice's own protection";
  return code === "INTENT_REQUIRED" || code === "SCOPE_VIOLATION"
    ? "it is about an intent; change the intent"
    : undefined;
}

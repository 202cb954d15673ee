import type { MutationClass } from "../change/change-record.ts";

/** What a call that changed several files is called: by the file that says most about behaviour. */
export function overallClass(classes: readonly MutationClass[]): MutationClass {
  return ORDER.find((one) => classes.includes(one)) ?? "UNKNOWN";
}

const ORDER: readonly MutationClass[] = ["INTENT_EVOLUTION", "UNKNOWN", "AST_REFACTOR", "FORMAT_ONLY", "NON_CODE"];

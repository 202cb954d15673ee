import type { Payloads } from "./form.ts";
import { OTHERS } from "./others.ts";
import { RELATIVES } from "./relatives.ts";

/** Payloads as manuals describe them, for hook events that were never recorded. */
export const DOCUMENTED: Readonly<Record<string, Payloads>> = { ...RELATIVES, ...OTHERS };

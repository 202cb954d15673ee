import type { Option } from "./command.ts";

/** The option of every command that runs hooks where nobody can be asked. */
export const TRUST_OPTION = {
  "trust-hash": {
    type: "string",
    value: "hash",
    means: "run the project's hooks if their hash is this one; SLUICE_TRUST_HASH says the same",
  },
} as const satisfies Record<string, Option>;

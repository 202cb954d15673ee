import * as v from "valibot";
import { seconds } from "../hook/schema.ts";
import type { Protects } from "./protection.ts";
import { SETTINGS } from "./settings.ts";

/** One key of a file: what it has to look like, and what it means. */
export interface FileKey {
  readonly schema: v.GenericSchema;
  readonly means: string;
  /** What it protects, if it does: then something counts in place of a value that cannot be read. */
  readonly protects?: Protects;
}

const names = v.array(v.string());

/** What may stand under `hooks:` when it is an object; the list itself is `definitions`. */
export const HOOKS_KEYS = {
  definitions: { schema: v.array(v.unknown()), means: "the hooks" },
  disabled: { schema: names, means: "names of hooks of this layer, or of a lower one, that are switched off" },
  timeout: {
    schema: seconds,
    means: "the timeout of this file's hooks that state none",
  },
  llm_model: { schema: v.string(), means: "the model for `llm` hooks; the same as `llm: { model }`" },
} as const satisfies Record<string, FileKey>;

/** What may stand at the top of a file. */
export const FILE_KEYS = {
  $schema: { schema: v.string(), means: "where editors find the schema of this file" },
  hooks: {
    schema: v.union([v.array(v.unknown()), v.looseObject({})]),
    means: "the hooks: a list, or an object with `definitions`, `disabled` and `timeout`",
  },
  extends: {
    schema: v.union([v.string(), names]),
    means: "files that are read before this one, seen from its folder: `./team.yaml`",
  },
  ...SETTINGS,
} as const satisfies Record<string, FileKey>;

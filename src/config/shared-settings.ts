import * as v from "valibot";

/** What several machines count together, and where; from the user or the administrator only. */
export interface SharedSettings {
  readonly store: string;
  readonly what: readonly SharedKind[];
}

/** The kinds of counts that can be shared. */
export const SHARED_KINDS = ["budgets", "rates", "denials"] as const;

/** One of them. */
export type SharedKind = (typeof SHARED_KINDS)[number];

/** What `shared` has to look like; made when it is asked for, which is seldom. */
export function sharedSchema() {
  return v.looseObject({
    store: v.pipe(
      v.string(),
      v.regex(/^(?:rediss?|postgres(?:ql)?):\/\//i, "an address that begins with redis://, rediss:// or postgres://"),
    ),
    what: v.optional(v.array(v.picklist(SHARED_KINDS))),
  });
}

/** Reads a setting that fits the schema. */
export function readSharedSettings(value: unknown): SharedSettings {
  const { store, what = SHARED_KINDS } = value as v.InferOutput<ReturnType<typeof sharedSchema>>;
  return { store, what };
}

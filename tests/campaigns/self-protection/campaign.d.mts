interface Case {
  readonly kind: string;
  readonly agent: string;
  readonly call: { readonly command?: string };
}

/** Runs every case that `keep` keeps, and says what did not hold. */
export function campaign(
  built: string,
  options?: { readonly keep?: (one: Case) => boolean; readonly atOnce?: number; readonly runs?: boolean },
): Promise<{
  readonly counts: Readonly<Record<"attacks" | "stopped" | "ran" | "unweakened" | "harmless" | "passed", number>>;
  readonly failed: readonly (Case & { readonly why: string })[];
}>;

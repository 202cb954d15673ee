interface Case {
  readonly kind: string;
  readonly agent: string;
  readonly call: { readonly command?: string };
}

/** A package in a home of the campaign. */
interface Package {
  readonly env: Readonly<Record<string, string>>;
  readonly bundle: string;
}

interface CampaignOptions {
  readonly keep?: (one: Case) => boolean;
  readonly atOnce?: number;
  readonly runs?: boolean;
  /** Called before the package is installed. */
  readonly beforeInstall?: (at: Package) => void;
  /** Runs the command of the package; in a process of its own where it is left out. */
  readonly command?: (args: readonly string[], at: Package & { readonly cwd: string }) => void;
}

/** Runs every case that `keep` keeps, and says what did not hold. */
export function campaign(
  built: string,
  options?: CampaignOptions,
): Promise<{
  readonly counts: Readonly<Record<"attacks" | "stopped" | "ran" | "unweakened" | "harmless" | "passed", number>>;
  readonly failed: readonly (Case & { readonly why: string })[];
}>;

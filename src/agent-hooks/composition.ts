import { problems } from "../problem/problem.ts";

/** How the verdicts of several interceptors become one. */
export type Composition =
  | { readonly profile: "sequential/first_deny"; readonly on_approval?: "stop" | "resume" }
  | { readonly profile: "sequential/run_all" }
  | { readonly profile: "parallel/strictest"; readonly on_transform_conflict?: "deny" | "approval" }
  | {
      readonly profile: "parallel/unanimous";
      readonly on_disagreement?: "deny" | "approval";
      readonly on_transform_conflict?: "deny" | "approval";
    };

/** A composition with the value of every setting that its profile reads. */
export interface ResolvedComposition {
  readonly profile: Composition["profile"];
  readonly on_approval?: "stop" | "resume";
  readonly on_disagreement?: "deny" | "approval";
  readonly on_transform_conflict?: "deny" | "approval";
}

/** The settings of each profile: the first value is what applies if none is given. */
const SETTINGS: Readonly<Record<Composition["profile"], Readonly<Record<string, readonly string[]>>>> = {
  "sequential/first_deny": { on_approval: ["stop", "resume"] },
  "sequential/run_all": {},
  "parallel/strictest": { on_transform_conflict: ["deny", "approval"] },
  "parallel/unanimous": { on_disagreement: ["deny", "approval"], on_transform_conflict: ["deny", "approval"] },
};

/** Fills in the defaults of a profile; throws for a profile or a value that does not exist. */
export function resolveComposition(composition: Composition): ResolvedComposition {
  const { profile, ...given } = composition;
  if (!Object.hasOwn(SETTINGS, profile)) throw PROBLEMS.unknownProfile({ profile: String(profile) });
  const settings = Object.entries(SETTINGS[profile]).map(([name, values]) => {
    const value = (given as Record<string, string | undefined>)[name] ?? values[0] ?? "";
    if (!values.includes(value)) throw PROBLEMS.unknownSetting({ name, value, values });
    return [name, value];
  });
  return { profile, ...Object.fromEntries(settings) };
}

const PROBLEMS = problems("agent-hooks", {
  unknownProfile: ({ profile }: { profile: string }) => ({
    what: `"${profile}" is not a composition profile of agent-hooks.`,
    fix: `Use one of: ${Object.keys(SETTINGS).join(", ")}.`,
  }),
  unknownSetting: ({ name, value, values }: { name: string; value: string; values: readonly string[] }) => ({
    what: `${name} is "${value}".`,
    fix: `Use one of: ${values.join(", ")}.`,
  }),
});

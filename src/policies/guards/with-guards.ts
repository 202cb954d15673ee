import type { Hook, Layer } from "../../hook/hook.ts";
import { type Place, type Problem, problems } from "../../problem/problem.ts";
import type { Preset } from "./guard.ts";
import { hooksUnder, isGuardHook } from "./guard-hooks.ts";
import { type GuardPolicy, type GuardStatement, guardPolicy } from "./policy.ts";

/** The part of a configuration that guards use. */
interface Guarded {
  readonly hooks: readonly Hook[];
  readonly settings: {
    readonly guards: Preset | "off";
    /** The `guards` blocks of files, beyond a preset. */
    readonly guardStatements?: readonly GuardStatement[] | undefined;
  };
  readonly disabledBy: ReadonlyMap<Hook, Place>;
  readonly disabledGuards: ReadonlyMap<string, Place>;
  /** The blocks of a project that lower a guard. */
  readonly lowering?: readonly GuardStatement[];
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** The resulting severities and exceptions. */
  readonly guardPolicy?: GuardPolicy | undefined;
}

/**
 * A configuration with its guards, before its own hooks. Guards only deny and ask, so they need no approval. A project's
 * block that lowers a guard applies only if `isApproved` returns true.
 */
export function withGuards<Whole extends Guarded>(
  configuration: Whole,
  isApproved: (statement: GuardStatement) => boolean = () => false,
): Whole {
  const { settings, disabledGuards, lowering = [] } = configuration;
  const { guards: preset, guardStatements = [] } = settings;
  if (preset === "off" && guardStatements.length === 0) return configuration;
  const judged = guardStatements.map((statement) => ({
    statement,
    isTrusted: OWN_LAYERS.has(statement.layer) || isApproved(statement),
  }));
  const policy = guardPolicy(preset, judged);
  const guards = hooksUnder(preset, policy);
  const disabledBy = new Map(configuration.disabledBy);
  for (const guard of guards) {
    const place = disabledGuards.get(guard.name);
    if (place === undefined) continue;
    guard.enabled = false;
    disabledBy.set(guard, place);
  }
  const hooks = [...guards, ...configuration.hooks.filter((hook) => !isGuardHook(hook))];
  if (guardStatements.length === 0) return { ...configuration, hooks, disabledBy };
  const unapproved = judged.filter(({ statement, isTrusted }) => !isTrusted && lowering.includes(statement));
  const waiting = unapproved.map(({ statement: { place } }) => PROBLEMS.notApproved(undefined, { place }));
  return {
    ...configuration,
    hooks,
    disabledBy,
    guardPolicy: policy,
    errors: [...configuration.errors.filter(isOther), ...policy.errors],
    warnings: [...configuration.warnings.filter(isOther), ...policy.warnings, ...waiting],
  };
}

/** Guards are built again after the user has approved a block that lowers them. */
function isOther({ code }: Problem): boolean {
  return !code.startsWith("guard/");
}

const OWN_LAYERS: ReadonlySet<Layer> = new Set<Layer>(["managed", "user"]);

const PROBLEMS = problems("guard", {
  notApproved: () => ({
    what: "`guards` of this project lowers a guard. Until you approve it, only the parts that raise a guard apply.",
    fix: "Review it with `sluice trust`.",
  }),
});

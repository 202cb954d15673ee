import { isObject } from "../../event/json.ts";
import type { Layer } from "../../hook/hook.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { type Place, type Problem, problems } from "../../problem/problem.ts";
import { commandFlaw, compileTarget, type Exception } from "./exceptions.ts";
import type { Preset } from "./guard.ts";
import { GUARDS } from "./index.ts";

/** The severities of a rule, from the loosest; `monitor` only records what the rule would have done. */
const SEVERITIES = ["off", "monitor", "warn", "ask", "deny"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The `guards` block of one file, beyond a preset. */
export interface GuardStatement {
  readonly value: unknown;
  readonly layer: Layer;
  readonly place: Place;
  /** The position of a part of the value. */
  readonly placeOf?: ((path: readonly (string | number)[]) => Place) | undefined;
}

/** The result of all layers on the guards of a preset. */
export interface GuardPolicy {
  /** By the names of rules. */
  readonly severities: ReadonlyMap<string, Severity>;
  readonly exceptions: readonly Exception[];
  /** Guards record what they would have stopped, and let it pass. */
  readonly isMonitored: boolean;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Merges the `guards` blocks of the layers, in layer order. A block that is not trusted can only make guards stricter. */
export function guardPolicy(
  preset: Preset | "off",
  statements: readonly { readonly statement: GuardStatement; readonly isTrusted: boolean }[],
): GuardPolicy {
  const severities = new Map<string, Severity>();
  /** Severities of the administrator, which other layers can only make stricter. */
  const pinned = new Set<string>();
  const exceptions: Exception[] = [];
  const [errors, warnings]: [Problem[], Problem[]] = [[], []];
  let [isMonitored, isModePinned] = [false, false];
  for (const { statement, isTrusted } of statements) {
    const read = readStatement(statement);
    errors.push(...read.errors);
    warnings.push(...read.warnings);
    const isManaged = statement.layer === "managed";
    for (const [rule, severity] of read.severities) {
      const now = severities.get(rule) ?? presetSeverity(rule, preset);
      if ((isTrusted && !pinned.has(rule)) || isStricter(severity, now)) severities.set(rule, severity);
      if (isManaged) pinned.add(rule);
    }
    if (isTrusted) exceptions.push(...read.exceptions);
    if (read.mode === "enforce") isMonitored = false;
    else if (read.mode === "monitor" && isTrusted && !isModePinned) isMonitored = true;
    isModePinned ||= isManaged && read.mode !== undefined;
  }
  return { severities, exceptions, isMonitored, errors, warnings };
}

function presetSeverity(rule: string, preset: Preset | "off"): Severity {
  if (preset === "off") return "off";
  return ALL_RULES.find(({ name }) => name === rule)?.[preset] ?? "off";
}

function isStricter(one: Severity, other: Severity): boolean {
  return SEVERITIES.indexOf(one) > SEVERITIES.indexOf(other);
}

/** The valid content of one `guards` block. */
interface ReadStatement {
  readonly severities: readonly (readonly [string, Severity])[];
  readonly exceptions: readonly Exception[];
  readonly mode: "enforce" | "monitor" | undefined;
  readonly errors: Problem[];
  readonly warnings: Problem[];
}

type Report = (path: readonly (string | number)[], problem: (details: { readonly place: Place }) => Problem) => void;

function readStatement(statement: GuardStatement): ReadStatement {
  const { value, place, placeOf } = statement;
  const [errors, warnings]: [Problem[], Problem[]] = [[], []];
  const at = (path: readonly (string | number)[]) => ({ place: placeOf?.(path) ?? place });
  const report: Report = (path, problem) => errors.push(problem(at(path)));
  const { rules, allow, mode, ...rest } = Object(value) as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(rest))
    if (key !== "preset")
      report([key], (details) => PROBLEMS.unknownKey({ holder: "guards", key, known: KEYS }, details));
  const isMode = mode === undefined || mode === "enforce" || mode === "monitor";
  if (!isMode) report(["mode"], (d) => PROBLEMS.wrongValue({ key: "guards.mode", value: mode, choices: MODES }, d));
  const severities = isObject(rules) ? readRules(rules, report) : [];
  if (rules !== undefined && !isObject(rules))
    report(["rules"], (d) => PROBLEMS.wrongKind({ key: "guards.rules", value: rules, wanted: "an object" }, d));
  if (allow !== undefined && !Array.isArray(allow))
    report(["allow"], (d) => PROBLEMS.wrongKind({ key: "guards.allow", value: allow, wanted: "a list" }, d));
  const listed = Array.isArray(allow) ? allow : [];
  const exceptions = listed.flatMap((entry, index) => readException(entry, ["allow", index], statement, report));
  for (const { endsAt, until = "", place: where } of exceptions)
    if (endsAt <= Date.now()) warnings.push(PROBLEMS.ended({ until }, { place: where }));
  return { severities, exceptions, mode: isMode ? mode : undefined, errors, warnings };
}

function readRules(rules: Readonly<Record<string, unknown>>, report: Report): [string, Severity][] {
  return Object.entries(rules).flatMap(([name, value]) => {
    const named = rulesNamed(name);
    if (named.length === 0) report(["rules", name], (details) => PROBLEMS.unknownRule({ name }, details));
    const severity = SEVERITIES.find((one) => one === value);
    if (severity !== undefined) return named.map((rule): [string, Severity] => [rule, severity]);
    const key = `guards.rules.${name}`;
    report(["rules", name], (details) => PROBLEMS.wrongValue({ key, value, choices: SEVERITIES }, details));
    return [];
  });
}

/** The rules that a name means: one rule, or all of a guard. */
function rulesNamed(name: string): readonly string[] {
  const guard = Object.entries(GUARDS).find(([own]) => name === own || name === `guard:${own}`)?.[1];
  if (guard !== undefined) return guard.rules.map((rule) => rule.name);
  const bare = name.replace(/^guard:(?:\w+[/:])?/, "");
  return ALL_RULES.some((rule) => rule.name === bare) ? [bare] : [];
}

function readException(
  entry: unknown,
  path: readonly (string | number)[],
  { layer, place, placeOf }: GuardStatement,
  report: Report,
): (Exception & { readonly endsAt: number })[] {
  if (!isObject(entry)) {
    report(path, (d) => PROBLEMS.wrongKind({ key: "An exception of guards", value: entry, wanted: "an object" }, d));
    return [];
  }
  const holder = "an exception of guards";
  const found: ((details: { readonly place: Place }) => Problem)[] = [];
  for (const key of Object.keys(entry))
    if (!ENTRY_KEYS.includes(key)) found.push((d) => PROBLEMS.unknownKey({ holder, key, known: ENTRY_KEYS }, d));
  const text = (key: string) => (typeof entry[key] === "string" && entry[key].trim() !== "" ? entry[key] : undefined);
  const [rule, reason, until] = [text("rule"), text("reason"), entry.until];
  const target = { path: text("path"), command: text("command"), host: text("host") };
  const rules = rule === undefined ? [] : rulesNamed(rule);
  const endsAt = until === undefined ? Number.POSITIVE_INFINITY : endOf(until);
  if (found.length === 0) {
    if (rule === undefined) found.push((d) => PROBLEMS.needs({ key: "rule", why: "a rule of a guard" }, d));
    else if (rules.length === 0) found.push((d) => PROBLEMS.unknownRule({ name: rule }, d));
    else if (Object.values(target).every((one) => one === undefined)) found.push((d) => PROBLEMS.noTarget({ rule }, d));
    else if (reason === undefined) found.push((d) => PROBLEMS.needs({ key: "reason", why: "why it is right" }, d));
    else if (endsAt === undefined) found.push((d) => PROBLEMS.noDate({ until }, d));
    const flaw = target.command === undefined ? undefined : commandFlaw(target.command);
    if (flaw !== undefined) found.push((d) => PROBLEMS.commandPattern({ command: target.command ?? "", ...flaw }, d));
  }
  for (const problem of found) report(path, problem);
  if (found.length > 0 || rule === undefined || reason === undefined || endsAt === undefined) return [];
  const covers = compileTarget(target);
  const where = placeOf?.(path) ?? place;
  const ends = until === undefined ? undefined : String(until);
  const named = Object.values(target).filter((one) => one !== undefined);
  const line = where.line === undefined ? "" : `, line ${where.line}`;
  return [
    {
      rule,
      ...target,
      rules: new Set(rules),
      reason,
      until: ends,
      endsAt,
      layer,
      place: where,
      text: `An exception lets \`${named.join(" and ")}\` pass the rule ${rule}${ends ? ` until ${ends}` : ""}: ${reason.replace(/\.$/, "")} (${layer} configuration${line}).`,
      covers: (effect, act, around) => around.now < endsAt && covers(effect, act, around),
    },
  ];
}

/** The end of a date (its last second, local time) or of a timestamp; undefined if it cannot be parsed. */
export function endOf(value: unknown): number | undefined {
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?))?$/.exec(String(value)) ?? [];
  if (date === undefined) return undefined;
  const at = Date.parse(time === undefined ? `${date}T23:59:59.999` : `${date}T${time}`);
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const isDay = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(date);
  return Number.isNaN(at) || !isDay ? undefined : at;
}

const KEYS = ["preset", "mode", "rules", "allow"];
const MODES = ["enforce", "monitor"];
const ENTRY_KEYS = ["rule", "path", "command", "host", "until", "reason"];
const ALL_RULES = Object.values(GUARDS).flatMap(({ rules }) => rules);

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : JSON.stringify(value);
}

const PROBLEMS = problems("guard", {
  unknownKey: ({ holder, key, known }: { holder: string; key: string; known: readonly string[] }) => ({
    what: `${holder === "guards" ? "`guards`" : "An exception of guards"} has an unknown key \`${key}\`${holder === "guards" ? "" : "; the exception is ignored"}.`,
    fix: didYouMean(key, known) || `The known keys are ${known.join(", ")}.`,
  }),
  unknownRule: ({ name }: { name: string }) => ({
    what: `There is no guard rule "${name}"; this has no effect.`,
    fix:
      didYouMean(name, [...ALL_RULES.map((rule) => rule.name), ...Object.keys(GUARDS)]) ||
      "`sluice list` and docs/guards.md list the names.",
  }),
  wrongValue: ({ key, value, choices }: { key: string; value: unknown; choices: readonly string[] }) => ({
    what: `\`${key}\` is ${kindOf(value)}; it has to be one of ${choices.join(", ")}. It has no effect.`,
    fix: didYouMean(String(value), choices) || `Write one of ${choices.join(", ")}.`,
  }),
  wrongKind: ({ key, value, wanted }: { key: string; value: unknown; wanted: string }) => ({
    what: `${key.includes(" ") ? key : `\`${key}\``} is ${kindOf(value)}; it has to be ${wanted}. It has no effect.`,
    fix: "docs/guards.md shows the syntax.",
  }),
  needs: ({ key, why }: { key: string; why: string }) => ({
    what: `An exception of guards needs a \`${key}\`: ${why}. The exception is ignored.`,
    fix: `Add \`${key}: …\`.`,
  }),
  noTarget: ({ rule }: { rule: string }) => ({
    what: "An exception of guards does not name what it allows, so it is ignored.",
    fix: `Add \`path\`, \`command\` or \`host\`; to switch the whole rule off, write \`rules: { ${rule}: off }\`.`,
  }),
  commandPattern: ({ command, what, fix }: { command: string; what: string; fix: string }) => ({
    what: `The \`command\` of an exception, "${command}", ${what}. The exception does not apply.`,
    fix,
  }),
  noDate: ({ until }: { until: unknown }) => ({
    what: `\`until\` is ${kindOf(until)}, which is not a date; the exception is ignored.`,
    fix: "Write a date or a time, such as 2026-12-31 or 2026-12-31T18:00:00Z.",
  }),
  ended: ({ until }: { until: string }) => ({
    what: `This exception of guards has expired (until ${until}) and is ignored.`,
    fix: "Remove it, or give it a later `until`.",
  }),
});

import * as v from "valibot";
import { LAYERS, type Layer } from "../hook/hook.ts";
import { type LlmSettings, llmSettingsSchema, readLlmSettings } from "../llm/llm-settings.ts";
import { nearest } from "../problem/nearest.ts";
import { formatPlace, type Place, type Problem, problems } from "../problem/problem.ts";
import { type ApprovalSettings, approvalsSchema, readApprovalSettings } from "./approval-settings.ts";
import { type ContainSettings, containModeIn, containSchema, readContainSettings } from "./contain-settings.ts";
import {
  type JournalSettings,
  journalSchema,
  readJournalSettings,
  readSharedSettings,
  readTelemetrySettings,
  type SharedSettings,
  sharedSchema,
  type TelemetrySettings,
  telemetrySchema,
} from "./journal-settings.ts";
import { type ManagedSettings, managedSchema, readManagedSettings } from "./managed-bundle.ts";
import { PROTECTIONS, type Protects } from "./protection.ts";
import { readUndoSettings, type UndoSettings, undoSchema } from "./undo-settings.ts";

/** Everything besides hooks that the layers agree on. */
export interface Settings {
  readonly intents: { readonly mode: (typeof MODES)[number]; readonly onUnknown: (typeof ON_UNKNOWN)[number] };
  readonly trace: (typeof TRACE)[number];
  /** A configuration file states it; by default a trace is kept only where there is one already. */
  readonly isTraceStated?: true;
  readonly guards: (typeof GUARDS)[number];
  /** Settings of files about guards beyond a preset, in layer order. */
  readonly guardStatements?: readonly Statement[];
  readonly llm: LlmSettings | undefined;
  /** How much of what calls destroy is kept first; nothing is kept where it is left out. */
  readonly undo?: UndoSettings | undefined;
  /** Which shell calls run in a box; none if it is left out. */
  readonly contain?: ContainSettings | undefined;
  /** How much of the journal is kept, if a file sets it. */
  readonly journal?: JournalSettings | undefined;
  /** Where the organisation's bundle comes from. */
  readonly managed?: ManagedSettings | undefined;
  /** Where telemetry goes. */
  readonly telemetry?: TelemetrySettings | undefined;
  /** What several machines have in common. */
  readonly shared?: SharedSettings | undefined;
  /** How requests for approval reach the user. */
  readonly approvals?: ApprovalSettings | undefined;
  /** Which calls are approved without a question; none where it is left out. */
  readonly approve?: "known" | undefined;
}

/** One setting of a file: what it has to look like, who may set it, what it means. */
export interface Setting {
  readonly schema: v.GenericSchema;
  /** What it may look like besides, as an object. */
  readonly asObject?: v.LooseObjectSchema<v.ObjectEntries, undefined>;
  readonly setBy: readonly Layer[];
  readonly means: string;
  /** What it protects, if it does: a mistyped protection is not lost. */
  readonly protects?: Protects;
}

/** The value of one setting in one file. */
export interface Statement {
  readonly setting: SettingName;
  readonly value: unknown;
  readonly layer: Layer;
  readonly place: Place;
  /** The place of a part of the value. */
  readonly placeOf?: (path: readonly (string | number)[]) => Place;
  /** It came with a bundle that is too old: only what tightens applies, and no approval changes that. */
  readonly isAged?: true;
}

const { rungs: MODES } = PROTECTIONS.mode;
const { rungs: ON_UNKNOWN } = PROTECTIONS.onUnknown;
const { rungs: TRACE } = PROTECTIONS.trace;
const { rungs: GUARDS } = PROTECTIONS.guards;

/** All settings. The loosest value of a list is first: a lower layer can only move to the right. */
export const SETTINGS = {
  intents: {
    schema: v.looseObject({
      mode: v.optional(v.picklist(MODES)),
      on_unknown: v.optional(v.picklist(ON_UNKNOWN)),
      onUnknown: v.optional(v.picklist(ON_UNKNOWN)),
    }),
    setBy: LAYERS,
    means: "whether work needs a declared intent; `on_unknown` is for calls whose effect is unknown",
    protects: { parts: { mode: PROTECTIONS.mode, on_unknown: PROTECTIONS.onUnknown } },
  },
  trace: {
    schema: v.picklist(TRACE),
    setBy: LAYERS,
    means: "whether changes are recorded; `required` denies what cannot be recorded",
    protects: { whole: PROTECTIONS.trace },
  },
  guards: {
    schema: v.picklist(GUARDS),
    asObject: guardsSchema(),
    setBy: LAYERS,
    means: "the built-in guards: a preset, or an object with severities and exceptions; a project can only raise them",
    protects: { whole: PROTECTIONS.guards },
  },
  undo: {
    schema: undoSchema,
    setBy: ["managed", "user"],
    means: "whether what a call destroys is kept first, how much and for how long; only in your own or managed files",
  },
  contain: {
    get schema() {
      return containSchema();
    },
    setBy: LAYERS,
    means:
      "which shell calls run in a box: off, unknown, all, or an object with `mode`, `network`, `caches`, `exempt` and `limits`; a project can only raise the mode",
    protects: { whole: PROTECTIONS.contain },
  },
  journal: {
    get schema() {
      return journalSchema();
    },
    setBy: ["managed", "user"],
    means: "how long the journal of decisions is kept, and how large it may get; only in your own or managed files",
  },
  managed: {
    get schema() {
      return managedSchema();
    },
    setBy: ["managed", "user"],
    means: "a signed bundle of hooks that the daemon fetches; only in your own or managed files",
  },
  telemetry: {
    get schema() {
      return telemetrySchema();
    },
    setBy: ["managed", "user"],
    means: "the collector that decisions are sent to; only in your own or managed files",
  },
  shared: {
    get schema() {
      return sharedSchema();
    },
    setBy: ["managed", "user"],
    means: "the store in which machines count and approve together; only in your own or managed files",
  },
  approvals: {
    get schema() {
      return approvalsSchema();
    },
    setBy: ["managed", "user"],
    means: "how requests for approval reach you, and how long a call waits; only in your own or managed files",
  },
  approve: {
    schema: v.picklist(["off", "known"]),
    setBy: ["managed", "user"],
    means: "`known` approves calls of which every effect is known and harmless; only in your own or managed files",
  },
  llm: {
    get schema() {
      return llmSettingsSchema();
    },
    setBy: ["managed", "user"],
    means: "the language model of `llm` hooks; only in your own or managed files",
  },
} as const satisfies Record<string, Setting>;

/** The name of a setting, as files write it. */
export type SettingName = keyof typeof SETTINGS;

/** A setting that protects. */
export interface ProtectingSetting {
  readonly setting: SettingName;
  readonly protects: Protects;
}

/** The protection that a key names or most likely means, unless one of the keys beside it is nearer. */
export function protectionMeant(
  key: string,
  beside: readonly string[] = [],
  mostEdits?: number,
): ProtectingSetting | undefined {
  const near = nearest(key, [...beside, ...PROTECTING.map(({ setting }) => setting)], mostEdits);
  return PROTECTING.find(({ setting }) => setting === near);
}

/** Combines the settings of all files, in layer order; a value that would loosen a higher layer has no effect and is reported. */
export function settle(statements: readonly Statement[]): { settings: Settings; warnings: Problem[] } {
  const warnings: Problem[] = [];
  const said = (setting: SettingName, ...keys: readonly string[]) =>
    statements
      .filter((statement) => statement.setting === setting)
      .flatMap((statement) => {
        const value = keys.length === 0 ? statement.value : firstOf(statement.value, keys);
        return value === undefined
          ? []
          : [{ ...statement, value, label: [setting, keys[0]].filter(Boolean).join(".") }];
      });
  const first = <T>(setting: SettingName, read: (value: unknown) => T): T | undefined =>
    said(setting).map(({ value }) => read(value))[0];
  const climb = <const Rungs extends readonly string[]>(rungs: Rungs, unset: Rungs[number], said: readonly Said[]) =>
    highest(rungs, unset, said, warnings);
  const guards = climb(
    GUARDS,
    "off",
    said("guards").map((one) => ({ ...one, value: presetIn(one.value) })),
  );
  const contains = said("contain");
  const contain = climb(
    PROTECTIONS.contain.rungs,
    guards === "strict" || guards === "paranoid" ? "unknown" : "off",
    contains.map((one) => ({ ...one, value: containModeIn(one.value) })),
  );
  const settings = {
    intents: {
      mode: climb(MODES, "off", said("intents", "mode")),
      onUnknown: climb(ON_UNKNOWN, "ask", said("intents", "on_unknown", "onUnknown")),
    },
    trace: climb(TRACE, "on", said("trace")),
    ...(said("trace").length > 0 ? { isTraceStated: true as const } : {}),
    guards,
    ...guardStatements(said("guards")),
    // The administrator's setting has priority over the user's; without one, what guards would stop and what boxes let out is kept.
    undo: readUndoSettings(said("undo")[0]?.value ?? (guards === "off" && contain === "off" ? "off" : "on")),
    // What a box allows is for the user and the administrator to configure.
    contain: readContainSettings(contain, contains.find(({ layer }) => OWN_LAYERS.includes(layer))?.value),
    journal: first("journal", readJournalSettings),
    managed: first("managed", readManagedSettings),
    telemetry: first("telemetry", readTelemetrySettings),
    shared: first("shared", readSharedSettings),
    approvals: first("approvals", readApprovalSettings),
    ...(said("approve")[0]?.value === "known" ? { approve: "known" as const } : {}),
    llm: first("llm", (value) => readLlmSettings(Object(value))),
  };
  return { settings, warnings };
}

/** What the files of one part ask for at least, such as `guards: standard`: every rung up to the highest that they state. */
export function statedRungs(statements: readonly Statement[]): string[] {
  return RUNGS.flatMap(([label, setting, keys, rungs]) => {
    const stated = statements.filter((one) => one.setting === setting);
    const whole = setting === "contain" ? containModeIn : presetIn;
    const values = stated.map(({ value }) => (keys.length === 0 ? whole(value) : firstOf(value, keys)));
    const top = Math.max(0, ...values.map((value) => rungs.indexOf(String(value))));
    return rungs.slice(1, top + 1).map((rung) => `${label}: ${rung}`);
  });
}

/** A short description of each setting that lowers guards in the files of one part. */
export function statedLowering(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ setting, value }) => {
    if (setting !== "guards" || !lowersGuards(value)) return [];
    const { rules, allow, mode } = Object(value) as Readonly<Record<string, unknown>>;
    const low = Object.entries(Object(rules)).filter(([, severity]) => severity !== "deny");
    return [
      ...(mode === "monitor" ? ["the guards only watch"] : []),
      ...low.map(([rule, severity]) => `the guard rule ${rule} is set to ${severity}`),
      ...(Array.isArray(allow) ? allow : []).map((one) => `the exception ${JSON.stringify(one)}`),
    ];
  });
}

/** Guards as an object: a preset, settings of single rules, and exceptions. */
function guardsSchema() {
  const text = v.optional(v.string());
  return v.looseObject({
    preset: v.optional(v.picklist(GUARDS)),
    mode: v.optional(v.picklist(["enforce", "monitor"])),
    rules: v.optional(v.record(v.string(), v.picklist(["off", "monitor", "warn", "ask", "deny"]))),
    allow: v.optional(
      v.array(
        v.looseObject({ rule: v.string(), path: text, command: text, host: text, until: text, reason: v.string() }),
      ),
    ),
  });
}

/** Whether the guards of a file may let something pass that a preset stops. */
export function lowersGuards(value: unknown): boolean {
  const { rules, allow, mode } = Object(value) as Readonly<Record<string, unknown>>;
  const isLow = Object.values(Object(rules)).some((severity) => severity !== "deny");
  return isLow || mode === "monitor" || (Array.isArray(allow) && allow.length > 0);
}

/** The preset that a value asks for; an object that names none asks for the standard one. */
function presetIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return (value as { readonly preset?: unknown }).preset ?? PROTECTIONS.guards.unread;
}

function guardStatements(said: readonly Said[]): Pick<Settings, "guardStatements"> {
  const objects = said.filter(({ value }) => typeof value === "object" && value !== null);
  return objects.length === 0 ? {} : { guardStatements: objects.map(({ label: _, ...statement }) => statement) };
}

interface Said extends Statement {
  readonly label: string;
}

/** The user's own layers set where it begins; from there it only climbs. */
function highest<const Rungs extends readonly string[]>(
  rungs: Rungs,
  unset: Rungs[number],
  said: readonly Said[],
  warnings: Problem[],
): Rungs[number] {
  let value = unset;
  let by: Place | undefined;
  for (const statement of said) {
    const stated = String(statement.value);
    const mayBegin = by === undefined && OWN_LAYERS.includes(statement.layer);
    if (mayBegin || rungs.indexOf(stated) > rungs.indexOf(value)) {
      value = stated;
      by = statement.place;
    } else if (rungs.indexOf(stated) < rungs.indexOf(value)) {
      const { label, place } = statement;
      warnings.push(PROBLEMS.loosens({ label, stated, value, by }, { place }));
    }
  }
  return value;
}

function firstOf(value: unknown, keys: readonly string[]): unknown {
  return keys.map((key) => (Object(value) as Record<string, unknown>)[key]).find((found) => found !== undefined);
}

const RUNGS: readonly (readonly [label: string, setting: string, keys: readonly string[], rungs: readonly string[]])[] =
  [
    ["guards", "guards", [], GUARDS],
    ["contain", "contain", [], PROTECTIONS.contain.rungs],
    ["trace", "trace", [], ["off", "required"]],
    ["intents.mode", "intents", ["mode"], MODES],
    ["intents.on_unknown", "intents", ["on_unknown", "onUnknown"], ON_UNKNOWN],
  ];

const PROTECTING = (Object.keys(SETTINGS) as SettingName[]).flatMap((setting): ProtectingSetting[] => {
  const { protects }: Setting = SETTINGS[setting];
  return protects === undefined ? [] : [{ setting, protects }];
});

const OWN_LAYERS: readonly Layer[] = ["managed", "user"];

const PROBLEMS = problems("config", {
  loosens: ({ label, stated, value, by }: { label: string; stated: string; value: string; by: Place | undefined }) => ({
    what: `\`${label}: ${stated}\` has no effect: it is \`${value}\` ${by ? `by ${formatPlace(by)}` : "by default"}, and a lower layer can only tighten it.`,
    fix: by ? `Remove it, or change ${formatPlace(by)}.` : "Remove it, or set it in your own configuration.",
  }),
});

import type { CallEffects, DataChange, Effect, Role } from "../effect.ts";
import { GAP, type SimpleCommand } from "../parse/command.ts";
import { operandsOf } from "../programs/apply-row.ts";
import { type RefChanges, recordsChanges, refChanges } from "../programs/git-refs.ts";
import { isPackageManager } from "../programs/index.ts";
import { isProgram, programNamed } from "../programs/program-name.ts";
import type { SqlDoing } from "../sql/sql-rows.ts";
import type { EffectDraft, PathTarget } from "./call-report.ts";
import { readable } from "./path-target.ts";

/** A program or a tool that runs, as the engine reports it. */
export type RunFacts = Extract<Effect, { does: "run" }>;

/** One run with everything that its roles are reported by. */
export interface ReportedRun {
  readonly run: RunFacts;
  readonly command: SimpleCommand | undefined;
  /** The effects of the same command. */
  readonly own: readonly Effect[];
  /** Its operands, as its row reads them. */
  readonly operands: readonly string[];
  readonly refs: RefChanges;
}

/** Collects what the roles of a run are reported by. */
export function reportedRun(run: RunFacts, own: readonly Effect[], { commands }: CallEffects): ReportedRun {
  const command = commands[run.command];
  const isShownByCommand = command !== undefined && run.act === undefined;
  const options = isShownByCommand ? operandsOf(programNamed(run.program), command.args) : undefined;
  const operands = withoutVerb(options?.operands.map(({ text }) => readable(text)) ?? [], run.verb);
  const isGit = options !== undefined && isProgram("version-control", run.program, run.verb);
  return { run, command, own, operands, refs: isGit ? refChanges(run.verb, options) : { refs: [] } };
}

/**
 * The operands after the verb. The row of a program may count the verb among them (`s3 rm s3://a/b`), or count the first
 * operand to the verb (`apps destroy x`).
 */
function withoutVerb(operands: readonly string[], verb = ""): readonly string[] {
  const words = verb.split(" ");
  const isCounted = words.every((word, at) => operands[at] === word);
  const acts = operands.slice(0, MAX_VERB_WORDS).findLastIndex((text) => VERB.test(text));
  if (acts >= 0 && (isCounted || verb === "")) return operands.slice(acts + 1);
  return isCounted ? operands.slice(words.length) : operands;
}

const MAX_VERB_WORDS = 3;
const VERB =
  /^(?:.*:)?(?:delete|destroy|remove|rm|drop|purge|terminate|create|add|set|update|deploy|apply|start|stop|restart|scale|get|read|list|describe|show|put|rb|mb)$/;

/** An effect that a role represents, and the roles whose labels it has. */
export interface RoleEffect {
  readonly draft: EffectDraft;
  readonly roles: readonly Role[];
}

/** Returns the effects that follow from the roles of a run, besides its paths, hosts and flows. */
export function roleEffects(context: ReportedRun): RoleEffect[] {
  const found: RoleEffect[] = [];
  for (const role of context.run.roles)
    for (const draft of BY_ROLE[role]?.(context) ?? [])
      found.push({ draft, roles: draft.does === "delete" ? [role, "delete", "work-loss"] : [role] });
  for (const change of context.run.data ?? [])
    for (const draft of dataEffects(context.run, change))
      found.push({ draft, roles: ["database", "work-loss", "account"] });
  return found.concat(recordedEffects(context));
}

type Report = (context: ReportedRun) => readonly EffectDraft[];

/** What each role is reported as; the roles that are missing are only labels of the run. */
const BY_ROLE: Readonly<Partial<Record<Role, Report>>> = {
  delete: ({ run, own, operands }) => {
    if (isPackageManager(run.program) && !touches(own, "write") && !touches(own, "delete"))
      return resources("delete", run, operands);
    if (run.roles.includes("container"))
      return run.roles.includes("work-loss") ? [] : resources("delete", run, operands);
    if (
      run.roles.includes("persistence") ||
      run.roles.includes("cloud") ||
      touches(own, "delete") ||
      touches(own, "write")
    )
      return [];
    return [{ does: "delete", ...UNKNOWN_PATH, isForced: false }];
  },
  overwrite: ({ run, own }) =>
    touches(own, "write") || run.roles.includes("disk") ? [] : [{ does: "write", ...UNKNOWN_PATH }],
  permission: ({ own }) => (touches(own, "write") ? [] : [{ does: "change-access", ...UNKNOWN_PATH }]),
  "history-rewrite": ({ run, refs }) => {
    const { remote } = refs;
    const kept = refs.refs.filter(({ isDeleted }) => !isDeleted);
    if (refs.refs.length > 0 && kept.length === 0) return [];
    const named = kept.length === 0 ? [undefined] : kept;
    return named.map((ref) => ({
      does: "rewrite-history",
      program: run.program,
      branch: ref?.kind === "branch" ? ref.name : undefined,
      remote,
    }));
  },
  "work-loss": ({ run, own, operands, refs }) => {
    if (refs.refs.some(({ isDeleted }) => isDeleted)) return [];
    if (KEPT_AT_SERVICES.some((role) => run.roles.includes(role))) return resources("delete", run, operands);
    if (run.roles.includes("database")) return [];
    return touches(own, "delete") ? [] : [{ does: "delete", of: "work" }];
  },
  "network-in": ({ run, own }) =>
    talks(own) || SPEAKING.some((role) => run.roles.includes(role)) ? [] : [{ does: "fetch" }],
  "network-out": ({ run, own }) =>
    talks(own) || SPEAKING.some((role) => run.roles.includes(role)) ? [] : [{ does: "send", service: run.program }],
  "package-install": ({ run, command, operands }) => {
    const args = command?.args.map(({ text }) => readable(text)) ?? [];
    const packages = operands.filter(
      (text) => text !== "." && !text.startsWith("-") && !TAKES_NO_PACKAGE.test(args[args.indexOf(text) - 1] ?? ""),
    );
    const isRun = isProgram("runs-package", run.program, run.verb);
    const named = packages.length === 0 ? [undefined] : packages.slice(0, isRun ? 1 : undefined);
    return named.map((name) => ({ does: "install", package: name, program: run.program }));
  },
  publish: ({ run, own, operands }) => {
    if (run.roles.includes("work-loss")) return [];
    const host = hostIn(own);
    const named = operands.length === 0 ? [undefined] : operands;
    return named.map((what) => ({ does: "publish", program: run.program, what, host }));
  },
  kill: ({ run, command, operands }) =>
    processes(command, operands).map((process) => ({ does: "end-process", program: run.program, process })),
  disk: ({ run, own }) => {
    const written = own.find((effect) => effect.does === "write");
    const name = written?.does === "write" ? readable(written.path.text) : undefined;
    return [{ does: "change-system", what: "disk", program: run.program, name }];
  },
  persistence: ({ run, operands }) => system("startup", run, operands),
  settings: ({ run, operands }) =>
    run.roles.includes("persistence") || run.roles.includes("account") ? [] : system("settings", run, operands),
  power: ({ run, operands }) => system("power", run, run.roles.includes("kill") ? [] : operands),
  "trace-removal": ({ run }) => system("traces", run, []),
  exhaust: ({ run }) => system("resources", run, []),
  "run-code": ({ run, own }) =>
    own.some((effect) => effect.does === "flow" && effect.to === "shell")
      ? []
      : [{ does: "run", of: "code", program: run.program, from: "unknown" }],
  "typed-code": ({ run }) => [{ does: "run", of: "code", program: run.program, from: "typed" }],
  database: ({ run, operands }) => {
    if (run.data !== undefined) return [];
    // `dropdb name`, `createdb name`
    const database = run.program.endsWith("db") && operands.length === 1 ? operands[0] : undefined;
    const isRemoval = run.roles.includes("work-loss") || /^(?:del|unlink|drop|delete|remove)/i.test(operands[0] ?? "");
    return [{ does: isRemoval ? "delete" : "write", of: "data", database }];
  },
  cloud: ({ run, operands }) => {
    if (run.roles.includes("work-loss") || run.roles.includes("publish")) return [];
    return resources(REMOVES.test(run.verb ?? "") ? "delete" : "change-service", run, operands);
  },
  container: ({ run, operands }) =>
    run.roles.includes("delete") || run.roles.includes("work-loss") || STARTS.test(run.verb ?? "")
      ? []
      : resources("change-service", run, operands),
  account: ({ run, operands }) =>
    run.data?.some(({ does }) => does === "account")
      ? []
      : [{ does: "change-access", of: "account", program: run.program, account: accountIn(operands) }],
  message: ({ run, operands }) => {
    const to = operands.find((text) => text.includes("@"));
    return [{ does: "send", what: "message", service: run.program, to }];
  },
  payment: ({ run }) => [{ does: "spend", service: run.program }],
  outage: ({ run, operands }) =>
    run.roles.includes("cloud") || run.roles.includes("database") || run.roles.includes("container")
      ? []
      : resources("change-service", run, operands),
  expose: ({ run, own }) =>
    touches(own, "write") ? [] : [{ does: "change-access", of: "network", program: run.program }],
  reveal: ({ run }) => [{ does: "read", of: "secret", service: run.program }],
};

/** Options of package managers whose value is not a package. */
const TAKES_NO_PACKAGE =
  /^(?:-[rcfiCtp]|--(?:requirement|constraint|file|find-links|index-url|extra-index-url|registry|prefix|target|python|root|dir|cwd|channel|name|path|git|branch|tag|version))$/;

/** Roles of runs that lose something at a service. */
const KEPT_AT_SERVICES: readonly Role[] = ["cloud", "container", "publish"];

/** Roles whose effects include talking to another machine. */
const SPEAKING: readonly Role[] = ["publish", "package-install", "cloud", "message", "payment"];
const REMOVES = /\b(?:delete|remove|rm|destroy|drop|purge|terminate|down|uninstall)\b/;
const STARTS = /^(?:build|pull|run|exec|create|start|attach|compose (?:run|exec|up)|container (?:run|exec))$/;

function touches(own: readonly Effect[], does: "write" | "delete"): boolean {
  return own.some((effect) => effect.does === does);
}

function talks(own: readonly Effect[]): boolean {
  return own.some((effect) => effect.does === "network");
}

function hostIn(own: readonly Effect[]): string | undefined {
  const network = own.find((effect) => effect.does === "network");
  return network?.does === "network" && network.host !== undefined ? readable(network.host.text) : undefined;
}

function resources(
  does: "delete" | "change-service",
  { program }: RunFacts,
  operands: readonly string[],
): readonly EffectDraft[] {
  const resource = operands.length === 0 ? undefined : operands.join(" ");
  return [{ does, of: "resource", service: program, resource }];
}

/** `useradd bob`, `usermod -aG sudo bob`, `net user bob /add`. */
function accountIn(operands: readonly string[]): string | undefined {
  const named = operands.filter((text) => !/^[-/]/.test(text));
  return /^(?:user|localgroup|group)$/.test(named[0] ?? "") ? named[1] : named.at(-1);
}

type SystemPart = Extract<EffectDraft, { does: "change-system" }>["what"];

function system(what: SystemPart, { program }: RunFacts, operands: readonly string[]): readonly EffectDraft[] {
  const named = operands.length === 0 || what === "power" ? [undefined] : [operands.join(" ")];
  return named.map((name) => ({ does: "change-system", what, program, name }));
}

/** The processes that a command ends, without the signals that it names. */
function processes(command: SimpleCommand | undefined, operands: readonly string[]): (string | undefined)[] {
  const args = command?.args.map(({ text }) => readable(text)) ?? [];
  const named = args.flatMap((text, at) =>
    NAMES_PROCESS.test(args[at - 1] ?? "") && !text.startsWith("-") ? [text] : [],
  );
  if (named.length > 0) return named;
  const chosen = operands.filter(
    (text) => !/^[-/]/.test(text) && !NAMES_SIGNAL.test(args[args.indexOf(text) - 1] ?? ""),
  );
  return chosen.length === 0 ? [undefined] : chosen;
}

const NAMES_PROCESS = /^(?:\/(?:pid|im)|-(?:id|name|processname))$/i;
const NAMES_SIGNAL = /^(?:-s|-n|--signal)$/;

/** What a statement does to a database. */
function dataEffects(run: Pick<RunFacts, "program">, { does, object, text }: DataChange): readonly EffectDraft[] {
  const name = object === "" ? undefined : readable(object);
  const isWhole = /^\W*(?:drop|create|alter)\s+(?:[\w]+\s+)?(?:database|schema|keyspace|catalog)\b/i.test(text);
  const target = { of: "data", ...(isWhole ? { database: name } : { table: name }) } as const;
  const isRemoval = /^\W*(?:with\b.*)?(?:delete|drop)\b/is.test(text);
  switch (does as SqlDoing | "read") {
    case "read":
      return [{ does: "read", ...target, part: "rows" }];
    case "drop":
      return [{ does: "delete", ...target, part: "all" }];
    case "truncate":
    case "delete-all":
      return [{ does: "delete", ...target, part: "every-row" }];
    case "alter-drop":
      return [{ does: "delete", ...target, part: "columns" }];
    case "update-all":
      return [{ does: "write", ...target, part: "every-row" }];
    case "change": {
      const part = DEFINES.test(text) ? "definition" : "rows";
      return [{ does: isRemoval ? "delete" : "write", ...target, part }];
    }
    case "account":
      return [{ does: "change-access", of: "account", program: run.program, account: name }];
    case "server":
      return [{ does: "change-system", what: "settings", program: run.program }];
    case "read-password":
      return [{ does: "read", of: "secret", service: run.program }];
    case "run-program":
      return [{ does: "run", of: "code", program: run.program, from: "text" }];
    case "read-file":
    case "write-file":
      return [];
  }
}

const DEFINES = /^\W*(?:create|alter|comment|rename|reindex)\b/i;

/** The effects of the statements that a tool is given. */
export function statementEffects(service: string, changes: readonly DataChange[]): readonly EffectDraft[] {
  return changes.flatMap((change) => dataEffects({ program: service }, change));
}

/** What version control records besides the files: branches, tags, commits. */
function recordedEffects({ run, command, refs }: ReportedRun): RoleEffect[] {
  const { remote } = refs;
  const named = refs.refs.flatMap(({ kind, name, isDeleted }): RoleEffect[] => {
    // A branch that is pushed is reported with what is sent.
    if (!isDeleted && (remote !== undefined || run.roles.includes("history-rewrite"))) return [];
    const target = kind === "branch" ? { of: kind, branch: name, remote } : { of: kind, tag: name, remote };
    return [{ draft: { does: isDeleted ? "delete" : "write", ...target }, roles: ["history-rewrite", "work-loss"] }];
  });
  if (named.length > 0 || command === undefined || run.roles.length > 0) return named;
  const isRecorded = isProgram("version-control", run.program, run.verb) && recordsChanges(run.verb);
  return isRecorded ? [{ draft: { does: "write", of: "history" }, roles: [] }] : [];
}

const UNKNOWN_PATH: PathTarget = { of: "path", path: readable(GAP), isKnown: false, isGlob: false, isTree: false };

import type { Adapter, RealRun } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/index.ts";
import { deepProblems } from "../../check/check-hooks.ts";
import type { Configuration } from "../../decide/project.ts";
import { acrossAgents } from "../../doctor/across-agents.ts";
import { type AgentExamination, examineAgent, isWired } from "../../doctor/agent.ts";
import { examineCodeCache } from "../../doctor/code-cache.ts";
import { examineConfirmations } from "../../doctor/confirmations.ts";
import { examineContain } from "../../doctor/contain.ts";
import { type Examination, type Finding, fine, note, wrong } from "../../doctor/finding.ts";
import { examineJournal, examineParsers, examineTrace } from "../../doctor/journal.ts";
import { examineSystem } from "../../doctor/system.ts";
import { detect } from "../../install/install-context.ts";
import { copiedLauncher, isTemporary } from "../../install/own-copy.ts";
import { checkIntents } from "../../policies/intent/check-intents.ts";
import { undoFolder } from "../../policies/undo/kept-call.ts";
import { formatPlace, type Problem } from "../../problem/problem.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { isTraced } from "../../trace/change/traced.ts";
import { append, journalFolder } from "../../trace/journal.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { hookCount } from "../show/hook-count.ts";
import { paintFor, plural, visible } from "../show/terminal-text.ts";
import { trustLines } from "../show/trust.ts";
import { daemonFindings, hasOpenFolder, httpFindings } from "./doctor-daemon.ts";
import { installContext } from "./install-options.ts";
import { unreadableProblem } from "./undo.ts";

/** Checks everything between an agent and a decision, fires a canary through it, and reports what is wrong. */
export async function run(input: CommandInput): Promise<Exit> {
  const [program, launcher] = coldCommand();
  // Agents call the copy that `setup` has kept: what was downloaded to run once has written no line of theirs.
  const kept = isTemporary(launcher) ? copiedLauncher(input.io.env) : undefined;
  if (kept !== undefined) return (await import("./setup.ts")).runCopy(program, kept);
  const configuration = configurationOf(input);
  const around = installContext(input);
  const { intents, approve } = configuration.settings;
  const needs = { intents: intents.mode === "enforce", approves: approve === "known" };
  const found = detect(ADAPTERS, around).map(({ adapter }) => adapter);
  const wired = ADAPTERS.filter((adapter) => isWired(adapter, around));
  const agents = ADAPTERS.filter((adapter) => found.includes(adapter) || wired.includes(adapter));
  const wasOpen = hasOpenFolder(around);
  const looks = agents.map((adapter) => ({
    adapter,
    look: examineAgent(adapter, around, needs),
  }));
  const sound = looks.filter(({ look }) => look.findings.every(({ state }) => state !== "wrong"));
  const reached = sound.map(({ adapter }) => adapter).filter((adapter) => wired.includes(adapter));
  const trusting = sound.filter(({ look }) => !look.findings.some(({ isUntrusted }) => isUntrusted));
  const examined: Examination[] = [
    { subject: "System", findings: examineSystem(process.platform) },
    { subject: "Configuration", findings: await configured(configuration, agents.length > 0) },
    { subject: "Managed bundle", findings: await bundled(configuration, input) },
    { subject: "Counts of all machines", findings: await shared(configuration, input) },
    { subject: "Trust", findings: trusted(configuration) },
    { subject: "Intents", findings: intended(configuration) },
    ...looks.map(({ look }) => look),
    { subject: "Agents together", findings: acrossAgents(wired, reached, configuration.written) },
    { subject: "Daemon", findings: await daemonFindings(wired, around, { wasOpen }) },
    { subject: "Tampering", findings: await tampered(configuration, input) },
    { subject: "Compiled code", findings: input.io.build === undefined ? [] : examineCodeCache(input.io.build) },
    { subject: "HTTP", findings: await httpFindings(ADAPTERS, around) },
    { subject: "Trace", findings: await traced(configuration, input) },
    { subject: "Undo", findings: keptForUndo(input) },
    { subject: "Confirmations", findings: [examineConfirmations(input.io.env)] },
    { subject: "Contained calls", findings: examineContain(configuration.settings.contain, input.io.env) },
    { subject: "Journal", findings: journaled(configuration, input) },
    ...(agents.length === 0 ? [{ subject: "Agents", findings: [note("no agent is installed here.", NAME_ONE)] }] : []),
  ].filter(({ findings }) => findings.length > 0);
  const bad = examined.flatMap(({ findings }) => findings).filter(({ state }) => state === "wrong");
  const isGuarded = configuration.settings.guards !== "off" && trusted(configuration).every(isNotWrong);
  const isWhole = ({ installed, denies, seen }: AgentExamination) => installed && denies && seen;
  const guarded = isGuarded ? trusting.filter(({ look }) => isWhole(look)).map(({ adapter }) => adapter) : [];
  const unseen = looks.filter(({ look: { installed, seen } }) => installed && !seen).map(({ adapter }) => adapter);
  if (input.has("json")) {
    const named = examined.map(({ subject, agent, findings }) =>
      agent === undefined ? { subject, findings } : { subject: agent, id: agent, title: subject, findings },
    );
    const byId = agentsById(looks, found, guarded);
    input.io.out(JSON.stringify({ ok: bad.length === 0, agents: byId, examined: named }, null, 2));
  } else {
    show(examined, input);
    input.io.out(conclusion(bad.length, { agents, guarded, unseen }, input));
  }
  const isUnproven = input.has("strict") && agents.some((adapter) => !guarded.includes(adapter));
  return bad.length > 0 || isUnproven ? "problem" : "done";
}

/** What is known of an agent, for programs. */
interface AgentReport extends Pick<AgentExamination, "installed" | "denies" | "seen" | "findings"> {
  readonly title: string;
  /** The last real run that proved its adapter; `null` for one that was written from documentation. */
  readonly proven: RealRun | null;
  /** Whether it was found on this machine. */
  readonly found: boolean;
  /** Whether all three facts hold, guards are on, and no hook waits for an approval. */
  readonly protected: boolean;
}

/** Every agent that Sluice can be installed for, under its id. */
function agentsById(
  looks: readonly { readonly adapter: Adapter; readonly look: AgentExamination }[],
  found: readonly Adapter[],
  guarded: readonly Adapter[],
): Readonly<Record<string, AgentReport>> {
  const known = ADAPTERS.filter(({ recipe }) => recipe !== undefined);
  return Object.fromEntries(
    known.map((adapter) => {
      const look = looks.find((one) => one.adapter === adapter)?.look ?? NOT_EXAMINED;
      const { installed, denies, seen, findings } = look;
      const isFound = found.includes(adapter);
      const isProtected = guarded.includes(adapter);
      const { title, proven = null } = adapter;
      return [adapter.id, { title, proven, found: isFound, installed, denies, seen, protected: isProtected, findings }];
    }),
  );
}

const NOT_EXAMINED = { installed: false, denies: false, seen: false, findings: [] };

function isNotWrong({ state }: Finding): boolean {
  return state !== "wrong";
}

async function configured(configuration: Configuration, hasAgents: boolean): Promise<Finding[]> {
  const { files, written, root } = configuration;
  const { errors, warnings } = configuration;
  const deep = await deepProblems(written, root);
  const read =
    files.length === 0
      ? note("there is no configuration yet.", "`sluice init --scope user` writes yours, `sluice init` the project's.")
      : fine(`${hookCount(written)} in ${plural(files.length, "file")}`);
  return [
    read,
    ...(configuration.settings.guards === "off" ? [(hasAgents ? wrong : note)("guards are off here.", GUARDS_ON)] : []),
    ...(written.some(
      ({ name, origin, mode }) => origin === undefined && name.startsWith("guard:") && mode === "monitor",
    )
      ? [(hasAgents ? wrong : note)("guards are in monitor mode here: they record, and stop nothing.", GUARDS_ENFORCED)]
      : []),
    ...[...errors, ...deep.errors].map((problem) => about(problem, "wrong")),
    ...[...warnings, ...deep.warnings].map((problem) => about(problem, "note")),
  ];
}

async function bundled({ settings: { managed } }: Configuration, { io: { env } }: CommandInput): Promise<Finding[]> {
  return managed === undefined ? [] : (await import("../../doctor/managed.ts")).examineBundle(managed, { env });
}

async function shared({ settings }: Configuration, { io: { env } }: CommandInput): Promise<Finding[]> {
  const { shared: counts } = settings;
  return counts === undefined ? [] : (await import("../../doctor/shared-counts.ts")).examineShared(counts, { env });
}

async function tampered({ root }: Configuration, { io: { env } }: CommandInput): Promise<Finding[]> {
  const { examineTampering, examineUnasked } = await import("../../doctor/tampering.ts");
  return [...examineTampering(env), ...(await examineUnasked(env, root))];
}

function about({ message, fix, place }: Problem, state: "wrong" | "note"): Finding {
  return { state, what: message, fix, place };
}

function keptForUndo({ io }: CommandInput): Finding[] {
  const unreadable = unreadableProblem(undoFolder(io.env));
  return unreadable === undefined ? [] : [about(unreadable, "note")];
}

function intended({ root, settings }: Configuration): Finding[] {
  const { mode } = settings.intents;
  const { errors, warnings } = checkIntents(root, mode);
  const found = [
    ...errors.map((problem) => about(problem, "wrong")),
    ...warnings.map((problem) => about(problem, "note")),
  ];
  return found.length > 0 || mode === "off"
    ? found
    : [fine(`the mode is ${mode}, and the file of intents can be used`)];
}

async function traced({ root, settings }: Configuration, { io: { env } }: CommandInput): Promise<Finding[]> {
  const parsers = isTraced({ root, ...settings }) ? await examineParsers({ env, root }) : [];
  return [...examineTrace({ env, root }), ...parsers];
}

/** Where nothing can be written down, what is not there means nothing. */
function journaled({ root, written }: Configuration, { io }: CommandInput): Finding[] {
  const found = examineJournal({ env: io.env, root, hooks: new Set(written.map(({ name }) => name)) });
  // An empty line, which is not a record: only writing shows whether the file can be written.
  const problem = append(journalFolder(io.env), "");
  return problem === undefined ? found : [about(problem, "wrong"), ...found.filter(({ state }) => state === "wrong")];
}

function trusted({ trust }: Configuration): Finding[] {
  if (trust.state === "none") return [];
  const lines = trustLines(trust);
  return lines.length === 0
    ? [fine("the project's hooks are approved")]
    : lines.map((line) => wrong(line, line.includes("`sluice trust`") ? undefined : "Run `sluice trust`."));
}

/** What nothing here can change is only shown where it is asked for. */
function show(examined: readonly Examination[], { io, has }: CommandInput): void {
  const paint = paintFor(io);
  const marks = { fine: paint.good("✓"), note: paint.dim("·"), wrong: paint.bad("✗") };
  for (const { subject, findings } of examined) {
    const shown = findings.filter(({ isFixed = false }) => has("verbose") || !isFixed);
    if (shown.length > 0) io.out(paint.strong(subject));
    for (const { state, what, fix, place } of shown) {
      const where = place ? `${formatPlace({ ...place, file: shortPath(place.file, io) })}: ` : "";
      io.out(`  ${marks[state]} ${visible(where + what)}`);
      if (fix && state !== "fine") io.out(`    ${paint.dim(visible(fix))}`);
    }
  }
}

/** The agents that the last sentence is about. */
interface Concluded {
  readonly agents: readonly Adapter[];
  readonly guarded: readonly Adapter[];
  readonly unseen: readonly Adapter[];
}

function conclusion(bad: number, { agents, guarded, unseen }: Concluded, { io }: CommandInput): string {
  const paint = paintFor(io);
  const titles = (some: readonly Adapter[]) => some.map(({ title }) => title).join(", ");
  const are = guarded.length === 0 ? "" : `Protected here: ${titles(guarded)}. `;
  if (bad > 0) return are + paint.bad(bad === 1 ? "1 thing is wrong." : `${bad} things are wrong.`);
  if (agents.length === 0) return `No agent is installed on this machine, so nothing is protected yet. ${NAME_ONE}`;
  const waiting = agents.filter((agent) => !guarded.includes(agent) && !unseen.includes(agent));
  const sentences = [
    ...(unseen.length === 0 ? [] : [`Installed, not seen working yet: ${titles(unseen)}.`]),
    ...(waiting.length === 0 ? [] : [`Not known to be protected: ${titles(waiting)}.`]),
  ];
  if (sentences.length > 0) return `${are}${sentences.join(" ")} The lines with a dot name the next step.`;
  return are + paint.good("Nothing is wrong.");
}

const NAME_ONE = "`sluice install <agent>` writes Sluice into the settings of one.";
const GUARDS_ENFORCED =
  "Remove `mode: monitor` under `guards:` when you have seen enough; `sluice stats` counts what they would have stopped.";
const GUARDS_ON = "`guards: standard` in ~/.config/sluice/hooks.yaml turns them on for all your projects.";

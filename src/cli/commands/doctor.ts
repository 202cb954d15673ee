import { ADAPTERS } from "../../adapters/index.ts";
import type { Configuration } from "../../decide/project.ts";
import { acrossAgents } from "../../doctor/across-agents.ts";
import { examineAgent, isWired } from "../../doctor/agent.ts";
import { examineCodeCache } from "../../doctor/code-cache.ts";
import { type Examination, type Finding, fine, note, wrong } from "../../doctor/finding.ts";
import { examineJournal, examineParsers, examineTrace } from "../../doctor/journal.ts";
import { detect } from "../../install/install-context.ts";
import { checkIntents } from "../../policies/intent/check-intents.ts";
import { formatPlace, type Problem } from "../../problem/problem.ts";
import { isTraced } from "../../trace/change/traced.ts";
import { append, journalFolder } from "../../trace/journal.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { hookCount } from "../show/hook-count.ts";
import { paintFor, plural, visible } from "../show/terminal-text.ts";
import { trustLines } from "../show/trust.ts";
import { deepProblems } from "./check-hooks.ts";
import { daemonFindings, httpFindings } from "./doctor-daemon.ts";
import { installContext } from "./install-options.ts";

/** Looks at everything between an agent and a decision, fires a canary through it, and says what is wrong. */
export async function run(input: CommandInput): Promise<Exit> {
  const configuration = configurationOf(input);
  const around = installContext(input);
  const mode = configuration.settings.intents.mode;
  const found = detect(ADAPTERS, around).map(({ adapter }) => adapter);
  const wired = ADAPTERS.filter((adapter) => isWired(adapter, around));
  const agents = ADAPTERS.filter((adapter) => found.includes(adapter) || wired.includes(adapter));
  const looks = agents.map((adapter) => ({
    adapter,
    look: examineAgent(adapter, around, { intents: mode === "enforce" }),
  }));
  const sound = looks.filter(({ look }) => look.findings.every(({ state }) => state !== "wrong"));
  const reached = sound.map(({ adapter }) => adapter).filter((adapter) => wired.includes(adapter));
  const examined: Examination[] = [
    { subject: "Configuration", findings: await configured(configuration) },
    { subject: "Trust", findings: trusted(configuration) },
    { subject: "Intents", findings: intended(configuration) },
    ...looks.map(({ look }) => look),
    { subject: "Agents together", findings: acrossAgents(wired, reached, configuration.written) },
    { subject: "Daemon", findings: await daemonFindings(wired, around) },
    { subject: "Compiled code", findings: input.io.build === undefined ? [] : examineCodeCache(input.io.build) },
    { subject: "HTTP", findings: await httpFindings(ADAPTERS, around) },
    { subject: "Trace", findings: await traced(configuration, input) },
    { subject: "Journal", findings: journaled(configuration, input) },
    ...(agents.length === 0 ? [{ subject: "Agents", findings: [note("no agent was found here.", NAME_ONE)] }] : []),
  ].filter(({ findings }) => findings.length > 0);
  const bad = examined.flatMap(({ findings }) => findings).filter(({ state }) => state === "wrong");
  if (input.has("json")) input.io.out(JSON.stringify({ ok: bad.length === 0, examined }, null, 2));
  else show(examined, bad.length, input);
  return bad.length > 0 ? "problem" : "done";
}

async function configured(configuration: Configuration): Promise<Finding[]> {
  const { files, written, errors, warnings, root } = configuration;
  const deep = await deepProblems(written, root);
  const read =
    files.length === 0
      ? note("there is no configuration yet.", "Run `sluice init`.")
      : fine(`${hookCount(written)} in ${plural(files.length, "file")}`);
  return [
    read,
    ...(configuration.settings.guards === "off" ? [note("guards are off here.", GUARDS_ON)] : []),
    ...[...errors, ...deep.errors].map((problem) => about(problem, "wrong")),
    ...[...warnings, ...deep.warnings].map((problem) => about(problem, "note")),
  ];
}

function about({ message, fix, place }: Problem, state: "wrong" | "note"): Finding {
  return { state, what: message, fix, place };
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
  const parsers = isTraced({ root, ...settings }) ? await examineParsers() : [];
  return [...examineTrace({ env, root }), ...parsers];
}

/** Where nothing can be written down, what is not there means nothing. */
function journaled({ root }: Configuration, { io }: CommandInput): Finding[] {
  const found = examineJournal({ env: io.env, root });
  // An empty line, which is no record: only who writes knows whether it can be written.
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

function show(examined: readonly Examination[], bad: number, { io }: CommandInput): void {
  const paint = paintFor(io);
  const marks = { fine: paint.good("✓"), note: paint.dim("·"), wrong: paint.bad("✗") };
  for (const { subject, findings } of examined) {
    io.out(paint.strong(subject));
    for (const { state, what, fix, place } of findings) {
      const where = place ? `${formatPlace({ ...place, file: shortPath(place.file, io) })}: ` : "";
      io.out(`  ${marks[state]} ${visible(where + what)}`);
      if (fix && state !== "fine") io.out(`    ${paint.dim(visible(fix))}`);
    }
  }
  io.out(
    bad === 0
      ? paint.good("Nothing is wrong.")
      : paint.bad(bad === 1 ? "1 thing is wrong." : `${bad} things are wrong.`),
  );
}

const NAME_ONE = "`sluice install <agent>` writes Sluice into the settings of one.";
const GUARDS_ON = "`guards: standard` in ~/.config/sluice/hooks.yaml turns them on for all your projects.";

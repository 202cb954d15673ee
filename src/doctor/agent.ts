import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type Adapter, provenBy } from "../adapters/adapter.ts";
import { PLUGIN_PROJECT_DIR, SCOPE_VARIABLE, type Scope } from "../adapters/recipe.ts";
import { shellWord, unquotedWords } from "../effects/parse/value.ts";
import { eventSpec } from "../event/catalogue.ts";
import { gitIndexAt } from "../fs/git-index.ts";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { type InstallContext, inPath } from "../install/install-context.ts";
import { dependsOnSluice, PROJECT_COMMAND, packageManagerOf } from "../install/invocation.ts";
import { writtenSince, wroteLine } from "../install/ledger.ts";
import { ownLines } from "../install/own-lines.ts";
import { type InstalledPlugin, installedPlugin, whyOtherPlugin } from "../install/own-plugin.ts";
import { planHooks } from "../install/plan.ts";
import { filesOf } from "../install/targets.ts";
import { Problem } from "../problem/problem.ts";
import { examineTrust, readText } from "./agent-trust.ts";
import { fly, landed } from "./canary-flight.ts";
import { type Examination, type Finding, fact, fine, note, wrong } from "./finding.ts";
import { hasRecorded } from "./journal.ts";
import { examineServer } from "./server.ts";

/** Where an agent's settings call us: each file, with the command lines in it. */
interface Wired {
  readonly scope: Scope;
  readonly path: string;
  readonly text: string;
  readonly commands: readonly string[];
  /** Set where the lines are those of the agent's own plugin. */
  readonly plugin?: InstalledPlugin;
}

/** What was found out about one agent. It is protected if all three facts hold and nothing is wrong. */
export interface AgentExamination extends Examination {
  /** Our line is in its settings. */
  readonly installed: boolean;
  /** Our line denied the canary. */
  readonly denies: boolean;
  /** The agent has loaded our line: a call of it was recorded since, or the agent itself lists our hooks. */
  readonly seen: boolean;
}

/** What the configuration needs of an agent. */
export interface Needs {
  /** Its sessions have to select an intent. */
  readonly intents: boolean;
  /** Calls that are known to do no harm are answered with `allow`. */
  readonly approves?: boolean;
}

/** Looks at one agent: is Sluice in its settings, is what it has right, does a denial come through, what can it not do. */
export function examineAgent(adapter: Adapter, around: InstallContext, needs: Needs): AgentExamination {
  const { title, id } = adapter;
  const wired = SCOPES.flatMap((scope) => wiredIn(adapter, scope, around));
  const inSettings = wired.filter(({ plugin }) => plugin === undefined);
  const trust = examineTrust(adapter, wired, around);
  const flights = canary(adapter, wired, around);
  const seen = trust.some(({ isListed }) => isListed === true) || isSeen(adapter, wired, around);
  const findings = [
    ...(wired.length === 0
      ? [wrong(`no call of ${title} reaches Sluice: its settings do not name it.`, `Run \`sluice install ${id}\`.`)]
      : [
          ...unique(wired.flatMap((one) => settings(adapter, one, around))),
          ...twice(adapter, wired),
          ...trust,
          ...flights.map(({ finding }) => finding),
          ...(trust.some(({ isUntrusted }) => isUntrusted) ? [] : [seen ? SEEN : unseen(adapter, wired)]),
        ]),
    ...version(adapter, around),
    ...examineServer(adapter, [...new Set(inSettings.map(({ scope }) => scope))], around, { isNeeded: needs.intents }),
    ...cannot(adapter, needs),
  ];
  const denies = flights.some(({ isDenied }) => isDenied);
  return { subject: title, agent: id, findings, installed: wired.length > 0, denies, seen };
}

/** Whether the journal has a tool call of this agent since our lines were written: in any project, or in this one if only its settings call us. */
function isSeen({ id }: Adapter, wired: readonly Wired[], { env, root }: InstallContext): boolean {
  if (wired.length === 0) return false;
  const [isUser, times] = [wired.some(({ scope }) => scope === "user"), wired.map((one) => since(one, env))];
  return hasRecorded({ env, agent: id, since: times.sort()[0] ?? "", root: isUser ? undefined : root });
}

/** When the lines in a file were written; the file's own time where another installation wrote them. */
function since({ path }: Wired, env: InstallContext["env"]): string {
  return writtenSince(path, env) ?? new Date(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).toISOString();
}

function unseen({ title, id }: Adapter, wired: readonly Wired[]): Finding {
  const where = wired.some(({ scope }) => scope === "user") ? "" : " in this project";
  return note(
    `installed, not seen working yet: no tool call of ${title} has been recorded since.`,
    `Start ${title}${where}, let it run \`ls\`, then run \`sluice doctor\` again. \`sluice log --agent ${id}\` shows its calls.`,
  );
}

/** Whether an agent's settings call us, and whether a call of it was recorded since. Nothing is run. */
export function reachOf(adapter: Adapter, around: InstallContext): Pick<AgentExamination, "installed" | "seen"> {
  const wired = SCOPES.flatMap((scope) => wiredIn(adapter, scope, around));
  return { installed: wired.length > 0, seen: isSeen(adapter, wired, around) };
}

/** Whether an agent's settings call us, in these scopes. */
export function isWired(adapter: Adapter, around: InstallContext, scopes: readonly Scope[] = SCOPES): boolean {
  return scopes.some((scope) => wiredIn(adapter, scope, around).length > 0);
}

/** Whether an agent's settings start this program, recognised by the end of its path. */
export function isStarting(adapter: Adapter, around: InstallContext, program: string): boolean {
  const files = SCOPES.flatMap((scope) => wiredIn(adapter, scope, around));
  return files.some(({ path }) => readText(path)?.includes(program));
}

function wiredIn(adapter: Adapter, scope: Scope, around: InstallContext): Wired[] {
  if (adapter.recipe === undefined) return [];
  const lines = (path: string) => {
    const text = readText(path);
    const commands = text === undefined ? [] : ownLines(text, adapter.id, path);
    return text === undefined || commands.length === 0 ? [] : [{ scope, path, text, commands }];
  };
  const plugin = scope === "user" ? installedPlugin(adapter, around) : undefined;
  const plugged = plugin === undefined ? [] : lines(plugin.hooks).map((one) => ({ ...one, plugin }));
  // A project that is the home folder has its settings in one place only.
  const elsewhere = scope === "project" ? filesOf(adapter, "user", around) : [];
  const files = filesOf(adapter, scope, around).filter((path) => !elsewhere.includes(path));
  return [...files.flatMap(lines), ...plugged];
}

/** Which version of the agent is here, and what its adapter rests on. */
function version(adapter: Adapter, { env, root }: InstallContext): Finding[] {
  const { program, proven, version: known, title } = adapter;
  const rests =
    proven === undefined
      ? `this adapter was written from documentation (version ${known}); no real run has proven it yet`
      : `the last real run that proved this adapter was of ${provenBy(adapter)}`;
  const path = program === undefined ? undefined : inPath(program, env.PATH);
  if (path === undefined) return [(proven === undefined ? note : fact)(`${rests}.`)];
  // What a repository brings along is not run: `npx` puts its programs first in the path.
  if ([path, realPath(path)].some((place) => !isAbsolute(place) || isWithin(root, place)))
    return [note(`${path} is in this project, so it was not run to ask for its version; ${rests}.`)];
  const { stdout = "", stderr = "" } = spawnSync(path, ["--version"], {
    encoding: "utf8",
    timeout: 10_000,
    env: { ...env },
  });
  const found = /\d+\.\d+(\.\d+)*/.exec(`${stdout}\n${stderr}`)?.[0];
  if (found === undefined) return [note(`${path} did not print its version; ${rests}.`)];
  if (found === proven?.version) return [fine(`version ${found}, proven in a real run on ${proven.date}`)];
  return [note(`version ${found}; ${rests}.`, `The canary shows whether ${title} is still understood.`)];
}

/** Whether the plugin is switched on and the one that this version makes. */
function plugged(adapter: Adapter, plugin: InstalledPlugin, around: InstallContext): Finding[] {
  const { enables = "" } = adapter.ownPlugin ?? {};
  const why = whyOtherPlugin(adapter, plugin, around);
  return [
    ...(plugin.isOn ? [] : [wrong("its plugin Sluice is switched off.", `Run \`${enables}\`.`)]),
    why === undefined ? fine("its plugin calls Sluice") : note(`its plugin calls Sluice; ${why}.`),
  ];
}

/** Whether the settings are those that this version would write. */
function settings(adapter: Adapter, { scope, path, commands, plugin }: Wired, around: InstallContext): Finding[] {
  if (plugin !== undefined)
    return [...plugged(adapter, plugin, around), ...filesOf(adapter, "user", around).flatMap(disabled)];
  const planned = planHooks(adapter, scope, around).filter(
    (change) => change instanceof Problem || change.path === path,
  );
  const again = `Run \`sluice install ${adapter.id} --scope ${scope}\`.`;
  const gone = [...new Set(commands.flatMap(missingPrograms))];
  const isMissing = scope === "project" && !existsSync(join(around.root, PROJECT_COMMAND));
  const { adds, installs } = packageManagerOf(around.root);
  const step = dependsOnSluice(around.root) ? installs : adds;
  return [
    ...(isMissing
      ? [wrong("Sluice is not installed in this project, so its gates are shut.", `Run \`${step}\`.`)]
      : []),
    ...gone.map((program) => wrong(`its settings start ${program}, which is not there.`, again, { file: path })),
    ...planned.flatMap((change): Finding[] => {
      if (change instanceof Problem) return [wrong(change.message, change.fix, change.place)];
      if (change.before === change.after)
        return [fine(`${scope === "user" ? "your" : "the project's"} settings call Sluice`)];
      return [
        wrong(
          "its settings are not what this version writes: other hook events, another time limit or another path.",
          again,
          { file: path },
        ),
      ];
    }),
    ...disabled(path),
  ];
}

function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...seen.values()];
}

function missingPrograms(command: string): string[] {
  const words = unquotedWords(command);
  const end = words.indexOf("run");
  return words.slice(0, end === -1 ? 0 : end).filter((word) => word.startsWith("/") && !existsSync(word));
}

function disabled(path: string): Finding[] {
  const text = readText(path) ?? "";
  const off = /"(disableAllHooks|hooksDisabled)"\s*:\s*true/.exec(text)?.[1];
  return off === undefined
    ? []
    : [wrong(`\`${off}\` switches all hooks off, Sluice too.`, "Remove it.", { file: path })];
}

/** Agents start the lines of both scopes. A project's line that names its scope lets Sluice decide each call once. */
function twice({ title, id, ownPlugin }: Adapter, wired: readonly Wired[]): Finding[] {
  const isPlugged = wired.some(({ plugin }) => plugin?.isOn);
  if (isPlugged && wired.some(({ plugin }) => plugin === undefined))
    return [
      note(
        `${title} calls Sluice from its plugin and from its settings: each hook fires twice.`,
        `Keep one: \`sluice uninstall ${id}\` or \`${ownPlugin?.removes}\`.`,
      ),
    ];
  if (new Set(wired.map(({ scope }) => scope)).size < 2) return [];
  const own = wired.filter(({ scope }) => scope === "project").flatMap(({ commands }) => commands);
  const both = `${title} calls Sluice from its user and its project settings`;
  if (own.every((line) => line.includes(`${SCOPE_VARIABLE}=project`)))
    return [fine(`${both}: each call is decided once, by the line that comes first`)];
  const fix = `Keep one: \`sluice uninstall ${id} --scope project\`, for example.`;
  return [note(`${both}: each hook fires twice.`, fix)];
}

/** What one scope's line answered to the canary. */
interface CanaryResult {
  readonly finding: Finding;
  readonly isDenied: boolean;
}

/** Sends the canary through the line of each scope. Only a line that this installation wrote is run. */
function canary(adapter: Adapter, wired: readonly Wired[], around: InstallContext): CanaryResult[] {
  const { canary } = adapter;
  if (canary === undefined)
    return [
      { finding: fact("no call can be sent through its settings from outside; try it in the agent"), isDenied: false },
    ];
  const isOf = ({ scope, plugin }: Wired, from: Scope | "plugin") => from === (plugin === undefined ? scope : "plugin");
  return ([...SCOPES, "plugin"] as const).flatMap((from) => {
    const there = wired.filter((one) => isOf(one, from) && one.plugin?.isOn !== false);
    const one = there.find(({ path }) => path.endsWith(`/${canary.hookEvent}`)) ?? there[0];
    if (one === undefined) return [];
    const { commands, path } = one;
    const named = commands.find((line) => line.includes(`--moment ${canary.hookEvent}`));
    const command = named ?? commands.find((line) => line.includes("exit 2")) ?? commands[0] ?? "";
    const unrun = whyNotRun(adapter, one, command, around);
    if (unrun !== undefined) return [{ finding: unrun, isDenied: false }];
    const flight = fly(adapter, canary, command, around.root, hookEnvironment(adapter, one, around));
    return [{ finding: landed(flight, adapter.title, path), isDenied: flight.came === "denied" }];
  });
}

/** Why a line is not run: a cloned repository may bring settings, and programs that they start. */
function whyNotRun(
  adapter: Adapter,
  { scope, path, text, plugin }: Wired,
  line: string,
  around: InstallContext,
): Finding | undefined {
  if (plugin !== undefined)
    return whyOtherPlugin(adapter, plugin, around) === undefined
      ? undefined
      : note(
          "its plugin was not run.",
          `Run \`sh ${shellWord(join(plugin.folder, "bin/sluice"))} doctor\`, which is its own command.`,
        );
  const install = `sluice install ${adapter.id} --scope ${scope}`;
  if (!wroteLine(path, { text, line }, around.env)) {
    const planned = planHooks(adapter, scope, around);
    const isWhole = planned.some((one) => !(one instanceof Problem) && one.path === path && one.before === one.after);
    const what = "its settings have a line that this installation of Sluice did not write, so it was not run";
    return isWhole
      ? note(`${what}; it is the line that \`${install}\` would write.`, `Run \`${install}\` to record it.`)
      : wrong(`${what}.`, `Read the line. \`${install}\` replaces it.`, { file: path });
  }
  if (scope === "user" || isOwnCommand(around)) return undefined;
  return note(
    `${PROJECT_COMMAND} is not the command that runs now, so the project's line was not run.`,
    `Run \`npx sluice doctor\` in this project.`,
  );
}

/**
 * Whether what a project's line starts did not come with the repository: it is the running command itself, or git tracks nothing
 * in `node_modules`, so a package manager wrote it on this machine. A missing command is reported with the settings.
 */
function isOwnCommand({ root, sluice }: InstallContext): boolean {
  const path = join(root, PROJECT_COMMAND);
  if (!existsSync(path) || realPath(path) === sluice[1]) return true;
  return gitIndexAt(root)?.holds(Buffer.from(join(root, "node_modules"))) === false;
}

/** What the agent passes to its hooks about the project, and to those of a plugin about its folder. */
function hookEnvironment(
  { projectVariables = [], ownPlugin }: Adapter,
  { plugin }: Wired,
  { env, root }: InstallContext,
): NodeJS.ProcessEnv {
  const project = [...projectVariables, PLUGIN_PROJECT_DIR].map((name) => [name, root]);
  const own = ownPlugin === undefined || plugin === undefined ? [] : [[ownPlugin.variable, plugin.folder]];
  return { ...env, ...Object.fromEntries([...project, ...own]) };
}

/** The table of powers, as text. Where calls are answered with `allow`, it matters more what an agent does with that. */
function cannot({ hookEvents, limits, title }: Adapter, { approves = false }: Needs): Finding[] {
  const gates = Object.entries(hookEvents).filter(
    ([, { as, installed }]) => eventSpec(as).gate && installed !== "never",
  );
  const open = gates.filter(([, { can }]) => !can.includes("deny")).map(([name]) => name);
  const unable = gates.filter(
    ([, { can, as }]) => can.includes("deny") && !can.includes("ask") && as === "tool:pre_execute",
  );
  const calls = gates.filter(([, { as }]) => as === "tool:pre_execute");
  const aboutAllow = [
    ...(calls.length === 0 || calls.some(([, { can }]) => can.includes("approve"))
      ? []
      : [`${title} ignores \`allow\` before a call: \`approve: known\` spares no question there.`]),
    ...limits.filter((text) => ABOUT_ALLOW.test(text)),
  ];
  const stiff = gates.filter(([, { can, as }]) => as === "tool:pre_execute" && !can.includes("modify"));
  return [
    ...(open.length === 0 ? [] : [fact(`${title} cannot be stopped at ${open.join(", ")}.`)]),
    ...(unable.length === 0 ? [] : [fact(`ask becomes deny at ${unable.map(([name]) => name).join(", ")}.`)]),
    ...(stiff.length === 0 ? [] : [fact(`modify becomes deny at ${stiff.map(([name]) => name).join(", ")}.`)]),
    ...aboutAllow.map((text) => (approves ? note(text) : fact(text))),
    ...limits.filter((text) => !ABOUT_ALLOW.test(text)).map(fact),
  ];
}

const ABOUT_ALLOW = /`allow`/;

const SCOPES: readonly Scope[] = ["user", "project"];
const SEEN = fine("seen working: it has loaded these settings since they were written");

// From the first line to a denied call, for each way to install: `npx` with the packed tarball, the plugin for Claude Code, the
// extension for Gemini CLI, the single executable, and the steps of the Homebrew formula. Each in an empty home, with the real agent and
// a scripted model; then `sluice doctor` has to call the agent protected. What `sluice uninstall` leaves is compared with what was there,
// byte for byte, in another home. A way fails that takes longer than a minute, which needs an idle machine and npm's cache filled by an
// earlier run. `--only name` runs one.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeCode } from "../e2e/agents/claude-code.mjs";
import { geminiCli } from "../e2e/agents/gemini-cli.mjs";
import { bounded } from "../e2e/bounded.mjs";
import { installed } from "../e2e/installed.mjs";
import { startModel } from "../e2e/model-server.mjs";
import { writeFiles } from "../e2e/place.mjs";
import { PROMPT } from "../e2e/prompt.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const only = process.argv[process.argv.indexOf("--only") + 1];
const work = realpathSync(mkdtempSync(join(tmpdir(), "sluice-ways-")));
const npm = { npm_config_loglevel: "error", npm_config_update_notifier: "false" };

const [{ filename }] = JSON.parse(
  execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", work], {
    cwd: root,
    encoding: "utf8",
  }),
);
const tarball = join(work, filename);
const dist = join(work, "dist");
execFileSync(process.execPath, ["scripts/distribution.mjs", "--out", dist, "--tarball", tarball], { cwd: root });

const [executable] = isWanted("executable")
  ? /^\/.*(?=: )/m.exec(
      execFileSync(process.execPath, ["scripts/executable.mjs", "--out", work], { cwd: root, encoding: "utf8" }),
    )
  : [];
/** The command of each way: what a person types after it was installed. */
const npx = (...args) => ["npx", ["-y", "-p", tarball, "sluice", ...args]];

/** What each way runs before the agent starts. `program` runs a command of the agent. */
const WAYS = {
  "npx with the tarball, Claude Code": {
    agent: claudeCode,
    steps: ({ run }) => [() => run(...npx("setup", "claude-code"))],
    command: npx,
    isTakenBack: true,
  },
  "executable, Claude Code": {
    agent: claudeCode,
    steps: ({ run }) => [() => run(executable, ["setup", "claude-code"])],
    command: (...args) => [executable, args],
    isTakenBack: true,
  },
  "plugin, Claude Code": {
    agent: claudeCode,
    steps: ({ program }) => [
      () => program(["plugin", "marketplace", "add", dist]),
      () => program(["plugin", "install", "sluice@sluice"]),
    ],
    command: (...args) => ["sh", [join(dist, "distribution/claude-code/bin/sluice"), ...args]],
  },
  "npx with the tarball, Gemini CLI": {
    agent: geminiCli,
    steps: ({ run }) => [() => run(...npx("setup", "gemini-cli"))],
    command: npx,
    isTakenBack: true,
  },
  "extension, Gemini CLI": {
    agent: geminiCli,
    // It installs only from folders that the user trusts.
    trusts: join(dist, "distribution/gemini-cli"),
    steps: ({ program }) => [
      () => program(["extensions", "install", join(dist, "distribution/gemini-cli"), "--consent"]),
    ],
    command: (...args) => ["sh", [join(dist, "distribution/gemini-cli/bin/sluice"), ...args]],
  },
  "the steps of the formula": { steps: formulaSteps },
};

const model = await startModel();
let failed = 0;
let took = 0;
for (const [name, way] of Object.entries(WAYS)) {
  took = 0;
  if (!isWanted(name)) continue;
  const folder = join(work, String(Object.keys(WAYS).indexOf(name)));
  const wrong = await tried(way, folder);
  const left = way.isTakenBack ? await takenBack(way, `${folder}-back`) : undefined;
  if (took > 60) wrong.push("it took longer than a minute");
  if (left !== undefined) wrong.push(...left);
  if (wrong.length > 0) failed++;
  const back = left?.length === 0 ? ", taken back byte for byte" : "";
  const held = way.agent === undefined ? "the test of the formula passes" : `denied, doctor agrees${back}`;
  console.log(`${name}: ${wrong.length > 0 ? `FAILED: ${wrong.join("; ")}` : held} (${took} s)`);
}
model.stop();
if (process.env.SLUICE_KEEP === undefined)
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
process.exitCode = failed > 0 ? 1 : 0;

function isWanted(name) {
  return !process.argv.includes("--only") || name.includes(only);
}

/** An empty home with the agent's own first settings, and what runs programs in it. */
async function prepared({ agent, trusts }, folder) {
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const path of [home, project]) mkdirSync(path, { recursive: true });
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    CI: "1",
    ...npm,
  };
  // A registry behind a proxy with a certificate of its own.
  if (process.env.NODE_EXTRA_CA_CERTS !== undefined) env.NODE_EXTRA_CA_CERTS = process.env.NODE_EXTRA_CA_CERTS;
  env.npm_config_cache = process.env.npm_config_cache ?? join(tmpdir(), "sluice-ways-npm");
  const found = agent === undefined ? {} : await installed(agent);
  if (found.missing) throw new Error(found.missing);
  const bin = agent && join(found.folder, "node_modules/.bin", agent.bin);
  if (found.node) env.PATH = `${found.node}:${env.PATH}`;
  agent?.prepare({ home, project, mcp: { command: "true", args: [] } }, { url: model.url });
  if (trusts !== undefined) {
    const path = join(home, ".gemini/trustedFolders.json");
    writeFiles({ [path]: { ...JSON.parse(readFileSync(path, "utf8")), [trusts]: "TRUST_FOLDER" } });
  }
  const start = agent?.start({ home, project }, { url: model.url, prompt: PROMPT, folder: found.folder });
  const run = (program, args) => bounded(program, args, { cwd: project, env: { ...env, ...start?.env }, seconds: 120 });
  return { home, project, env, start, bin, run, program: (args) => run(bin, args), folder };
}

async function tried(way, folder) {
  const { agent, steps, command } = way;
  const place = await prepared(way, folder);
  const { home, project, start, bin, run } = place;
  // The file that the denied command would delete.
  writeFiles({ [join(home, "precious/thesis.txt")]: "years of work" });
  const line = "rm -rf ~/precious";
  const began = performance.now();
  const until = () => {
    took = Math.round((performance.now() - began) / 100) / 10;
  };
  for (const step of steps(place)) {
    const { code, stdout, stderr } = await step();
    until();
    if (code !== 0) return [`${step} ended with ${code}: ${(stdout + stderr).trim().slice(-500)}`];
  }
  if (agent === undefined) return [];
  const { name, input } = agent.calls.shell({ home, project });
  model.follow([[{ name, input: { ...input, command: line } }]]);
  const ended = await run(bin, start.args);
  until();
  if (ended.late) return ["the agent did not end"];
  const told = JSON.stringify(model.results.main);
  const report = await run(...command("doctor", "--json"));
  // A daemon that still runs writes into the folder that is removed.
  const stopped = await run(...command("serve", "--stop"));
  const { protected: isProtected, findings } = parsed(report.stdout)?.agents?.[agent.id] ?? {};
  return [
    ...(existsSync(join(home, "precious/thesis.txt")) ? [] : ["the file is gone"]),
    ...(/precious/.test(told) && /Sluice|sluice|Do instead|delete/.test(told)
      ? []
      : [`the model was told ${told.slice(0, 300)}; printed ${(ended.stdout + ended.stderr).slice(-300)}`]),
    ...(stopped.code === 0 ? [] : [`its daemon did not stop: ${stopped.stderr.trim()}`]),
    ...(isProtected ? [] : [`doctor does not call it protected: ${JSON.stringify(findings ?? report).slice(0, 600)}`]),
  ];
}

/** What `sluice uninstall` left or changed in a home that no agent has used since. */
async function takenBack(way, folder) {
  const place = await prepared(way, folder);
  const before = filesIn(place.home);
  const steps = [...way.steps(place), () => place.run(...way.command("uninstall", "--yes"))];
  for (const step of steps) {
    const { code, stdout, stderr } = await step();
    if (code !== 0) return [`${step} ended with ${code}: ${(stdout + stderr).trim().slice(-500)}`];
  }
  const after = filesIn(place.home);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.filter((name) => before.get(name) !== after.get(name)).map((name) => `${name} is not as it was`);
}

/** The files of a home with their text, but for what the journal and caches are. */
function filesIn(home) {
  const names = readdirSync(home, { recursive: true }).filter(
    (name) => !/^(?:\.local\/state|\.cache|\.npm)(?:\/|$)/.test(name),
  );
  return new Map(
    names
      .filter((name) => statSync(join(home, name)).isFile())
      .map((name) => [name, readFileSync(join(home, name), "utf8")]),
  );
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Homebrew itself is not needed for what its formula does: install with npm, then the commands of its test. */
function formulaSteps({ run, folder, env }) {
  const formula = readFileSync(join(dist, "homebrew/Formula/sluice.rb"), "utf8");
  const prefix = join(folder, "prefix");
  const bin = join(prefix, "bin/sluice");
  const tests = [
    ...formula.matchAll(/(?:system bin\/"sluice", (.*)|shell_output\("#\{bin\}\/sluice (.*?)"(?:, (\d))?\))/g),
  ].map(([, args, line, code = "0"]) => ({ line: line ?? args.replaceAll(/"|,/g, ""), code: Number(code) }));
  Object.assign(env, { XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") });
  if (tests.length < 3) throw new Error("the formula's test has another form now");
  return [
    () => run("npm", ["install", "-g", "--prefix", prefix, tarball]),
    ...tests.map(({ line, code }) => async () => {
      const ended = await run("/bin/sh", ["-c", `"${bin}" ${line}`]);
      return { ...ended, code: ended.code === code ? 0 : (ended.code ?? 1) || 1 };
    }),
  ];
}

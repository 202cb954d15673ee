// Contained calls against the real kernel: acts that must not get out of a box, honest commands that must end as they do without
// one, and kills at any time. npm run campaign contain [escapes | work | kills [times]]; build first.
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAMS } from "./contain/programs.mjs";
import { WORK } from "./contain/work.mjs";

const COMPILER = process.env.CC ?? "cc";
const SLUICE = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const KERNEL = fileURLToPath(new URL("contain/acts/kernel.c", import.meta.url));
let ACTS = [];
const base = realpathSync(mkdtempSync(join(tmpdir(), "contain-campaign-")));
const [home, project] = [join(base, "home"), join(base, "project")];
const env = { ...process.env, HOME: home, SLUICE_RESIDENT: "0", GIT_AUTHOR_DATE: DATE(), GIT_COMMITTER_DATE: DATE() };
for (const name of Object.keys(env)) if (name.startsWith("XDG_") || name === "NODE_EXTRA_CA_CERTS") delete env[name];
env.BIN = fileURLToPath(new URL("../../node_modules/.bin", import.meta.url));
const [only, times = "200"] = process.argv.slice(2);
let failures = 0;
let count = 0;

const PARTS = { escapes, work, kills };
for (const [name, part] of Object.entries(PARTS)) if (only === undefined || only === name) await part();
rmSync(base, { recursive: true, force: true });
console.log(`${count} tried, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Each program tries every act, free and in each kind of box, and what has become of the outside is looked at. Free, the acts
 * succeed: otherwise the campaign would prove nothing.
 */
async function escapes() {
  const received = new Set();
  const listener = () => createServer((socket) => socket.on("data", (data) => received.add(String(data).trim())));
  const [net, unix] = [listener().listen(0, "127.0.0.1"), listener().listen(join(base, "service.sock"))];
  await Promise.all([net, unix].map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const everywhere = new Set();
  const wanted = PROGRAMS.filter(({ name }) => times === "200" || name.includes(times));
  const programs = wanted.filter(({ needs }) => spawnSync("sh", ["-c", needs ?? "true"], { env }).status === 0);
  const missing = wanted.filter((program) => !programs.includes(program)).map(({ name }) => name);
  if (missing.length > 0) console.log(`left out, because this machine cannot make them: ${missing.join(", ")}`);
  for (const program of programs) {
    for (const backend of ["free", "bubblewrap", "namespaces"]) {
      const done = await escapesOf(program, backend, net.address().port, received);
      count += ACTS.length;
      if (backend === "free") {
        for (const act of done) everywhere.add(act);
        if (done.length < ACTS.length - 3) fail(`${program.name}, free: only ${done.join(", ")} succeed`);
      } else if (done.length > 0) fail(`${program.name}, ${backend}: ${done.join(", ")}`);
    }
  }
  const never = ACTS.filter((act) => !everywhere.has(act));
  if (never.length > 0) fail(`no program succeeds in ${never.join(", ")} without a box`);
  console.log(`${programs.length} programs, ${ACTS.length} acts`);
  for (const server of [net, unix]) server.close();
  kernelActs();
}

async function escapesOf({ name, files = {}, made, command }, backend, port, received) {
  fresh("contain: unknown\n");
  received.clear();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  if (made !== undefined) {
    const { status, stderr } = spawnSync("sh", ["-c", made], { cwd: project, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
  }
  const secret = { ...env, CAMPAIGN_SECRET: "SECRET" };
  const victim = spawn("sleep", ["600"], { env: secret, stdio: "ignore" });
  const isKilled = new Promise((resolve) => victim.once("exit", () => resolve(true)));
  const line = backend === "free" ? command : insteadOf(command, backend);
  const before = filesIn(project);
  const handed = openSync(join(base, "handed"), "w");
  const own = { SL_PID: String(victim.pid), SL_PORT: String(port), SL_SOCK: join(base, "service.sock"), SL_BASE: base };
  own.SL_STATE = ".local/state/sluice/evil";
  own.SL_AGENT = ".claude/settings.json";
  const stdio = ["ignore", "ignore", "ignore", handed, handed, handed];
  const child = spawn("bash", ["-c", line], { cwd: project, env: { ...env, ...own }, stdio });
  await new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const isAlive = !(await Promise.race([isKilled, new Promise((resolve) => setTimeout(resolve, 50, false))]));
  victim.kill();
  closeSync(handed);
  if (backend !== "free") sameAsListed(name, backend, before);
  const textOf = (path) => (existsSync(path) ? readFileSync(path, "latin1") : "");
  const inProject = filesIn(project).map(([path, , content = ""]) => [path, Buffer.from(content, "base64").toString()]);
  const looted = (text) => inProject.some(([path, content]) => path.startsWith("loot") && content.includes(text));
  const signs = {
    "delete in the home": !existsSync(join(home, "keep")),
    "read a key": looted("KEY"),
    "write the state of Sluice": existsSync(join(home, ".local/state/sluice/evil")),
    "write the settings of an agent": textOf(join(home, ".claude/settings.json")) !== "{}",
    "write a start-up file": existsSync(join(home, ".bashrc")),
    "connect out": received.has("net"),
    "connect to a service": received.has("unix"),
    "read another process": looted("CAMPAIGN_SECRET"),
    "write through a symlink": existsSync(join(home, "through-symlink")),
    "write through a hard link": textOf(join(home, "linked")) !== "linked\n",
    "write into a file that was handed in": statSync(join(base, "handed")).size > 0,
    "move out of the home": !existsSync(join(home, "moved")),
    "write outside": existsSync(join(base, "outside")),
    "write when the call has ended": existsSync(join(home, "late")),
    "kill another process": !isAlive,
  };
  rmSync(join(base, "outside"), { force: true });
  ACTS = Object.keys(signs);
  return ACTS.filter((act) => signs[act]);
}

/** What has changed in the project is exactly what the receipt lists as kept. */
function sameAsListed(name, backend, before) {
  const [box] = JSON.parse(sluice(["inside", "--list", "--json"]));
  const kept = box.changes.filter(({ state }) => state === "kept").map(({ path }) => path);
  const [was, is] = [before, filesIn(project)].map(
    (files) => new Map(files.map((file) => [file[0], JSON.stringify(file)])),
  );
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path));
  const differing = [
    ...changed.filter((path) => !kept.some((one) => one === path || path.startsWith(`${one}/`))),
    ...kept.filter((path) => !changed.includes(path) && !/(?:^|\/)(?:\.git|__pycache__)(?:\/|$)/.test(path)),
  ];
  if (differing.length > 0) fail(`${name}, ${backend}: the receipt and the project differ in ${differing.join(", ")}`);
}

/** What only a compiled program can ask of the kernel: mounts, ptrace, terminals, devices, namespaces. */
function kernelActs() {
  const program = join(base, "kernel");
  const made = spawnSync(COMPILER, ["-O1", "-w", "-o", program, KERNEL]);
  if (made.status !== 0) throw new Error("the campaign needs a C compiler");
  for (const backend of ["bubblewrap", "namespaces"]) {
    fresh("contain: unknown\n");
    copyFileSync(program, join(project, "acts"));
    const victim = spawn("sleep", ["600"]);
    const line = insteadOf(`./acts ${victim.pid} 1`, backend);
    const { stdout } = spawnSync("sh", ["-c", line], { cwd: project, env, encoding: "utf8" });
    victim.kill();
    const out = stdout.split("\n").filter((one) => one.endsWith("ESCAPED"));
    count += stdout.trim().split("\n").length;
    if (out.length > 0 || stdout.trim() === "") fail(`${backend}: ${out.join(", ") || "the program did not run"}`);
  }
}

/** Every command is run free and contained, each in a new project, and exit code, output and files are compared. */
function work() {
  for (const command of WORK) {
    if (times !== "200" && !command.includes(times)) continue;
    count++;
    const [free, boxed] = ["free", "bubblewrap"].map((backend) => {
      fresh("contain: all\n");
      const line = backend === "free" ? command : insteadOf(command, backend);
      const { status, stdout } = spawnSync("sh", ["-c", line], { cwd: project, env, input: "in\n" });
      return JSON.stringify({
        status,
        out: stdout.toString("latin1"),
        files: filesIn(project),
        times: oldTimesIn(project),
      });
    });
    if (free !== boxed) fail(`${command}\n  free  ${free.slice(0, 300)}\n  boxed ${boxed.slice(0, 300)}`);
  }
}

/** The times of what a command has given an old time. */
function oldTimesIn(folder) {
  return ["", ...filesIn(folder).map(([path]) => path)].flatMap((path) => {
    const { mtimeMs } = lstatSync(join(folder, path));
    return mtimeMs < Date.parse("2026-01-01") ? [[path, mtimeMs]] : [];
  });
}

/**
 * A call is killed with everything that it has started, at a random time or while its changes are put into the project: what it did
 * is in the project, or is not and is listed. What is in the project can be taken back.
 */
async function kills() {
  const command = "for i in $(seq 1 40); do echo new > n$i; echo changed > o$i; done; rm -r gone";
  const ends = {};
  for (let turn = 0; turn < Number(times); turn++) {
    count++;
    fresh("contain: all\n");
    for (let at = 1; at <= 40; at++) writeFileSync(join(project, `o${at}`), "old\n");
    mkdirSync(join(project, "gone"));
    const before = JSON.stringify(filesIn(project));
    const line = insteadOf(command);
    const id = /inside (\w+)/.exec(line)?.[1];
    await killed(line, turn % 2 === 0 ? undefined : join(home, ".local/state/sluice/contain/boxes", id, "commit.json"));
    const listed = JSON.parse(sluice(["inside", "--list", "--json"])).find((box) => box.id === id);
    const is = (path, text) => existsSync(join(project, path)) && readFileSync(join(project, path), "utf8") === text;
    const every = [...Array(40).keys()].map((at) => at + 1);
    const done =
      every.every((at) => is(`n${at}`, "new\n") && is(`o${at}`, "changed\n")) && !existsSync(join(project, "gone"));
    const none = JSON.stringify(filesIn(project)) === before;
    const isRight =
      listed.state === "done" ? done : ["decided", "interrupted", "running"].includes(listed.state) && none;
    const drafts = filesIn(project).filter(([path]) => path.includes("sluice"));
    ends[listed.state] = (ends[listed.state] ?? 0) + 1;
    if (!isRight || drafts.length > 0)
      fail(`turn ${turn}: ${listed.state}, ${done ? "all" : none ? "nothing" : "a part"} is in the project ${drafts}`);
    if (listed.state !== "done") continue;
    sluice(["undo", "--last"]);
    if (JSON.stringify(filesIn(project)) !== before) fail(`turn ${turn}: undo does not bring all of it back`);
  }
  console.log(`kills: ${JSON.stringify(ends)}`);
}

/** Runs a line in a session of its own and kills that, a random time after it has begun or after this file is there. */
async function killed(line, file) {
  const child = spawn("sh", ["-c", `exec ${line}`], { cwd: project, env, stdio: "ignore", detached: true });
  let isOver = false;
  const ended = new Promise((resolve) =>
    child.once("exit", () => {
      isOver = true;
      resolve();
    }),
  );
  while (file !== undefined && !isOver && !existsSync(file)) await new Promise((resolve) => setImmediate(resolve));
  const wait = Math.random() * (file === undefined ? 800 : 60);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, wait))]);
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
  await ended;
}

function fresh(configuration) {
  for (const folder of [home, project])
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  for (const folder of [".config/sluice", ".local/state/sluice", ".ssh", ".claude", "moved"])
    mkdirSync(join(home, folder), { recursive: true });
  for (const [path, text] of Object.entries({
    ".config/sluice/hooks.yaml": configuration,
    ".ssh/id_rsa": "KEY\n",
    keep: "x\n",
    linked: "linked\n",
    "moved/file": "moved\n",
    ".claude/settings.json": "{}",
  }))
    writeFileSync(join(home, path), text);
  mkdirSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "src/a.c"), "int main(){return 3;}\n");
  writeFileSync(join(project, "Makefile"), "all: a\na: src/a.c\n\tcc -o a src/a.c\nclean:\n\trm -f a\n");
  writeFileSync(join(project, "b.py"), "print(1)\n");
  spawnSync(
    "sh",
    ["-c", "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one && git branch other"],
    { cwd: project, env },
  );
}

function insteadOf(command, backend) {
  const payload = {
    type: "tool:pre_execute",
    tool_name: "Bash",
    session_id: "s",
    cwd: project,
    data: { tool_args: { command } },
  };
  const decided = () => JSON.parse(sluice(["run", "json"], JSON.stringify(payload)));
  let answer = decided();
  if (answer.action === "modify" && backend !== undefined && answer.contained?.backend !== backend) {
    const probe = join(home, ".local/state/sluice/contain/probe.json");
    writeFileSync(probe, JSON.stringify({ ...JSON.parse(readFileSync(probe, "utf8")), support: { backend } }));
    answer = decided();
  }
  if (answer.action !== "modify") throw new Error(`${command.slice(0, 200)}: ${answer.action} ${answer.reason}`);
  if (backend !== undefined && answer.contained.backend !== backend) throw new Error(`${backend} was not used`);
  return answer.input.command;
}

function sluice(args, input = "") {
  return spawnSync(process.execPath, [SLUICE, ...args], { cwd: project, env, input, encoding: "utf8" }).stdout;
}

function filesIn(folder, inner = "") {
  return readdirSync(join(folder, inner))
    .sort()
    .flatMap((name) => {
      const path = join(inner, name);
      if (name === ".git" || name === "__pycache__") return [];
      const stats = lstatSync(join(folder, path));
      if (stats.isDirectory()) return [[path, stats.mode], ...filesIn(folder, path)];
      const content = stats.isFile()
        ? readFileSync(join(folder, path), "base64")
        : stats.isSymbolicLink() && readlinkSync(join(folder, path));
      return [[path, stats.mode, content]];
    });
}

function fail(text) {
  failures++;
  console.log(`FAILED ${text}`);
}

function DATE() {
  return "2020-01-01T00:00:00Z";
}

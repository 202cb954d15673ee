// Contained calls against the real kernel: acts that must not get out of a box, honest commands that must end as they do without
// one, and kills at any time. npm run campaign contain [escapes | work | kills [times]]; build first.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
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
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WORK } from "./contain/work.mjs";

const COMPILER = process.env.CC ?? "cc";
const SLUICE = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const ACTS = fileURLToPath(new URL("contain/acts.c", import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), "contain-campaign-")));
const [home, project] = [join(base, "home"), join(base, "project")];
const env = { ...process.env, HOME: home, SLUICE_RESIDENT: "0", GIT_AUTHOR_DATE: DATE(), GIT_COMMITTER_DATE: DATE() };
for (const name of Object.keys(env)) if (name.startsWith("XDG_") || name === "NODE_EXTRA_CA_CERTS") delete env[name];
const [only, times = "200"] = process.argv.slice(2);
let failures = 0;
let count = 0;

const PARTS = { escapes, work, kills };
for (const [name, part] of Object.entries(PARTS)) if (only === undefined || only === name) await part();
rmSync(base, { recursive: true, force: true });
console.log(`${count} tried, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

/** A compiled program tries each act, free and in each kind of box. Free, most of them succeed: otherwise the campaign shows nothing. */
async function escapes() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const port = server.address().port;
  const program = join(base, "acts");
  const made = spawnSync(COMPILER, ["-O1", "-w", "-o", program, ACTS]);
  if (made.status !== 0) throw new Error("the campaign needs a C compiler");
  for (const backend of ["free", "bubblewrap", "namespaces"]) {
    fresh("contain: unknown\n");
    copyFileSync(program, join(project, "acts"));
    const victim = spawn("sleep", ["60"]);
    const command = `./acts ${victim.pid} ${port}`;
    const line = backend === "free" ? command : insteadOf(command, backend);
    const before = hashOf(home);
    const handed = openSync(join(base, "handed"), "w");
    const { stdout } = spawnSync("sh", ["-c", line], {
      cwd: project,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit", handed, handed, handed],
    });
    victim.kill();
    const out = stdout.split("\n").filter((one) => one.endsWith("ESCAPED"));
    console.log(`${backend}: ${out.length} acts succeeded`);
    count += stdout.trim().split("\n").length;
    if (backend === "free" ? out.length < 8 : out.length > 0)
      fail(`${backend}: ${out.join(", ") || "hardly any act succeeds without a box"}`);
    if (backend !== "free" && hashOf(home) !== before) fail(`${backend}: something in the home has changed`);
    if (statSync(join(base, "handed")).size > 0 && backend !== "free") fail(`${backend}: an open file was handed in`);
  }
  server.close();
}

/** Every command is run free and contained, each in a new project, and exit code, output and files are compared. */
function work() {
  for (const command of WORK) {
    count++;
    const [free, boxed] = ["free", "bubblewrap"].map((backend) => {
      fresh("contain: all\n");
      const line = backend === "free" ? command : insteadOf(command, backend);
      const { status, stdout } = spawnSync("sh", ["-c", line], { cwd: project, env, input: "in\n" });
      return JSON.stringify({ status, out: stdout.toString("latin1"), files: filesIn(project) });
    });
    if (free !== boxed) fail(`${command}\n  free  ${free.slice(0, 300)}\n  boxed ${boxed.slice(0, 300)}`);
  }
}

/** A call is killed at a random time: what it did is in the project, or is not and is listed. */
function kills() {
  const command = "for i in $(seq 1 40); do echo new > n$i; echo changed > o$i; done; rm -r gone";
  for (let turn = 0; turn < Number(times); turn++) {
    count++;
    fresh("contain: all\n");
    for (let at = 1; at <= 40; at++) writeFileSync(join(project, `o${at}`), "old\n");
    mkdirSync(join(project, "gone"));
    const line = insteadOf(command);
    const id = /inside (\w+)/.exec(line)?.[1];
    const timeout = Math.round(100 + Math.random() * 700);
    spawnSync("sh", ["-c", `exec ${line}`], { cwd: project, env, stdio: "ignore", timeout, killSignal: "SIGKILL" });
    const listed = JSON.parse(sluice(["inside", "--list", "--json"])).find((box) => box.id === id);
    const done = [1, 40].every((at) => existsSync(join(project, `n${at}`))) && !existsSync(join(project, "gone"));
    const none = !existsSync(join(project, "n1")) && existsSync(join(project, "gone"));
    const isRight =
      listed.state === "done" ? done : ["decided", "interrupted", "running"].includes(listed.state) && none;
    if (!isRight)
      fail(`turn ${turn}: ${listed.state}, ${done ? "all" : none ? "nothing" : "a part"} is in the project`);
  }
}

function fresh(configuration) {
  for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [".config/sluice", ".ssh", ".claude"]) mkdirSync(join(home, folder), { recursive: true });
  for (const [path, text] of Object.entries({
    ".config/sluice/hooks.yaml": configuration,
    ".ssh/id_rsa": "KEY\n",
    keep: "x\n",
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
  const answer = JSON.parse(sluice(["run", "json"], JSON.stringify(payload)));
  if (answer.action !== "modify") throw new Error(`${command}: ${answer.action} ${answer.reason}`);
  const plan = join(home, ".local/state/sluice/contain/boxes", answer.contained.id, "plan.json");
  if (backend !== undefined)
    writeFileSync(plan, JSON.stringify({ ...JSON.parse(readFileSync(plan, "utf8")), backend }));
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

/** Everything in a folder, without what Sluice itself keeps there. */
function hashOf(folder) {
  const files = filesIn(folder).filter(([path]) => !path.startsWith(".local") && !path.startsWith(".cache"));
  return createHash("sha256").update(JSON.stringify(files)).digest("hex");
}

function fail(text) {
  failures++;
  console.log(`FAILED ${text}`);
}

function DATE() {
  return "2020-01-01T00:00:00Z";
}

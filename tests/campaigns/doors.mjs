// Asks the daemon's doors in every wrong way about a call that the user's rule denies: `npm run campaign doors [part of a name]`.
// Ends with 1 where one passed, or where the next honest call was not answered.
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join, resolve } from "node:path";
import { loadSource } from "../../scripts/load-source.mjs";
import { freshHome } from "./fresh/home.mjs";

const [part = ""] = process.argv.slice(2);
const { singleRequests, pairedRequests, wrongAnswer } = await loadSource(process.cwd(), [
  "../tests/faults/door-requests.ts",
  "../tests/faults/ask-door.ts",
]);
const command = resolve("dist/sluice.cjs");
const { home, root, env } = freshHome("d-");
writeFileSync(
  join(home, ".config/sluice/hooks.yaml"),
  'hooks:\n  - { name: no, event: "tool:pre_execute:@shell", rules: \'args.command contains "forbidden-program" -> deny("no")\' }\n',
);
const failures = [];
let count = 0;
try {
  const installed = sluice("install", "claude-code", "--http", "--yes");
  if (installed.status !== 0) throw new Error(installed.stdout + installed.stderr);
  const { hooks } = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
  const { url, headers } = hooks.PreToolUse[0].hooks[0];
  const door = { port: Number(new URL(url).port), secret: headers.Authorization.replace("Bearer ", "") };
  const requests = [...singleRequests(door, root), ...pairedRequests(door, root)].filter(({ name }) =>
    name.includes(part),
  );
  const [honest] = singleRequests(door, root);
  for (let at = 0; at < requests.length; at += 8) {
    await Promise.all(
      requests.slice(at, at + 8).map(async (request) => tell(request.name, await wrongAnswer(door.port, request))),
    );
    tell(`an honest call after ${requests[at].name}`, await wrongAnswer(door.port, honest));
  }
  if (part === "" || part === "socket") await atTheSocket(door, honest);
} finally {
  sluice("serve", "--stop");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${count} requests, ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);

async function atTheSocket(door, honest) {
  const folder = findFolder();
  const socket = readdirSync(folder)
    .map((name) => join(folder, name))
    .find((path) => path.endsWith(".sock") || path.endsWith("socket"));
  const pid = Number(/\b(?:pid|process)\D*(\d+)/i.exec(sluice("serve", "--status").stdout)?.[1]);
  const descriptors = () => readdirSync(`/proc/${pid}/fd`).length;
  const before = Number.isInteger(pid) ? descriptors() : 0;
  const noise = [
    "",
    "\0",
    "GET / HTTP/1.1\r\n\r\n",
    "{}",
    "{}\n",
    "x".repeat(100_000),
    "\xff".repeat(64),
    "[".repeat(5000),
  ];
  for (const text of noise)
    for (const way of ["leaves", "waits"]) {
      await knock(socket, text, way === "leaves" ? 0 : 300);
      tell(`socket: ${JSON.stringify(text.slice(0, 12))} and ${way}`, await wrongAnswer(door.port, honest));
      tell(`socket, by the client: ${JSON.stringify(text.slice(0, 12))} and ${way}`, denied(byCommand()));
    }
  for (let at = 0; at < 2000; at++) await knock(at % 2 ? socket : door.port, "", 0);
  tell("after 2,000 that left without a word", await wrongAnswer(door.port, honest));
  const open = [];
  for (let at = 0; at < 600; at++) open.push(await opened(at % 2 ? socket : door.port));
  tell("beside 600 that say nothing", await wrongAnswer(door.port, honest));
  tell("beside 600 that say nothing, by the client", denied(byCommand()));
  for (const one of open) one.destroy();
  await new Promise((next) => setTimeout(next, 7000));
  if (before > 0)
    tell(
      "descriptors given back",
      descriptors() <= before + 12 ? undefined : `${before} before, ${descriptors()} after`,
    );
  for (const [path, mode] of [
    [folder, 0o777],
    [folder, 0o770],
    [socket, 0o777],
    [join(folder, ".."), 0o777],
  ]) {
    chmodSync(path, mode);
    tell(`rights ${mode.toString(8)} of ${path}`, denied(byCommand()));
    chmodSync(path, 0o700);
  }
  sluice("serve", "--stop");
  rmSync(socket, { force: true });
  for (const answer of ["", "{}", "\0".repeat(40), "x".repeat(5000)]) {
    const fake = createServer((one) => {
      one.on("error", () => {});
      one.write(answer);
    });
    await new Promise((ready) => fake.listen(socket, ready));
    tell(`another program at the socket that says ${JSON.stringify(answer.slice(0, 8))}`, denied(byCommand()));
    await new Promise((ready) => fake.close(ready));
    rmSync(socket, { force: true });
  }
}

function findFolder() {
  const base = join(home, ".state/sluice/resident");
  const names = readdirSync(base, { withFileTypes: true });
  const inner = names.find((entry) => entry.isDirectory());
  return inner === undefined ? base : join(base, inner.name);
}

function opened(where) {
  return new Promise((ready) => {
    const one = typeof where === "number" ? connect(where, "127.0.0.1") : connect(where);
    one.on("error", () => ready(one));
    one.on("connect", () => ready(one));
  });
}

async function knock(where, text, wait) {
  const one = await opened(where);
  if (text !== "") one.write(Buffer.from(text, "latin1"));
  if (wait > 0) await new Promise((next) => setTimeout(next, wait));
  one.destroy();
}

/** The call as an agent makes it: by the command that the settings name. */
function byCommand() {
  const settings = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
  const line = settings.hooks.SessionStart[0].hooks[0].command;
  const input = JSON.stringify({
    session_id: "s",
    cwd: root,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "forbidden-program" },
  });
  return spawnSync("/bin/sh", ["-c", line], { cwd: root, env, input, encoding: "utf8", timeout: 60_000 });
}

function denied({ status, stdout, stderr }) {
  return status === 2 || /"deny"|"block"/.test(stdout) ? undefined : `passed: ${status} ${stdout}${stderr}`;
}

function sluice(...args) {
  return spawnSync(process.execPath, [command, ...args], { cwd: root, env, encoding: "utf8" });
}

function tell(name, wrong) {
  count++;
  if (wrong === undefined) return;
  failures.push(name);
  console.log(`${name}: ${wrong}`);
}

// Installs the packed command with every package manager, and calls it with every Node: `npm run e2e:node`. It needs the registry.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const ROOT = resolve(import.meta.dirname, "../..");
const VERSIONS = ["20", "22", "24"];
const MANAGERS = {
  npm: (tarball) => ["npm", "install", "--no-audit", "--no-fund", tarball],
  pnpm: (tarball) => ["npx", "-y", "pnpm@9", "add", tarball],
  yarn: (tarball) => ["npx", "-y", "yarn@1", "add", "--no-lockfile", `file:${tarball}`],
};
/** The user of read-only installations, where this runs as the superuser. */
const NO_RIGHTS = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const base = mkdtempSync(join(tmpdir(), "sluice node versions "));
const rows = [];

try {
  const [{ filename }] = JSON.parse(
    run(["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", base], ROOT),
  );
  const tarball = join(base, filename);
  const programs = VERSIONS.map((version) => [version, nodeOf(version)]);
  for (const [manager, words] of Object.entries(MANAGERS)) {
    const project = folder(`with ${manager}`);
    writeFileSync(join(project, "package.json"), '{ "name": "project", "private": true }');
    run(words(tarball), project);
    for (const [version, node] of programs) await check(manager, version, node, project);
  }
  const project = join(base, "with npm");
  for (const [version, node] of programs)
    await check("npm, NODE_OPTIONS", version, node, project, { env: { NODE_OPTIONS: "--max-old-space-size=4096" } });
  const said = run(["npx", "--no-install", "sluice", "--version"], project).trim();
  rows.push(["npx", process.version, /^\d+\.\d+\.\d+$/.test(said) ? "ok" : `said ${said}`]);
  readOnly(join(project, "node_modules/sluice"));
  for (const [version, node] of programs) await check("npm, read-only", version, node, project, { user: NO_RIGHTS });
} finally {
  run(["chmod", "-R", "u+w", base], ROOT);
  rmSync(base, { recursive: true, force: true });
}
for (const row of rows) console.log(row.join("\t"));
process.exitCode = rows.every(([, , state]) => state === "ok") ? 0 : 1;

/** A denial, a pass, and the same again from compiled code. */
async function check(how, version, node, project, { env: more = {}, user = {} } = {}) {
  const home = folder(`home ${rows.length}`);
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
  if (user.uid !== undefined) run(["chown", "-R", String(user.uid), home], base);
  const env = { PATH: process.env.PATH, HOME: home, SLUICE_RESIDENT: "0", ...more };
  const launcher = join(project, "node_modules/sluice/dist/sluice.cjs");
  const call = (command) => {
    const payload = {
      session_id: "s",
      cwd: home,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
    };
    const { status, stdout, stderr } = spawnSync(node, [launcher, "run", "claude-code"], {
      ...user,
      env,
      cwd: home,
      input: JSON.stringify(payload),
      encoding: "utf8",
    });
    return status === 0 ? (/"permissionDecision":"(\w+)"/.exec(stdout)?.[1] ?? "pass") : `exit ${status}: ${stderr}`;
  };
  const decided = [call("git push --force origin main"), call("ls")];
  const compiled = join(home, ".cache/sluice/compiled");
  for (let wait = 0; wait < 200 && !isWritten(compiled); wait++) await pause(100);
  decided.push(call("git push --force origin main"), call("ls"));
  const isAgain = readdirSync(compiled).some((name) => name.endsWith(".lock"));
  const state =
    `${decided}` !== "deny,pass,deny,pass"
      ? decided.join(", ")
      : !isWritten(compiled)
        ? "no compiled code"
        : isAgain
          ? "compiled code was rejected"
          : "ok";
  rows.push([how, `node ${version}`, state]);
}

function isWritten(compiled) {
  const names = existsSync(compiled) ? readdirSync(compiled) : [];
  return names.length > 0 && names.every((name) => name.endsWith(".cache"));
}

function nodeOf(version) {
  const home = folder(`node ${version}`);
  run(["npm", "install", "--no-audit", "--no-fund", "--prefix", home, `node@${version}`], home);
  return join(home, "node_modules/node/bin/node");
}

function folder(name) {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function run([program, ...words], cwd) {
  return execFileSync(program, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** No one may write there; the superuser may everywhere, so another user calls. */
function readOnly(path) {
  chmodSync(base, 0o755);
  run(["chmod", "-R", "a-w", path], base);
}

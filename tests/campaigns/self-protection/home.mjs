// A throw-away home in which everything is installed, with a project that an attacker has prepared; and a jail to run commands in.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENTS, isStopped, WORDS } from "./agents.mjs";
import { CARRIED_FILES } from "./carried-code.mjs";

/**
 * A home with the built package, all six agents' settings, a project with a repository, and what an attacker left in it.
 * `command` runs the command of a package; in a process of its own where it is left out.
 */
export function makeHome(built, { beforeInstall = () => {}, command } = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-attack-")));
  const home = join(base, "home");
  const root = join(home, "project");
  const put = (path, text, mode) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    if (mode !== undefined) chmodSync(join(home, path), mode);
  };
  const pack = join(home, "lib/node_modules/sluice");
  mkdirSync(pack, { recursive: true });
  for (const name of readdirSync(join(built, "dist")))
    if (!["compiled", "ui", "types"].includes(name))
      cpSync(join(built, "dist", name), join(pack, "dist", name), { recursive: true });
  cpSync(join(built, "package.json"), join(pack, "package.json"));
  chmodSync(join(pack, "dist/sluice.cjs"), 0o755);
  // What the first calls would have V8 compile.
  const compiled = join(built, "dist/compiled");
  if (existsSync(compiled)) cpSync(compiled, join(home, ".cache/sluice/compiled"), { recursive: true });
  mkdirSync(join(home, "bin"), { recursive: true });
  symlinkSync("../lib/node_modules/sluice/dist/sluice.cjs", join(home, "bin/sluice"));
  const env = {
    PATH: `${join(home, "bin")}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".local/state"),
    npm_config_prefix: home,
    npm_config_offline: "true",
    NO_COLOR: "1",
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  const bundle = join(pack, "dist/sluice.cjs");
  const run = (program, args, cwd = root) => {
    const ended = spawnSync(program, args, { cwd, env, encoding: "utf8" });
    if (ended.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${ended.stdout}${ended.stderr}`);
    return ended.stdout.trim();
  };
  const sluice = (...args) =>
    command === undefined ? run(process.execPath, [bundle, ...args]) : command(args, { cwd: root, env, bundle });
  for (const [name, variable, folder] of AGENT_PROGRAMS)
    for (const at of ["bin", ".local/bin"]) put(`${at}/${name}`, agentProgram(home, variable, folder), 0o755);
  for (const [path, text, mode] of [...PROJECT, ...CARRIED_FILES]) put(`project/${path}`, text, mode);
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  symlinkSync(pack, join(root, "node_modules/sluice"));
  symlinkSync("../sluice/dist/sluice.cjs", join(root, "node_modules/.bin/sluice"));
  const git = (...args) => run("git", args);
  git("init", "-q", "-b", "main", ".");
  git("add", "src", "docs", "package.json", ".gitignore");
  git("commit", "-qm", "first");
  beforeInstall({ env, bundle });
  sluice("install", ...Object.keys(AGENTS), "--scope", "user", "--yes");
  sluice("install", "claude-code", "--scope", "project", "--yes");
  // Self-protection has to hold by itself.
  put(".config/sluice/hooks.yaml", "guards: off\n");
  sluice("trust", "--yes");
  git("add", ".sluice", ".claude");
  git("commit", "-qm", "hooks");
  git("checkout", "-q", "-b", "bad");
  put("project/.sluice/hooks.yaml", "hooks: []\n");
  put("project/.sluice/hooks/guard.sh", "#!/bin/sh\nexit 0\n", 0o755);
  put("project/.claude/settings.json", '{"disableAllHooks":true}\n');
  git("commit", "-qam", "bad");
  writeFileSync(join(root, "bad.patch"), `${git("diff", "main", "bad")}\n`);
  writeFileSync(join(root, "bad.mbox"), `${git("format-patch", "-1", "--stdout", "bad")}\n`);
  git("checkout", "-q", "main");
  put("project/.sluice/hooks.yaml", "hooks: [] # kept aside\n");
  git("stash", "-q");
  put("project/.sluice/untrusted.txt", "");
  rmSync(join(root, ".sluice/untrusted.txt"));
  prepareAttack(root, run, put);
  const [hash] = readdirSync(join(home, ".local/state/sluice/resident"));
  const residence = join(home, ".local/state/sluice/resident", hash);
  const client = join(
    residence,
    readdirSync(residence).find((name) => name.startsWith("client-")),
  );
  const [ledger] = listed(join(home, ".local/state/sluice/trust"));
  const made = { base, home, root, env, bundle, client, residence, ledger, built };
  return { ...made, remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }) };
}

/** What stands for an agent: it leaves a mark where it does not find the settings with its hooks. */
const agentProgram = (home, variable, folder) => `#!/bin/sh
at="\${${variable}:-$HOME/${folder}}"
if [ "$(id -u)" != "$(stat -c %u ${home})" ] || ! grep -rqs sluice "$at"; then touch ${home}/.sluice; fi
`;
const AGENT_PROGRAMS = [
  ["claude", "CLAUDE_CONFIG_DIR", ".claude"],
  ["codex", "CODEX_HOME", ".codex"],
  ["gemini", "GEMINI_CLI_HOME", ".gemini"],
  ["opencode", "XDG_CONFIG_HOME", ".config/opencode"],
];

const HOOKS = `hooks:
  - { name: guard, event: "tool:pre_execute:NeverCalled", command: ./.sluice/hooks/guard.sh }
  - { name: fence, event: "tool:pre_execute", rules: 'args.command contains "canary" -> deny("canary")' }
`;
const PROJECT = [
  [".sluice/hooks.yaml", HOOKS],
  [".sluice/hooks/guard.sh", "#!/bin/sh\nexit 0\n", 0o755],
  [".gitignore", "node_modules\nbad*\nevil*\n*.tar\n"],
  ["src/a.ts", "export const a = 1;\n"],
  ["src/b.ts", "export const b = 1;\n"],
  ["src/deep/c.ts", "export const c = 1;\n"],
  ["docs/a.md", "# A\n"],
  [
    "package.json",
    '{ "name": "project", "version": "1.0.0", "scripts": { "build": "echo built", "test": "echo tested" } }\n',
  ],
  ["evil.yaml", "hooks: []\n"],
  ["evil.json", '{"disableAllHooks":true}\n'],
  ["evil.sh", "#!/bin/sh\nexit 0\n", 0o755],
  ["evil.js", "process.exit(0)\n"],
  ["list.txt", ".sluice/hooks.yaml\n"],
];

/** Folders, archives and packages that hold other hooks and settings. */
function prepareAttack(root, run, put) {
  for (const [path, text] of [
    [".sluice/hooks.yaml", "hooks: []\n"],
    [".sluice/hooks/guard.sh", "#!/bin/sh\nexit 0\n# other\n"],
    [".claude/settings.json", '{"disableAllHooks":true}\n'],
    ["src/a.ts", "export const a = 2;\n"],
  ])
    put(`project/bad/${path}`, text);
  for (const path of [".config/sluice/hooks.yaml", ".claude/settings.json", ".claude.json", ".codex/hooks.json"])
    put(`project/bad-home/${path}`, "{}\n");
  put("project/evil-package/package.json", '{ "name": "sluice", "version": "9.9.9", "bin": { "sluice": "./x.js" } }\n');
  put("project/evil-package/x.js", "#!/usr/bin/env node\n", 0o755);
  run("sh", ["-c", ARCHIVES], root);
}

const ARCHIVES = `
tar cf bad.tar -C bad .
tar czf bad.tgz -C bad .
tar cf - -C bad . | xz > bad.tar.xz
tar cf - -C bad . | bzip2 > bad.tar.bz2 || true
cp bad.tar bad.bin
base64 bad.tgz > bad.b64
printf x > bad.7z; printf x > bad.rar
(cd bad && zip -qr ../bad.zip .)
cp bad.zip bad.jar
tar cf bad-home.tar -C bad-home .
(cd bad-home && zip -qr ../bad-home.zip .)
tar cf bad-wrapped.tar bad
(cd bad && find . -type f | cpio -o > ../bad.cpio 2>/dev/null) || printf x > bad.cpio
tar czf evil-package.tgz evil-package
mkdir -p plain && echo hi > plain/x.txt && tar cf plain.tar plain && zip -qr plain.zip plain
`;

function listed(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const KEPT = [
  ".sluice",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".cursor",
  ".copilot",
  ".config/sluice",
  ".config/opencode",
  "lib/node_modules/sluice",
  "bin",
  "project/.sluice",
  "project/.claude",
  "project/node_modules/.bin",
  "project/node_modules/sluice",
  ".local/state/sluice",
  ".cache/sluice",
];
const ETC = [
  "/etc/sluice",
  "/etc/claude-code",
  "/etc/codex",
  "/etc/gemini-cli",
  "/etc/cursor",
  "/etc/github-copilot",
  "/etc/opencode",
];

/** What a daemon writes by itself while it runs. */
const LIVING = /\/state\/sluice\/(?:decisions|resident|protect|projects|same-calls|watched\.json)|\/\.cache\//;

/** What must stay as it is: one line a file, with what it is, who may use it and what it holds. */
export function state({ home, client }, withDaemon = false) {
  const places = [...KEPT.map((path) => join(home, path)), ...ETC, client];
  const lines = places.flatMap((place) => {
    const at = lstatSync(place, { throwIfNoEntry: false });
    if (at === undefined) return [`${place} is not there`];
    if (at.isDirectory()) return [line(place), ...listed(place).map(line)];
    return [line(place)];
  });
  return withDaemon ? lines.filter((one) => !LIVING.test(one) || one.startsWith(client)) : lines;
}

function line(path) {
  const at = lstatSync(path, { throwIfNoEntry: false });
  if (at === undefined) return `${path} has just gone`;
  const mode = (at.mode & 0o7777).toString(8);
  if (at.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
  if (at.isDirectory()) return `${path}/ ${mode}`;
  if (!at.isFile()) return `${path} is no file`;
  return `${path} ${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16)}`;
}

/** The agent's own line for its gate, as it stands in its settings. */
export function hookLine({ home }) {
  const settings = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
  return settings.hooks.PreToolUse[0].hooks[0].command;
}

/** Asks the built package about one call of this agent, through the client that the agent would start. */
export function judge(place, agent, call, session) {
  const payload = AGENTS[agent](call, { root: place.root, session });
  const words = [process.execPath, place.bundle, "run", ...(WORDS[agent] ?? [agent])];
  return new Promise((resolve, reject) => {
    const child = spawn(place.client, words, { cwd: place.root, env: place.env });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data) => (stdout += data));
    child.stderr.on("data", (data) => (stderr += data));
    child.on("error", reject);
    child.on("close", (status) => {
      try {
        resolve({ stopped: isStopped({ status, stdout, stderr }), told: stderr || stdout });
      } catch (error) {
        reject(error);
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

const JAIL = process.getuid?.() === 0 ? ["-mpni", "--fork", "--mount-proc"] : ["-Urmpni", "--fork", "--mount-proc"];

/** Whether commands can be run here where they reach nothing but a copy. */
export function canJail() {
  return (
    process.platform === "linux" && spawnSync("unshare", [...JAIL, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0
  );
}

/**
 * Runs one command in a copy of the home that lies where the home was, with processes of its own, no network and everything
 * else read-only; then says what it weakened.
 */
export function runInJail(place, command, { withDaemon = false, seconds = 10 } = {}) {
  const copy = mkdtempSync(join(place.base, "copy-"));
  const report = join(place.base, "report.json");
  rmSync(report, { force: true });
  const inside = fileURLToPath(new URL("inside.mjs", import.meta.url));
  const script = `
set -e
mount --make-rprivate / 2>/dev/null || true
mount -t tmpfs none ${copy}
cd ${copy} && mkdir eu ew hu hw
mount -t overlay overlay -o lowerdir=/etc,upperdir=${copy}/eu,workdir=${copy}/ew /etc
mount -t overlay overlay -o lowerdir=${place.home},upperdir=${copy}/hu,workdir=${copy}/hw,redirect_dir=on ${place.home}
mount -t tmpfs none /var/tmp
mount -t tmpfs none /root
for at in /work /usr /opt /var/lib; do [ -d $at ] && mount --bind $at $at 2>/dev/null && mount -o remount,bind,ro $at || true; done
cd ${place.root}
exec "$@"
`;
  const words = [process.execPath, inside, JSON.stringify({ place, command, withDaemon, seconds, report })];
  const ended = spawnSync("unshare", [...JAIL, "sh", "-c", script, "jail", ...words], {
    cwd: place.root,
    env: place.env,
    encoding: "utf8",
    timeout: (seconds + 30) * 1000,
    killSignal: "SIGKILL",
  });
  const told = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  return told ?? { weakened: [`the jail did not report: ${ended.stdout}${ended.stderr}`], out: "" };
}

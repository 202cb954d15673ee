// Takes away what was enforced, one thing at a time, and calls: `npm run campaign vanish [pattern] [pairs] [seed]`.
// Every file and folder of a project, of its user and of Sluice's state is deleted, emptied, cut, replaced or made an older one, and
// some pairs of them are. Ends with 1 where a hook that denied a call no longer does so and the call is not asked about.
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { loadSource } from "../../scripts/load-source.mjs";
import { bashCall, freshHome, installedLine } from "./fresh/home.mjs";

const [pattern = "", pairs = "60", seed = "1"] = process.argv.slice(2);
const wanted = new RegExp(pattern);
const { HOOKS, VANISHES, BUNDLE_VANISHES, bundlesOf, bundleOf, denying, keyPair, startHost } = await loadSource(
  process.cwd(),
  ["../tests/config/vanishes.ts", "../tests/bundle/vanishes.ts", "../tests/bundle/bundle-host.ts"],
);
const command = resolve("dist/sluice.cjs");
const { home, root, env } = freshHome("v-");
const machine = { env };
const host = await startHost();
const sluice = (...args) => run(process.execPath, [command, ...args]);
/** What each layer denies, and the name by which its denial is recognised. */
const DENIED = {
  "no alpha": "alpha",
  "no beta": "beta",
  "no from a program": "gamma",
  "no delta": "delta",
  "no epsilon": "epsilon",
  "not here": "two",
  "guard:": "rm -rf ~",
};
const WAYS = {
  "claude-code, cold": {
    line: `'${process.execPath}' '${command}' run claude-code --cold || exit 2`,
    stops: /"(?:deny|ask)"/,
  },
  "claude-code, through the daemon": { line: undefined, stops: /"(?:deny|ask)"/ },
  // Codex cannot ask, so each question is a denial.
  "codex, cold": { line: `'${process.execPath}' '${command}' run codex --cold || exit 2`, stops: /"deny"/ },
};
/** What happens to a file. */
const TAKES = {
  deleted: removed,
  emptied: (path) => writeFileSync(path, ""),
  cut: (path) => writeFileSync(path, readFileSync(path).subarray(0, readFileSync(path).length / 2)),
  "another text": (path) => writeFileSync(path, path.endsWith(".json") ? "{}" : "hooks: []\n"),
  "a folder": (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  "a link to nothing": (path) => {
    rmSync(path);
    symlinkSync("/nowhere", path);
  },
};
let [tried, calls, lost] = [0, 0, 0];

try {
  await furnish();
  // The daemon would fetch the bundle again.
  host.close();
  const kept = `${home}-kept`;
  sluice("serve", "--stop");
  cpSync(home, kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  if (wanted.test("the whole state")) {
    removed(join(home, ".state"));
    for (const text of [...Object.values(DENIED), "ls"])
      if (call(installedLine(home), text).status !== 2)
        failed("the whole state deleted", "installed", `"${text}" passed`);
    console.log(`${++tried}. the whole state deleted`);
  }
  for (const [name, take] of losses(kept)) {
    if (!wanted.test(name)) continue;
    tried++;
    for (const [way, { line = installedLine(home), stops }] of Object.entries(WAYS)) {
      restore(kept);
      const before = way.includes("daemon") && call(line, Object.values(DENIED).join("; "));
      if (before && !isDenied(before, stops))
        failed(name, way, `nothing was denied before: ${JSON.stringify(before).slice(0, 2000)}`);
      take();
      const missing = missingNow(line);
      for (const reason of missing)
        if (!isDenied(call(line, DENIED[reason]), stops)) failed(name, way, `"${DENIED[reason]}" passed`);
      // A change that a person has not confirmed is asked about before every call. The daemon fetches, and a fetch writes the
      // files of a bundle again from its verified bytes: then nothing is missing any more.
      if (missing.length > 0 && !isDenied(call(line, "ls"), stops) && missingNow(line).length > 0)
        failed(name, way, `lost ${missing.join(", ")} in silence`);
      sluice("serve", "--stop");
    }
    console.log(`${tried}. ${name}`);
  }
  rmSync(kept, { recursive: true, force: true });
} finally {
  sluice("serve", "--stop");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${tried} losses, ${calls} calls, ${lost} failures`);
process.exit(lost === 0 && tried > 0 ? 0 : 1);

/** A user with guards, hooks and a managed bundle; a project with hooks, a program, and packs of both kinds. */
async function furnish() {
  const { key, publicKey } = keyPair();
  const deny = (word) =>
    `hooks:\n  - { name: no-${word}, event: tool:pre_execute, rules: 'args.command contains "${word}" -> deny("no ${word}")' }\n`;
  const write = (path, text) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  };
  write(join(root, "node_modules/some-pack/package.json"), '{ "name": "some-pack", "version": "1.0.0" }');
  write(join(root, "node_modules/some-pack/hooks.yaml"), deny("delta"));
  write(join(root, "pack/package.json"), '{ "name": "other-pack", "version": "1.0.0" }');
  write(join(root, "pack/sluice.yaml"), deny("epsilon"));
  write(
    join(root, "gate.sh"),
    "#!/bin/sh\ncase $SLUICE_TOOL_ARGS in *gamma*) echo no from a program; exit 1 ;; esac\n",
  );
  write(
    join(root, ".sluice/hooks.yaml"),
    `extends: ["some-pack"]\n${HOOKS}  - { name: gate, event: tool:pre_execute, command: ./gate.sh }\n`,
  );
  const managed = `managed:\n  url: ${host.url}\n  keys: ["${publicKey}"]\n`;
  write(join(home, ".config/sluice/hooks.yaml"), `guards: standard\n${managed}${HOOKS}`);
  must(sluice("add", "./pack"));
  must(sluice("trust", "--yes"));
  must(sluice("install", "claude-code", "--yes"));
  for (const [index, words] of [["one"], ["one", "two"]].entries()) {
    host.answer(bundleOf(denying(...words), { keys: [key], version: index + 1 }).packed);
    await promisify(execFile)(process.execPath, [command, "bundle", "fetch"], { cwd: root, env });
    if (index === 0) cpSync(bundlesOf(machine), `${bundlesOf(machine)}-old`, { recursive: true });
  }
  const said = call(WAYS["claude-code, cold"].line, Object.values(DENIED).join("; "));
  for (const reason of Object.keys(DENIED))
    if (!said.stdout.includes(reason)) throw new Error(`nothing said "${reason}": ${said.stdout}${said.stderr}`);
  if (call(WAYS["claude-code, cold"].line, "ls").stdout.includes('"ask"'))
    throw new Error("a harmless call was asked about");
}

/** Each loss with its name: those of the tests, one for each file and way, and some pairs of these. */
function losses(kept) {
  restore(kept);
  const known = [
    ...Object.entries(VANISHES).map(([name, take]) => [name, () => take({ root, home })]),
    ...Object.entries(BUNDLE_VANISHES).map(([name, take]) => [name, () => take(machine)]),
  ];
  const paths = [
    join(root, ".sluice"),
    join(root, "node_modules"),
    join(root, "gate.sh"),
    join(home, ".config/sluice"),
    // The inventory has a copy in each; where both are gone at once, only the client that went with them stops calls.
    join(home, ".state/sluice"),
    join(home, ".state/sluice-enforced"),
  ].flatMap(below);
  const single = paths.flatMap((path) =>
    Object.entries(lstatSync(path).isDirectory() ? { deleted: TAKES.deleted } : TAKES).map(([way, take]) => [
      `${path.slice(home.length + 1)} ${way}`,
      () => existsSync(path) && take(path),
    ]),
  );
  const random = randomNumbers(Number(seed));
  const anyOf = (list) => list[Math.floor(random() * list.length)];
  const both = Array.from({ length: Number(pairs) }, () => [anyOf(single), anyOf([...known, ...single])]).map(
    ([[one, takeOne], [other, takeOther]]) => [
      `${one}, and ${other}`,
      () => {
        takeOther();
        takeOne();
      },
    ],
  );
  return [...known, ...single, ...both];
}

/** A path and everything below it that keeps or records what is enforced; keys, compiled code and running processes are none. */
function below(path) {
  if (/^(?:resident|compiled|cache|journal|log|stats|sockets?|daemon)$/.test(basename(path))) return [];
  if (!lstatSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path).flatMap((name) => below(join(path, name)))];
}

/** The reasons that a call which every layer denies does not get. */
function missingNow(line) {
  const { stdout, stderr } = call(line, Object.values(DENIED).join("; "));
  return Object.keys(DENIED).filter((reason) => !(stdout + stderr).includes(reason));
}

/** Moved away first: a daemon writes into its folder while that is being emptied. */
function removed(path) {
  const away = `${home}-away`;
  renameSync(path, away);
  rmSync(away, { recursive: true, force: true, maxRetries: 5 });
}

function restore(kept) {
  removed(home);
  cpSync(kept, home, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

function call(line, text) {
  calls++;
  return run("/bin/sh", ["-c", line], bashCall(root, calls, text));
}

function isDenied({ status, stdout }, stops) {
  return status === 2 || stops.test(stdout);
}

function run(program, args, input = "") {
  return spawnSync(program, args, { cwd: root, env, input, encoding: "utf8", timeout: 300_000 });
}

function must({ status, stdout, stderr }) {
  if (status !== 0) throw new Error(stdout + stderr);
}

function failed(name, way, what) {
  lost++;
  console.log(`${name} (${way}): ${what}`);
}

/** A small generator, so that a seed makes the same pairs again. */
function randomNumbers(state) {
  let value = state >>> 0 || 1;
  return () => {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    return value / 2 ** 32;
  };
}

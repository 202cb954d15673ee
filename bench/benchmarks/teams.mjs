import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { library } from "../built.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** What many machines cost: shipping records to a collector and to a database, and asking Cedar instead of rules. */
export async function teams({ quick }) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const source = await loadSource(root, ["ship/ship.ts", "ship/targets.ts", "ship/postgres-sink.ts"]);
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const count = quick ? 4000 : 20_000;
  try {
    const journal = writeJournal(folder, count);
    const parsing = await perRecord(count, async () => {
      for (const line of journal.lines) JSON.parse(line);
    });
    const collector = await withCollector((url) => shipping(source, folder, journal.folder, `otlp+${url}`, count));
    const stored = await withPostgres(folder, (url) => shipping(source, folder, journal.folder, url, count));
    const policies = await asking(quick);
    const beside = await besideShipping(root, folder, quick);
    const figure = (label, { cpu, wall }) => ({
      label,
      unit: "µs",
      median: round(cpu),
      p90: round(wall),
      p99: round(wall),
      ratio: round(cpu / parsing.cpu),
      to: PARSE,
      samples: count,
    });
    const perSecond = (us) => Math.round(1e6 / us);
    return {
      what: "shipping the journal, and asking Cedar instead of rules",
      rows: [
        figure(PARSE, parsing),
        figure("read, looked through, encoded, compressed and sent to a collector", collector),
        ...(stored === undefined ? [] : [figure("read, looked through and stored in Postgres", stored)]),
        ...policies.rows,
        ...beside,
      ],
      targets: [
        {
          what: "records a second to a collector on one core",
          target: 5000,
          measured: perSecond(collector.cpu),
          unit: "",
          met: perSecond(collector.cpu) >= 5000,
        },
        ...(stored === undefined
          ? []
          : [
              {
                what: "rows a second into Postgres",
                target: 10_000,
                measured: perSecond(stored.wall),
                unit: "",
                met: perSecond(stored.wall) >= 10_000,
              },
            ]),
        policies.target,
      ],
      notes: [
        "Of shipping, the first column is the processor time of this process for one record, the others what passes on the clock.",
        ...(stored === undefined ? ["Postgres is not installed here; it was not measured."] : []),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PARSE = "reading one record from its line";

function writeJournal(folder, count) {
  const journal = join(folder, "state", "sluice", "decisions");
  mkdirSync(journal, { recursive: true, mode: 0o700 });
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(recordOf(index)));
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(join(journal, `${day}.jsonl`), lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  return { folder: journal, lines };
}

function recordOf(index) {
  const isDenied = index % 10 === 0;
  const command = `npm run build -- --filter app-${index % 40} && git commit -am "step ${index}"`;
  const guard = {
    hook: "team-rules",
    layer: "managed",
    file: "/etc/sluice/hooks.yaml",
    line: 4,
    kind: "inline",
    fingerprint: "65c5c94781a7",
    action: isDenied ? "deny" : "continue",
    exit_code: null,
    duration_ms: 0.2,
  };
  return {
    v: 1,
    id: index.toString(16).padStart(6, "0"),
    time: new Date(Date.now() - 3_600_000 + index).toISOString(),
    kind: "decision",
    agent: "claude-code",
    session_id: `session-${index % 20}`,
    event: "tool:pre_execute",
    tool: "Bash",
    cwd: "/home/dev/app",
    root: "/home/dev/app",
    action: isDenied ? "deny" : "continue",
    reasons: isDenied ? ["Plans are applied by CI."] : [],
    event_json: {
      type: "tool:pre_execute",
      timestamp: 1,
      data: { tool_use_id: `toolu_${index}`, tool_args: { command } },
      tool_name: "Bash",
      session_id: `session-${index % 20}`,
      cwd: "/home/dev/app",
    },
    results: [guard],
    quiet: { "guard:files": 0.03, "guard:git": 0.02, "guard:secrets": 0.02 },
    duration_ms: 1.2,
    resident: true,
    call: "c1f20fb7b6552757529106a21672fe52",
  };
}

async function shipping({ shipJournal, openTarget, postgresSink }, folder, journal, target, count) {
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, `state-${target.slice(0, 4)}`) };
  const options = { env, telemetry: undefined, machine: "bench", version: "0", protocol: undefined };
  const ship = () =>
    shipJournal({
      env,
      journal,
      target,
      machine: "bench",
      once: true,
      withArguments: false,
      signal: new AbortController().signal,
      open: (memory) => (target.startsWith("postgres:") ? postgresSink(target) : openTarget(target, options, memory)),
    });
  await ship();
  rmSync(join(env.XDG_STATE_HOME, "sluice", "ship"), { recursive: true });
  if (target.startsWith("postgres:")) await emptied(target);
  return perRecord(count, async () => {
    const { shipped, problem } = await ship();
    if (shipped !== count) throw new Error(`only ${shipped} of ${count} records arrived: ${problem}`);
  });
}

async function emptied(url) {
  const { default: connect } = await import("postgres");
  const client = connect(url, { max: 1, onnotice: () => {} });
  await client`truncate sluice_decisions`;
  await client.end();
}

/** Microseconds of processor time and of the clock for one record. */
async function perRecord(count, act) {
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  await act();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / count, wall: ((performance.now() - began) * 1000) / count };
}

/** A collector in a process of its own, which takes everything. */
async function withCollector(act) {
  const code = `require("node:http").createServer((q, r) => q.resume().on("end", () => r.end())).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;
  const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(Number(text))));
    return await act(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
  }
}

/** A database of its own; its programs refuse to run as root, so root runs them as the user `postgres`. */
async function withPostgres(folder, act) {
  const bin = ["15", "16", "17"].map((version) => `/usr/lib/postgresql/${version}/bin`).find(existsSync);
  if (bin === undefined) return undefined;
  const data = join(folder, "data");
  mkdirSync(data);
  const uid = process.getuid() === 0 ? Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })) : undefined;
  if (uid !== undefined) {
    chownSync(data, uid, uid);
    chmodSync(folder, 0o755);
    chmodSync(data, 0o700);
  }
  const as = uid === undefined ? {} : { uid, gid: uid };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "sluice", "--auth=trust", "--no-sync"], {
    ...as,
    cwd: data,
    stdio: "ignore",
  });
  const port = 20_000 + (process.pid % 20_000);
  const child = spawn(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), "-k", data, "-c", "listen_addresses=127.0.0.1"],
    { ...as, cwd: data, stdio: "ignore" },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const { default: connect } = await import("postgres");
    const url = `postgres://sluice@127.0.0.1:${port}/postgres`;
    for (let tries = 0; tries < 100; tries++) {
      const client = connect(url, { max: 1, onnotice: () => {} });
      const isThere = await client`select 1`
        .then(
          () => true,
          () => false,
        )
        .finally(() => client.end({ timeout: 0 }));
      if (isThere) break;
      await wait(100);
    }
    return await act(url);
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}

const RULES = "a rule, through the engine";
const CEDAR = "a Cedar policy, through the engine";

async function asking(quick) {
  const { Hook, HookEvent, HookExecutor, HookRegistry } = await library();
  const executorOf = (hook) => {
    const registry = new HookRegistry();
    registry.register(Hook.fromJSON({ name: "x", event: "tool:pre_execute", ...hook }));
    return new HookExecutor({ registry });
  };
  const rules = executorOf({ rules: 'args.command contains "--prod" -> deny("no")' });
  const cedar = executorOf({
    cedar: { policies: 'forbid(principal, action, resource) when { context.command like "*--prod*" };' },
  });
  const decide = (executor) => async (times) => {
    let sum = 0;
    for (let turn = 0; turn < times; turn++)
      sum += (await executor.decide(HookEvent.toolPreExecute("bash", { command: "ls -la src" }))).action.length;
    return sum;
  };
  // V8 compiles WebAssembly into fast code after some thousand calls.
  await decide(cedar)(quick ? 3000 : 5000);
  const figures = await sideBySide(
    [
      { label: RULES, run: decide(rules) },
      { label: CEDAR, run: decide(cedar) },
    ],
    { rounds: quick ? 60 : 400, warmUpMs: quick ? 500 : 1500 },
  );
  const cost = Number(figures.get(CEDAR).median.toPrecision(3));
  return {
    rows: rows(figures, { unit: "µs", to: () => RULES }),
    target: { what: "one question to Cedar", target: 0.3, measured: cost, unit: " ms", met: cost <= 0.3 },
  };
}

const ALONE = "a rule, while nothing is shipped";
const BESIDE = "a rule, while `sluice ship` sends a hundred records a second";

/** Decisions with and without a process that ships beside them; it is stopped and let run in turn. */
async function besideShipping(root, folder, quick) {
  const { Hook, HookEvent, HookExecutor, HookRegistry } = await library();
  const registry = new HookRegistry();
  registry.register(
    Hook.fromJSON({ name: "x", event: "tool:pre_execute", rules: 'args.command contains "--prod" -> deny("no")' }),
  );
  const executor = new HookExecutor({ registry });
  const home = join(folder, "beside");
  const { folder: journal } = writeJournal(home, 10);
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state") };
  return withCollector(async (url) => {
    const words = [join(root, "dist/sluice.cjs"), "ship", "--to", `otlp+${url}`];
    const child = spawn(process.execPath, words, { env, stdio: "ignore" });
    const file = join(journal, `${new Date().toISOString().slice(0, 10)}.jsonl`);
    let written = 10;
    const lines = () => Array.from({ length: 10 }, () => `${JSON.stringify(recordOf(written++))}\n`).join("");
    const writing = setInterval(() => appendFileSync(file, lines()), 100);
    const decide = (signal) => async (times) => {
      child.kill(signal);
      let sum = 0;
      for (let turn = 0; turn < times; turn++)
        sum += (await executor.decide(HookEvent.toolPreExecute("bash", { command: "ls -la src" }))).action.length;
      return sum;
    };
    try {
      await wait(1000);
      const figures = await sideBySide(
        [
          { label: ALONE, run: decide("SIGSTOP") },
          { label: BESIDE, run: decide("SIGCONT") },
        ],
        { rounds: quick ? 60 : 400, warmUpMs: quick ? 500 : 1500 },
      );
      return rows(figures, { unit: "µs", to: () => ALONE });
    } finally {
      clearInterval(writing);
      child.kill("SIGKILL");
    }
  });
}

function round(value) {
  return Number(value.toPrecision(3));
}

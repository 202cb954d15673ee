// Shipping to real targets that go away while the shipping process is killed again and again: nothing is lost and nothing is kept twice.
// npm run campaign outage [seconds of outage]; 60 when left out, 600 for ten minutes.
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import protobuf from "protobufjs";

const outage = Number(process.argv[2] ?? 60);
const root = fileURLToPath(new URL("../..", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "sluice-outage-"));
chmodSync(base, 0o755);
execFileSync(process.execPath, ["scripts/build.mjs", "--no-types", "--quiet"], { cwd: root, stdio: "inherit" });

async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

async function stopped(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

/** Each target can go away, come back, and say which records it has. */
async function postgres() {
  const bin = ["15", "16", "17"].map((version) => `/usr/lib/postgresql/${version}/bin`).find(existsSync);
  if (bin === undefined) return undefined;
  const data = join(base, "pg");
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })) : undefined;
  if (uid !== undefined) chownSync(data, uid, uid);
  const as = { cwd: data, stdio: "ignore", ...(uid !== undefined && { uid, gid: uid }) };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "sluice", "--auth=trust", "--no-sync"], as);
  const port = await freePort();
  const url = `postgres://sluice@127.0.0.1:${port}/postgres`;
  const { default: connect } = await import("postgres");
  let server;
  return {
    name: "Postgres",
    url,
    up: async () => {
      server = spawn(
        join(bin, "postgres"),
        ["-D", data, "-p", String(port), "-k", data, "-c", "listen_addresses=127.0.0.1"],
        as,
      );
      await wait(2000);
    },
    down: () => stopped(server, "SIGQUIT"),
    kept: async () => {
      const client = connect(url, { max: 1, onnotice: () => {} });
      const rows = await client`select id from sluice_decisions`;
      await client.end();
      return rows.map(({ id }) => id);
    },
  };
}

async function nats() {
  const program = ["/usr/local/bin", "/usr/bin", "/usr/sbin"].map((folder) => `${folder}/nats-server`).find(existsSync);
  if (program === undefined) return undefined;
  const [folder, port] = [join(base, "nats"), await freePort()];
  let server;
  return {
    name: "NATS",
    url: `nats://127.0.0.1:${port}`,
    up: async () => {
      server = spawn(program, ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
      await wait(1000);
    },
    down: () => stopped(server, "SIGKILL"),
    kept: async () => {
      const { connect } = await import("@nats-io/transport-node");
      const { jetstreamManager } = await import("@nats-io/jetstream");
      const connection = await connect({ servers: `127.0.0.1:${port}` });
      const manager = await jetstreamManager(connection);
      const { state } = await manager.streams.info("SLUICE");
      const ids = [];
      for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
        const message = await manager.streams.getMessage("SLUICE", { seq });
        if (message?.subject.startsWith("sluice.decisions.")) ids.push(message.json().id);
      }
      await connection.close();
      return ids;
    },
  };
}

async function collector() {
  const port = await freePort();
  const type = (await protobuf.load(join(root, "tests/ship/otlp.proto"))).lookupType("otlp.LogsRequest");
  const seen = new Map();
  let server;
  const take = (request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/logs") {
        const { resourceLogs } = type.toObject(type.decode(gunzipSync(Buffer.concat(chunks))));
        for (const { attributes, spanId } of resourceLogs[0].scopeLogs[0].logRecords) {
          const id = attributes.find(({ key }) => key === "sluice.decision.id").value.stringValue;
          // A collector keeps what comes twice as one by its span.
          seen.set(`${id} ${Buffer.from(spanId).toString("hex")}`, id);
        }
      }
      response.end();
    });
  };
  return {
    name: "OTLP",
    url: `otlp+http://127.0.0.1:${port}`,
    up: () => {
      server = createHttpServer(take);
      return new Promise((ready) => server.listen(port, "127.0.0.1", ready));
    },
    down: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
    kept: async () => [...seen.values()],
  };
}

function record(index) {
  const isDenied = index % 7 === 0;
  return {
    v: 1,
    id: index.toString(16).padStart(8, "0"),
    time: new Date().toISOString(),
    kind: "decision",
    agent: "claude-code",
    session_id: `session-${index % 9}`,
    event: "tool:pre_execute",
    tool: "Bash",
    action: isDenied ? "deny" : "continue",
    reasons: isDenied ? ["no"] : [],
    event_json: { type: "tool:pre_execute", data: { tool_use_id: `call-${index}` }, tool_name: "Bash" },
    results: [],
    duration_ms: 1,
  };
}

async function campaign(target) {
  const home = join(base, `home-${target.name}`);
  const journal = join(home, "state", "sluice", "decisions");
  mkdirSync(journal, { recursive: true, mode: 0o700 });
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  const env = { ...own, HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const [file, began] = [join(journal, `${new Date().toISOString().slice(0, 10)}.jsonl`), Date.now()];
  let [written, kills, isOver] = [0, 0, false];
  await target.up();
  const writing = (async () => {
    while (!isOver) {
      const lines = Array.from({ length: 20 }, () => `${JSON.stringify(record(written++))}\n`);
      appendFileSync(file, lines.join(""), { mode: 0o600 });
      await wait(100);
    }
  })();
  const shipping = (async () => {
    while (!isOver) {
      const child = spawn(process.execPath, [join(root, "dist/sluice.cjs"), "ship", "--to", target.url], {
        env,
        stdio: "ignore",
      });
      await wait(1000 + Math.random() * 4000);
      await stopped(child, "SIGKILL");
      kills++;
    }
  })();
  await wait(8000);
  await target.down();
  await wait(outage * 1000);
  await target.up();
  await wait(8000);
  await target.down();
  await wait(2000);
  await target.up();
  await wait(4000);
  isOver = true;
  await Promise.all([writing, shipping]);
  const last = spawn(process.execPath, [join(root, "dist/sluice.cjs"), "ship", "--to", target.url, "--once"], {
    env,
    stdio: "ignore",
  });
  await new Promise((ended) => last.once("exit", ended));
  const ids = await target.kept();
  await target.down();
  const distinct = new Set(ids).size;
  const [lost, doubled] = [written - distinct, ids.length - distinct];
  const seconds = Math.round((Date.now() - began) / 1000);
  const mark = lost === 0 && doubled === 0 ? "✓" : "✗";
  console.log(
    `${mark} ${target.name}: ${written} records in ${seconds} s, away for ${outage} s and 2 s, ${kills} kills: ${lost} lost, ${doubled} doubled`,
  );
  return lost === 0 && doubled === 0;
}

try {
  const targets = [await postgres(), await nats(), await collector()];
  const there = targets.filter((target) => target !== undefined);
  for (const [index, name] of ["Postgres", "NATS"].entries())
    if (targets[index] === undefined) console.log(`not tried: ${name} is not installed here`);
  const results = await Promise.all(there.map(campaign));
  process.exitCode = results.every((isWhole) => isWhole) ? 0 : 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

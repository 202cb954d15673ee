import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { processesOf } from "../../scripts/soak-watch.mjs";
import { askDaemon, daemonStatus } from "../../src/server/clients/ask-daemon.ts";
import { cold, expectResident } from "./both-ways.ts";
import {
  BEST,
  COLD,
  callsOf,
  type DaemonHome,
  type Ended,
  homeOfAllClients,
  patientHome,
  plain,
  shellCall,
  TIERS,
  writeHooks,
} from "./daemon-home.ts";
import { ended } from "./ended.ts";
import { askOnce, fakeEngine } from "./fake-daemon.ts";

/** The ordinary run takes the best client; `RESIDENT_TIERS=all` takes every one. */
const TRIED = process.env.RESIDENT_TIERS === "all" ? TIERS : TIERS.slice(0, 1);

/** Leaves behind everything that a hook can see, in a file of its own per run. */
const LOOK = `
  - name: look
    matcher: { events: [PreToolUse, PostToolUse], command_patterns: ["look*"] }
    command: |
      { cat; env | sort | grep -v '^SLUICE_RUN='; pwd; umask; } > "saw.$$"
      case "$CALLER" in no) echo "not for $CALLER"; exit 2;; esac
      echo '{"context": "seen by '"$CALLER"'"}'
`;

/** A daemon has at most so many workers. */
const MAX_WORKERS = 8;

/** Who calls, and with what. */
const CALLERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a variable of its own": { CALLER: "one", "odd.name": "a\nb=c" },
  "another caller, whom the hook refuses": { CALLER: "no" },
  "what would make programs load something": { CALLER: "x", LD_PRELOAD: "", NODE_OPTIONS: "", BASH_ENV: "/none" },
  "credentials and certificates": { CALLER: "x", SOME_API_KEY: "secret", NODE_EXTRA_CA_CERTS: "/dev/null" },
  "an agent inside a hook": { CALLER: "x", SLUICE_DEPTH: "1", SLUICE_RUN: "ab" },
  "hooks too deep": { CALLER: "x", SLUICE_DEPTH: "3" },
  "another folder for temporary files": { CALLER: "x", TMPDIR: "/var/tmp" },
  "other places where programs are found": { CALLER: "x", PATH: `${process.env.PATH}:/none` },
};

/** One home for all of them: every client asks its daemon. */
const shared = homeOfAllClients();

describe.each(TIERS)("through the %s client", (tier) => {
  /** A denial is remembered for its session. */
  const inSession = (payload: object) => JSON.stringify({ ...payload, session_id: tier });

  it("a command hook sees what it sees without a daemon", async () => {
    const at = shared(tier, `hooks:${LOOK}`);
    await at.warm();
    const callers = Object.entries(CALLERS);
    const payloads = [shellCall(at.root, "look"), afterCall(at.root)];
    // The first calls before a tool and after it, the others in turn.
    for (const [index, [name, env]] of (tier === BEST ? callers : callers.slice(0, 1)).entries())
      for (const payload of index === 0 ? payloads : payloads.slice(index % 2).slice(0, 1)) {
        const [alone, together] = await bothWays(at, inSession(payload), env);
        expect(together, name).toEqual(alone);
        expect(together?.saw, name).toHaveLength(env.SLUICE_DEPTH === "3" ? 0 : 1);
      }
    // Some callers are left to the command; on a busy machine the others may have a worker each.
    expect((await daemonStatus(at.runtimeDir))?.workers).toBeGreaterThan(0);
  });

  const itOnce = tier === BEST ? it : () => {};
  itOnce("a hook beside a mistake in the configuration runs as it does without a daemon", async () => {
    const at = shared(tier, `hooks:${LOOK}\n  - { name: broken, event: no:such_event, command: "true" }\n`);
    await at.warm();
    for (const CALLER of ["one", "no"]) {
      const [alone, together] = await bothWays(at, inSession(shellCall(at.root, "look")), { CALLER });
      // The user is given a notice once per session, and both calls are of one session.
      expect({ ...together, stderr: "" }).toEqual({ ...alone, stderr: "" });
      expect(together?.saw).toHaveLength(1);
      await expectResident(at);
    }
  });

  it("a server is asked the same, with the caller's own key", async () => {
    const asked: { headers: IncomingHttpHeaders; body: string }[] = [];
    const url = await server((headers, body) => {
      asked.push({ headers, body });
      return body.includes("rmm") ? { decision: "deny", reason: "the server says no" } : {};
    });
    const at = shared(
      tier,
      `hooks:\n  - name: ask\n    event: tool:pre_execute\n    url: ${url}\n    headers: { x-key: "k-\${CALLER}" }\n`,
    );
    await at.warm();
    asked.length = 0;
    for (const line of tier === BEST ? ["ls", "rmm x"] : ["rmm x"])
      for (const CALLER of tier === BEST ? ["one", "two", ""] : ["one"]) {
        const payload = inSession(shellCall(at.root, line));
        const [alone, together] = await bothWays(at, payload, { CALLER });
        expect(together).toEqual(alone);
      }
    expect(asked).toHaveLength(tier === BEST ? 8 : 2);
    const said = asked.map(({ headers: { "content-length": _, ...headers }, body }) => [headers, untimed(body)]);
    expect(said.filter((_, at) => at % 2 === 1)).toEqual(said.filter((_, at) => at % 2 === 0));
    await expectResident(at);
  });

  it("a plugin says the same, is loaded once, and again when its file or one beside it changes", async () => {
    const at = shared(tier, "hooks:\n  - { name: guard, event: tool:pre_execute, module: ./guard.ts }\n");
    const [file, beside] = ["guard.ts", "words.ts"].map((name) => join(at.home, ".config/sluice", name));
    writeFileSync(beside ?? "", `export const word: string = "one";\n`);
    writeFileSync(file ?? "", PLUGIN);
    await at.warm();
    const say = async (CALLER: string) => (await ended(at, call, { env: { CALLER } })).stdout;
    const call = inSession(shellCall(at.root, "ls"));
    const [alone, together] = await bothWays(at, call, { CALLER: "a" });
    expect(together).toEqual(alone);
    const loaded = async () => /loaded (\d+) (\d+)/.exec(await say("b")) ?? [];
    // On a busy machine the daemon may have more than one worker: each has loaded it once.
    const loads = new Map<string | undefined, string | undefined>();
    let [, worker, when] = await loaded();
    for (; !loads.has(worker) && loads.size < MAX_WORKERS; [, worker, when] = await loaded()) loads.set(worker, when);
    expect([worker, when]).toEqual([expect.stringMatching(/^\d+$/), loads.get(worker)]);
    expect(await say("c")).toContain(`one c ${at.root}`);
    writeFileSync(beside ?? "", `export const word: string = "another";\n`);
    expect(await say("d")).toContain(`another d ${at.root}`);
    expect([...loads.values()]).not.toContain((await loaded())[2]);
  });
});

describe.each(TRIED)("the hooks of the %s client", (tier) => {
  it("ends the hooks of a client that is ended, and all they have started", async () => {
    const at = shared(
      tier,
      `hooks:
  - event: tool:pre_execute
    command: test -e go || exit 0; echo $$ > pids; (setsid sleep 60 & echo $! >> pids); sleep 60; echo x > too-late
`,
    );
    await at.warm();
    writeFileSync(join(at.root, "go"), "");
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      rmSync(join(at.root, "pids"), { force: true });
      const child = at.start();
      child.stdin?.end(JSON.stringify(shellCall(at.root, "ls")));
      const pids = () => textOf(join(at.root, "pids")).trim().split("\n").map(Number);
      await expect.poll(() => pids().length).toBe(2);
      child.kill(signal);
      await expect.poll(() => pids().filter(isRunning)).toEqual([]);
    }
    expect(readdirSync(at.root)).not.toContain("too-late");
  });

  it("answers although the daemon ends while hooks run", async () => {
    const at = shared(tier, SLOW);
    const pid = await at.warm();
    const call = ended(at, JSON.stringify({ ...shellCall(at.root, "slow"), session_id: "daemon" }));
    await expect.poll(() => textOf(join(at.root, "counted"))).toBe("x\n");
    process.kill(pid, "SIGKILL");
    expect((await call).stdout).toContain("slow no");
    expect(textOf(join(at.root, "counted"))).toBe("x\n");
  });

  it("shuts the gate and runs nothing again, when what runs the hooks dies", async () => {
    const at = shared(tier, SLOW);
    await at.warm();
    const call = ended(at, JSON.stringify({ ...shellCall(at.root, "slow"), session_id: "worker" }));
    await expect.poll(() => textOf(join(at.root, "counted"))).toBe("x\n");
    for (const worker of workersOf(at)) process.kill(worker, "SIGKILL");
    const { stdout, exitCode } = await call;
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect(stdout).toContain("they were not run again");
    expect(exitCode).toBe(0);
    expect(textOf(join(at.root, "counted"))).toBe("x\n");
  });

  it("lets what cannot be stopped go on, and says loudly that its hooks are lost", async () => {
    const at = patientHome(SLOW.replace("PreToolUse", "PostToolUse"), tier);
    await fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
      else if (heard.endsWith("\xff\xff\xff\xff")) socket.destroy();
      else if (heard.includes("session_id")) askOnce(socket, "HOOKS 9\n");
    });
    const { stdout, stderr } = await ended(at, JSON.stringify(afterCall(at.root)));
    expect(stdout).not.toContain("deny");
    expect(stderr + stdout).toContain("they were not run again");
    expect(textOf(join(at.root, "counted"))).toBe("");
  });
});

it("a hook never runs for a client that has not said to go on", async () => {
  const at = shared(BEST, SLOW);
  await at.warm();
  const payload = JSON.stringify(shellCall(at.root, "slow"));
  const request = { words: [...COLD, "run", "claude-code"], env: at.env, cwd: at.root, payload };
  expect(await askDaemon(at.runtimeDir, request)).toBeUndefined();
  expect(textOf(join(at.root, "counted"))).toBe("");
});

it("a plugin that hangs keeps no other project waiting", async () => {
  const at = shared(BEST);
  const other = join(at.home, "other");
  mkdirSync(join(other, ".git"), { recursive: true });
  const rule = `  - { name: guard, event: tool:pre_execute, module: ./hanging.mjs, timeout: 2, on_error: deny }\n`;
  writeHooks(at, `hooks:\n${rule}`);
  writeFileSync(join(at.home, ".config/sluice/hanging.mjs"), HANGING);
  await at.warm();
  const began = performance.now();
  const hanging = ended(at, JSON.stringify(shellCall(at.root, "hang")));
  const { stdout } = await ended(at, JSON.stringify({ ...shellCall(other, "ls"), session_id: "other" }));
  expect(stdout).toContain("no ls here");
  expect(performance.now() - began).toBeLessThan(20_000);
  expect((await hanging).stdout).toContain("deny");
  expect(await callsOf(at)).toBeGreaterThan(0);
});

const SLOW = `hooks:
  - matcher: { events: [PreToolUse], command_patterns: ["slow*"] }
    command: echo x >> counted; sleep 1; echo slow no; exit 1
`;

const PLUGIN = `
  import { definePlugin, type HookRequest } from "sluice";
  import { word } from "./words.ts";
  const loaded = \`\${process.pid} \${Math.round(performance.now() * 1000)}\`;
  export default definePlugin({
    preToolUse: (request: HookRequest) =>
      ["block", process.env.CALLER === "a" ? "same" : \`loaded \${loaded}: \${word} \${process.env.CALLER} \${process.cwd()}\`],
  });`;

const HANGING = `
  export default {
    preToolUse: (request) =>
      request.toolInput.command === "hang" ? new Promise(() => {}) : ["block", \`no \${request.toolInput.command} here\`],
  };`;

function together(at: DaemonHome, payload: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  return ended(at, payload, { env });
}

/** What a call comes to, and what its hooks saw, without the daemon and with it. */
async function bothWays(at: DaemonHome, payload: string, env: Readonly<Record<string, string>>) {
  const outcomes: (Ended & { readonly saw: readonly string[] })[] = [];
  for (const decided of [cold, together]) {
    const said = plain(await decided(at, payload, env), at);
    const names = readdirSync(at.root).filter((name) => name.startsWith("saw."));
    const saw = names.map((name) => untimed(readFileSync(join(at.root, name), "utf8")));
    for (const name of names) rmSync(join(at.root, name));
    outcomes.push({ ...said, saw });
  }
  return outcomes;
}

function untimed(text: string): string {
  return text.replaceAll(/"timestamp":[\d.]+/g, '"timestamp":0').replaceAll(/(_TIMESTAMP=)[\d.]+/g, "$10");
}

function afterCall(cwd: string): object {
  return { ...shellCall(cwd, "look slow"), hook_event_name: "PostToolUse", tool_response: { stdout: "done" } };
}

async function server(answer: (headers: IncomingHttpHeaders, body: string) => object): Promise<string> {
  const made = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => response.end(JSON.stringify(answer(request.headers, body))));
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close());
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/hook`;
}

function workersOf({ home }: DaemonHome): number[] {
  return processesOf(home, /--worker/);
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

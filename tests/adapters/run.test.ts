import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import type { Payload } from "../../src/adapters/payload.ts";
import { readCall } from "../../src/adapters/read-call.ts";
import { cases } from "../cases.ts";
import type { Project } from "../cli/sluice.ts";
import { COMMAND } from "../command-server/run-command.ts";
import { agentNamed } from "./agents/index.ts";
import { called, environment, journalOf, userWith } from "./called.ts";
import { payloadsOf } from "./payloads.ts";
import { recorded } from "./saying.ts";

const DENY_ALL = `hooks:
  - name: nothing-runs
    event: tool:pre_execute
    rules: |
      args exists -> deny("nothing runs here")
`;
const DENY_RM = `hooks:
  - name: no-rm
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "rm" -> deny("no rm here")
`;
const MEGABYTES = cases(4, 20) * 1024 * 1024;
const BASH = recorded("claude-code")["PreToolUse.Bash"] ?? {};
const rm = (more: object = {}): Payload => ({ ...BASH, tool_input: { command: "rm -rf build", ...more } });

describe("sluice run", () => {
  const gates = ADAPTERS.map((adapter) => {
    const sent = payloadsOf(adapter).find(
      ({ payload }) => adapter.hookEvents[adapter.hookEventOf(payload) ?? ""]?.as === "tool:pre_execute",
    );
    return [adapter.id, sent?.payload ?? {}, adapter] as const;
  });

  it.each(gates)("tells by itself that %s calls, and stops its tool", async (id, payload, adapter) => {
    const at = userWith(DENY_ALL);
    const ended = called(at, [], JSON.stringify({ ...payload, cwd: at.root }));
    const hookEvent = String(
      payload.hook_event_name ??
        payload.agent_action_name ??
        payload.hookName ??
        payload.hook ??
        (id === "amp" ? payload.event : adapter.hookEventOf(payload)),
    );
    const does = await agentNamed(id).reads(ended, { hookEvent, payload });
    expect(does).toMatchObject({ then: "is stopped", told: expect.stringContaining("nothing runs here") });
  });

  it("tells every recorded payload's agent and hook event, without a name", () => {
    const wrong = ADAPTERS.flatMap((adapter) =>
      payloadsOf(adapter)
        .filter(({ isRecorded }) => isRecorded)
        .flatMap(({ name, payload }) => {
          const read = readCall({ text: JSON.stringify(payload) });
          const known = read.kind === "event" && read.native.adapter === adapter;
          return known ? [] : [`${adapter.id} ${name}`];
        }),
    );
    expect(wrong).toEqual([]);
  });

  it("says nothing at all when no hook has anything to say", () => {
    const ended = called(
      userWith(DENY_RM),
      ["claude-code"],
      JSON.stringify({ ...BASH, tool_input: { command: "ls" } }),
    );
    expect(ended).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("an unknown agent is a gate that stays shut", () => {
    const ended = called(userWith(""), ["clade-code"], JSON.stringify(BASH));
    expect(ended).toMatchObject({
      stdout: "",
      exitCode: 2,
      stderr: expect.stringContaining('unknown agent "clade-code"'),
    });
  });

  it("an unknown hook event passes in silence, and is written down", () => {
    const at = userWith(DENY_ALL);
    const ended = called(at, ["claude-code"], JSON.stringify({ ...BASH, hook_event_name: "PreDream" }));
    expect(ended).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    expect(journalOf(at)).toContain("PreDream");
  });

  it("a denied call has a short id, and `sluice why` explains it", () => {
    const at = userWith(DENY_RM);
    const { stdout } = called(at, ["claude-code"], JSON.stringify({ ...rm(), cwd: at.root }));
    const [, id = "none"] = /sluice why ([0-9a-f]+)/.exec(stdout) ?? [];
    const why = at.sluice("why", id);
    expect(why).toMatchObject({ code: 0, out: expect.stringContaining("no rm here") });
    expect(why.out).toContain("no-rm");
  });

  it.each([
    ["claude-code", "PostToolUse.Write", "block"],
    ["codex", "PostToolUse.apply_patch", "block"],
    ["gemini-cli", "AfterTool.write_file", "deny"],
    ["qwen-code", "PostToolUse.write_file", "block"],
  ])("a denial after the fact is feedback that %s acts on, and plain context stays context", (agent, name, verdict) => {
    const answered = (hook: string) => {
      const at = userWith(`hooks:\n  - event: tool:post_execute\n    ${hook}\n`);
      const payload = { ...recorded(agent)[name], cwd: at.root };
      return called(at, [agent], JSON.stringify(payload));
    };
    const objection = answered('rules: tool exists -> deny("the tests fail")');
    // Codex and Gemini CLI put the reason in the place of the result, so it has the result too.
    const reason = expect.stringMatching(
      /^the tests fail \(why: sluice why [0-9a-f]+\)(?:\n\nThe tool has run\. Its result:\n.+)?$/s,
    );
    expect(JSON.parse(objection.stdout)).toMatchObject({ decision: verdict, reason });
    expect(objection.exitCode).toBe(0);
    const words = JSON.parse(answered(`command: echo '{"context":"noted"}'`).stdout);
    expect(words).toEqual({ hookSpecificOutput: { hookEventName: name.split(".")[0], additionalContext: "noted" } });
  });

  it("a decision that became stricter says so in `sluice why`", () => {
    const at = userWith(DENY_ALL.replace("deny", "ask"));
    const payload = { ...recorded("codex")["PreToolUse.Bash"], cwd: at.root };
    const { stdout } = called(at, ["codex"], JSON.stringify(payload));
    const [, id = "none"] = /sluice why ([0-9a-f]+)/.exec(stdout) ?? [];
    expect(at.sluice("why", id).out).toContain("ask became deny");
  });

  it("hooks of an untrusted project do not run, and that is said", () => {
    const hooks = "hooks:\n  - event: tool:pre_execute\n    command: touch ran\n";
    const at = userWith("", { ".sluice/hooks.yaml": hooks, ".git/HEAD": "" });
    const { stderr, exitCode } = called(at, ["claude-code"], JSON.stringify({ ...BASH, cwd: at.root }));
    expect(existsSync(join(at.root, "ran"))).toBe(false);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("sluice trust")]);
  });

  it("hooks that decide nothing are not waited for", async () => {
    const at = userWith("hooks:\n  - event: tool:pre_execute\n    command: sleep 2; touch done\n    async: true\n");
    called(at, ["claude-code"], JSON.stringify({ ...BASH, cwd: at.root }));
    const done = join(at.root, "done");
    expect(existsSync(done)).toBe(false);
    await expect.poll(() => existsSync(done), { interval: 50 }).toBe(true);
  });

  it("what becomes of async hooks is remembered, and counted apart from the call", async () => {
    const at = userWith(
      "hooks:\n  - { name: breaks, event: tool:pre_execute, async: true, command: no-such-program-here }\n" +
        "  - { name: objects, event: tool:pre_execute, async: true, command: exit 1 }\n",
    );
    called(at, ["claude-code"], JSON.stringify({ ...BASH, cwd: at.root }));
    type Record = { readonly id: string; readonly background?: true };
    const last = () => JSON.parse(at.sluice("why", "--last", "5", "--json").out).decisions as Record[];
    await expect.poll(() => last().length, { interval: 100 }).toBe(2);
    // A hook that ends at once may be written down before its call.
    const { id = "" } = last().find(({ background }) => !background) ?? {};
    expect(at.sluice("why", "--last", "5").out).toMatch(/background .*breaks failed/);
    expect(at.sluice("why", id).out).toMatch(/in the background[\s\S]*async {2}breaks[\s\S]*failed \(not_found\)/);
    expect(at.sluice("why")).toMatchObject({ code: 1, err: expect.stringContaining("denied or asked") });
    const [{ calls, hooks }] = JSON.parse(at.sluice("stats", "--json").out).projects;
    expect(calls).toBe(1);
    expect(hooks).toContainEqual(expect.objectContaining({ hook: "breaks", failures: 1, denials: 0, failOpens: 0 }));
    expect(hooks).toContainEqual(expect.objectContaining({ hook: "objects", failures: 0, denials: 0 }));
    expect(at.sluice("doctor").out).toContain('hook "breaks" failed 1 time');
  });

  it("a hook that hangs is cut before the agent gives up", () => {
    const at = userWith("hooks:\n  - event: session:end\n    command: sleep 30; touch done\n    timeout: 60\n");
    const payload = { ...recorded("codex")["SessionEnd.other"], cwd: at.root };
    const began = performance.now();
    expect(called(at, ["codex"], JSON.stringify(payload)).exitCode).toBe(0);
    // Codex itself waits for three seconds; the rest is room for a busy machine.
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(existsSync(join(at.root, "done"))).toBe(false);
  });

  it("an agent that leaves the pipe open is answered all the same", async () => {
    const at = userWith(DENY_RM);
    expect(await answeredWithOpenPipe(at, JSON.stringify({ ...rm(), cwd: at.root }))).toContain("no rm here");
  });

  it("a hook that calls the agent again is stopped at the third time", () => {
    const at = userWith("hooks:\n  - event: tool:pre_execute\n    command: touch ran\n");
    const { stdout } = called(at, ["claude-code"], JSON.stringify({ ...BASH, cwd: at.root }), { SLUICE_DEPTH: "3" });
    expect(existsSync(join(at.root, "ran"))).toBe(false);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });
});

describe("a program that speaks our own words", () => {
  it.each([
    ["tool:pre_exec", 'Did you mean "tool:pre_execute"?'],
    ["nothing-like-it", "`sluice events` lists them all"],
  ])("and misspells an event as %s is refused, with the next step", (type, words) => {
    const at = userWith("");
    const { stdout, stderr, exitCode } = called(at, ["json"], JSON.stringify({ type, tool_name: "bash" }));
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`"${type}"`);
    expect(stderr).toContain(words);
    expect(at.sluice("why").out).toMatch(/^\w{6} {2}deny/);
  });

  it("may spell it in other letters, and may name it beside the payload", () => {
    const at = userWith("");
    expect(called(at, ["json"], '{"type":"Tool:Pre-Execute","tool_name":"bash"}').exitCode).toBe(0);
    expect(called(at, ["json", "--moment", "session:start"], '{"type":"mine"}').exitCode).toBe(0);
  });
});

describe("a payload that cannot be read", () => {
  const UNREADABLE: readonly (readonly [string, string | Buffer])[] = [
    ["no JSON", "rm -rf /"],
    ["half of it", JSON.stringify(rm()).slice(0, -3)],
    ["two of them", `${JSON.stringify(rm())}${JSON.stringify(rm())}`],
    ["empty", ""],
    ["blank", " \n\t\n"],
    ["a list", JSON.stringify([rm()])],
    ["a text", '"rm"'],
    ["null", "null"],
    ["megabytes of nothing", "x".repeat(MEGABYTES)],
    ["lists in lists without end", "[".repeat(100_000)],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ];

  it.each(UNREADABLE)("keeps the gate shut and says what an agent sends, named or not: %s", (_, input) => {
    const at = userWith("");
    for (const words of [[], ["codex"]]) {
      const { stdout, stderr, exitCode } = called(at, words, input);
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
      expect(stderr).toMatch(/^the payload .+; an agent sends one JSON object .+`sluice fire` .+\n$/);
      expect(stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
    }
  });

  const { tool_name: _, ...nameless } = rm();
  const LACKING: readonly (readonly [string, Payload])[] = [
    ["no tool", nameless],
    ["a tool that is a number", { ...rm(), tool_name: 7 }],
    ["a tool without letters", { ...rm(), tool_name: "" }],
    ["a tool that is a list", { ...rm(), tool_name: ["Bash"] }],
  ];

  it.each(LACKING)("is denied in the agent's own words: %s", async (_name, payload) => {
    const at = userWith("");
    for (const id of ["claude-code", "codex"]) {
      const does = await agentNamed(id).reads(called(at, [id], JSON.stringify(payload)), {
        hookEvent: "PreToolUse",
        payload,
      });
      expect([id, does.then, does.told]).toEqual([id, "is stopped", expect.stringContaining("tool_name")]);
    }
  });
});

describe("a payload that is odd", () => {
  const text = JSON.stringify(rm());
  const ODD: readonly (readonly [string, string | Buffer])[] = [
    ["a mark of its byte order", `\uFEFF${text}`],
    ["blanks around it", `\n\n  ${text}\r\n\n`],
    [
      "a key twice, of which the last counts",
      text.replace('"tool_input"', '"tool_input":{"command":"ls"},"tool_input"'),
    ],
    ["megabytes", JSON.stringify(rm({ note: "x".repeat(MEGABYTES) }))],
    [
      "lists in lists, a hundred thousand deep",
      text.replace('"command"', `"deep":${"[".repeat(100_000)}${"]".repeat(100_000)},"command"`),
    ],
    [
      "objects in objects, a hundred thousand deep",
      text.replace('"command"', `"deep":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)},"command"`),
    ],
    ["a letter cut in two", withBytes(text.replace('"command"', '"a":"CUT","command"'), [0xf0, 0x9f])],
    [
      "a name that objects have already",
      text.replace('"command"', '"__proto__":{"command":"ls"},"constructor":1,"command"'),
    ],
  ];

  it.each(ODD)("is judged as what it is, and never let through: %s", async (_, input) => {
    const at = userWith(DENY_RM);
    const ended = called(at, ["claude-code"], input);
    const does = await agentNamed("claude-code").reads(ended, { hookEvent: "PreToolUse", payload: rm() });
    expect([does.then, /\n\s+at /.test(ended.stderr)]).toEqual(["is stopped", false]);
  });
});

function withBytes(text: string, bytes: readonly number[]): Buffer {
  const [before = "", after = ""] = text.split("CUT");
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

async function answeredWithOpenPipe(at: Project, payload: string): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, "run", "claude-code"], { cwd: at.root, env: environment(at) });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    stdout += part;
  });
  child.stdin.write(payload);
  const limit = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(limit);
  return stdout;
}

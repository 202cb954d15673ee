import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { aggregate } from "../../decision/aggregate.ts";
import type { HookResult } from "../../decision/result.ts";
import { toolEffects } from "../../effects/call-effects.ts";
import { isPathEffect } from "../../effects/effect.ts";
import { HookEvent } from "../../event/event.ts";
import { attachRoot } from "../../event/field.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { builtInHook, builtInResult } from "./built-in.ts";
import { type DeniedTarget, deniedTarget, MEMORY_MS } from "./denied-target.ts";
import { DENY_MEMORY, deniedAmong, deniedBefore, rememberDenial, targetOfDenial } from "./deny-memory.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-memory-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const root = join(base, "project");
const where = { home: base, root, env: {} };
const folder = join(stateDir(where), "protect");
const NOW = Date.now();

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const path of ["frozen/deep", "other"]) mkdirSync(join(root, path), { recursive: true });
  for (const path of ["frozen/b.txt", "other/c.txt", "note.txt"]) writeFileSync(join(root, path), "x");
});

const RULE = builtInHook("rule", "A rule of the user.", "user");
const bash = (command: string, init: object = {}) =>
  HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId: "s", agent: "a", ...init });

/** The decision that denies a call. */
function denied(event: HookEvent, more: Partial<HookResult> = {}, hook = RULE) {
  const result = { ...builtInResult(hook, { action: "deny", reason: "it stays" }, 0), ...more };
  return aggregate({ event, results: [result] });
}

const target = (does: DeniedTarget["does"], path: string, more: Partial<DeniedTarget> = {}): DeniedTarget => ({
  path: join(root, path),
  does,
  way: "tool",
  reason: "it stays",
  at: NOW,
  ...more,
});

describe("which call reaches for a denied target", () => {
  it.each<[command: string, target: DeniedTarget, isDenied: boolean]>([
    ["rm frozen/b.txt other/c.txt", target("delete", "frozen/b.txt"), true],
    ["rm -r frozen", target("delete", "frozen"), true],
    ["rm -r frozen", target("delete", "frozen", { way: "rm" }), false],
    ["rm -r .", target("delete", "frozen"), true],
    ["rm frozen/b.txt", target("delete", "frozen"), false],
    ["rm -r other", target("delete", "frozen"), false],
    ["echo x > note.txt", target("delete", "note.txt"), false],
    ["echo x > note.txt", target("write", "note.txt"), true],
    ["rm note.txt", target("write", "note.txt"), true],
    ["cat note.txt", target("write", "note.txt"), false],
    ["cat note.txt", target("read", "note.txt"), true],
    ["rm note.txt", target("read", "note.txt"), false],
    ["tee frozen", target("write", "frozen/b.txt"), false],
    ["rm -r frozen", target("delete", "frozen", { reason: "use rm instead" }), false],
    ["rm -r frozen", target("delete", "frozen", { reason: "use rmdir instead" }), true],
    ["rm -r frozen", target("delete", "frozen", { reason: "use my-rm instead" }), true],
    ["/bin/rm -r frozen", target("delete", "frozen", { reason: "use rm instead" }), false],
    ['eval "$X"; rm -f "$Y" frozen/b.txt', target("delete", "frozen"), false],
    ["node -e \"eval(x); require('fs').rmSync('frozen', y)\"", target("delete", "frozen"), true],
    ["node -e \"eval(x); require('fs').rmSync('frozen/b.txt', y)\"", target("delete", "frozen"), false],
    ["node -e \"eval(x); require('fs').rmSync('frozen', y)\"", target("read", "frozen"), false],
    ["node -e \"eval(x); print('frozen')\"", target("delete", "frozen"), false],
    ["node -e \"eval(x); require('fs').rmSync('unfrozen', y)\"", target("delete", "frozen"), false],
    ['bash -c "$X" rm frozen', target("delete", "frozen"), true],
    [`bash -c "$X" rm ${join(root, "frozen")}/`, target("delete", "frozen"), true],
    ['bash -c "$X" rm frozen/*', target("delete", "frozen"), true],
    ['bash -c "$X" rm frozen/b.txt', target("delete", "frozen"), false],
    ['bash -c "$X" rm unfrozen', target("delete", "frozen"), false],
    ['bash -c "$X" rm frozen.txt', target("delete", "frozen"), false],
    ['bash -c "$X" rm frozen', target("read", "frozen"), false],
    ['bash -c "$X" look frozen', target("delete", "frozen"), false],
    ['bash -c "$X" rm noteXtxt', target("delete", "note.txt"), false],
    ['bash -c "$X" rm note.txt', target("delete", "note.txt"), true],
    ['bash -c "$X" rm notetxt', target("delete", "note.txt"), false],
    ['bash -c "$X" rm other', target("delete", "/", { path: "/" }), false],
    ["ls", target("delete", "frozen"), false],
  ])("%s (%#)", (command, one, isDenied) => {
    expect(deniedAmong(bash(command), [one], NOW) !== undefined).toBe(isDenied);
  });

  it("an event that is not a call reaches for nothing", () => {
    const start = HookEvent.sessionStart("s", {}, { cwd: root });
    expect(deniedAmong(start, [target("delete", "frozen")], NOW)).toBe(undefined);
  });

  it.each([
    [0, true],
    [MEMORY_MS - 1, true],
    [MEMORY_MS, false],
    [-MEMORY_MS + 1, true],
    [-MEMORY_MS, false],
  ])("after %d ms: %s", (age, isDenied) => {
    expect(deniedAmong(bash("rm -r frozen"), [target("delete", "frozen")], NOW + age) !== undefined).toBe(isDenied);
  });

  it.each([
    ["read", "read", "cat note.txt"],
    ["write", "change", "echo x > note.txt"],
    ["delete", "remove", "rm note.txt"],
  ] as const)("a denial to %s is reported with its reason and its age", (does, word, command) => {
    const said = deniedAmong(bash(command), [target(does, "note.txt")], NOW + 5400);
    expect(said).toMatchObject({ hook: DENY_MEMORY, action: "deny" });
    expect(said?.reason).toBe(
      `You were denied to ${word} ${join(root, "note.txt")} 5 s ago (it stays); another way to the same end is denied as well. Do what the denial says, or ask the user.`,
    );
  });

  it("the agent's own file tools are judged by the rules alone", () => {
    const call = (tool: string) =>
      HookEvent.toolPreExecute(
        tool,
        { file_path: join(root, "note.txt"), content: "" },
        { cwd: root, sessionId: "s", agent: "a" },
      );
    const targets = [target("write", "note.txt"), target("read", "note.txt")];
    for (const tool of ["Write", "Read"]) expect(deniedAmong(call(tool), targets, NOW)).toBe(undefined);
    rememberDenial(denied(bash("rm note.txt")), where, NOW);
    expect(deniedBefore(bash("unlink note.txt"), where, NOW)?.action).toBe("deny");
    expect(deniedBefore(call("Write"), where, NOW)).toBe(undefined);
  });
});

describe("the memory of a session", () => {
  it("has the denied targets, for that session of that agent", () => {
    rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    expect(deniedBefore(bash("find frozen -delete"), where, NOW)?.action).toBe("deny");
    expect(statSync(join(folder, "denied-a-s.jsonl")).mode & 0o777).toBe(0o600);
    copyFileSync(join(folder, "denied-a-s.jsonl"), join(folder, "denied-a-none.jsonl"));
    for (const other of [{ sessionId: "t" }, { agent: "b" }, { sessionId: undefined }])
      expect(deniedBefore(bash("find frozen -delete", other), where, NOW)).toBe(undefined);
  });

  it.each(["../s", "a b", "x".repeat(81), "-", "", "a.b-c"])(
    "has a file of its own for any session: %j",
    (sessionId) => {
      rememberDenial(denied(bash("rm -r frozen", { sessionId, agent: sessionId })), where, NOW);
      expect(readdirSync(folder).filter((name) => name.startsWith("denied-"))).toHaveLength(1);
      expect(deniedBefore(bash("find frozen -delete", { sessionId, agent: sessionId }), where, NOW)?.action).toBe(
        "deny",
      );
      const other = `${sessionId}!`;
      expect(deniedBefore(bash("find frozen -delete", { sessionId: other, agent: sessionId }), where, NOW)).toBe(
        undefined,
      );
    },
  );

  it.each([
    ["abc", "abc"],
    ["a.b", "a.b"],
    ["a-b", "a-b"],
    ["x".repeat(80), "x".repeat(80)],
    ["-".repeat(80), "-".repeat(80)],
    ["", "none"],
    ["a.b-c", expect.stringMatching(/^x-[0-9a-f]{32}$/)],
    ["x".repeat(81), expect.stringMatching(/^x-[0-9a-f]{32}$/)],
    ["a/b", expect.stringMatching(/^x-[0-9a-f]{32}$/)],
    ["a-b/../c", expect.stringMatching(/^x-[0-9a-f]{32}$/)],
  ])("of %j is in a file with that name, or with a hash of it", (sessionId, name) => {
    rememberDenial(denied(bash("rm -r frozen", { sessionId, agent: undefined })), where, NOW);
    expect(readdirSync(folder).map((file) => file.slice("denied-none-".length, -".jsonl".length))).toEqual([name]);
    expect(readdirSync(folder)[0]).toMatch(/^denied-none-.*\.jsonl$/);
  });

  it("is not created for a denial without a target", () => {
    rememberDenial(denied(bash("rm note.txt other/c.txt")), where, NOW);
    expect(existsSync(folder)).toBe(false);
  });

  it("is ignored if other users can write to it", () => {
    rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    chmodSync(join(folder, "denied-a-s.jsonl"), 0o666);
    expect(deniedBefore(bash("find frozen -delete"), where, NOW)).toBe(undefined);
  });

  it("skips torn or incomplete lines", () => {
    rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    const whole = target("write", "note.txt");
    const lines: (string | object)[] = [
      "{",
      "null",
      { ...whole, does: "toString" },
      { ...whole, at: String(NOW) },
      "[]",
    ];
    lines.push({ ...whole, way: 5 }, { ...whole, reason: 5 }, { ...whole, at: [NOW] });
    for (const line of lines)
      appendFileSync(join(folder, "denied-a-s.jsonl"), `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    expect(deniedBefore(bash("echo x > note.txt"), where, NOW)).toBe(undefined);
    expect(deniedBefore(bash("find frozen -delete"), where, NOW)?.action).toBe("deny");
  });

  it("does not wait for a named pipe, and reports that the denial is not remembered", () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    execFileSync("mkfifo", [join(folder, "denied-a-s.jsonl")]);
    const trouble = rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    expect(trouble).toContain(`This denial is not remembered`);
    expect(trouble).toContain(`${folder}/denied-a-s.jsonl is not a regular file`);
    expect(deniedBefore(bash("find frozen -delete"), where, NOW)).toBe(undefined);
  });

  it("uses the last hundred denials", () => {
    rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    const more = (count: number) =>
      appendFileSync(join(folder, "denied-a-s.jsonl"), `${JSON.stringify(target("delete", "other"))}\n`.repeat(count));
    more(99);
    expect(deniedBefore(bash("find frozen -delete"), where, NOW)?.action).toBe("deny");
    more(1);
    expect(deniedBefore(bash("find frozen -delete"), where, NOW)).toBe(undefined);
  });

  it("forgets sessions without an entry for an hour, and restarts a memory that is too long", () => {
    rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    const hour = 60 * 60 * 1000;
    const later = NOW + 60_000;
    const file = (name: string, size: number, age: number) => {
      writeFileSync(join(folder, name), "x".repeat(size));
      utimesSync(join(folder, name), (later - age) / 1000, (later - age) / 1000);
    };
    file("denied-old", 1, hour + 1000);
    file("denied-young", 1, hour - 1000);
    file("denied-long", 256 * 1024 + 1, 0);
    file("denied-full", 256 * 1024, 0);
    file("pause.json", 1, 2 * hour);
    const kept = ["denied-a-s.jsonl", "denied-full", "denied-young", "pause.json"];
    rememberDenial(denied(bash("rm -r frozen")), where, later);
    expect(readdirSync(folder).sort()).toEqual(kept);
    // Within the same minute a session only checks its own memory.
    file("denied-old", 1, hour + 1000);
    file("denied-a-s.jsonl", 256 * 1024, 0);
    rememberDenial(denied(bash("rm -r frozen")), where, later + 59_999);
    expect(readdirSync(folder).sort()).toEqual([...kept.slice(1, 2), "denied-old", ...kept.slice(2)]);
    // A minute later the newer one is old too.
    rememberDenial(denied(bash("rm -r frozen")), where, later + 60_000);
    expect(readdirSync(folder).sort()).toEqual(kept.filter((name) => name !== "denied-young"));
  });

  it("that cannot be written causes no error", () => {
    mkdirSync(join(folder, ".."), { recursive: true });
    writeFileSync(folder, "");
    rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    expect(deniedBefore(bash("find frozen -delete"), where, NOW)).toBe(undefined);
    rmSync(folder);
    mkdirSync(join(folder, "denied-a-s.jsonl"), { recursive: true });
    rememberDenial(denied(bash("rm -r frozen")), where, NOW);
    expect(existsSync(folder)).toBe(true);
  });
});

describe("the target of a denied call", () => {
  it("is ambiguous at the second path, however many the call names", () => {
    const patch = Array.from({ length: 1000 }, (_, at) => `*** Add File: a${at}\n+a\n`).join("");
    const event = HookEvent.toolPreExecute(
      "apply_patch",
      { command: `*** Begin Patch\n${patch}*** End Patch` },
      { cwd: root, sessionId: "s" },
    );
    const call = toolEffects(event);
    let looked = 0;
    const effects = call.effects.map((effect) =>
      isPathEffect(effect)
        ? {
            ...effect,
            path: {
              ...effect.path,
              get isGlob() {
                return looked++ < 0;
              },
            },
          }
        : effect,
    );
    expect(effects.length).toBeGreaterThanOrEqual(1000);
    expect(deniedTarget(denied(event), { ...call, effects }, NOW)).toBe(undefined);
    expect(looked).toBe(2);
  });

  it.each<[what: string, command: string, after: Partial<DeniedTarget> | undefined]>([
    ["a removal", "rm -r frozen", { does: "delete", path: join(root, "frozen"), way: "rm" }],
    ["a change", "echo x > note.txt", { does: "write", path: join(root, "note.txt") }],
    ["a look", "cat note.txt", { does: "read", path: join(root, "note.txt"), way: "cat" }],
    ["of a copy what is written", "cp note.txt other/c.txt", { does: "write", path: join(root, "other/c.txt") }],
    ["a file that is written and removed is changed", "rm note.txt; echo x > note.txt", { does: "write" }],
    ["two targets may be denied for either", "rm note.txt other/c.txt", undefined],
    ["a target that only the run will tell", 'rm "$X"', undefined],
    ["a call to another machine may be denied for that", "curl http://example.com/x -o note.txt", undefined],
    ["also beside a removal", "ping example.com; rm note.txt", undefined],
    ["what flows into a file may be denied for that", "env | tee note.txt", undefined],
    ["code that cannot be read may be denied for that", 'eval "$X"; rm note.txt', undefined],
    ["a change of the whole project names no target", "npx prettier --write .", undefined],
    ["a removal of the whole project does", "rm -rf .", { does: "delete", path: root }],
    ["nothing is touched", "true", undefined],
  ])("%s: %s", (_, command, after) => {
    const found = targetOfDenial(denied(bash(command)), NOW);
    if (after === undefined) expect(found).toBe(undefined);
    else expect(found).toMatchObject({ reason: "it stays", at: NOW, ...after });
  });

  it("its reason is remembered up to the length of a sentence", () => {
    const decision = denied(bash("rm note.txt"), { reason: "x".repeat(500) });
    expect(targetOfDenial(decision, NOW)?.reason).toBe("x".repeat(160));
    const two = aggregate({ event: decision.event, results: [...denied(decision.event).results, ...decision.results] });
    expect(targetOfDenial(two, NOW)?.reason).toMatch(/^it stays; x+$/);
  });

  it("a program is named with the one that looked the path up, and a call without one by its tool", () => {
    expect(targetOfDenial(denied(bash("find frozen -delete")), NOW)?.way).toBe("find rm");
    for (const [command, way] of [
      ["cat note.txt | tee note.txt", "cat tee"],
      ["grep x other/c.txt && rm note.txt", "rm"],
      ["sh -c 'rm note.txt'", "rm"],
      ["touch note.txt; rm note.txt", "touch"],
    ] as const)
      expect(targetOfDenial(denied(bash(command)), NOW)?.way, command).toBe(way);
    expect(targetOfDenial(denied(bash("python3 -c \"import os; os.remove('note.txt')\"")), NOW)?.way).toMatch(
      /python3/,
    );
    const write = HookEvent.toolPreExecute(
      "Write",
      { file_path: join(root, "note.txt"), content: "" },
      { cwd: root, sessionId: "s" },
    );
    expect(targetOfDenial(denied(write), NOW)).toMatchObject({ way: "Write", path: join(root, "note.txt") });
  });

  it("paths are relative to the folder of the call, and without one only absolute paths are targets", () => {
    const wanted = (command: string, init: object) => targetOfDenial(denied(bash(command, init)), NOW);
    expect(wanted("rm note.txt", { cwd: undefined })).toBe(undefined);
    expect(wanted(`rm ${join(root, "note.txt")}`, { cwd: undefined })).toMatchObject({ path: join(root, "note.txt") });
    expect(wanted(`touch ${join(root, "note.txt")}`, { cwd: undefined })).toMatchObject({ does: "write" });
  });

  it("a change of the project's root is not a target, wherever in the project it is made", () => {
    const event = bash("npx prettier --write ..", { cwd: join(root, "frozen") });
    expect(targetOfDenial(denied(event), NOW)).toMatchObject({ path: root });
    attachRoot(event, root);
    expect(targetOfDenial(denied(event), NOW)).toBe(undefined);
  });

  it("another tool is another way, and the tool itself is not", () => {
    const remove = (tool: string) =>
      HookEvent.toolPreExecute(tool, { path: join(root, "note.txt") }, { cwd: root, sessionId: "s", agent: "a" });
    const first = targetOfDenial(denied(remove("mcp__files__delete_file")), NOW);
    expect(first).toMatchObject({ does: "delete", way: "mcp__files__delete_file" });
    const found = (tool: string) => deniedAmong(remove(tool), first === undefined ? [] : [first], NOW);
    expect(found("mcp__files__delete_file")).toBe(undefined);
    expect(found("mcp__disk__remove_file")?.action).toBe("deny");
  });

  it("a program that writes a file before another removes it does not make that another way", () => {
    const one = target("delete", "note.txt", { way: "rm" });
    expect(deniedAmong(bash("touch note.txt; rm note.txt"), [one], NOW)).toBe(undefined);
    expect(deniedAmong(bash("cat note.txt; rm note.txt"), [one], NOW)?.action).toBe("deny");
  });

  it.each([
    ["an opinion of a rule", {}, true],
    ["one with the code of a danger", { code: "DESTRUCTIVE_BLOCKED" }, true],
    ["one about an intent", { code: "SCOPE_VIOLATION" }, false],
    ["a failure", { failure: { why: "timeout", afterMs: 1 } }, false],
  ] as const)("is remembered from %s: %o", (_, more, isRemembered) => {
    expect(targetOfDenial(denied(bash("rm note.txt"), more), NOW) !== undefined).toBe(isRemembered);
  });

  it("is not remembered from anything but the denial of a call in a session, nor from the memory itself", () => {
    const decision = denied(bash("rm note.txt"));
    expect(targetOfDenial({ ...decision, action: "ask" }, NOW)).toBe(undefined);
    expect(targetOfDenial(denied(bash("rm note.txt", { sessionId: undefined })), NOW)).toBe(undefined);
    const permission = new HookEvent({ ...bash("rm note.txt"), type: "permission:check" });
    expect(targetOfDenial({ ...decision, event: permission }, NOW)).toBe(undefined);
    const again = denied(bash("rm note.txt"), {}, DENY_MEMORY);
    expect(targetOfDenial(again, NOW)).toBe(undefined);
    const passing = { ...decision.results[0]!, action: "continue" as const };
    expect(targetOfDenial({ ...again, results: [...again.results, passing] }, NOW)).toBe(undefined);
    const broken = { ...decision.results[0]!, failure: { why: "timeout", afterMs: 1 } as const };
    expect(targetOfDenial({ ...decision, results: [broken, passing] }, NOW)).toBe(undefined);
    expect(targetOfDenial({ ...decision, results: [broken, ...decision.results] }, NOW)).toBeDefined();
    expect(targetOfDenial({ ...again, results: [...again.results, ...decision.results] }, NOW)).toBeDefined();
  });
});

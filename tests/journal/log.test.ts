import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logLine } from "../../src/cli/show/log-line.ts";
import { runtimeDirOf } from "../../src/server/runtime-dir.ts";
import type { DecisionRecord } from "../../src/trace/record.ts";
import { type Project, project } from "../cli/sluice.ts";
import { COMMAND } from "../command-server/run-command.ts";

const RULES = `guards: off
hooks:
  - name: no-sudo
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "sudo" -> deny("no sudo here")
      args.command contains "npm" -> ask("really?")
      args.command contains "make" -> warn("use the task runner")
  - name: watch-curl
    event: tool:pre_execute:@shell
    mode: monitor
    rules: args.command contains "curl" -> deny("no downloads")
`;

/** A project whose user has these rules. */
function guarded(): Project {
  const at = project();
  mkdirSync(join(at.home, ".config/sluice"), { recursive: true });
  writeFileSync(join(at.home, ".config/sluice/hooks.yaml"), RULES);
  // What a start of node costs has been measured before.
  writeFileSync(startFile(at), `${process.version} 40\n`, { mode: 0o600 });
  return at;
}

/** Where it is kept what a start of node costs, in milliseconds. */
function startFile({ home }: Project): string {
  const { folder } = runtimeDirOf([process.execPath, COMMAND], { env: { XDG_STATE_HOME: join(home, ".state") } });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, "start");
}

const fire = (at: Project, command: string, ...more: string[]) =>
  at.sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", JSON.stringify({ command }), ...more);
const lines = (text: string) => text.trimEnd().split("\n");
const folderOf = ({ home }: Project) => join(home, ".state/sluice/decisions");

/** Writes records as an agent's calls leave them, oldest first. */
function remember(at: Project, ...given: readonly Partial<DecisionRecord>[]): void {
  mkdirSync(folderOf(at), { recursive: true });
  const texts = given.map((fields, index) => {
    const time = new Date(Date.now() - (given.length - index) * 1000).toISOString();
    const record = { v: 1, id: `00000${index}`, time, kind: "decision", root: at.root, event: "tool:pre_execute" };
    const rest = { action: "continue", reasons: [], event_json: null, results: [], duration_ms: 1 };
    return `${JSON.stringify({ ...record, ...rest, ...fields })}\n`;
  });
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(join(folderOf(at), `${today}.jsonl`), texts.join(""), { flag: "a" });
}

const ids = (at: Project, ...args: string[]) => {
  const { out } = at.sluice("log", "--json", ...args);
  return out === "" ? [] : lines(out).map((line) => JSON.parse(line).id);
};

describe("sluice log", () => {
  it("says warn for a call that passed with a warning", () => {
    const at = guarded();
    fire(at, "make all");
    expect(at.sluice("log").out).toMatch(/ warn +Bash {2}make all .*: use the task runner/);
  });

  it("says unstopped for a denied call with which the agent went on, and finds it among the denied", () => {
    const at = guarded();
    const said = { action: "deny", reasons: ["no"], told: "continue" } as const;
    remember(at, { agent: "copilot", event: "user:prompt_submit", ...said }, { agent: "copilot" });
    expect(at.sluice("log", "--action", "deny").out).toMatch(/copilot +unstopped +user:prompt_submit {2}no\n$/);
    expect(JSON.parse(at.sluice("why", "--json").out)).toMatchObject({ id: "000000" });
    expect(JSON.parse(at.sluice("stats", "--json").out).projects).toMatchObject([{ calls: 2, denied: 0 }]);
  });

  it("lists the calls of this project, one line each, the newest last, with the hook and its reason", () => {
    const at = guarded();
    for (const command of ["ls -la", "sudo ls", "npm install"]) fire(at, command);
    const { code, out } = at.sluice("log");
    expect(code).toBe(0);
    const [first, second, third, ...more] = lines(out);
    expect(more).toEqual([]);
    expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}[0-9a-f]{6} {2}- +continue +Bash {2}ls -la$/);
    expect(second).toMatch(/ deny +Bash {2}sudo ls {2}no-sudo: no sudo here/);
    expect(third).toMatch(/ ask +Bash {2}npm install {2}.*really\?/);
  });

  it("tells local time", () => {
    const at = guarded();
    remember(at, { time: "2026-01-31T23:30:00.000Z" });
    expect(at.with({ TZ: "Asia/Tokyo" })("log").out).toMatch(/^2026-02-01 08:30:00 /);
    expect(at.with({ TZ: "America/New_York" })("log").out).toMatch(/^2026-01-31 18:30:00 /);
  });

  it("cuts nothing when it is piped, and fits the terminal otherwise", () => {
    const at = guarded();
    fire(at, `sudo echo ${"long ".repeat(60)}end`);
    const [line = ""] = lines(at.sluice("log").out);
    expect(line).toContain("long end");
    expect(line).toContain("no sudo here");
    const record: DecisionRecord = JSON.parse(at.sluice("log", "--json").out);
    for (const width of [60, 80, 132]) {
      const shown = logLine(record, { width, hasColour: false });
      expect(shown.length).toBeLessThanOrEqual(width);
      expect(shown).toContain("sudo echo");
    }
    expect(logLine(record, { width: 100, hasColour: false })).toContain("no-sudo: no s");
  });

  it("shows what hooks in monitor mode would have done, as do `why --last`, `why` and `stats`", () => {
    const at = guarded();
    fire(at, "curl x");
    fire(at, "ls");
    expect(at.sluice("log").out).toMatch(/would deny +Bash {2}curl x {2}watch-curl would have denied: no downloads\n/);
    expect(lines(at.sluice("why", "--last", "5").out)[1]).toContain("watch-curl would have denied: no downloads");
    expect(at.sluice("why").out).toContain("would have denied (monitor)  watch-curl");
    expect(at.sluice("stats").out).toContain("would have denied 1 and asked about 0");
    expect(JSON.parse(at.sluice("stats", "--json").out).projects).toMatchObject([
      {
        calls: 2,
        denied: 0,
        would_deny: 1,
        hooks: expect.arrayContaining([expect.objectContaining({ wouldDeny: 1 })]),
      },
    ]);
    expect(lines(at.sluice("log", "--action", "monitor").out)).toHaveLength(1);
  });

  it("chooses by agent, session, tool, kind of tool, action, hook and time, and so does `why`", () => {
    const at = guarded();
    const denied = { action: "deny", reasons: ["no"], results: [{ hook: "no-sudo", action: "deny", reason: "no" }] };
    remember(
      at,
      { agent: "codex", session_id: "abc-1", tool: "shell", time: "2026-01-01T00:00:00.000Z" },
      { agent: "codex", session_id: "abc-1", tool: "shell" },
      { agent: "claude-code", session_id: "xyz-2", tool: "Bash", ...(denied as object) },
      { agent: "claude-code", session_id: "xyz-2", tool: "Write", action: "ask" },
      { agent: "cursor", session_id: "q", tool: "Read", action: "ask", fitted: { action: "deny", note: "cannot ask" } },
    );
    expect(ids(at, "--agent", "codex,cursor")).toEqual(["000000", "000001", "000004"]);
    expect(ids(at, "--session", "xyz")).toEqual(["000002", "000003"]);
    expect(ids(at, "--tool", "Write", "--tool", "Read")).toEqual(["000003", "000004"]);
    expect(ids(at, "--tool", "@shell")).toEqual(["000000", "000001", "000002"]);
    expect(ids(at, "--action", "deny")).toEqual(["000002", "000004"]);
    expect(ids(at, "--action", "deny,ask")).toEqual(["000002", "000003", "000004"]);
    expect(ids(at, "--hook", "no-*")).toEqual(["000002"]);
    expect(ids(at, "--since", "2h")).toEqual(["000001", "000002", "000003", "000004"]);
    expect(ids(at, "--since", "2026-01-01")).toHaveLength(5);
    expect(ids(at, "--last", "2")).toEqual(["000003", "000004"]);
    const { decisions } = JSON.parse(at.sluice("why", "--last", "9", "--agent", "codex", "--json").out);
    expect(decisions.map(({ id }: DecisionRecord) => id)).toEqual(["000001", "000000"]);
    expect(JSON.parse(at.sluice("why", "--agent", "claude-code", "--json").out)).toMatchObject({ id: "000003" });
    expect(JSON.parse(at.sluice("why", "--action", "continue", "--json").out)).toMatchObject({ id: "000001" });
  });

  it("finds the same in a closed day, of which it looks only at lines that may be meant", () => {
    const at = guarded();
    const said = (fields: object) => ({ results: [{ hook: "h", action: "continue", ...fields }] as never });
    remember(
      at,
      { agent: "codex", session_id: "abc-1", tool: "shell" },
      { agent: 'a "quoted" one', session_id: "ä\\1", tool: "Bash", action: "deny", reasons: ["no"] },
      { agent: "cursor", action: "ask", fitted: { action: "deny", note: "cannot ask" } },
      { agent: "cursor", action: "modify", ...said({ monitor: "ask" }) },
      { agent: "cursor", event: "tool:post_execute", ...said({ action: "deny" }) },
      { agent: "cursor", action: "ask", told: "continue", ...said({ failure: "timeout" }) },
      { agent: "copilot", action: "deny", told: "continue", reasons: ["no"] },
    );
    const filters = [
      ...["deny", "ask", "modify", "continue", "feedback", "monitor", "failed", "monitor,deny"].map((one) => [
        "--action",
        one,
      ]),
      ...["codex", 'a "quoted" one', "cursor,codex", "cur"].map((one) => ["--agent", one]),
      ...["abc", "ä\\1", "q"].map((one) => ["--session", one]),
      ...["h", "x*"].map((one) => ["--hook", one]),
      ["--tool", "@shell", "--action", "deny"],
    ];
    const found = () => filters.map((words) => ids(at, ...words));
    const before = found();
    expect(before.map(({ length }) => length)).toEqual([3, 0, 1, 4, 1, 1, 1, 4, 1, 1, 5, 0, 1, 1, 0, 3, 0, 1]);
    const [today = ""] = readdirSync(folderOf(at));
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    renameSync(join(folderOf(at), today), join(folderOf(at), `${yesterday}.jsonl`));
    expect(at.sluice("stats", "--days", "9").code).toBe(0);
    expect(readdirSync(folderOf(at))).toContain(`${yesterday}.sums.json`);
    expect(found()).toEqual(before);
  });

  it.each([
    [["--since", "yesterday"], "--since yesterday: neither a time span nor a date."],
    [["--action", "dney"], 'Did you mean "deny"?'],
    [["--last", "none"], "--last none: not a number of calls."],
  ])("says what %j should have been", (args, words) => {
    const { code, err } = project().sluice("log", ...args);
    expect([code, err]).toEqual([64, expect.stringContaining(words)]);
  });

  it("means the project one stands in, by whatever path an agent came to it; --project names others, or all", () => {
    const at = guarded();
    const link = join(at.home, "link");
    symlinkSync(at.root, link);
    mkdirSync(join(at.root, "src"));
    mkdirSync(join(at.home, "other"));
    remember(at, { root: link }, { root: join(at.home, "other"), action: "deny" }, { action: "ask" });
    expect(ids(at)).toEqual(["000000", "000002"]);
    expect(ids(at, "--project", "all")).toEqual(["000000", "000001", "000002"]);
    expect(ids(at, "--project", join(at.home, "other"))).toEqual(["000001"]);
    expect(JSON.parse(at.sluice("why", "--json").out)).toMatchObject({ id: "000002" });
    expect(at.sluice("why", "--last", "9").out).not.toContain("000001");
    expect(at.sluice("why", "--last", "9", "--project", "all").out).toContain("000001");
    // An id is an id, wherever the call was made.
    expect(at.sluice("why", "000001").code).toBe(0);
  });

  it("leaves out what doctor makes up, as do `why` and `stats`", () => {
    const at = guarded();
    const results = [{ hook: "canary", action: "deny", reason: "sluice doctor's canary 00ff00ff00ff00ff" }];
    remember(at, { action: "deny", reasons: ["canary"], results: results as never });
    expect(at.sluice("log")).toMatchObject({ code: 0, out: "", err: expect.stringContaining("No call is recorded") });
    expect(at.sluice("why").code).toBe(1);
    expect(at.sluice("why", "--last", "9").out).not.toContain("canary");
    expect(at.sluice("stats").out).toContain("No call was decided here");
  });

  it("says where nothing is recorded, and where to look else", () => {
    const { out, err } = project().sluice("log", "--action", "deny");
    expect(out).toBe("");
    expect(err).toContain("No such call is recorded");
    expect(err).toContain("--project all");
  });
});

describe("sluice stats", () => {
  it("counts denials and asks of calls and of hooks", () => {
    const at = guarded();
    for (const command of ["sudo a", "npm b", "npm c", "ls"]) fire(at, command);
    expect(at.sluice("stats").out).toContain("4 calls: 1 denied, 2 asked about; p50");
    const { projects, start_ms } = JSON.parse(at.sluice("stats", "--json").out);
    expect(start_ms).toBe(40);
    expect(projects).toMatchObject([{ calls: 4, denied: 1, asked: 2, would_deny: 0 }]);
    expect(projects[0].hooks).toContainEqual(expect.objectContaining({ hook: "no-sudo", denials: 1, asks: 2 }));
  });

  it("says what the daemon has saved, and measures no start of node where it has saved nothing", () => {
    const at = guarded();
    remember(at, ...Array.from({ length: 50 }, () => ({ resident: true }) as const));
    expect(at.sluice("stats").out).toContain("50 by the daemon: at least 2.0 s of starting node saved");
    const without = project();
    const kept = startFile(without);
    expect([without.sluice("stats").code, existsSync(kept)]).toEqual([0, false]);
    expect([without.sluice("stats", "--json").code, existsSync(kept)]).toEqual([0, true]);
  });

  it("shows all projects with --project all, as with --all", () => {
    const at = guarded();
    remember(at, { root: "/elsewhere" });
    for (const option of [["--all"], ["--project", "all"]])
      expect(at.sluice("stats", ...option).out).toContain("/elsewhere");
    expect(readFileSync(join(folderOf(at), readdirSync(folderOf(at))[0] ?? ""), "utf8")).toContain("/elsewhere");
  });
});

import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { COMMAND_GROUPS } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { EVENT_NAMES } from "../../src/event/catalogue.ts";
import { builtFile } from "../built-file.ts";
import { runCommand } from "../command-server/run-command.ts";
import { project, trustedProject } from "./sluice.ts";

const GUARD = `hooks:
  - name: no-sudo
    event: tool:pre_execute:@shell
    command: |
      case "$SLUICE_TOOL_ARGS" in *sudo*) echo "no sudo here"; exit 1 ;; esac
`;

describe("the command", () => {
  it("without words shows every command, and exits 0", () => {
    const { code, out } = project().sluice();
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(out).toContain(name);
  });

  it("lists the commands in groups, six for every day first, and explains those that are easily confused", () => {
    const { out } = project().sluice("--help");
    const groups = out.split(/\n(?=[A-Z][^\n]*\n {2})/).slice(1);
    const titles = groups.map((group) => group.split("\n")[0]);
    expect(titles).toEqual([...Object.values(COMMAND_GROUPS), "Which one?"]);
    const daily = groups[0]?.match(/^ {2}\S+/gm)?.map((name) => name.trim());
    expect(daily).toHaveLength(6);
    for (const pair of [/log.*why/, /explain.*fire/, /allow.*--once/, /test.*replay/])
      expect(groups.at(-1)).toMatch(pair);
    const aliases = COMMANDS.filter(({ aliasOf }) => aliasOf !== undefined).map(({ name }) => name);
    expect(aliases).toEqual(["allow-once", "packs"]);
    for (const name of aliases) expect(out).not.toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  });

  it.each([
    ["packs", ["pack"]],
    ["packs", ["pack", "list"]],
    ["allow-once", ["allow", "--once"]],
  ])("does the same for the older name %s as for %j", (older, newer) => {
    const at = project({ ".sluice/hooks.yaml": GUARD });
    const text = ({ code, out, err }: { code: number | null; out: string; err: string }) => [code, out, err];
    const id = older === "allow-once" ? ["abcdef"] : [];
    expect(text(at.sluice(...newer, ...id))).toEqual(text(at.sluice(older, ...id)));
  });

  it("shows a help that fits the terminal: what is wider continues under the text", async () => {
    const { overview } = await import("../../src/cli/show/help.ts");
    const { paintFor } = await import("../../src/cli/show/terminal-text.ts");
    const shown = overview(COMMANDS, { paint: paintFor({ hasColour: false }), width: 80 });
    const rows = shown.split("\nWhich one?")[0]?.split("\n") ?? [];
    expect(Math.max(...rows.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(rows.some((line) => /^ {14}\S/.test(line))).toBe(true);
  });

  it.each(COMMANDS.map(({ name }) => name))("explains `%s` with --help, options and exit codes included", (name) => {
    const { code, out } = project().sluice(name, "--help");
    expect(code).toBe(0);
    expect(out).toContain(`sluice ${name}`);
    expect(out).toContain("--json");
    expect(out).toContain("Exit codes");
  });

  it("tells what the system will not do as such, with the place", () => {
    const here = project();
    symlinkSync("/nowhere/at/all", join(here.root, ".orchestration"));
    const { code, err } = here.sluice("intents", "new", "--name", "x");
    expect([code, err]).toEqual([1, expect.stringMatching(/\.orchestration cannot be used: .*leads nowhere/)]);
  });

  it("says its version", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(project().sluice("--version").out.trim()).toBe(version);
  });

  it.each([
    [["fier"], 'Did you mean "fire"?'],
    [["--root", "x", "list"], "options follow the command"],
    [["fire", "--tol", "x"], 'Did you mean "--tool"?'],
    [["fire", "tool:pre_execute", "--args"], "--args needs a value"],
    [["fire", "tool:pre_execute", "--args", "{"], "--args is not JSON"],
    [["fire", "tool:pre_execute", "--data", "[]"], "--data is not a JSON object"],
    [["fire", "tool:pre_exec"], 'Did you mean "tool:pre_execute"?'],
    [["fire"], "needs an event or a shell command"],
    [["fire", "session:start", "two"], 'unexpected argument "two"'],
    [["events", "PreTolUse"], 'Did you mean "PreToolUse"?'],
    [["templates", "shwo"], 'Did you mean "show"?'],
    [["templates", "show", "block_sud"], 'Did you mean "block_sudo"?'],
    [["completion", "tcsh"], "bash, zsh, fish"],
    [["init", "--template", "nope"], "`sluice templates` lists them all"],
  ])("answers %j with the next step on standard error, no stack trace, and exit code 64", (args, words) => {
    const { code, out, err } = project().sluice(...args);
    expect(code).toBe(64);
    expect(out).toBe("");
    expect(err).toContain(words);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it("prints no colours into a pipe", () => {
    const { out } = trustedProject({ ".sluice/hooks.yaml": GUARD }).sluice(
      "fire",
      "tool:pre_execute",
      "--tool",
      "bash",
    );
    expect(out).not.toContain("\u001b");
  });
});

describe("sluice fire", () => {
  it("judges a call in the project that --root names, wherever it is typed", () => {
    const { root, sluice } = project({ ".sluice/hooks.yaml": "hooks: []\n", "elsewhere/x": "" });
    const args = JSON.stringify({ command: "echo x > .sluice/hooks.yaml" });
    const fired = sluice("fire", "tool:pre_execute", "--root", root, "--tool", "bash", "--args", args, "--json");
    expect(JSON.parse(fired.out).event.cwd).toBe(root);
    const there = sluice("fire", "tool:pre_execute", "--root", "elsewhere", "--tool", "bash", "--args", args, "--json");
    expect(JSON.parse(there.out).event.cwd).toBe(join(root, "elsewhere"));
  });

  it("runs the hooks that listen, shows what each said, and exits 2 when they deny", () => {
    const { sluice } = trustedProject({ ".sluice/hooks.yaml": GUARD });
    const { code, out } = sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", '{"command":"sudo ls"}');
    expect(code).toBe(2);
    expect(out).toContain("no-sudo");
    expect(out).toContain(".sluice/hooks.yaml:2");
    expect(out).toMatch(/✗ deny {2}no-sudo .*\n {6}no sudo here\n/);
    expect(out.match(/no sudo here/g), "nothing is said twice").toHaveLength(1);
  });

  it("exits 0 when nothing objects, and takes the tool from the event's name", () => {
    const { sluice } = trustedProject({ ".sluice/hooks.yaml": GUARD });
    const { code, out } = sluice("fire", "PreToolUse:run_shell_command", "--args", '{"command":"ls"}');
    expect(code).toBe(0);
    expect(out).toContain("continue  (1 hook ran)");
  });

  it("exits 3 when a hook wants somebody asked", () => {
    const ask =
      'hooks:\n  - event: session:stop\n    command: \'echo "{\\"action\\":\\"ask\\",\\"reason\\":\\"really?\\"}"\'\n';
    const { code, out } = trustedProject({ ".sluice/hooks.yaml": ask }).sluice("fire", "Stop");
    expect(code).toBe(3);
    expect(out).toMatch(/\? ask .*\n {6}really\?\nask {2}\(/);
  });

  it("gives programs everything as JSON", () => {
    const { sluice, root } = trustedProject({ ".sluice/hooks.yaml": GUARD });
    const { code, out } = sluice(
      "fire",
      "tool:pre_execute",
      "--tool",
      "bash",
      "--args",
      '{"command":"sudo x"}',
      "--json",
    );
    expect(code).toBe(2);
    const said = JSON.parse(out);
    expect(said).toMatchObject({
      action: "deny",
      reasons: ["no sudo here"],
      event: { tool_name: "bash" },
      problems: [],
    });
    expect(said.results[0]).toMatchObject({
      hook: "no-sudo",
      layer: "project",
      file: join(root, ".sluice/hooks.yaml"),
      line: 2,
      exitCode: 1,
    });
  });

  it("works from a folder below the project", () => {
    const { root, home, sluice } = project({ ".sluice/hooks.yaml": GUARD, "src/deep/a.ts": "" });
    const { out } = sluice("fire", "tool:pre_execute", "--tool", "bash", "--root", join(root, "src/deep"));
    expect(out).toContain("(0 hooks ran)");
    mkdirSync(join(root, ".git"));
    const below = { cwd: join(root, "src/deep"), env: { PATH: process.env.PATH, HOME: home } };
    expect(runCommand(["list"], below).out).toContain("no-sudo");
  });

  it("cannot be fooled into hiding text by a hook that prints control characters", () => {
    const tricky = 'hooks:\n  - event: session:stop\n    command: printf "\\\\033[2Jgone\\\\r\\\\n"; exit 1\n';
    const { out } = trustedProject({ ".sluice/hooks.yaml": tricky }).sluice("fire", "Stop");
    expect(out).not.toContain("\u001b");
    expect(out).toContain("\\u001b");
  });

  it("says at a gate that a guard may be missing, and refuses to run at all with --strict", () => {
    const broken = `${GUARD}  - name: lost\n    evnt: session:stop\n    command: exit 1\n`;
    const { sluice } = project({ ".sluice/hooks.yaml": broken });
    const { out, err } = sluice("fire", "tool:pre_execute", "--tool", "bash", "--json");
    expect(JSON.parse(out).contexts.join()).toContain("sluice check");
    expect(JSON.parse(out).problems).toHaveLength(1);
    expect(err).toBe("");
    const strict = sluice("fire", "tool:pre_execute", "--strict");
    expect(strict.code).toBe(1);
    expect(strict.err).toContain("hooks.yaml:7");
  });

  it("names the hook that denies without a reason", () => {
    const hook = { name: "mute", event: "tool:pre_execute", command: `echo '{"action":"deny"}'` };
    const { sluice } = trustedProject({ ".sluice/hooks.json": JSON.stringify([hook]) });
    expect(sluice("fire", "PreToolUse:bash").out).toContain('deny  hook "mute" gives no reason');
    expect(sluice("why").out).toContain('deny  hook "mute" gives no reason');
  });

  it.each([
    ["a hook that broke", { command: "echo oops-once >&2; exit 3", exit_codes: "claude" }],
    ["a hook that only watches", { command: "echo oops-once; exit 1", mode: "monitor" }],
  ])("says the words of %s once", (_, more) => {
    const hook = { name: "wordy", event: "session:notification", ...more };
    const { sluice } = trustedProject({ ".sluice/hooks.json": JSON.stringify([hook]) });
    expect(sluice("fire", "Notification").out.match(/oops-once/g)).toHaveLength(1);
  });

  it("waits for async hooks and shows them apart", () => {
    const slow =
      "hooks:\n  - name: later\n    event: session:start\n    async: true\n    command: sleep 0.2; echo done\n";
    const { code, out } = trustedProject({ ".sluice/hooks.yaml": slow }).sluice("fire", "SessionStart");
    expect(code).toBe(0);
    expect(out).toMatch(/async\s+later/);
  });
});

describe("what a person wonders about", () => {
  it("a missing tool is pointed out when hooks hear the event only with one", () => {
    const { err } = trustedProject({ ".sluice/hooks.yaml": GUARD }).sluice("fire", "tool:pre_execute");
    expect(err).toContain("No tool was named; 1 hook matches this event only with a tool");
  });

  it("no tool is asked for where the event never comes with one", () => {
    const hooks = "hooks:\n  - event: session:start,PreToolUse\n    matcher: { tools: [bash] }\n    command: exit 1\n";
    const { err } = trustedProject({ ".sluice/hooks.yaml": hooks }).sluice("fire", "SessionStart");
    expect(err).toContain("1 hook wants a tool here, and session:start never comes with one");
    expect(err).not.toContain("--tool");
  });

  it("a guard that may be missing is told on the terminal too, and the exit code says so", () => {
    const { code, err } = project({ ".sluice/hooks.yaml": "hooks: [" }).sluice("fire", "PreToolUse:bash");
    expect(code).toBe(1);
    expect(err).toMatch(/hooks\.yaml[\s\S]*sluice check/);
  });

  it("a change that changes nothing is no change", () => {
    const answer = '{"action":"modify","modified_data":{"command":"x"}}';
    const hook = { event: "tool:pre_execute", command: `echo '${answer}'` };
    const { out } = trustedProject({ ".sluice/hooks.json": JSON.stringify([hook]) }).sluice("fire", "PreToolUse:bash");
    expect(out).toContain("a hook answered modify and changed nothing");
    expect(out).toContain('put it under "patch"');
  });

  it("a denial that is buried in other text counts, and is pointed out", () => {
    const hook = { event: "tool:pre_execute", command: `echo log; echo '{"action":"deny"}'` };
    const { out } = trustedProject({ ".sluice/hooks.json": JSON.stringify([hook]) }).sluice("fire", "PreToolUse:bash");
    expect(out).toMatch(/✗ deny/);
    expect(out).toContain("print the answer alone");
  });

  it.each([
    [["check", "--root", "/no/such/folder"], "there is no such folder"],
    [["check", "extra"], 'unexpected argument "extra"'],
    [["explain", "rm", "-rf"], 'sluice explain "rm -rf"'],
    [["explain", "rm", "-rf", "/", "x"], "Put the command in quotes"],
    [["explain"], "needs an event or a shell command"],
  ])("%j is refused with the next step", (args, words) => {
    const { code, err } = project().sluice(...args);
    expect(code).toBe(64);
    expect(err).toContain(words);
  });

  it("with --json what went wrong is JSON as well", () => {
    const { code, out } = project().sluice("fire", "tool:nope", "--json");
    expect(code).toBe(64);
    expect(JSON.parse(out).error).toMatchObject({ code: "usage/unknown-event" });
  });
});

describe("sluice check finds guards that never fire", () => {
  it.each([
    ["an unknown tool kind", { event: "tool:pre_execute:@shel", command: "x" }, 'Did you mean "@shell"?', 1],
    ["an unknown tool kind of a matcher", { matcher: { tools: ["@writ"] }, command: "x" }, 'Did you mean "@write"?', 1],
    ["an address that is none", { event: "*", url: "ftp://x/y" }, "begins with http:// or https://", 1],
    [
      "a condition that cannot be read",
      { event: "*", when: { if: "tool exsts", then: { command: "x" } } },
      "exists",
      1,
    ],
    ["a count of nothing", { event: "*", rules: 'recent.tool_eror.10m gt 1 -> deny("x")' }, "recent.tool_error.10m", 1],
  ])("%s", (_, hook, words, code) => {
    const ended = project({ ".sluice/hooks.json": JSON.stringify([hook]) }).sluice("check");
    expect(ended.out).toContain(words);
    expect(ended.code).toBe(code);
  });
});

describe("sluice explain", () => {
  it("numbers the rules of a guard as `why` does", () => {
    const { sluice, home } = project();
    mkdirSync(join(home, ".config/sluice"), { recursive: true });
    writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
    const line = "git push --force origin main";
    const number = (text: string) => /rule (\d+) matches and decides/.exec(text)?.[1];
    sluice("fire", line);
    const said = number(sluice("why").out);
    expect(said).not.toBe("1");
    expect([number(sluice("explain", line).out), number(sluice("explain", line, "--all").out)]).toEqual([said, said]);
  });

  const RULES = 'hooks:\n  - event: tool:pre_execute:@shell\n    rules: args.command contains "rm" -> deny("no")\n';

  it("shows which part of which rule matched on which value, also of a one-word command", () => {
    const { sluice } = project({ ".sluice/hooks.yaml": RULES });
    expect(sluice("explain", "rm -rf x").out).toMatch(/matches and decides[\s\S]*args\.command is "rm -rf x"/);
    expect(sluice("explain", "ls").out).toContain("no rule matches: continue");
    expect(sluice("explain", "rm .sluice/hooks.yaml").out).toMatch(
      /\ndeny .*\n- .*: no\n- self-protection: Sluice protects itself/,
    );
  });

  it("leaves guards out that have nothing to say, unless all are wanted", () => {
    const { sluice } = project({ ".sluice/hooks.yaml": `guards: standard\n${RULES}` });
    const short = sluice("explain", "rm -rf src").out;
    expect(short).toMatch(/guard:files[\s\S]*delete-folder[\s\S]*guards do not object/);
    expect(short).not.toMatch(/guard:publishing|does not match[\s\S]*delete-root/);
    expect(sluice("explain", "rm -rf src", "--all").out).toMatch(/guard:publishing/);
  });

  it("knows what happened lately, as the hooks do", () => {
    const rules = 'hooks:\n  - event: tool:pre_execute\n    rules: recent.tool_error.10m gte 1 -> deny("again")\n';
    const { sluice } = project({ ".sluice/hooks.yaml": rules });
    sluice("fire", "tool:error", "--tool", "bash", "--session", "s");
    expect(sluice("fire", "PreToolUse:bash", "--session", "s").code).toBe(2);
    expect(sluice("explain", "PreToolUse:bash", "--session", "s").out).toContain("matches and decides");
  });

  it("shows who denied where no hook did", () => {
    const { out } = project({ ".sluice/hooks.yaml": "hooks: []\n" }).sluice("explain", "rm -rf .sluice");
    expect(out).toMatch(/0 hooks match[\s\S]*self-protection {2}built in\n {2}deny {2}Sluice protects itself/);
  });

  it("says that the decision is unknown where hooks would have to run", () => {
    const hooks = [
      { name: "asked", event: "tool:pre_execute", command: "exit 1" },
      { name: "watches", event: "tool:pre_execute", mode: "monitor", command: "exit 1" },
      { name: "later", event: "tool:pre_execute", async: true, command: "exit 1" },
    ];
    const { sluice } = trustedProject({ ".sluice/hooks.json": JSON.stringify(hooks) });
    const { out } = sluice("explain", "ls");
    expect(out).toMatch(/\ncontinue {2}so far/);
    expect(out).toContain("Unknown until 1 hook has run: asked. `sluice fire` runs it.");
    expect(JSON.parse(sluice("explain", "ls", "--json").out).not_run).toEqual(["asked"]);
  });

  describe("where intents are enforced", () => {
    const intents = "active_intents:\n  - { id: INT-1, name: it, status: IN_PROGRESS, owned_scope: [src/**] }\n";
    const enforced = () =>
      project({
        ".sluice/hooks.yaml": "intents: { mode: enforce }\n",
        ".orchestration/active_intents.yaml": intents,
      });
    const call = (tool: string, args: object) =>
      ["tool:pre_execute", "--tool", tool, "--args", JSON.stringify(args), "--session", "s-1"] as const;
    const WRITE = call("Write", { file_path: "src/a.ts", content: "x" });
    const SELECT = call("select_active_intent", { intent_id: "INT-1" });

    it("knows what they say to a session that has selected none, and leaves no mark", () => {
      const at = enforced();
      expect(at.sluice("explain", ...SELECT).out).toMatch(/\ncontinue/);
      expect(at.sluice("explain", ...WRITE).out).toMatch(/intents {2}built in\n {2}deny {2}INTENT_REQUIRED/);
      expect(existsSync(join(at.home, ".state"))).toBe(false);
    });

    it("knows which one the session has selected", () => {
      const { sluice } = enforced();
      sluice("fire", ...SELECT);
      expect(sluice("explain", ...WRITE).out).toMatch(/\ncontinue/);
    });
  });

  it("tells of a rule that cannot be read beside the others, and of a file", () => {
    const bad = `${RULES}  - event: tool:pre_execute:@shell\n    rules: tool matches "(?=x)" -> deny("y")\n`;
    expect(project({ ".sluice/hooks.yaml": bad }).sluice("explain", "rm x").out).toMatch(/decides[\s\S]*looks ahead/);
    expect(project({ ".sluice/hooks.yaml": "hooks: [" }).sluice("explain", "rm x").code).toBe(1);
  });
});

describe("sluice doctor and sluice serve", () => {
  it("a journal that cannot be written is wrong, with its place and the next step", () => {
    const at = project({ file: "" });
    const { code, out } = at.with({ XDG_STATE_HOME: join(at.root, "file") })("doctor");
    expect(code).toBe(1);
    expect(out).toMatch(
      /Journal\n {2}✗ The decision is not in the journal: \S+file\/sluice\/decisions\S+ cannot be written/,
    );
    expect(out).not.toContain("no call was recorded");
    expect(at.sluice("doctor").out).toMatch(/no call was recorded/);
  });

  it("where no daemon may be started, none is promised", () => {
    const { code, out } = project().sluice("serve", "--status");
    expect([code, out]).toEqual([1, "No daemon is running; SLUICE_RESIDENT=0, so no call starts one.\n"]);
  });
});

describe("sluice init", () => {
  it("writes a commented file with the editor's schema line that passes its own check", () => {
    const { root, sluice } = project();
    expect(sluice("init", "--yes").code).toBe(0);
    const text = readFileSync(join(root, ".sluice/hooks.yaml"), "utf8");
    expect(text.split("\n")[0]).toMatch(/^# yaml-language-server: \$schema=.*schema\.json$/);
    expect(readFileSync(join(root, ".sluice/.gitignore"), "utf8")).toContain("hooks.local.");
    expect(sluice("check").code).toBe(0);
    expect(sluice("fire", "PreToolUse:Bash", "--args", '{"command":"sudo ls"}').code).toBe(2);
  });

  it("asks nothing without a terminal, and changes nothing that is there already", () => {
    const { root, sluice } = project({ ".sluice/hooks.json": '{ "hooks": [] }' });
    const { code, out } = sluice("init");
    expect(code).toBe(0);
    expect(out).toContain("is there already");
    expect(existsSync(join(root, ".sluice/hooks.yaml"))).toBe(false);
  });

  it("begins with the templates it is told", () => {
    const { root, sluice } = project();
    expect(JSON.parse(sluice("init", "--template", "no_sudo", "--json").out)).toMatchObject({
      written: true,
      templates: ["no_sudo"],
    });
    expect(readFileSync(join(root, ".sluice/hooks.yaml"), "utf8")).toContain("name: no_sudo");
    expect(sluice("check", "--strict").code).toBe(0);
  });
});

describe("sluice check", () => {
  it("shows each problem at its line with the next step, and exits 1", () => {
    const { sluice } = project({
      ".sluice/hooks.yaml": "hooks:\n  - name: fmt\n    event: tool:pre_exec\n    command: fmt\n    timeout: soon\n",
    });
    const { code, out } = sluice("check");
    expect(code).toBe(1);
    expect(out).toContain(".sluice/hooks.yaml:5:14");
    expect(out).toContain("5 │     timeout: soon");
    expect(out).toMatch(/\n\s+\^/);
    expect(out).toContain('Did you mean "tool:pre_execute"?');
  });

  it("counts warnings as problems with --strict only", () => {
    const { sluice } = project({ ".sluice/hooks.yml": GUARD });
    expect(sluice("check").code).toBe(0);
    const strict = sluice("check", "--strict");
    expect(strict.code).toBe(1);
    expect(strict.out).toContain("hooks.yml");
  });

  it("names a file that cannot be read, and says the same as JSON", () => {
    const { sluice } = project({ ".sluice/hooks.json": '{ "hooks": [' });
    const { code, out } = sluice("check", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, hooks: 0, files: [{ state: "corrupt" }] });
    expect(JSON.parse(out).errors[0]).toMatchObject({ line: 1, file: expect.stringContaining("hooks.json") });
  });
});

describe("sluice list", () => {
  it("shows layer, file and line of every hook in the order in which they run, and why others are off", () => {
    const { home, sluice } = project({
      ".sluice/hooks.yaml":
        "hooks:\n  disabled: [old]\n  definitions:\n    - { name: old, event: session:start, command: x }\n    - { name: late, event: session:start, command: x, priority: 200 }\n    - { name: soon, event: session:start, command: x, priority: 1 }\n",
    });
    mkdirSync(join(home, ".config/sluice"), { recursive: true });
    writeFileSync(join(home, ".config/sluice/hooks.json"), '{"hooks":[{"name":"mine","event":"*","command":"true"}]}');
    const { code, out } = sluice("list");
    expect(code).toBe(0);
    expect(out).toMatch(/mine[\s\S]*soon[\s\S]*old[\s\S]*late/);
    expect(out).toContain("~/.config/sluice/hooks.json:1");
    expect(out).toMatch(/off\s+project\s+old.*disabled by .sluice\/hooks.yaml:2/);
    expect(JSON.parse(sluice("list", "--json").out).hooks.map(({ name }: { name: string }) => name)).toEqual([
      "mine",
      "soon",
      "old",
      "late",
    ]);
  });

  it("says that guards are built in, and which setting switched them on", () => {
    const { sluice } = project({ ".sluice/hooks.yaml": "guards: strict\n" });
    expect(sluice("list").out).toMatch(/on\s+built in\s+guard:files\s.*guards: strict/);
  });

  it("shows who hears one event with one tool", () => {
    const { sluice } = project({ ".sluice/hooks.yaml": GUARD });
    expect(sluice("list", "PreToolUse", "--tool", "bash").out).toContain("no-sudo");
    expect(sluice("list", "PreToolUse", "--tool", "Read").out).toContain("No hook here matches");
    expect(sluice("list", "tool:*").out).toContain("no-sudo");
    expect(sluice("list", "PreToolUse").out).toContain("no-sudo");
  });

  it("shows the tools that a matcher wants", () => {
    const hook = { name: "x", matcher: { events: ["PreToolUse"], tools: ["bash"] }, command: "true" };
    const { sluice } = project({ ".sluice/hooks.json": JSON.stringify([hook]) });
    expect(sluice("list").out).toContain("PreToolUse with bash");
    expect(JSON.parse(sluice("list", "--json").out).hooks[0].matcher).toEqual(hook.matcher);
  });

  it("tells a newcomer how to begin", () => {
    expect(project().sluice("list").out).toContain("sluice init");
  });
});

describe("sluice events", () => {
  it("lists every event of the table, for people and for programs", () => {
    const { sluice } = project();
    const shown = sluice("events").out;
    for (const name of EVENT_NAMES) expect(shown).toContain(name);
    expect(JSON.parse(sluice("events", "--json").out)).toHaveLength(EVENT_NAMES.length);
    expect(JSON.parse(sluice("events", "Stop", "--json").out)).toMatchObject([{ name: "session:stop", gate: true }]);
  });
});

describe("sluice templates", () => {
  it("adds a template to the project's file without touching its comments, once", () => {
    const { root, sluice } = project({ ".sluice/hooks.yaml": `# mine\n${GUARD}` });
    expect(sluice("templates", "add", "log_all").out).toContain("added log_all");
    expect(sluice("templates", "add", "log_all").out).toContain("is there already");
    const text = readFileSync(join(root, ".sluice/hooks.yaml"), "utf8");
    expect(text).toContain(`# mine\n${GUARD}`);
    expect(text.match(/name: log_all/g)).toHaveLength(1);
    expect(sluice("check", "--strict").code).toBe(0);
  });

  it("loses nothing when several are added at once", async () => {
    const { root, home, sluice } = project({ ".sluice/hooks.yaml": GUARD });
    const names = ["no_sudo", "protect_paths", "log_all", "no_todo_left"];
    const command = builtFile("sluice.cjs");
    const run = promisify(execFile);
    await Promise.all(
      names.map((name) =>
        run(process.execPath, [command, "templates", "add", name], { cwd: root, env: { ...process.env, HOME: home } }),
      ),
    );
    const { hooks } = JSON.parse(sluice("list", "--json").out);
    expect(hooks.map(({ name }: { name: string }) => name).sort()).toEqual(["no-sudo", ...names].sort());
  });

  it("shows a template as configuration", () => {
    expect(project().sluice("templates", "show", "block_sudo").out).toContain("event: tool:pre_execute:bash");
    expect(JSON.parse(project().sluice("templates", "--json").out).length).toBeGreaterThanOrEqual(14);
  });
});

describe("sluice completion", () => {
  it("completes commands, options and events in bash", () => {
    const { root, sluice } = project();
    writeFileSync(join(root, "completion.bash"), sluice("completion", "bash").out);
    // Hooks and intents are asked for when they are wanted.
    writeFileSync(join(root, "program"), '#!/bin/sh\necho "asked-for-$3"\n', { mode: 0o755 });
    const asked: readonly (readonly [line: string, offers: unknown])[] = [
      ["sluice f", expect.arrayContaining(["fire"])],
      ["sluice fire --to", expect.arrayContaining(["--tool"])],
      ["sluice events PreTool", expect.arrayContaining(["PreToolUse"])],
      ["sluice fire session:sta", ["start"]],
      ["sluice install cl", expect.arrayContaining(["claude-code", "cline"])],
      ["sluice templates add block_s", expect.arrayContaining(["block_sudo"])],
      ["sluice log --agent cod", ["codex"]],
      ["./program disable asked", ["asked-for-hooks"]],
      ["./program intents start asked", ["asked-for-intents"]],
      ["./program why --hook asked", ["asked-for-hooks"]],
    ];
    const script = `. ./completion.bash
      for COMP_LINE; do
        COMP_WORDS=($COMP_LINE); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); COMP_POINT=\${#COMP_LINE}
        COMPREPLY=(); _sluice; echo "\${COMPREPLY[@]}"
      done`;
    const lines = asked.map(([line]) => line);
    const said = execFileSync("bash", ["-c", script, "_", ...lines], { cwd: root, encoding: "utf8" });
    const offers = said.trimEnd().split("\n");
    expect(lines.map((line, index) => [line, offers[index]?.split(" ")])).toEqual(asked);
  });

  it.each(["zsh", "fish"])("writes a script for %s that names every command", (shell) => {
    const { out } = project().sluice("completion", shell);
    for (const { name } of COMMANDS) expect(out).toContain(name);
    for (const word of [
      "claude-code",
      "block_sudo",
      "completion --words hooks",
      "completion --words intents",
      "completion --words tools",
    ])
      expect(out).toContain(word);
  });
});

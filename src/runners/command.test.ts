import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { absoluteFiles, runCommand } from "./command.ts";
import type { RunContext } from "./runner.ts";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "command-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EVENT: HookEvent = HookEvent.toolPreExecute(
  "Bash",
  { command: 'echo "hi"\nls', text: "ü€😀" },
  { sessionId: "s1", timestamp: 7 },
);

describe("a command hook", () => {
  it("that was written for Claude Code finds its project by Claude's variable, whichever agent calls", async () => {
    const hook = Hook.fromJSON({ event: "*", command: 'echo "$CLAUDE_PROJECT_DIR"', exit_codes: "claude" });
    const context: RunContext = { deadline: 5, workingDir: folder, signal: undefined, depth: 1 } as RunContext;
    expect((await runCommand(hook, EVENT, context)).stdout).toBe(`${folder}\n`);
  });

  it("reads the whole event as JSON on its standard input", async () => {
    const { stdout } = await run({ command: "cat" });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(EVENT)));
  });

  it("may read nothing but its environment, under three prefixes", async () => {
    const { stdout } = await run({ name: "guard", command: "env | grep -E '^(SLUICE|FORGE|OPENCODE)_'" });
    const seen = Object.fromEntries(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/=(.*)/s, 2)),
    );
    for (const prefix of ["SLUICE_", "FORGE_", "OPENCODE_"]) {
      expect(seen).toMatchObject({
        [`${prefix}EVENT`]: "tool:pre_execute",
        [`${prefix}TIMESTAMP`]: "7",
        [`${prefix}SESSION_ID`]: "s1",
        [`${prefix}TOOL_NAME`]: "Bash",
        [`${prefix}TOOL_ARGS`]: JSON.stringify(EVENT.data.tool_args),
        [`${prefix}WORKING_DIR`]: folder,
        [`${prefix}HOOK_NAME`]: "guard",
      });
      expect(seen).not.toHaveProperty(`${prefix}TOOL_RESULT`);
    }
    expect(seen).toMatchObject({ SLUICE_DEPTH: "1" });
  });

  it("is told its real working directory, also through a link", async () => {
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    for (const workingDir of ["real", "link", "./real/../real/"]) {
      const { stdout } = await run({ command: 'pwd; printf "%s\\n" "$SLUICE_WORKING_DIR" "$PWD"', workingDir });
      const [pwd, told, variable] = stdout.split("\n");
      expect([told, variable]).toEqual([pwd, pwd]);
    }
  });

  it.each(["exit 0", "exit 1", "sleep 60"])(
    "finds what is too large for its environment in a file that is gone after `%s`",
    async (end) => {
      const args = { content: 'ü"\n'.repeat(40_000) };
      const event = HookEvent.toolPreExecute("Write", args);
      const command = `printf "%s\\n" "$SLUICE_TOOL_ARGS_FILE" "$FORGE_TOOL_ARGS_FILE" "$OPENCODE_TOOL_ARGS_FILE" "\${SLUICE_TOOL_ARGS-unset}"
        cat "$SLUICE_TOOL_ARGS_FILE"; ${end}`;
      const { stdout } = await run({ command }, event, { deadline: 1 });
      const [file = "", second, third, small, ...rest] = stdout.split("\n");
      expect([second, third, small]).toEqual([file, file, "unset"]);
      expect(JSON.parse(rest.join("\n"))).toEqual(args);
      expect(existsSync(dirname(file))).toBe(false);
    },
  );

  it("runs a script by its first line, and by its suffix", async () => {
    writeFileSync(join(folder, "line"), '#!/bin/sh\necho "$0 $SLUICE_EVENT"\n', { mode: 0o755 });
    writeFileSync(join(folder, "suffix.mjs"), "console.log(process.env.SLUICE_EVENT)\n", { mode: 0o644 });
    expect(await run({ script: "line" })).toMatchObject({ stdout: `${folder}/line tool:pre_execute\n` });
    expect(await run({ script: "./suffix.mjs" })).toMatchObject({ exitCode: 0, stdout: "tool:pre_execute\n" });
  });

  it("runs in the shell it names", async () => {
    expect(await run({ command: 'x=(a b); echo "${x[1]}"', shell: "bash" })).toMatchObject({ stdout: "b\n" });
  });

  it("is a whole shell script: several lines, pipes, variables", async () => {
    const ran = await run({ command: 'x=b\necho "a\n$x" | tail -n 1 && echo end\nexit 1' });
    expect(ran).toMatchObject({ exitCode: 1, stdout: "b\nend\n" });
  });

  it("with arguments sees them as they are", async () => {
    expect(await run({ args: ["printf", "%s|", "$HOME", "a b", "", "*"] })).toMatchObject({ stdout: "$HOME|a b||*|" });
  });

  it("answers on standard output when it succeeds, and only then", async () => {
    const answer = { action: "deny", reason: "no" };
    const command = `echo '${JSON.stringify(answer)}'`;
    expect(await run({ command })).toMatchObject({ answer });
    expect(await run({ command: `${command}; exit 1` })).not.toHaveProperty("answer");
  });

  it("keeps its own meaning of 126 and 127 where no shell is between", async () => {
    writeFileSync(join(folder, "own"), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
    const [shell, program] = [await run({ command: "exit 127" }), await run({ args: ["./own"] })];
    expect(shell).toMatchObject({ exitCode: 127, failure: { why: "not_found", program: "exit" } });
    const missing = await run({ command: "no-such-program --check ." });
    expect(missing).toMatchObject({ failure: { why: "not_found", program: "no-such-program" } });
    expect(program.exitCode).toBe(127);
    expect(program.failure).toBeUndefined();
  });

  it("runs in its own folder, else in the event's, else in the executor's", async () => {
    const event = new HookEvent({ type: "session:start", cwd: folder });
    expect(await run({ command: "pwd" }, event, { workingDir: "/" })).toMatchObject({ stdout: `${folder}\n` });
    expect(await run({ command: "pwd" }, EVENT, { workingDir: folder })).toMatchObject({ stdout: `${folder}\n` });
    expect(await run({ command: "pwd", workingDir: "/" }, event)).toMatchObject({ stdout: "/\n" });
  });
});

function run(keys: object, event = EVENT, context: Partial<RunContext> = {}) {
  const hook = new Hook({ event: "*", ...keys });
  return runCommand(hook, event, { deadline: 10, workingDir: folder, signal: undefined, depth: 1, ...context });
}

const PATCH =
  "*** Begin Patch\n*** Update File: src/a b.ts\n+x\n*** Add File: c.ts\n+y\n*** Delete File: d.ts\n*** End Patch";

test.each<[string, object, readonly string[]]>([
  ["Write", { file_path: "/p/a.ts", content: "x" }, ["/p/a.ts"]],
  ["Edit", { file_path: "src/a.ts", old_string: "x", new_string: "y" }, ["/p/src/a.ts"]],
  ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "x", new_string: "y" }] }, ["/p/a.ts"]],
  ["MultiEdit", { edits: [{ file_path: "a.ts" }, { file_path: "b.ts" }] }, ["/p/a.ts", "/p/b.ts"]],
  ["NotebookEdit", { notebook_path: "/p/n.ipynb", new_source: "1" }, ["/p/n.ipynb"]],
  ["apply_patch", { input: PATCH }, ["/p/src/a b.ts", "/p/c.ts", "/p/d.ts"]],
  ["apply_patch", { command: PATCH }, ["/p/src/a b.ts", "/p/c.ts", "/p/d.ts"]],
  ["write_file", { file_path: "a.ts", content: "x" }, ["/p/a.ts"]],
  ["replace", { file_path: "a.ts", old_string: "x", new_string: "y" }, ["/p/a.ts"]],
  ["mcp__filesystem__write_file", { path: "./a.ts", content: "x" }, ["/p/a.ts"]],
  ["mcp__filesystem__move_file", { source: "a.ts", destination: "b.ts" }, ["/p/b.ts", "/p/a.ts"]],
  ["Read", { file_path: "/etc/hosts" }, ["/etc/hosts"]],
  ["read_file", { path: "a.ts" }, ["/p/a.ts"]],
  ["Bash", { command: "cat a.ts > b.ts; rm c.ts 2>/dev/null" }, ["/p/b.ts", "/p/c.ts"]],
  ["Bash", { command: "cd src && sed -i s/a/b/ a.ts" }, ["/p/src/a.ts"]],
  ["run_shell_command", { command: "cat a.ts" }, ["/p/a.ts"]],
  ["Bash", { command: 'touch "$NAME" known.ts *.md' }, ["/p/known.ts"]],
  ["Bash", { command: "echo x > /dev/shm/p/a.ts" }, ["/dev/shm/p/a.ts"]],
  ["Bash", { command: "cat /dev/urandom > /dev/ttyUSB0" }, []],
  ["Bash", { command: "git status" }, []],
  ["WebFetch", { url: "https://example.org/a.ts" }, []],
])("%s %j is about %j", (toolName, args, files) => {
  const event = new HookEvent({ type: "tool:post_execute", toolName, data: { tool_args: args }, cwd: "/p" });
  expect(absoluteFiles(event, undefined)).toEqual(files);
});

test("an event without a tool is about the files that it names", () => {
  const event = new HookEvent({ type: "file:changed", data: { path: "a.ts" }, cwd: "/p" });
  expect(absoluteFiles(event, undefined)).toEqual(["/p/a.ts"]);
});

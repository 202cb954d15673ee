import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ActOutcome } from "../../src/ui-server/wire.ts";
import type { AllowPreview } from "../../src/ui-server/wire-policy.ts";
import { COMMAND, runCommand } from "../command-server/run-command.ts";

test.runIf(process.platform === "linux")(
  "an exception is written when its question is answered with yes at the terminal of `sluice ui`, and not before",
  async () => {
    const { root, env, config } = household();
    const id = deniedId(root, env);
    const terminal = opened(root, env);
    const url = (await terminal.says(/http:\S+/))[0];
    const [, code = ""] = await terminal.says(/code +(\S+)/);
    const { origin } = new URL(url);
    const headers = { origin, "content-type": "application/json" };
    const login = await fetch(`${origin}/login`, { method: "POST", body: JSON.stringify({ code }), headers });
    const { key } = (await login.json()) as { key: string };
    const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const allow = async () => {
      const own = { ...headers, cookie, "x-sluice-key": key };
      const response = await fetch(`${origin}/api/act/allow`, {
        method: "POST",
        body: JSON.stringify({ id }),
        headers: own,
      });
      return (await response.json()) as ActOutcome;
    };
    const before = readFileSync(config, "utf8");
    const shown = await fetch(`${origin}/api/review/preview`, {
      method: "POST",
      body: JSON.stringify({ id }),
      headers: { ...headers, cookie, "x-sluice-key": key },
    });
    const preview = (await shown.json()) as AllowPreview;
    expect(preview).toMatchObject({ file: config, before: before });
    expect(preview.after).toContain("git push --force origin main");
    const refused = allow();
    await terminal.says(/Write this exception\?/);
    expect(readFileSync(config, "utf8")).toBe(before);
    terminal.type("\n");
    expect(await refused).toMatchObject({ done: false });
    expect(readFileSync(config, "utf8")).toBe(before);
    const allowed = allow();
    await terminal.says(/Write this exception\?/);
    terminal.type("y\n");
    expect(await allowed).toMatchObject({ done: true });
    expect(readFileSync(config, "utf8")).toContain("git push --force origin main");
    terminal.type("\n");
    expect((await terminal.says(/code +(\w{4}-\w{4})/))[1]).not.toBe(code);
  },
);

function household() {
  const home = mkdtempSync(join(tmpdir(), "sluice-ui-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const root = join(home, "shop");
  const config = join(home, ".config/sluice/hooks.yaml");
  for (const folder of [join(root, ".git"), join(home, ".config/sluice")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(config, "# Mine.\nguards: standard\n");
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_STATE_HOME: join(home, ".state"),
    SLUICE_RESIDENT: "0",
    TERM: "dumb",
  };
  return { root, config, env };
}

function deniedId(cwd: string, env: NodeJS.ProcessEnv): string {
  const data = { tool_args: { command: "git push --force origin main" } };
  const input = JSON.stringify({ type: "tool:pre_execute", tool_name: "Bash", session_id: "s", cwd, data });
  runCommand(["run", "json", "--cold"], { cwd, env, input });
  const { out: listed } = runCommand(["log", "--json"], { cwd, env });
  return (JSON.parse(listed.split("\n")[0] ?? "{}") as { id: string }).id;
}

/** The command in a terminal of its own, as a person has it. */
function opened(cwd: string, env: NodeJS.ProcessEnv) {
  const line = `'${process.execPath}' '${COMMAND}' ui --no-open`;
  const child: ChildProcess = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  let text = "";
  let wake = () => {};
  child.stdout?.on("data", (piece) => {
    text += piece;
    wake();
  });
  return {
    type: (words: string) => child.stdin?.write(words),
    /** Waits for such a text, and forgets everything up to it. */
    says: async (wanted: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = wanted.exec(text);
        if (found !== null) {
          text = text.slice(found.index + found[0].length);
          return found;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND, runCommand } from "../command-server/run-command.ts";
import { BEST, readyClient } from "../daemon/daemon-home.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-tamper-")));
const root = join(home, "project");
const state = join(home, ".local/state/sluice");
const settings = join(home, ".claude/settings.json");
const configuration = join(home, ".config/sluice/hooks.yaml");
const shown = join(home, "shown.txt");
const env = { PATH: `${join(home, "bin")}:${process.env.PATH}`, HOME: home, NO_COLOR: "1" };
const sluice = (...args: string[]) => runCommand(args, { cwd: root, env });
const clientPath = () => {
  const [folder = ""] = readdirSync(join(state, "resident"));
  const name = readdirSync(join(state, "resident", folder)).find((one) => one.startsWith("client-")) ?? "";
  return join(state, "resident", folder, name);
};
const call = (session: string, client: string) => {
  const payload = {
    hook_event_name: "PreToolUse",
    session_id: session,
    cwd: root,
    tool_name: "Bash",
    tool_input: { command: "ls" },
  };
  const words = [process.execPath, COMMAND, "run", "claude-code"];
  return spawnSync(client, words, { cwd: root, env, input: JSON.stringify(payload), encoding: "utf8" });
};
const told = () => {
  const file = join(state, "tampering.json");
  const text = existsSync(file) ? readFileSync(file, "utf8") : '{"found":[]}';
  return (JSON.parse(text).found as { what: string; path: string; isMended: boolean }[]).map(({ what }) => what);
};
const isWatching = () => existsSync(join(state, "watched.json"));

/** The daemon starts behind the first call, on a machine that may be busy. */
const PATIENT = { timeout: 60_000 };

let client = "";
beforeAll(() => {
  mkdirSync(root);
  if (BEST === "native") readyClient(BEST, home, env);
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/notify-send"), `#!/bin/sh\necho "$@" >> ${shown}\n`);
  chmodSync(join(home, "bin/notify-send"), 0o755);
  expect(sluice("install", "claude-code", "--scope", "user", "--yes").code).toBe(0);
  client = clientPath();
  call("first", client);
});
afterAll(() => {
  sluice("serve", "--stop");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

describe.runIf(process.platform === "linux")(
  "what keeps Sluice in the loop is watched",
  { shuffle: false, timeout: 180_000 },
  () => {
    it("puts back a client that another program took the place of, and says so", async () => {
      await expect.poll(isWatching, PATIENT).toBe(true);
      const before = readFileSync(client);
      rmSync(client);
      symlinkSync("/bin/true", client);
      await expect.poll(() => told().join("\n"), PATIENT).toContain(`${client} was replaced. It was put back.`);
      expect(readFileSync(client)).toEqual(before);
      await expect.poll(() => (existsSync(shown) ? readFileSync(shown, "utf8") : "")).toContain("was put back");
    });

    it("tells each session in its next message, once", () => {
      const first = JSON.parse(call("second", client).stdout);
      expect(first.systemMessage).toContain("was put back");
      expect(call("second", client).stdout).toBe("");
      expect(JSON.parse(call("third", client).stdout).systemMessage).toContain("was put back");
    });

    it("puts back its own lines in an agent's settings, and keeps what others wrote there", async () => {
      writeFileSync(settings, '{ "model": "opus" }\n');
      await expect.poll(() => told().join("\n"), PATIENT).toContain(settings);
      await expect.poll(() => readFileSync(settings, "utf8"), PATIENT).toContain("run claude-code");
      expect(JSON.parse(readFileSync(settings, "utf8")).model).toBe("opus");
      const seen = () => JSON.parse(readFileSync(join(state, "watched.json"), "utf8"))[settings].lines;
      await expect.poll(seen, PATIENT).toBeGreaterThan(0);
    });

    it("does not fight the user who takes them out again: it only tells", async () => {
      const before = told().length;
      writeFileSync(settings, '{ "model": "sonnet" }\n');
      await expect.poll(() => told().length, PATIENT).toBeGreaterThan(before);
      expect(told().at(-1)).toContain("`sluice uninstall` takes all of them out for good");
      expect(readFileSync(settings, "utf8")).toBe('{ "model": "sonnet" }\n');
      expect(sluice("install", "claude-code", "--scope", "user", "--yes").code).toBe(0);
    });

    it("leaves the user's own configuration as it was written, and tells of it", async () => {
      writeFileSync(configuration, "guards: off\n");
      await expect
        .poll(() => told().join("\n"))
        .toContain(`${configuration} was changed by something else than Sluice`);
      expect(readFileSync(configuration, "utf8")).toBe("guards: off\n");
    });

    it("says in `sluice doctor` and in the journal what was found", () => {
      const report = sluice("doctor").out;
      expect(report).toContain("was replaced. It was put back.");
      expect(report).toContain("was changed by something else than Sluice");
      expect(sluice("log", "--project", "all", "--json").out).toContain('"event":"tampering"');
    });

    it("says nothing of changes that keep its lines, and of its own", async () => {
      const before = told().length;
      const text = readFileSync(settings, "utf8");
      writeFileSync(settings, text.replace('"sonnet"', '"haiku"'));
      expect(sluice("trust", "--yes").code).toBe(0);
      expect(sluice("uninstall", "claude-code", "--scope", "user", "--yes").code).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(told().slice(before)).toEqual([]);
      expect(readFileSync(settings, "utf8")).not.toContain("run claude-code");
    });
  },
);

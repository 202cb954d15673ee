import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { COMMAND } from "../command-server/run-command.ts";

/** A process that follows a journal with one record in it, and what it has printed. */
async function following(program: string, ...args: string[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "follow-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, "sluice/decisions");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().slice(0, 10)}.jsonl`);
  const call = (id: string) => {
    const record = {
      v: 1,
      id,
      time: new Date().toISOString(),
      kind: "decision",
      root: home,
      event: "tool:pre_execute",
    };
    const rest = { tool: "Bash", action: "deny", reasons: ["no"], event_json: null, results: [], duration_ms: 1 };
    appendFileSync(file, `${JSON.stringify({ ...record, ...rest })}\n`);
  };
  call("000001");
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(program, args, {
    cwd: home,
    env: { ...env, HOME: home, XDG_STATE_HOME: home, SLUICE: COMMAND, NODE: process.execPath },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.err += text));
  await expect.poll(() => printed.out).toContain("000001");
  return { child, call, printed, file };
}

function ended(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
}

test("`log --follow` shows calls as they come, across a file that is rolled over, and ends quietly when it is interrupted", async () => {
  const { child, call, printed, file } = await following(process.execPath, COMMAND, "log", "--follow");
  call("000002");
  await expect.poll(() => printed.out).toContain("000002");
  call("000003");
  renameSync(file, file.replace(/\.jsonl$/, ".120000000-1.jsonl"));
  call("000004");
  await expect.poll(() => printed.out).toContain("000004");
  expect(printed.out.match(/00000\d/g)).toEqual(["000001", "000002", "000003", "000004"]);
  const end = ended(child);
  child.kill("SIGINT");
  expect([await end, printed.err]).toEqual([0, ""]);
});

test("`log --follow` ends when its reader goes", async () => {
  const line = '"$NODE" "$SLUICE" log --follow | head -n 1; echo "ended ${PIPESTATUS[0]}"';
  const { child, call, printed } = await following("bash", "-c", line);
  const end = ended(child);
  const writing = setInterval(() => call("000002"), 100);
  onTestFinished(() => clearInterval(writing));
  await end;
  expect(printed).toEqual({ out: expect.stringMatching(/ended 0\n$/), err: "" });
});

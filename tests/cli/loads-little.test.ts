import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtFile } from "../built-file.ts";
import { project } from "./sluice.ts";

const LAUNCHER = builtFile("sluice.cjs");

/** Parts of node that cost milliseconds each; a call that passes quietly needs none of them. */
const COSTLY =
  /^NativeModule (?:stream|crypto|zlib|child_process|http|https|net|tls|worker_threads|perf_hooks|readline|url|internal\/streams)/;

it("a call that passes loads nothing of node that it does not need", () => {
  const { home } = project();
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
  const list = join(home, "list.json");
  const probe = join(home, "probe.cjs");
  writeFileSync(
    probe,
    `const before = new Set(process.moduleLoadList);
process.on("exit", () => {
  const added = process.moduleLoadList.filter((name) => !before.has(name));
  require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(added));
});
require(${JSON.stringify(LAUNCHER)});
`,
  );
  const { status, stderr } = spawnSync(process.execPath, [probe, "run", "claude-code", "--cold"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    input: JSON.stringify({
      session_id: "s-1",
      cwd: home,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "git status && npm test -- --watch=false | tail -50" },
    }),
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const loaded = JSON.parse(readFileSync(list, "utf8")) as string[];
  expect(loaded).toContain("NativeModule vm");
  expect(loaded.filter((name) => COSTLY.test(name))).toEqual([]);
});

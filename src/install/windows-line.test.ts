import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ADAPTERS } from "../adapters/index.ts";
import type { InstallContext } from "./install-context.ts";
import { commandLine, isOurs } from "./invocation.ts";
import { windowsUserLine } from "./windows-line.ts";

const NODE = "C:\\Program Files\\nodejs\\node.exe";
const LAUNCHER = "C:\\Users\\Ada Lovelace\\AppData\\Roaming\\npm\\node_modules\\sluice\\dist\\sluice.cjs";
const AT = "C:/Users/Ada Lovelace/AppData/Roaming/npm/node_modules/sluice/dist/sluice.cjs";

it.each([
  [["bash", "cmd", "powershell"], [NODE, LAUNCHER, "run", "x"], true, `node "${AT}" run x`],
  [["bash", "cmd"], [NODE, LAUNCHER, "run", "x"], true, `node "${AT}" run x || exit 2`],
  [["cmd"], [NODE, LAUNCHER, "run", "x"], false, `node "${AT}" run x`],
  [["cmd"], ["d:\\node\\NODE.EXE", "d:\\s.cjs", "run", "x"], false, 'NODE "d:/s.cjs" run x'],
  [["bash"], [NODE, "\\\\host\\share\\sluice.cjs", "run"], false, 'node "//host/share/sluice.cjs" run'],
  [["bash", "cmd", "powershell"], ["C:\\Tools\\sluice.exe", "run", "x"], true, "sluice run x"],
  [["cmd"], ["node", "relative\\path", "run"], false, 'node "relative\\path" run'],
] as const)("for %j, %j as a gate (%s) is %s", (shells, words, gate, line) => {
  expect(windowsUserLine(words, { gate, shells })).toBe(line);
});

const around = { sluice: [NODE, LAUNCHER], root: "/project", platform: "win32" } as unknown as InstallContext;
const INSTALLABLE = ADAPTERS.filter(({ recipe }) => recipe !== undefined);

it.each(INSTALLABLE)(
  "the line of $id for a user on Windows does not begin with a quote, and is found as ours",
  (adapter) => {
    for (const gate of [true, false]) {
      const line = commandLine(adapter, "user", around, { gate });
      expect(line).toMatch(/^node "C:\/Users\/Ada Lovelace\//);
      expect(line).not.toMatch(/\/bin\/sh|'|\$/);
      expect(isOurs(line, adapter.id)).toBe(true);
    }
  },
);

it("a line for Windows starts the file at a path with blanks in a shell like Git Bash's", () => {
  const root = mkdtempSync(join(tmpdir(), "sluice windows "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "C:/a b"), { recursive: true });
  writeFileSync(
    join(root, "C:/a b/sluice.cjs"),
    'require("fs").writeFileSync("ran", process.argv.slice(2).join()); process.exit(1)',
  );
  const line = windowsUserLine([NODE, "C:\\a b\\sluice.cjs", "run", "x"], { gate: true, shells: ["bash", "cmd"] });
  expect(spawnSync("/bin/sh", ["-c", line], { cwd: root }).status).toBe(2);
  expect(readFileSync(join(root, "ran"), "utf8")).toBe("run,x");
});

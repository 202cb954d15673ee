import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { ADAPTERS } from "../adapters/index.ts";
import { whyNoPerson } from "./person.ts";

/** A folder that shows processes as the system does; each started the next one. */
function processes(...lines: readonly string[]): { folder: string; parent: number } {
  const folder = mkdtempSync(join(tmpdir(), "sluice-processes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [at, line] of lines.entries()) {
    mkdirSync(join(folder, String(100 + at)));
    writeFileSync(join(folder, String(100 + at), "cmdline"), `${line.split(" ").join("\0")}\0`);
    writeFileSync(
      join(folder, String(100 + at), "status"),
      `Name:\tx\nPid:\t${100 + at}\nPPid:\t${at === 0 ? 1 : 99 + at}\nUid:\t0\n`,
    );
  }
  return { folder, parent: 99 + lines.length };
}

const terminal = (env: Readonly<Record<string, string>> = {}) => ({ isTerminal: true, env });
const [agent] = ADAPTERS.filter(({ program }) => program !== undefined);
const { program = "", title = "" } = agent ?? {};

it("without a terminal there is no person", () => {
  expect(whyNoPerson({ isTerminal: false, env: {} }, processes("bash"))).toBe("there is no terminal");
});

it("at a terminal that a shell started there may be one", () => {
  expect(whyNoPerson(terminal(), processes("sshd", "-bash"))).toBe(undefined);
  expect(whyNoPerson(terminal({ AI_AGENT: "" }), processes("bash"))).toBe(undefined);
});

it.each([...new Set([...ADAPTERS.flatMap(({ marks = [] }) => marks), "AI_AGENT", "SLUICE_DEPTH"])])(
  "%s in the environment says that an agent runs the command",
  (mark) => {
    expect(whyNoPerson(terminal({ [mark]: "1" }), processes("bash"))).toBe(
      `${mark} is set, as agents do for the commands that they run`,
    );
  },
);

it.each([
  [program],
  [`/usr/local/bin/${program} -p hi`],
  [`node /opt/x/${program}.js`],
  [`node /opt/x/${program}.cjs`],
  [`node /opt/x/${program}.mjs`],
])("a command that an agent started has no person, however far above the agent is: %s", (line) => {
  for (const above of [[], ["bash"], ["bash", "make", "sh -c x"]])
    expect(whyNoPerson(terminal(), processes(line, ...above))).toBe(`it was started by ${title}`);
});

it.each([
  `vim ${program}.md`,
  `bash -c ${program}`,
  `grep x ${program}`,
  `${program}x`,
  `my-${program}`,
  `node x.${program}`,
  `node /opt/x/${program}.jsx`,
  `node /opt/x/${program.slice(0, 2)}.js${program.slice(2)}`,
  `node /opt/x/${program}.cjs.map`,
  `node --inspect /opt/x/${program}.js`,
])("a program that only names an agent is not one: %s", (line) => {
  expect(whyNoPerson(terminal(), processes("init", line, "bash"))).toBe(undefined);
});

it("the search ends if the system does not show its processes, or shows a cycle", () => {
  expect(whyNoPerson(terminal(), { folder: "/nowhere/at-all", parent: 100 })).toBe(undefined);
  const circle = processes("bash");
  writeFileSync(join(circle.folder, "100/status"), "PPid:\t100\n");
  expect(whyNoPerson(terminal(), circle)).toBe(undefined);
  const cut = processes(program, "bash");
  writeFileSync(join(cut.folder, "101/status"), "");
  expect(whyNoPerson(terminal(), cut)).toBe(undefined);
});

it("only the command line of each parent is checked, for at most 64 processes", () => {
  const odd = processes(program, "bash");
  writeFileSync(join(odd.folder, "101/status"), "Name:\tPPid: 7 PPid:\t9\nPPid:\t 100\n");
  expect(whyNoPerson(terminal(), odd)).toBe(`it was started by ${title}`);
  const shells = (count: number) => Array.from({ length: count }, () => "bash");
  expect(whyNoPerson(terminal(), processes(program, ...shells(63)))).toBe(`it was started by ${title}`);
  expect(whyNoPerson(terminal(), processes(program, ...shells(64)))).toBe(undefined);
});

it.runIf(existsSync("/proc/self"))(
  "the processes of the system are asked, beginning with the one that started this",
  () => {
    const above = spawn("sleep", ["60"], { argv0: program, stdio: "ignore" });
    vi.spyOn(process, "ppid", "get").mockReturnValue(above.pid ?? 0);
    onTestFinished(() => void above.kill());
    onTestFinished(() => void vi.restoreAllMocks());
    expect(whyNoPerson(terminal())).toBe(`it was started by ${title}`);
  },
);

it("the first process of the machine is not checked", () => {
  const { folder } = processes("bash");
  mkdirSync(join(folder, "1"));
  writeFileSync(join(folder, "1/cmdline"), `${program}\0`);
  expect(whyNoPerson(terminal(), { folder, parent: 100 })).toBe(undefined);
});

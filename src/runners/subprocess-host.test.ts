import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

const execute = promisify(execFile);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "host-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a program that runs hooks", () => {
  it("and has no file left to open says so, and goes on", async () => {
    const said = await host(
      "full",
      `const open = [];
       try { for (;;) open.push(openSync("/dev/null", "r")); } catch {}
       const full = await run("true");
       for (const file of open) closeSync(file);
       console.log(JSON.stringify([full, await run("echo again")]));`,
      "ulimit -n 64;",
    );
    expect(JSON.parse(said)).toMatchObject([
      { failure: { why: "spawn_error", message: "this program has too many files open" } },
      { exitCode: 0, stdout: "again\n" },
    ]);
  });

  it("ends as soon as the last hook has ended", async () => {
    const said = await host("idle", `await run("sleep 60 & exit 0"); console.log("over");`);
    expect(said).toBe("over\n");
  });

  it("and exits in the middle takes them with it, and their files", async () => {
    const said = await host(
      "exit",
      `run("echo $$ >&2; (setsid sleep 60 &); sleep 60");
       const { variables } = (await load()).writeLargeValues({ TOOL_ARGS: "{}" });
       setTimeout(() => { console.log(variables.SLUICE_TOOL_ARGS_FILE); process.exit(0); }, 300);`,
    );
    await expect(execute("ls", [said.trim()])).rejects.toThrow(/No such file/);
    const { stdout } = await list();
    expect(stdout.split("\n").filter((line) => line.includes(folder))).toEqual([]);
  });
});

/** Runs a program of its own that has \`run\` and some functions of node; every process below it names the folder. */
async function host(name: string, body: string, before = ""): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  writeFileSync(outfile, `${prelude()}\n${body}`);
  const { stdout } = await execute("/bin/sh", ["-c", `${before} exec "$0" "$1"`, process.execPath, outfile], {
    env: { PATH: process.env.PATH ?? "", HOST_FOLDER: folder },
    timeout: 15_000,
  });
  return stdout;
}

/** All processes with their environments, once the ended ones had time to go. */
async function list() {
  await sleep(200);
  return execute("ps", process.platform === "linux" ? ["axeww", "-o", "pid,args"] : ["-AwwE", "-o", "pid,command"]);
}

function prelude(): string {
  const program = (name: string) => JSON.stringify(pathToFileURL(join(inject("programs"), `${name}.mjs`)));
  return `
import { closeSync, openSync } from "node:fs";
import { runProcess } from ${program("subprocess")};
const run = (command) => runProcess({
  program: "/bin/sh", args: ["-c", command], cwd: "/", env: process.env, stdin: "", deadline: 10,
});
const load = () => import(${program("command-runner")});
void [closeSync, openSync, load];
`;
}

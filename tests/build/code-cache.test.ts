import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../command-server/run-command.ts";
import { type Given, type Installed, installed, installedSmall } from "./installed.ts";

const BUILT = resolve(import.meta.dirname, "../../dist/compiled");
const PASSES = "ls -la src";
const DENIED = "git push --force origin main";

describe("V8's compiled code", () => {
  it("is written after the first call, for its owner alone, and the next call starts from it", async () => {
    const here = installed();
    expect(here.call(DENIED)).toBe("deny");
    const [file = ""] = await written(here, 1);
    expect(statSync(here.compiled).mode & 0o777).toBe(0o700);
    expect(statSync(join(here.compiled, file)).mode & 0o777).toBe(0o600);
    expect(here.call(DENIED)).toBe("deny");
    expect(here.call(PASSES)).toBeUndefined();
    expect(isCompiling(here)).toBe(false);
  });

  it.each<[string, Given]>([
    ["NODE_OPTIONS", { env: { NODE_OPTIONS: "--max-old-space-size=4096" } }],
    ["the flags of the daemon's workers", { flags: ["--max-semi-space-size=2"] }],
  ])("has a file of its own for %s, which is accepted", async (_, given) => {
    const here = installedSmall();
    compiledBefore(here);
    here.call(PASSES, given);
    await written(here, 2);
    expect(here.call(DENIED, given)).toBe("deny");
    here.call(PASSES);
    expect(isCompiling(here)).toBe(false);
  });

  it.each<[string, (path: string) => void]>([
    ["is cut off", (path) => truncateSync(path, statSync(path).size / 2)],
    ["is of another Node", (path) => writeFileSync(path, readFileSync(path).fill(7, 0, 64))],
    ["is empty", (path) => writeFileSync(path, "")],
    ["others can write", (path) => chmodSync(path, 0o622)],
  ])("that %s is not used: the call is decided all the same, and the code written anew", async (_, spoil) => {
    const here = installedSmall();
    const file = compiledBefore(here);
    const path = join(here.compiled, file);
    const { ino } = statSync(path);
    spoil(path);
    expect(here.call(DENIED)).toBe("deny");
    await expect.poll(() => statSync(path).ino).not.toBe(ino);
    await written(here, 1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    here.call(PASSES);
    expect(isCompiling(here)).toBe(false);
  });

  it("that V8 rejects is seen by the doctor", () => {
    const here = installedSmall();
    const file = compiledBefore(here);
    expect(doctor(here)).not.toContain("rejects");
    writeFileSync(join(here.compiled, file), "not compiled");
    expect(doctor(here)).toContain("V8 rejects its compiled code of call");
  });

  it("is neither read from nor written to a folder that others can write", () => {
    const here = installedSmall();
    mkdirSync(here.compiled, { recursive: true });
    chmodSync(here.compiled, 0o777);
    expect(here.call(DENIED)).toBe("deny");
    expect(readdirSync(here.compiled)).toEqual([]);
    expect(doctorOnFolder(here)).toContain(`cannot be kept: ${here.compiled} can be written by others`);
  });

  it("is done without where its folder cannot be made, and the doctor says so", () => {
    const here = installedSmall();
    const env = { XDG_CACHE_HOME: join(here.home, "file") };
    writeFileSync(env.XDG_CACHE_HOME, "");
    expect(here.call(DENIED, { env })).toBe("deny");
    expect(here.call(PASSES, { env })).toBeUndefined();
    expect(doctorOnFolder(here, env)).toContain("V8's compiled code cannot be kept: ");
  });

  it("is written by one of many calls at once, and by none for a while after a failure", () => {
    const here = installedSmall();
    const file = compiledBefore(here);
    const path = join(here.compiled, file);
    rmSync(path);
    writeFileSync(`${path}.lock`, "");
    here.call(PASSES);
    expect(existsSync(path)).toBe(false);
  });
});

/** What a call has had compiled some time ago; gives the name of the file. */
function compiledBefore({ compiled, folder, run }: Installed): string {
  const made = join(smallCode, "sluice/compiled");
  if (!existsSync(made)) {
    mkdirSync(made, { recursive: true, mode: 0o700 });
    expect(run(["compile-bundle", "call"], { env: { XDG_CACHE_HOME: smallCode } })).toMatchObject({ status: 0 });
  }
  const [file = ""] = readdirSync(made);
  mkdirSync(compiled, { recursive: true, mode: 0o700 });
  copyFileSync(join(made, file), join(compiled, file));
  expect(existsSync(join(folder, "dist/compiled"))).toBe(false);
  return file;
}

/** What V8 has compiled of the small bundle, once for all tests. */
const smallCode = mkdtempSync(join(tmpdir(), "sluice-small-"));
afterAll(() => rmSync(smallCode, { recursive: true, force: true }));

/** The files of compiled code, once there are so many and none is being written. */
async function written({ compiled }: Installed, count: number): Promise<string[]> {
  const files = () => (existsSync(compiled) ? readdirSync(compiled) : []);
  await expect
    .poll(files, { interval: 50 })
    .toSatisfy(
      (names: string[]) => names.length === count && names.every((name) => name.endsWith(".cache")),
      `${count} files`,
    );
  return files();
}

/** Whether a call that has just ended has had code compiled: it takes its turn before it ends. */
function isCompiling({ compiled }: Installed): boolean {
  return readdirSync(compiled).some((name) => name.endsWith(".lock"));
}

/** The doctor itself starts from compiled code beside its bundle; it looks at that of calls. */
function doctor(here: Installed): string {
  const beside = join(here.folder, "dist/compiled");
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(BUILT))
    if (name.startsWith("command-")) copyFileSync(join(BUILT, name), join(beside, name));
  return here.run(["doctor", "--json"]).stdout;
}

/** What it says of the folder is the same in the process for commands. */
function doctorOnFolder({ home, launcher }: Installed, more: Readonly<Record<string, string>> = {}): string {
  const env = { PATH: process.env.PATH, HOME: home, SLUICE_RESIDENT: "0", ...more };
  return runCommand(["doctor", "--json"], { cwd: home, env, launcher }).out;
}

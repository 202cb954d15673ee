import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { buildsFor, installClient, isRunnable, makeClient } from "./make-client.ts";

const home = mkdtempSync(join(tmpdir(), "sluice-client-"));
const root = fileURLToPath(new URL("../../..", import.meta.url));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("a client that a crash has left empty is made again: an empty program ends well, and every call would pass", () => {
  const env = { PATH: quickest(), HOME: home, XDG_STATE_HOME: join(home, "state") };
  const cold = [process.execPath, join(root, "sluice.cjs")] as const;
  const first = makeClient(cold, env);
  expect(first).toBeDefined();
  if (first === undefined) return;
  truncateSync(first.path);
  expect(isRunnable(first.path)).toBe(false);
  const again = makeClient(cold, env);
  expect(again).toEqual(first);
  expect(statSync(first.path).size).toBeGreaterThan(0);
  expect(isRunnable(first.path)).toBe(true);
});

/** Where a client is a script, which takes no time to make; else where programs are found. */
function quickest(): string {
  const path = process.env.PATH ?? "";
  const perl = path
    .split(delimiter)
    .map((folder) => join(folder, "perl"))
    .find(existsSync);
  if (perl === undefined) return path;
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(perl, join(bin, "perl"));
  return bin;
}

test("two processes that make the same client at once do not touch each other's draft", () => {
  const path = join(home, "client-12345678");
  const write = (draft: string) => {
    writeFileSync(draft, '#!/bin/sh\nexec "$@"\n');
    return true;
  };
  const outer = installClient(path, (draft) => write(draft) && installClient(path, write));
  expect(outer).toBe(true);
  expect(readdirSync(home).filter((name) => name.includes("12345678"))).toEqual(["client-12345678"]);
});

const compiler = ["cc", "gcc", "clang"].find((name) => spawnSync("/bin/sh", ["-c", `command -v ${name}`]).status === 0);

test.skipIf(compiler === undefined).each(buildsFor(process.platform, process.arch))(
  "the native client starts the cold command, or says why it cannot, however it was built: %s %s",
  (...flags) => {
    const path = join(home, `built-${flags.length}`);
    // With a C library the builds differ only in how they are linked.
    const object = join(home, "client.o");
    const source = join(root, "native/client.c");
    const compile = (...words: string[]) => spawnSync(compiler ?? "cc", ["-O1", ...words], { encoding: "utf8" });
    const isLinked = flags.length < 2;
    if (isLinked && !existsSync(object))
      expect(compile("-c", "-o", object, source)).toMatchObject({ status: 0, stderr: "" });
    const made = compile(...flags, "-o", path, isLinked ? object : source);
    // Not every machine has a C library to link statically.
    if (flags.length === 1 && made.status !== 0) return;
    expect([made.status, made.stderr]).toEqual([0, ""]);
    const ran = (words: readonly string[]) => {
      const env = { SLUICE_RESIDENT: "0", KEPT: "yes", NODE_EXTRA_CA_CERTS: "/certificates" };
      const { status, stdout, stderr } = spawnSync(path, words, { env, input: "the payload", encoding: "utf8" });
      return [status, stdout, stderr];
    };
    const shows = 'cat; echo "; $KEPT $NODE_EXTRA_CA_CERTS $#"; exit 42';
    expect(ran(["/bin/sh", "-c", shows, "sh", "one"])).toEqual([42, "the payload; yes /certificates 2\n", ""]);
    expect(ran(["/gone/node", "sluice.cjs", "run"])).toEqual([
      127,
      "",
      "Sluice could not run /gone/node: no such file. Nothing was decided; `sluice doctor` says why.\n",
    ]);
    expect(ran(["/bin/sh", "/gone/sluice.cjs", "run"])).toEqual([127, "", expect.stringMatching(/^Sluice is gone/)]);
    expect(ran([])).toEqual([127, "", expect.stringMatching(/^usage/)]);
  },
);

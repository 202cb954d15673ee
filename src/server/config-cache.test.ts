import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { loadLayers } from "../config/load.ts";
import { sha256 } from "../fs/read-once.ts";
import { configCache } from "./config-cache.ts";

const SETTLED = "hooks:\n  - { name: one, event: session:start, command: echo one }\n";

/** A project whose files changed long ago, as far as the clock can tell. */
function project(files: Readonly<Record<string, string>> = { ".sluice/hooks.yaml": SETTLED }) {
  const home = mkdtempSync(join(tmpdir(), "warm-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  vi.stubEnv("XDG_CONFIG_HOME", join(home, ".config"));
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });
  const write = (name: string, text: string) => {
    mkdirSync(join(home, name, ".."), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  let reads = 0;
  const layers = configCache((root) => {
    reads++;
    return loadLayers(root);
  });
  return { home, write, read: () => layers(home), count: () => reads };
}

it("a project that does not change is read once, and its hooks stay the same objects", () => {
  const { read, count } = project();
  const [first, second] = [read(), read()];
  expect(second.hooks[0]).toBe(first.hooks[0]);
  expect(count()).toBe(1);
});

it.each([
  [".sluice/hooks.yaml", SETTLED.replaceAll("one", "two")],
  [".sluice/hooks.json", '{"hooks":[]}'],
  [".sluice/hooks.local.yaml", "hooks: []\n"],
  [".sluice/hooks/pre-bash.sh", "exit 0\n"],
  [".config/sluice/hooks.yaml", "hooks: []\n"],
  [".forge/hooks.json", '{"hooks":[]}'],
])("a file that changes or appears is seen at the next call: %s", (name, text) => {
  const { read, count, write } = project();
  read();
  write(name, text);
  read();
  expect(count()).toBe(2);
});

it("what a link leads to is seen when it comes, wherever that is", () => {
  const { read, count, home, write } = project({});
  symlinkSync(join(home, "elsewhere"), join(home, ".forge"));
  for (let turn = 0; turn < 3; turn++) read();
  expect(count()).toBe(1);
  write("elsewhere/hooks.json", '{"hooks":[]}');
  read();
  expect(count()).toBe(2);
});

it("a folder in which other things come and go is not read again for that", () => {
  const { read, count, write } = project();
  for (const name of ["a", "b", "c"]) {
    write(`${name}.txt`, "");
    read();
  }
  expect(count()).toBe(1);
});

it("what comes in a folder that came later is seen, however long that folder was empty", () => {
  const { read, count, home, write } = project({});
  for (let turn = 0; turn < 3; turn++) read();
  mkdirSync(join(home, ".sluice"));
  for (let turn = 0; turn < 3; turn++) read();
  const before = count();
  write(".sluice/hooks.yaml", SETTLED);
  expect(read().hooks).toHaveLength(1);
  expect(count()).toBe(before + 1);
});

it("a sign that comes is seen at the next call, and what happens in it is nothing new", () => {
  const { home, write } = project();
  let reads = 0;
  const read = configCache(
    (root) => {
      reads++;
      return loadLayers(root);
    },
    { markersIn: (root) => [join(root, ".sign")] },
  );
  for (let turn = 0; turn < 3; turn++) read(home);
  expect(reads).toBe(1);
  for (const name of ["a", "b", "c"]) {
    write(`.sign/${name}`, "");
    read(home);
  }
  expect(reads).toBe(2);
});

it("a file that goes away is seen too", () => {
  const { read, home } = project();
  expect(read().hooks).toHaveLength(1);
  rmSync(join(home, ".sluice/hooks.yaml"));
  expect(read().hooks).toHaveLength(0);
});

it("a file that keeps its size and its time does not keep its secret", () => {
  const { read, home, write } = project();
  read();
  write(".sluice/hooks.yaml", SETTLED.replaceAll("one", "two"));
  utimesSync(join(home, ".sluice/hooks.yaml"), 1, 1);
  expect(read().hooks[0]?.name).toBe("two");
});

it("a file that another one extends is watched as well", () => {
  const { read, write, count } = project({
    ".sluice/hooks.yaml": "extends: [./more.yaml]\nhooks: []\n",
    ".sluice/more.yaml": SETTLED,
  });
  for (let turn = 0; turn < 4; turn++) read();
  expect(count()).toBe(2);
  write(".sluice/more.yaml", SETTLED.replaceAll("one", "two"));
  expect(read().hooks[0]?.name).toBe("two");
});

it("what has just changed is read again until its time is clearly past", () => {
  const { read, count } = project();
  vi.useRealTimers();
  read();
  read();
  expect(count()).toBe(2);
});

it("what is broken, or may appear from anywhere, is read every time", () => {
  const { read, count } = project({ ".sluice/hooks.yaml": "extends: [some-pack]\nhooks: []\n" });
  read();
  read();
  expect(count()).toBe(2);
});

/** A project with a pack that was installed long ago. */
function projectWithPack() {
  const text = 'hooks:\n  - { name: a, event: tool:pre_execute, rules: \'call runs "dd" -> deny("no")\' }\n';
  const files = { "sluice.yaml": `sha256-${sha256(text)}`, "sub/look.sh": `sha256-${sha256("")}` };
  const entry = { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==`, resolved: "file:p", files, gates: ["*"] };
  return project({
    ".sluice/hooks.yaml": "extends: [{ pack: p }]\nhooks: []\n",
    ".sluice/lock.json": JSON.stringify({ lockfileVersion: 1, packs: { p: entry } }),
    ".sluice/packs/p@1.0.0/sluice.yaml": text,
    ".sluice/packs/p@1.0.0/sub/look.sh": "",
  });
}

it("an installed pack that does not change is read until its files are known, and then no more", () => {
  const { read, count } = projectWithPack();
  for (let turn = 0; turn < 5; turn++) expect(read().hooks.map(({ name }) => name)).toEqual(["p/a"]);
  expect(count()).toBe(2);
});

it.each([
  [".sluice/packs/p@1.0.0/sluice.yaml", "hooks: []\n"],
  [".sluice/packs/p@1.0.0/sub/look.sh", "exit 0\n"],
  [".sluice/packs/p@1.0.0/sub/more.sh", ""],
  [".sluice/lock.json", '{"lockfileVersion":1,"packs":{}}'],
])("a file of an installed pack that changes or appears shuts its gate at the next call: %s", (name, text) => {
  const { read, write } = projectWithPack();
  for (let turn = 0; turn < 3; turn++) read();
  write(name, text);
  expect(read().hooks.map((hook) => hook.name)).toEqual(["p/unusable"]);
});

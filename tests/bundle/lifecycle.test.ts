import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBundle } from "../../src/bundle/open-bundle.ts";
import { machineName, ringOf } from "../../src/bundle/ring.ts";
import { loadLayers } from "../../src/config/load.ts";
import { readCurrentBundle } from "../../src/config/managed-bundle.ts";
import { examineBundle } from "../../src/doctor/managed.ts";
import { withGuards } from "../../src/policies/guards/with-guards.ts";
import { configCache } from "../../src/server/config-cache.ts";
import { project } from "../cli/sluice.ts";
import { bundleOf, denying, keyPair, machineWith, startHost } from "./bundle-host.ts";

const [ours, next] = [keyPair(), keyPair()];
const keys = [ours.key];
const DAY = 86_400_000;

const APPROVING = `
guards:
  preset: standard
  rules: { git-force-push: off }
  allow:
    - { rule: git-force-push, command: git push --force, reason: our mirror }
hooks:
  definitions:
    - name: deploys
      event: tool:pre_execute:@shell
      rules: |
        args.command contains "deploy --dry-run" -> continue()
        args.command contains "deploy" -> deny("by hand")
    - name: says-yes
      event: tool:pre_execute:@shell
      command: "echo '{\\"action\\": \\"allow\\"}'"
  disabled: [users-own]
`;

let host: Awaited<ReturnType<typeof startHost>>;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

describe("a bundle that is fetched", () => {
  it("is not sent again while the host says that it is the same", async () => {
    const { packed } = bundleOf(denying("one"), { keys });
    const machine = machineWith(host.url, [ours.publicKey]);
    host.answer((request, response) =>
      request.headers["if-none-match"] === '"v1"'
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: '"v1"' }).end(packed),
    );
    expect(await machine.fetch(1000 + Date.now())).toBe("taken");
    const taken = readCurrentBundle({ env: machine.env });
    const later = Date.now() + 60_000;
    expect(await machine.fetch(later)).toBe("same");
    expect(host.asked.at(-1)?.headers["if-none-match"]).toBe('"v1"');
    expect(readCurrentBundle({ env: machine.env })).toEqual({ ...taken, confirmed: later });
  });

  it("counts beside the files in /etc, and never instead of them", async () => {
    const machine = machineWith(host.url, [ours.publicKey], denying("users-own"));
    mkdirSync(join(machine.home, "etc"));
    writeFileSync(join(machine.home, "etc", "hooks.yaml"), denying("of-etc"));
    host.answer(bundleOf(denying("of-bundle"), { keys }).packed);
    expect(await machine.fetch()).toBe("taken");
    expect(machine.enforced()).toEqual(["of-etc", "of-bundle", "users-own"]);
    expect(machine.load().hooks.map(({ layer }) => layer)).toEqual(["managed", "managed", "user"]);
  });

  it("brings files of its own: what it extends, and scripts seen from its folder", async () => {
    const { buildBundle } = await import("../../src/bundle/build.ts");
    const { folderOf } = await import("./bundle-host.ts");
    const folder = folderOf({
      "hooks.yaml": "extends: ./more.yaml\nhooks:\n  - { name: scripted, event: 'tool:*', script: bin/check.sh }\n",
      "more.yaml": denying("extended"),
      "bin/check.sh": "#!/bin/sh\nexit 0\n",
    });
    const machine = machineWith(host.url, [ours.publicKey]);
    host.answer(buildBundle({ folder, keys, expires: Date.now() + DAY }).packed);
    expect(await machine.fetch()).toBe("taken");
    expect(machine.enforced()).toEqual(["extended", "scripted"]);
    const script = machine.load().hooks[1]?.script ?? "";
    expect(script.startsWith(join(machine.home, "state"))).toBe(true);
    expect(readFileSync(script, "utf8")).toContain("exit 0");
    const outside = folderOf({ "hooks.yaml": "extends: ../elsewhere.yaml\nhooks: []\n" });
    expect(() => buildBundle({ folder: outside, keys, expires: Date.now() + DAY })).toThrow("not a file of the bundle");
    const own = folderOf({ "hooks.yaml": `managed: { url: "https://x.example/b", keys: ["${ours.publicKey}"] }\n` });
    expect(() => buildBundle({ folder: own, keys, expires: Date.now() + DAY })).toThrow("cannot say where bundles");
  });

  it("may hold less where it says what it replaces, also for machines that skipped that one", async () => {
    const first = bundleOf(denying("one", "two", "three"), { keys, version: 1 });
    const open = (packed: Buffer) => openBundle(packed, [ours.publicKey]);
    const second = bundleOf(denying("one", "two", "three", "four"), { keys, previous: open(first.packed) });
    const third = bundleOf(denying("one"), { keys, previous: open(second.packed), replaces: "previous" });
    const fourth = bundleOf(denying("one", "five"), { keys, previous: open(third.packed) });
    const machine = machineWith(host.url, [ours.publicKey]);
    host.answer(first.packed);
    await machine.fetch();
    host.answer(fourth.packed);
    expect(await machine.fetch()).toBe("taken");
    expect(machine.enforced()).toEqual(["one", "five"]);
  });

  it("is put back when its files on the disk were changed or removed, and doctor says so before", async () => {
    const machine = machineWith(host.url, [ours.publicKey]);
    host.answer(bundleOf(denying("one"), { keys }).packed);
    await machine.fetch();
    const file = machine.load().files.find(({ layer }) => layer === "managed")?.path ?? "";
    writeFileSync(file, "hooks: []\n");
    const damaged = examineBundle(machine.settings(), { env: machine.env });
    expect(damaged.some(({ what }) => what.includes("not those that were signed"))).toBe(true);
    host.answer((_, response) => response.writeHead(503).end());
    await machine.fetch();
    expect(machine.enforced()).toEqual(["one"]);
    const folder = join(machine.home, "state", "sluice", "managed");
    for (const name of readdirSync(folder, { withFileTypes: true }))
      if (name.isDirectory()) rmSync(join(folder, name.name), { recursive: true });
    expect(machine.load().errors.map(({ code }) => code)).toEqual(["config/bundle-damaged"]);
    host.answer(bundleOf(denying("one"), { keys, version: 1 }).packed);
    expect(await machine.fetch()).toBe("bundle/older");
    host.answer(bundleOf(denying("one", "two"), { keys }).packed);
    expect(await machine.fetch()).toBe("taken");
    expect(machine.enforced()).toEqual(["one", "two"]);
  });

  it.each([
    ["gone", (file: string) => rmSync(file)],
    ["torn", (file: string) => writeFileSync(file, readFileSync(file, "utf8").slice(0, 40))],
  ])("counts again, and no older one, where the file that names it is %s", async (_, spoil) => {
    const machine = machineWith(host.url, [ours.publicKey]);
    for (const version of [6, 7]) {
      host.answer(bundleOf(denying("one", `of-${version}`), { keys, version }).packed);
      expect(await machine.fetch()).toBe("taken");
    }
    const file = join(machine.home, "state/sluice/managed/current.json");
    spoil(file);
    expect(machine.enforced()).toEqual([]);
    host.answer(bundleOf(denying("one", "of-5"), { keys, version: 5 }).packed);
    expect(await machine.fetch()).toBe("bundle/older");
    expect(machine.enforced()).toEqual(["one", "of-7"]);
    spoil(file);
    host.answer((_, response) => response.writeHead(503).end());
    expect(await machine.fetch()).toBe("bundle/not-there");
    expect(machine.enforced()).toEqual(["one", "of-7"]);
  });
});

describe("past max_age, without a fetch that confirms it, a bundle", () => {
  it("keeps its denials and loses its approvals, and every gate says so", async () => {
    const machine = machineWith(host.url, [ours.publicKey], `  max_age: 1h\n${denying("users-own")}`);
    host.answer(bundleOf(APPROVING, { keys }).packed);
    await machine.fetch();
    const fresh = withGuards(machine.load());
    expect(fresh.guardPolicy?.severities.get("git-force-push")).toBe("off");
    expect(fresh.guardPolicy?.exceptions).toHaveLength(1);
    expect(fresh.hooks.find(({ name }) => name === "users-own")?.enabled).toBe(false);
    expect(fresh.notices).toEqual([]);
    await machine.fetch(Date.now() - 2 * 3_600_000);
    const aged = withGuards(machine.load());
    expect(aged.guardPolicy?.severities.get("git-force-push")).toBeUndefined();
    expect(aged.guardPolicy?.exceptions).toEqual([]);
    expect(aged.settings.guards).toBe("standard");
    expect(aged.hooks.find(({ name }) => name === "users-own")?.enabled).toBe(true);
    const deploys = aged.hooks.find(({ name }) => name === "deploys");
    expect(deploys?.layer).toBe("managed");
    expect(deploys?.rules?.trim()).toBe('args.command contains "deploy" -> deny("by hand")');
    expect(aged.hooks.find(({ name }) => name === "says-yes")?.cannotApprove).toBe(true);
    expect(aged.notices[0]).toContain("Only the denials of the managed bundle apply: no fetch has confirmed it since");
    expect(aged.lowering).toEqual([]);
    const told = examineBundle(machine.settings(), { env: machine.env });
    expect(told[0]).toMatchObject({ state: "wrong" });
    expect(told[0]?.what).toContain("its approvals have ended");
  });

  it("is the same as one that has expired, or whose key counts no more", async () => {
    const machine = machineWith(host.url, [ours.publicKey]);
    host.answer(bundleOf(denying("one"), { keys, expires: Date.now() + 300 }).packed);
    expect(await machine.fetch()).toBe("taken");
    await expect.poll(() => machine.load().notices[0] ?? "").toContain("it has expired");
    expect(machine.enforced()).toEqual(["one"]);
    expect(await machine.fetch()).toBe("bundle/expired");
    const rotated = machineWith(host.url, [ours.publicKey]);
    host.answer(bundleOf(denying("one"), { keys }).packed);
    await rotated.fetch();
    const config = join(rotated.home, "config", "sluice", "hooks.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace(ours.publicKey, next.publicKey));
    expect(rotated.load().notices[0]).toContain("a key that is not configured any more");
    expect(await rotated.fetch()).toBe("bundle/other-key");
    expect(rotated.enforced()).toEqual(["one"]);
  });

  it("is read again by a daemon although no file has changed", async () => {
    const machine = machineWith(host.url, [ours.publicKey]);
    const where = { env: machine.env, managedDir: "/nowhere" };
    let reads = 0;
    const cached = configCache(
      (root: string) => {
        reads++;
        return loadLayers(root, where);
      },
      { home: () => join(machine.home, "config") },
    );
    host.answer(bundleOf(denying("one"), { keys, version: 1 }).packed);
    await machine.fetch();
    await expect
      .poll(() => {
        const [first, second] = [cached(machine.home), cached(machine.home)];
        return reads > 1 && first === second;
      })
      .toBe(true);
    const before = cached(machine.home);
    host.answer(bundleOf(denying("one", "two"), { keys, version: 2 }).packed);
    await machine.fetch();
    expect(cached(machine.home).hooks.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(before.hooks).toHaveLength(1);
    expect(before.until).toBeGreaterThan(Date.now());
  });
});

describe("keys", () => {
  it("change without a gap: both count while one takes the place of the other", async () => {
    const machine = machineWith(host.url, [ours.publicKey, next.publicKey]);
    host.answer(bundleOf(denying("one"), { keys, version: 5 }).packed);
    expect(await machine.fetch()).toBe("taken");
    host.answer(bundleOf(denying("one"), { keys: [next.key], version: 5 }).packed);
    expect(await machine.fetch()).toBe("bundle/older");
    host.answer(bundleOf(denying("one", "two"), { keys: [ours.key, next.key], version: 6 }).packed);
    expect(await machine.fetch()).toBe("taken");
    host.answer(bundleOf(denying("one", "two", "three"), { keys: [next.key], version: 7 }).packed);
    expect(await machine.fetch()).toBe("taken");
    expect(readCurrentBundle({ env: machine.env })?.key).toBe(next.publicKey);
  });
});

describe("a ring", () => {
  it("gives a new bundle to some machines, and the one before to all others, new machines included", async () => {
    const stable = bundleOf(denying("one"), { keys, version: 1 });
    const opened = openBundle(stable.packed, [ours.publicKey]);
    const canary = bundleOf(denying("one", "two"), { keys, previous: opened, ring: 10, fallback: opened });
    host.answer((request, response) =>
      response.end(request.url === "/bundle-1.tar.gz" ? stable.packed : canary.packed),
    );
    const early = machineWith(host.url, [ours.publicKey], "  ring: 5\n");
    const late = machineWith(host.url, [ours.publicKey], "  ring: 50\n");
    expect([await early.fetch(), await late.fetch()]).toEqual(["taken", "ring"]);
    expect(early.enforced()).toEqual(["one", "two"]);
    expect(late.enforced()).toEqual(["one"]);
    expect(await late.fetch()).toBe("ring");
    const all = bundleOf(denying("one", "two"), { keys, previous: openBundle(canary.packed, [ours.publicKey]) });
    host.answer(all.packed);
    expect([await early.fetch(), await late.fetch()]).toEqual(["taken", "taken"]);
  });

  it("gives two users of one host, and one user of two hosts, names of their own that stay", () => {
    const at = mkdtempSync(join(tmpdir(), "sluice-machine-"));
    const [one, other] = ["one", "other"].map((host) => join(at, host));
    for (const file of [one, other]) writeFileSync(file ?? "", `${file}\n`);
    const named = () => [machineName(one, "ann"), machineName(one, "bob"), machineName(other, "ann")];
    expect(new Set(named()).size).toBe(3);
    expect(named()).toEqual(named());
    expect(named().every((name) => /^[0-9a-f]{16}$/.test(name))).toBe(true);
    rmSync(at, { recursive: true });
  });

  it("holds the share of machines that it says", () => {
    const places = Array.from({ length: 20_000 }, (_, index) => ringOf(`machine ${index}`));
    const below = (percent: number) => places.filter((place) => place < percent).length / places.length;
    expect(below(1)).toBeCloseTo(0.01, 2);
    expect(below(10)).toBeCloseTo(0.1, 1);
    expect(below(100)).toBe(1);
  });
});

describe("`managed`", () => {
  it("has no effect in a project's file", () => {
    const machine = machineWith(host.url, [ours.publicKey]);
    mkdirSync(join(machine.home, "project", ".sluice"), { recursive: true });
    writeFileSync(join(machine.home, "config", "sluice", "hooks.yaml"), "hooks: []\n");
    writeFileSync(
      join(machine.home, "project", ".sluice", "hooks.yaml"),
      `managed:\n  url: ${host.url}\n  keys: ["${ours.publicKey}"]\n`,
    );
    const loaded = loadLayers(join(machine.home, "project"), { env: machine.env, managedDir: "/nowhere" });
    expect(loaded.settings.managed).toBeUndefined();
    expect(loaded.warnings.map(({ code }) => code)).toEqual(["config/not-yours"]);
  });
});

describe("publishing", () => {
  it("refuses what machines would refuse, and writes the file that they fetch last", async () => {
    const { planPublication } = await import("../../src/bundle/publish.ts");
    const { folderOf } = await import("./bundle-host.ts");
    const www = folderOf({});
    const write = (files: readonly { readonly name: string; readonly content: Buffer | string }[]) => {
      for (const { name, content } of files) writeFileSync(join(www, name), content);
    };
    const plan = (packed: Buffer) => planPublication(packed, www, [ours.publicKey]);
    const first = bundleOf(denying("one", "two"), { keys, version: 1 });
    const { files } = plan(first.packed);
    expect(files.map(({ name }) => name)).toEqual(["bundle-1.tar.gz", "bundle.json", "bundle.tar.gz"]);
    write(files);
    expect(() => plan(bundleOf(denying("one", "two", "three"), { keys, version: 1 }).packed)).toThrow(
      "published already",
    );
    expect(() => plan(bundleOf(denying("one"), { keys, version: 2 }).packed)).toThrow("two would go");
    expect(() => plan(bundleOf(denying("one", "two"), { keys: [next.key], version: 2 }).packed)).toThrow(
      "is signed with",
    );
    expect(() => plan(bundleOf(denying("a", "b"), { keys, version: 2, expires: Date.now() - 1 }).packed)).toThrow(
      "expired on",
    );
    const opened = openBundle(first.packed, [ours.publicKey]);
    const ring = bundleOf(denying("one", "two", "three"), { keys, previous: opened, ring: 1, fallback: opened });
    expect(plan(ring.packed).before?.bundle.manifest.version).toBe(1);
    rmSync(join(www, "bundle-1.tar.gz"));
    expect(() => plan(ring.packed)).toThrow("does not hold that file");
  });
});

describe("sluice bundle build", () => {
  it("builds nothing that no machine would take, and says which values are", () => {
    const { sluice, root } = project({ "policy/hooks.yaml": denying("one") });
    expect(sluice("bundle", "keygen", "--out", "team.key").code).toBe(0);
    const build = (...more: string[]) =>
      sluice("bundle", "build", "policy", "--key", "team.key", "--out", "b.tar.gz", ...more);
    const refused: readonly (readonly [string, string, string])[] = [
      ["--version", "1.5", "not a whole number from 0 to 9007199254740991"],
      ["--version", "99999999999999999999", "not a whole number"],
      ["--ring", "101", "not a number from 0 to 100"],
      ["--ring", "ten", "not a number from 0 to 100"],
      ["--expires", "1990-01-01", "that is past"],
    ];
    for (const [option, value, why] of refused)
      expect(build(option, value)).toMatchObject({ code: 64, err: expect.stringContaining(why) });
    expect(existsSync(join(root, "b.tar.gz"))).toBe(false);
    expect(build("--version", "7", "--ring", "100", "--expires", "1h").code).toBe(0);
  });
});

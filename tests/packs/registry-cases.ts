import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attestations, REPOSITORY, TRUSTED_ROOT } from "./attestation.ts";
import { denying, NAME, packed, projectFor, startRegistry } from "./registry-host.ts";

let registry: Awaited<ReturnType<typeof startRegistry>>;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.close());
beforeEach(() => registry.clear());

const young = () => new Date(Date.now() - 3_600_000).toISOString();
const at = (version: string, text = denying("sudo"), more: object = {}) =>
  packed({ "sluice.yaml": text }, { version, ...more });

describe("a pack from a registry", () => {
  test("is the newest that fits the range, pinned by the hash that the registry states", async () => {
    for (const version of ["1.0.0", "1.4.2", "2.0.0"]) registry.publish(version, { bytes: at(version) });
    const { sluice, lock, root } = projectFor(registry.origin);
    expect(await sluice("add", `${NAME}@^1.0.0`)).toMatchObject({ exit: "done" });
    expect(lock()[NAME]).toMatchObject({
      version: "1.4.2",
      wanted: "^1.0.0",
      resolved: `${registry.origin}/${NAME}/-/1.4.2.tgz`,
      published: "2020-01-01T00:00:00.000Z",
      provenance: { state: "none" },
    });
    expect(readFileSync(join(root, ".sluice/packs/@acme+git-safety@1.4.2/sluice.yaml"), "utf8")).toBe(denying("sudo"));
    expect((await sluice("add", NAME)).exit).toBe("done");
    expect(lock()[NAME].version).toBe("2.0.0");
  });

  test("is an older version where the newest is younger than a week, unless it is named exactly", async () => {
    registry.publish("1.0.0", { bytes: at("1.0.0") });
    registry.publish("1.1.0", { bytes: at("1.1.0"), time: young() });
    const { sluice, lock } = projectFor(registry.origin);
    expect((await sluice("add", NAME)).text).toContain("1.1.0 is younger than seven days");
    expect(lock()[NAME].version).toBe("1.0.0");
    expect((await sluice("add", `${NAME}@1.1.0`)).exit).toBe("done");
    expect(lock()[NAME].version).toBe("1.1.0");
  });

  test("comes from the registry of its scope, with the user's token for exactly that host", async () => {
    registry.publish("1.0.0", { bytes: at("1.0.0") });
    const host = registry.origin.replace("http:", "");
    const { sluice } = projectFor(undefined, {
      ".npmrc": `@acme:registry=${registry.origin}\n${host}/:_authToken=mine\n`,
    });
    expect((await sluice("add", NAME)).exit).toBe("done");
    expect(registry.asked.map(({ authorization }) => authorization)).toEqual([
      "Bearer mine",
      "Bearer mine",
      "Bearer mine",
    ]);
  });

  test("is not fetched with --offline, and what is installed still apply", async () => {
    registry.publish("1.0.0", { bytes: at("1.0.0") });
    const { sluice, enforced } = projectFor(registry.origin);
    await sluice("add", NAME);
    const before = enforced();
    registry.asked.length = 0;
    expect((await sluice("add", "other", "--offline")).problem?.code).toBe("pack/offline");
    expect((await sluice("update", "--offline")).problem?.code).toBe("pack/offline");
    expect((await sluice("packs")).exit).toBe("done");
    expect(registry.asked).toEqual([]);
    expect(enforced()).toBe(before);
  });

  test("is put back from the registry where its files are not committed", async () => {
    registry.publish("1.0.0", { bytes: at("1.0.0") });
    registry.publish("1.0.1", { bytes: at("1.0.1") });
    const one = projectFor(registry.origin);
    await one.sluice("add", `${NAME}@1.0.0`);
    const files = [".sluice/lock.json", ".sluice/hooks.yaml"].map((path) => [
      `project/${path}`,
      readFileSync(join(one.root, path), "utf8"),
    ]);
    const other = projectFor(registry.origin, Object.fromEntries(files));
    expect((await other.sluice("add")).text).toContain(`Put back: ${NAME}@1.0.0`);
    expect(other.enforced().replaceAll(other.root, one.root)).toBe(one.enforced());
  });
});

describe("provenance", () => {
  const bytes = at("1.0.0", denying("sudo"), { repository: "acme/git-safety" });
  const answer = attestations({ name: NAME, version: "1.0.0", packed: bytes });

  test("is verified with the user's trusted root: signature, certificate, log, repository", async () => {
    registry.publish("1.0.0", { bytes, attestations: answer });
    const { sluice, lock } = projectFor(registry.origin, {
      ".config/sluice/sigstore-root.json": JSON.stringify(TRUSTED_ROOT),
    });
    expect((await sluice("add", NAME)).text).toContain(
      "provenance verified: https://github.com/acme/git-safety 0123456789ab .github/workflows/release.yml",
    );
    expect(lock()[NAME].provenance).toEqual({
      state: "verified",
      repository: REPOSITORY,
      commit: "0123456789abcdef0123456789abcdef01234567",
      workflow: ".github/workflows/release.yml",
    });
  });

  test("is recorded as unverified, and that is said, where no trusted root is there", async () => {
    registry.publish("1.0.0", { bytes, attestations: answer });
    const { sluice, lock } = projectFor(registry.origin);
    expect((await sluice("add", NAME)).text).toContain("The provenance was not verified: there is no trusted root");
    expect(lock()[NAME].provenance).toMatchObject({ state: "unverified", repository: REPOSITORY });
  });
});

describe("an update", () => {
  test("shows what opens first, tries the old examples on the new version, and changes nothing with --dry-run", async () => {
    registry.publish("1.0.0", { bytes: at("1.0.0", denying("sudo", "dd", "shred")) });
    const { sluice, enforced, lock } = projectFor(registry.origin);
    await sluice("add", `${NAME}@^1.0.0`);
    const changed = denying("sudo", "dd", "mkfs").replace(
      'call runs "dd" -> deny',
      'call runs "dd" and args.command contains "/dev/" -> deny',
    );
    registry.publish("1.1.0", { bytes: at("1.1.0", changed) });
    const before = enforced();
    const shown = await sluice("update", "--dry-run");
    expect(shown.exit).toBe("done");
    const lines = shown.text.split("\n").filter((line) => /^ {2}[-~+] /.test(line));
    expect(lines.map((line) => line.trim().replace(/ {2}may let.*/, " !"))).toEqual([
      "- no-shred removed !",
      "~ no-dd changed !",
      "+ no-mkfs added",
    ]);
    expect(shown.text).toContain("deny → continue  dd x");
    expect(shown.text).toContain("0 calls: the packs as they would be against the packs as they are");
    expect(enforced()).toBe(before);
    const unasked = await sluice("update");
    expect(unasked).toMatchObject({ exit: "problem" });
    expect(unasked.text).toContain("sluice update --yes");
    expect(enforced()).toBe(before);
    expect((await sluice("update", NAME, "--yes")).exit).toBe("done");
    expect(lock()[NAME].version).toBe("1.1.0");
    expect((await sluice("update")).text).toContain("Every pack is as new as it may be");
  });

  test("says what it would have let pass in the last 30 days", async () => {
    registry.publish("1.0.0", { bytes: at("1.0.0", denying("shred", "dd")) });
    const { sluice } = projectFor(registry.origin);
    await sluice("add", NAME);
    const call = (command: string) =>
      sluice("fire", "tool:pre_execute", "--tool", "bash", "--args", JSON.stringify({ command }));
    expect((await call("dd if=a of=b")).exit).toBe("denied");
    expect((await call("ls")).exit).toBe("done");
    registry.publish("1.1.0", { bytes: at("1.1.0", denying("shred")) });
    const { text } = await sluice("update", "--dry-run");
    expect(text).toContain("2 calls: the packs as they would be against the packs as they are");
    expect(text).toMatch(/would open\n.*deny.*allow|would open\n.*deny.*continue/);
    expect(text).toContain("dd if=a of=b");
  });

  test("of a folder shows what its files have become", async () => {
    const { sluice, write, lock } = projectFor(undefined, {
      "project/p/package.json": JSON.stringify({ name: "p", version: "1.0.0" }),
      "project/p/sluice.yaml": denying("sudo"),
    });
    await sluice("add", "./p");
    const first = lock().p.integrity;
    write("project/p/sluice.yaml", denying("sudo", "dd"));
    expect((await sluice("update", "--yes")).text).toContain("+ no-dd added");
    expect(lock().p.integrity).not.toBe(first);
    expect((await sluice("update", "q")).problem?.code).toBe("pack/not-installed-here");
  });

  test("removes the folder of the version before", async () => {
    registry.publish("1.0.0", { bytes: at("1.0.0") });
    const { sluice, root } = projectFor(registry.origin);
    await sluice("add", NAME);
    registry.publish("1.0.1", { bytes: at("1.0.1") });
    await sluice("update", "--yes");
    expect(existsSync(join(root, ".sluice/packs/@acme+git-safety@1.0.1"))).toBe(true);
    expect(existsSync(join(root, ".sluice/packs/@acme+git-safety@1.0.0"))).toBe(false);
  });
});

import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCK, encodeHeader } from "../../src/archive/tar-header.ts";
import { writeArchive } from "../../src/archive/write-archive.ts";
import { encodeManifest, signedBytes } from "../../src/bundle/manifest.ts";
import { openBundle } from "../../src/bundle/open-bundle.ts";
import { examineBundle } from "../../src/doctor/managed.ts";
import { bundleOf, denying, keyPair, machineWith, repacked, startHost, tarIn } from "./bundle-host.ts";

const ours = keyPair();
const other = keyPair();
const keys = [ours.key];
/** What every machine has before the attack. */
const GOOD = bundleOf(denying("one", "two"), { keys, version: 10 });
const OLD = bundleOf(denying("one", "two", "three"), { keys, version: 9 });
const NEXT = bundleOf(denying("one", "two", "three"), { keys, version: 11 });
const { manifest } = openBundle(NEXT.packed, [ours.publicKey]);

/** Signs any manifest: an attacker inside the organisation, or a broken builder. */
function signed(changes: object, text = denying("one", "two", "three")): Buffer {
  const honest = bundleOf(text, { keys, version: 11 });
  const content = openBundle(honest.packed, [ours.publicKey]);
  const bytes = encodeManifest({ ...content.manifest, ...changes });
  return writeArchive([
    { path: "manifest.json", content: bytes, isExecutable: false },
    {
      path: "manifest.sig",
      content: Buffer.from(`${ours.publicKey} ${ours.key.sign(signedBytes(bytes))}\n`),
      isExecutable: false,
    },
    ...content.files.map((file) => ({ ...file, path: `files/${file.path}` })),
  ]);
}

/** A tar with one more member before its end. */
function withMember(header: Parameters<typeof encodeHeader>[0], body = ""): Buffer {
  const content = Buffer.from(body.padEnd(Math.ceil(body.length / BLOCK) * BLOCK, "\0"));
  const block = encodeHeader({ ...header, size: body.length }) ?? Buffer.alloc(0);
  return gzipSync(Buffer.concat([block, content, tarIn(NEXT.packed)]));
}

const replaceIn = (name: string, change: (text: string) => string) => (packed: Buffer) =>
  repacked(packed, (files) =>
    files.map((file) =>
      file.path === name ? { ...file, content: Buffer.from(change(file.content.toString())) } : file,
    ),
  );

const member = { size: 0, type: "0", isExecutable: false };
const now = Date.now();

/** The attack, what the host answers with, and the problem that says so. */
const ATTACKS: readonly (readonly [attack: string, answer: () => Buffer, code: string])[] = [
  ["a member with ..", () => withMember({ ...member, name: "files/../../../evil" }, "x"), "archive/unsafe-name"],
  [
    "a member with an absolute path",
    () => withMember({ ...member, name: "/etc/sluice/hooks.yaml" }, "x"),
    "archive/unsafe-name",
  ],
  ["a member with a backslash", () => withMember({ ...member, name: "files\\..\\evil" }, "x"), "archive/unsafe-name"],
  ["a symbolic link", () => withMember({ ...member, name: "files/link", type: "2" }), "archive/no-regular-file"],
  ["a hard link", () => withMember({ ...member, name: "files/link", type: "1" }), "archive/no-regular-file"],
  ["a device", () => withMember({ ...member, name: "files/null", type: "3" }), "archive/no-regular-file"],
  ["a named pipe", () => withMember({ ...member, name: "files/pipe", type: "6" }), "archive/no-regular-file"],
  ["a second manifest", () => withMember({ ...member, name: "manifest.json" }, "{}"), "archive/same-name"],
  [
    "hooks.yaml twice, in another case",
    () => withMember({ ...member, name: "files/HOOKS.yaml" }, "x"),
    "archive/same-name",
  ],
  ["a gzip bomb", () => gzipSync(Buffer.alloc(40 * 1024 * 1024), { level: 1 }), "archive/too-large"],
  ["more than a bundle may have", () => Buffer.alloc(9 * 1024 * 1024), "bundle/too-long"],
  ["half of the file", () => NEXT.packed.subarray(0, NEXT.packed.length / 2), "archive/no-gzip"],
  ["bytes behind the end", () => Buffer.concat([NEXT.packed, Buffer.alloc(100)]), "archive/trailing"],
  ["an empty answer", () => Buffer.alloc(0), "archive/no-gzip"],
  ["a page of a proxy", () => Buffer.from("<html>Please log in</html>"), "archive/no-gzip"],
  ["an answer that says it failed", () => Buffer.from('{"ok":false}'), "archive/no-gzip"],
  [
    "an archive without a manifest",
    () => writeArchive([{ path: "files/hooks.yaml", content: Buffer.from("hooks: []"), isExecutable: false }]),
    "bundle/no-bundle",
  ],
  [
    "no signature",
    () => repacked(NEXT.packed, (files) => files.filter(({ path }) => path !== "manifest.sig")),
    "bundle/no-bundle",
  ],
  ["an empty signature", () => replaceIn("manifest.sig", () => "")(NEXT.packed), "bundle/other-key"],
  [
    "another organisation's key",
    () => bundleOf(denying("one", "two", "three"), { keys: [other.key], version: 11 }).packed,
    "bundle/other-key",
  ],
  [
    "our key's name over another key's signature",
    () =>
      replaceIn(
        "manifest.sig",
        (text) => `${ours.publicKey} ${other.key.sign(signedBytes(encodeManifest(manifest)))}${text.slice(0, 0)}`,
      )(NEXT.packed),
    "bundle/bad-signature",
  ],
  [
    "the signature of another version",
    () =>
      repacked(NEXT.packed, (files) =>
        files.map((file) => (file.path === "manifest.sig" ? { ...file, content: signatureIn(OLD.packed) } : file)),
      ),
    "bundle/bad-signature",
  ],
  [
    "a changed version",
    () => replaceIn("manifest.json", (text) => text.replace('"version": 11', '"version": 12'))(NEXT.packed),
    "bundle/bad-signature",
  ],
  [
    "a later expiry",
    () => replaceIn("manifest.json", (text) => text.replace(/"expires": "\d+/, '"expires": "2999'))(NEXT.packed),
    "bundle/bad-signature",
  ],
  [
    "changed hooks",
    () => replaceIn("files/hooks.yaml", (text) => text.replace("-> deny", "-> warn"))(NEXT.packed),
    "bundle/changed-file",
  ],
  ["one hook less", () => replaceIn("files/hooks.yaml", () => denying("one"))(NEXT.packed), "bundle/changed-file"],
  [
    "a file that was not signed",
    () =>
      repacked(NEXT.packed, (files) => [
        ...files,
        { path: "files/hooks.json", content: Buffer.from('{"hooks":{"disabled":["one"]}}'), isExecutable: false },
      ]),
    "bundle/other-files",
  ],
  [
    "a file outside of the folder",
    () =>
      repacked(NEXT.packed, (files) => [
        ...files,
        { path: "other.yaml", content: Buffer.from("x"), isExecutable: false },
      ]),
    "bundle/other-files",
  ],
  [
    "a file less",
    () => repacked(NEXT.packed, (files) => files.filter(({ path }) => path !== "files/hooks.yaml")),
    "bundle/other-files",
  ],
  [
    "another mode",
    () => repacked(NEXT.packed, (files) => files.map((file) => ({ ...file, isExecutable: true }))),
    "bundle/changed-file",
  ],
  ["an old bundle", () => OLD.packed, "bundle/older"],
  [
    "another bundle of the same version",
    () => bundleOf(denying("one", "two", "three"), { keys, version: 10 }).packed,
    "bundle/older",
  ],
  [
    "an expired bundle",
    () => bundleOf(denying("one", "two", "three"), { keys, version: 11, expires: now - 1000 }).packed,
    "bundle/expired",
  ],
  ["a bundle without hooks", () => signed({ replaces: [] }, "guards: standard\n"), "bundle/shrunken"],
  ["a bundle with fewer hooks", () => bundleOf(denying("one"), { keys, version: 11 }).packed, "bundle/shrunken"],
  [
    "fewer hooks in the place of another bundle",
    () => bundleOf(denying("one"), { keys, version: 11, replaces: [OLD.hash] }).packed,
    "bundle/shrunken",
  ],
  ["a manifest of another format", () => signed({ format: "sluice-bundle/2" }), "bundle/bad-manifest"],
  ["a version that is no number", () => signed({ version: "11" }), "bundle/bad-manifest"],
  ["an expiry that is no date", () => signed({ expires: "never" }), "bundle/bad-manifest"],
  ["a manifest with keys of its own", () => signed({ keys: [other.publicKey] }), "bundle/bad-manifest"],
  [
    "a fallback that leads elsewhere",
    () => signed({ ring: 0, fallback: { version: 12, hash: GOOD.hash, file: "../../evil" } }),
    "bundle/bad-manifest",
  ],
];

function signatureIn(packed: Buffer): Buffer {
  let found: Buffer = Buffer.alloc(0);
  repacked(packed, (files) => {
    found = files.find(({ path }) => path === "manifest.sig")?.content ?? found;
    return files;
  });
  return found;
}

describe("a host that answers with", () => {
  let host: Awaited<ReturnType<typeof startHost>>;
  let machine: ReturnType<typeof machineWith>;
  beforeAll(async () => {
    host = await startHost();
    machine = machineWith(host.url, [ours.publicKey]);
    host.answer(GOOD.packed);
    expect(await machine.fetch()).toBe("taken");
    expect(machine.enforced()).toEqual(["one", "two"]);
  });
  afterAll(() => host.close());

  it.each(ATTACKS)("%s changes nothing, and doctor says so", async (_, answer, code) => {
    host.answer(answer());
    expect(await machine.fetch()).toBe(code);
    expect(machine.enforced()).toEqual(["one", "two"]);
    const told = examineBundle(machine.settings(), { env: machine.env });
    expect(told.map(({ state }) => state)).toContain("wrong");
    expect(told[0]).toMatchObject({ state: "fine" });
  });

  it.each([
    ["a redirect to another host", (port: number) => `http://localhost:${port}/bundle.tar.gz`, "bundle/bad-redirect"],
    [
      "a redirect to another scheme",
      (port: number) => `https://127.0.0.1:${port}/bundle.tar.gz`,
      "bundle/bad-redirect",
    ],
    ["a redirect to a file", () => "file:///etc/passwd", "bundle/bad-redirect"],
    ["a redirect to itself", () => "/bundle.tar.gz", "bundle/bad-redirect"],
  ])("%s changes nothing", async (_, location, code) => {
    host.answer((_request, response) => response.writeHead(302, { location: location(host.port) }).end());
    expect(await machine.fetch()).toBe(code);
    expect(machine.enforced()).toEqual(["one", "two"]);
  });

  it("an error, a cut connection or a length that does not come changes nothing", async () => {
    host.answer((_, response) => response.writeHead(500).end(NEXT.packed));
    expect(await machine.fetch()).toBe("bundle/not-there");
    host.answer((_, response) => response.writeHead(404).end());
    expect(await machine.fetch()).toBe("bundle/not-there");
    host.answer((request) => request.socket.destroy());
    expect(await machine.fetch()).toBe("bundle/unreachable");
    host.answer((request, response) => {
      response.writeHead(200, { "content-length": NEXT.packed.length });
      response.write(NEXT.packed.subarray(0, 100), () => request.socket.destroy());
    });
    expect(await machine.fetch()).toBe("bundle/half");
    expect(machine.enforced()).toEqual(["one", "two"]);
  });

  it("a 304 to a machine that did not ask for it changes nothing", async () => {
    const fresh = machineWith(host.url, [ours.publicKey]);
    host.answer((_, response) => response.writeHead(304).end());
    expect(await fresh.fetch()).toBe("bundle/not-there");
    expect(fresh.enforced()).toEqual([]);
    expect(fresh.load().errors.map(({ code }) => code)).toEqual(["config/not-fetched"]);
    expect(fresh.load().notices[0]).toContain("A guard may be missing");
  });

  it("the next bundle, after all of this, is taken", async () => {
    host.answer(NEXT.packed);
    expect(await machine.fetch()).toBe("taken");
    expect(machine.enforced()).toEqual(["one", "two", "three"]);
    expect(examineBundle(machine.settings(), { env: machine.env }).map(({ state }) => state)).toEqual(["fine"]);
  });
});

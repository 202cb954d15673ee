import { generateKeyPairSync } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BLOCK, encodeHeader } from "../../src/archive/tar-header.ts";
import { attestations, TRUSTED_ROOT } from "./attestation.ts";
import { denying, NAME, type Published, packed, projectFor, startRegistry } from "./registry-host.ts";

const NEXT = "1.1.0";
const GOOD = denying("sudo", "dd");
const next = (text = GOOD, manifest: object = {}) =>
  packed({ "sluice.yaml": text }, { version: NEXT, repository: "acme/git-safety", ...manifest });
const first = packed({ "sluice.yaml": GOOD }, { repository: "acme/git-safety" });
const honest = next();
const about = { name: NAME, version: NEXT, packed: honest };

/** The archive with one more member before its end. */
function withMember(header: Partial<Parameters<typeof encodeHeader>[0]>, body = ""): Buffer {
  const content = Buffer.from(body.padEnd(Math.ceil(body.length / BLOCK) * BLOCK, "\0"));
  const whole = { name: "package/x", type: "0", isExecutable: false, ...header, size: body.length };
  return gzipSync(Buffer.concat([encodeHeader(whole) ?? Buffer.alloc(0), content, gunzipSync(honest)]));
}

const hook = (more: string) => `hooks:\n  - name: a\n    event: tool:pre_execute\n${more}`;
const given = (more: string) => `parameters:\n  word: { type: string, default: x }\n${hook(more)}`;
const young = new Date(Date.now() - 3_600_000).toISOString();
const strangerKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** What the registry publishes as the next version, and the problem that says so. */
const PUBLISHED: readonly (readonly [attack: string, published: Published | Buffer, code: string])[] = [
  ["a member with ..", withMember({ name: "package/../../../evil" }, "x"), "archive/unsafe-name"],
  ["a member with an absolute path", withMember({ name: "/tmp/evil" }, "x"), "archive/unsafe-name"],
  ["a member with a backslash", withMember({ name: "package\\..\\evil" }, "x"), "archive/unsafe-name"],
  ["a member with a name of Windows' devices", withMember({ name: "package/con.txt" }, "x"), "archive/unsafe-name"],
  ["a symbolic link", withMember({ name: "package/link", type: "2" }), "archive/no-regular-file"],
  ["a hard link", withMember({ name: "package/link", type: "1" }), "archive/no-regular-file"],
  ["a device", withMember({ name: "package/dev", type: "3" }), "archive/no-regular-file"],
  ["a second file of the same name", withMember({ name: "package/sluice.yaml" }, "hooks: []"), "archive/same-name"],
  ["a second file in capital letters", withMember({ name: "package/SLUICE.yaml" }, "hooks: []"), "archive/same-name"],
  ["a file outside of the package", withMember({ name: "evil.yaml" }, "x"), "pack/no-package"],
  ["a bomb", gzipSync(Buffer.alloc(64 * 1024 * 1024)), "archive/too-large"],
  ["bytes behind the end", Buffer.concat([honest, Buffer.from("x")]), "archive/no-gzip"],
  ["half an archive", honest.subarray(0, honest.length / 2), "archive/no-gzip"],
  ["no archive", Buffer.from("<html>"), "archive/no-gzip"],
  ["more bytes than any pack has", Buffer.alloc(3 * 1024 * 1024), "pack/answer-too-large"],
  ["other bytes than it states", { bytes: honest, integrity: `sha512-${"A".repeat(86)}==` }, "pack/wrong-bytes"],
  ["no hash", { bytes: honest, integrity: "" }, "pack/no-integrity"],
  ["a weak hash", { bytes: honest, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, "pack/no-integrity"],
  ["an archive on the disk", { bytes: honest, tarball: "file:///etc/passwd" }, "pack/bad-tarball"],
  ["another package", next(GOOD, { name: "@acme/other" }), "pack/other-package"],
  ["another version", next(GOOD, { version: "9.9.9" }), "pack/other-package"],
  ["a name that leaves the folder", next(GOOD, { name: "../../x" }), "pack/bad-name"],
  ["a name with letters that look alike", next(GOOD, { name: "@acme/git-s\u0430fety" }), "pack/bad-name"],
  ["no hooks", packed({ "index.js": "x" }, { version: NEXT }), "pack/no-pack"],
  ["a file of hooks that is none", next("hooks: [", {}), "config/yaml"],
  ["a key that reaches into prototypes", next("__proto__: {}\nhooks: []\n"), "config/forbidden-key"],
  ["guards that it lowers", next(`guards: off\n${GOOD}`), "pack/pack-key"],
  ["a model of its own", next(`llm: { model: x }\n${GOOD}`), "pack/pack-key"],
  ["other files that it extends", next(`extends: ../../../hooks.yaml\n${GOOD}`), "pack/pack-key"],
  ["hooks of others that it switches off", next("hooks: { disabled: [own], definitions: [] }\n"), "pack/pack-shape"],
  ["a rule that lets pass", next(hook(`    rules: call runs "sudo" -> continue()\n`)), "pack/pack-allows"],
  [
    "a rule that changes the call",
    next(hook(`    rules: call runs "sudo" -> modify(args.command, "true")\n`)),
    "pack/pack-allows",
  ],
  ["a script outside of the pack", next(hook("    script: ../../../own.sh\n")), "pack/pack-leaves"],
  ["a script of the machine", next(hook("    script: /bin/true\n")), "pack/pack-leaves"],
  ["a parameter in a command", next(given("    command: echo ${word}\n")), "pack/parameter-place"],
  ["a parameter in arguments", next(given("    args: [sh, -c, '${word}']\n")), "pack/parameter-place"],
  ["a parameter in an address", next(given("    url: https://${word}.example\n")), "pack/parameter-place"],
  ["a parameter in a question", next(given("    prompt: '${word}'\n")), "pack/parameter-place"],
  [
    "a parameter as the action",
    next(given("    rules:\n      - { field: call, operator: runs, value: x, action: '${word}' }\n")),
    "pack/parameter-place",
  ],
  [
    "a parameter as the name of a variable",
    next(given("    command: x\n    env: { '${word}': y }\n")),
    "pack/parameter-place",
  ],
  [
    "an attestation about other bytes",
    { bytes: honest, attestations: attestations({ ...about, packed: first }) },
    "pack/bad-attestation",
  ],
  [
    "an attestation with another signature",
    { bytes: honest, attestations: attestations({ ...about, key: strangerKey }) },
    "pack/bad-attestation",
  ],
  [
    "an attestation of another's workflow",
    { bytes: honest, attestations: attestations({ ...about, repository: "https://github.com/evil/x" }) },
    "pack/bad-attestation",
  ],
  ["no attestation any more", { bytes: honest }, "pack/lost-provenance"],
  [
    "another repository",
    (() => {
      const bytes = next(GOOD, { repository: "evil/git-safety" });
      return { bytes, attestations: attestations({ ...about, packed: bytes }) };
    })(),
    "pack/other-repository",
  ],
  ["an hour of age", { bytes: honest, time: young, attestations: attestations(about) }, "pack/too-young"],
  ["an unknown age", { bytes: honest, time: "", attestations: attestations(about) }, "pack/too-young"],
];

describe("what a registry does to a project that has a good version", () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let elsewhere: Awaited<ReturnType<typeof startRegistry>>;
  let project: ReturnType<typeof projectFor>;
  let before = "";
  beforeAll(async () => {
    registry = await startRegistry();
    elsewhere = await startRegistry();
    const token = `${registry.origin.replace("http:", "")}/:_authToken=secret\n`;
    project = projectFor(registry.origin, {
      ".npmrc": token,
      ".config/sluice/sigstore-root.json": JSON.stringify(TRUSTED_ROOT),
      "project/.sluice/hooks.yaml": `hooks:\n  - { name: own, event: tool:pre_execute, rules: 'call runs "su" -> deny("no")' }\n`,
    });
    publishFirst();
    expect((await project.sluice("add", `${NAME}@^1.0.0`)).exit).toBe("done");
    before = project.enforced();
  });
  afterAll(async () => {
    await registry.close();
    await elsewhere.close();
  });

  function publishFirst() {
    registry.clear();
    elsewhere.clear();
    registry.publish("1.0.0", {
      bytes: first,
      attestations: attestations({ ...about, version: "1.0.0", packed: first }),
    });
  }

  async function isRefused(code: string, ...args: string[]) {
    const { exit, problem } = await project.sluice(...args);
    expect([exit, problem?.code]).toEqual(["problem", code]);
    expect(problem?.message).not.toBe("");
    expect(problem?.fix).toBeTruthy();
    expect(project.enforced()).toBe(before);
  }

  test.each(PUBLISHED)("%s changes nothing, and is told with the next step", async (_, published, code) => {
    publishFirst();
    if (code === "pack/too-young") registry.clear();
    const version: Published =
      "bytes" in published
        ? published
        : { bytes: published, attestations: attestations({ ...about, packed: published }) };
    registry.publish(NEXT, version);
    await isRefused(code, "update", "--yes");
  });

  const answers: readonly (readonly [string, Parameters<typeof registry.intercept>[0], string])[] = [
    [
      "a redirect of the package to another host",
      (_, response) => Boolean(response.writeHead(302, { location: `${elsewhere.origin}/x` }).end()),
      "pack/bad-redirect",
    ],
    [
      "a redirect to the disk",
      (_, response) => Boolean(response.writeHead(302, { location: "file:///etc/passwd" }).end()),
      "pack/bad-redirect",
    ],
    [
      "a redirect to itself",
      (request, response) => Boolean(response.writeHead(302, { location: request.url }).end()),
      "pack/bad-redirect",
    ],
    [
      "half an answer",
      (_, response) => Boolean(response.writeHead(200, { "content-length": 1000 }).end("{", () => response.destroy())),
      "pack/half-answer",
    ],
    ["no answer", (request) => Boolean(request.destroy()), "pack/registry-unreachable"],
    [
      "an answer about another package",
      (_, response) => Boolean(response.writeHead(200).end('{"name":"other","versions":{}}')),
      "pack/bad-metadata",
    ],
    ["an answer that is no JSON", (_, response) => Boolean(response.writeHead(200).end("<html>")), "pack/bad-metadata"],
    ["404", (_, response) => Boolean(response.writeHead(404).end()), "pack/unknown-package"],
    ["401", (_, response) => Boolean(response.writeHead(401).end()), "pack/not-allowed"],
    ["500", (_, response) => Boolean(response.writeHead(500).end()), "pack/other-status"],
  ];

  test.each(answers)("%s changes nothing, and is told with the next step", async (_, answer, code) => {
    publishFirst();
    registry.intercept(answer);
    await isRefused(code, "update", "--yes");
  });

  test("other bytes under the version that is installed are refused, also when it is named exactly", async () => {
    publishFirst();
    registry.publish("1.0.0", { bytes: packed({ "sluice.yaml": denying("sudo") }) });
    await isRefused("pack/swapped", "add", `${NAME}@1.0.0`);
  });

  test("a lost provenance and another repository are taken where the version is named exactly, and are said", async () => {
    publishFirst();
    registry.publish(NEXT, { bytes: next(GOOD, { repository: "other/place" }) });
    const { exit, text } = await project.sluice("add", `${NAME}@${NEXT}`, "--dry-run");
    expect(exit).toBe("done");
    expect(text).toContain("1.0.0 had provenance, and 1.1.0 has none");
    expect(text).toContain("It names the repository https://github.com/other/place");
    expect(project.enforced()).toBe(before);
  });

  test.each([
    ["@acme/../x", "pack/no-pack-name"],
    ["..", "pack/no-manifest"],
    ["%2e%2e/x", "pack/no-pack-name"],
    ["git-s\u0430fety", "pack/no-pack-name"],
    ["Git-Safety", "pack/no-pack-name"],
    ["node_modules", "pack/no-pack-name"],
    ["x@$(id)", "pack/no-range"],
    ["https://evil.example/x.tgz", "pack/remote-source"],
    ["git+ssh://git@evil.example/x", "pack/remote-source"],
    ["./nothing", "pack/no-source"],
  ])("the word %j names no pack", (word, code) => isRefused(code, "add", word));

  test("an archive on another host is fetched without the user's token, and by its hash alone", async () => {
    publishFirst();
    elsewhere.publish(NEXT, { bytes: honest });
    registry.publish(NEXT, { bytes: honest, attestations: attestations(about), tarball: `${registry.origin}/moved` });
    registry.intercept((request, response) =>
      request.url === "/moved"
        ? Boolean(response.writeHead(302, { location: `${elsewhere.origin}/${NAME}/-/${NEXT}.tgz` }).end())
        : false,
    );
    expect((await project.sluice("update", "--dry-run")).text).toContain(`${NAME} 1.0.0 → ${NEXT}`);
    expect(registry.asked.every(({ authorization }) => authorization === "Bearer secret")).toBe(true);
    expect(elsewhere.asked).toEqual([{ url: `/${NAME}/-/${NEXT}.tgz`, authorization: undefined }]);
  });

  test("a registry that the project names gets no token of the user, and no variable of the environment", async () => {
    elsewhere.clear();
    elsewhere.publish("1.0.0", { bytes: first });
    const theirs = elsewhere.origin.replace("http:", "");
    const other = projectFor(registry.origin, {
      ".npmrc": `_authToken=everywhere\n${registry.origin.replace("http:", "")}/:_authToken=secret\n`,
      "project/.npmrc": `registry=${elsewhere.origin}\n${theirs}/:_authToken=\${HOME}\n`,
    });
    const { exit, text } = await other.sluice("add", NAME);
    expect(exit).toBe("done");
    expect(text).toContain("names a variable, which is not read for a project");
    expect(elsewhere.asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(other.lock())).not.toContain("secret");
  });

  test("an address with credentials in it leaves none in the lock", async () => {
    registry.clear();
    registry.publish("1.0.0", {
      bytes: first,
      tarball: `${registry.origin.replace("//", "//user:pass@")}/${NAME}/-/1.0.0.tgz?token=x`,
    });
    const other = projectFor(registry.origin);
    expect((await other.sluice("add", NAME)).exit).toBe("done");
    expect(other.lock()[NAME].resolved).toBe(`${registry.origin}/${NAME}/-/1.0.0.tgz`);
  });
});

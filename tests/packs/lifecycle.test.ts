import { appendFileSync, existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { writeArchive } from "../../src/archive/write-archive.ts";
import { project } from "../cli/sluice.ts";

const OWN = fileURLToPath(new URL("../../packs", import.meta.url));

/** A small pack with a parameter and something that runs. */
const PACK = {
  "p/package.json": JSON.stringify({
    name: "@acme/git-safety",
    version: "1.2.3",
    scripts: { install: "touch /tmp/owned" },
  }),
  "p/sluice.yaml": `parameters:
  branches: { type: list, default: [main] }
hooks:
  - name: no-push
    event: tool:pre_execute:@shell
    rules: |
      args.command matches "git push .*\\b\${branches}\\b" -> deny("no push to \${branches}")
    examples: { deny: ["git push origin main"], allow: ["git push origin x"] }
  - name: look
    event: tool:pre_execute:@shell
    script: ./look.sh
    env: { BRANCHES: "\${branches}" }
    examples: { allow: ["ls"] }
`,
  "p/look.sh": "#!/bin/sh\nexit 0\n",
};
const HOOKS =
  '# ours\nhooks:\n  # stays\n  - { name: own, event: tool:pre_execute, rules: \'call runs "sudo" -> deny("no")\' }\n';
const push = (command: string) => ["fire", "tool:pre_execute", "--tool", "bash", "--args", JSON.stringify({ command })];
const lockIn = (root: string) => JSON.parse(readFileSync(join(root, ".sluice/lock.json"), "utf8"));

describe("a pack from a folder", () => {
  test("is unpacked without its scripts, pinned and extended; its rules count at once, what it runs waits for trust", () => {
    const { root, sluice } = project({ ...PACK, ".sluice/hooks.yaml": HOOKS });
    const added = sluice("add", "./p");
    expect(added).toMatchObject({ code: 0, err: "" });
    expect(added.out).toContain("@acme/git-safety/no-push");
    const folder = join(root, ".sluice/packs/@acme+git-safety@1.2.3");
    expect(readFileSync(join(folder, "look.sh"), "utf8")).toBe(PACK["p/look.sh"]);
    expect(readFileSync(join(root, ".sluice/hooks.yaml"), "utf8")).toBe(
      `${HOOKS}extends:\n  - pack: "@acme/git-safety"\n`,
    );
    expect(lockIn(root).packs["@acme/git-safety"]).toMatchObject({
      version: "1.2.3",
      integrity: expect.stringMatching(/^sha512-.{86}==$/),
      resolved: "file:p",
      provenance: { state: "none" },
      gates: ["tool:pre_execute:@shell"],
    });
    const denied = sluice(...push("git push origin main"));
    expect(denied.code).toBe(2);
    expect(denied.out).toContain("no push to main");
    expect(sluice(...push("git push origin x")).code).toBe(0);
    const waiting = sluice("trust", "--status");
    expect(waiting.out).toContain("@acme/git-safety/look");
    expect(waiting.out).not.toContain("@acme/git-safety/no-push");
    expect(sluice("packs").out).toMatch(
      /@acme\/git-safety +1\.2\.3 +project +@acme\/git-safety\/no-push, @acme\/git-safety\/look/,
    );
    expect(sluice("check").code).toBe(0);
  });

  test("takes its parameters from --with, and another add changes them alone", () => {
    const { root, sluice } = project(PACK);
    expect(sluice("add", "./p", "--with", "branches=main,release").code).toBe(0);
    expect(sluice(...push("git push origin release")).code).toBe(2);
    expect(sluice("add", "./p", "--with", "branches=live").code).toBe(0);
    expect(sluice(...push("git push origin release")).code).toBe(0);
    expect(sluice(...push("git push origin live")).out).toContain("no push to live");
    expect(readFileSync(join(root, ".sluice/hooks.yaml"), "utf8").match(/pack:/g)).toHaveLength(1);
  });

  test("is told of a wrong value at the place that gives it", () => {
    const { root, sluice } = project({ ...PACK });
    sluice("add", "./p");
    const used = 'extends:\n  - { pack: "@acme/git-safety", with: { branchs: [x] } }\n';
    writeFileSync(join(root, ".sluice/hooks.yaml"), used);
    expect(JSON.parse(sluice("check", "--json").out).errors).toMatchObject([
      { code: "pack/unknown-parameter", file: join(root, ".sluice/hooks.yaml"), line: 2 },
    ]);
  });

  test("runs what the user approved with its parameters as variables; a changed script keeps its gate shut", () => {
    const asks = '#!/bin/sh\necho "no $BRANCHES"\nexit 1\n';
    const { root, sluice } = project({ ...PACK, "p/look.sh": asks });
    sluice("add", "./p", "--with", "branches=$(id),b");
    expect(sluice(...push("ls")).code).toBe(0);
    expect(sluice("trust", "--yes").code).toBe(0);
    const denied = sluice(...push("ls"));
    expect(denied.code).toBe(2);
    expect(denied.out).toMatch(/no \$\(id\)\s+b/);
    writeFileSync(join(root, "p/look.sh"), "#!/bin/sh\nexit 0\n");
    expect(sluice("update", "--yes").code).toBe(0);
    expect(sluice(...push("ls")).code).toBe(3);
    expect(sluice("trust", "--yes").code).toBe(0);
    expect(sluice(...push("ls")).code).toBe(0);
  });

  test("goes without a trace, and the file of hooks is as it was", () => {
    const { root, sluice } = project({ ...PACK, ".sluice/hooks.yaml": HOOKS });
    sluice("add", "./p");
    expect(sluice("remove", "@acme/git-safety").code).toBe(0);
    expect(readFileSync(join(root, ".sluice/hooks.yaml"), "utf8")).toBe(HOOKS);
    expect(existsSync(join(root, ".sluice/lock.json"))).toBe(false);
    expect(existsSync(join(root, ".sluice/packs"))).toBe(false);
    expect(sluice(...push("git push origin main")).code).toBe(0);
    expect(sluice("remove", "@acme/git-safety").err).toContain("No pack");
  });

  test("--dry-run shows it and changes nothing", () => {
    const { root, sluice } = project(PACK);
    expect(sluice("add", "./p", "--dry-run").out).toContain("Nothing was changed");
    expect(existsSync(join(root, ".sluice"))).toBe(false);
  });

  test("counts beside another pack whose hook has the same name", () => {
    const other = {
      "q/package.json": '{"name":"other","version":"0.0.1"}',
      "q/sluice.yaml": PACK["p/sluice.yaml"].replace("no push to", "other:").replace(/ {2}- name: look[\s\S]*/, ""),
    };
    const { sluice } = project({ ...PACK, ...other });
    expect(sluice("add", "./p", "./q").code).toBe(0);
    const { out } = sluice(...push("git push origin main"));
    expect(out).toContain("@acme/git-safety/no-push");
    expect(out).toContain("other/no-push");
    expect(sluice("check").out).not.toContain("same-name");
  });

  test("may come as an archive of npm pack", () => {
    const { root, sluice } = project();
    const files = Object.entries(PACK).map(([path, text]) => ({
      path: path.replace(/^p/, "package"),
      content: Buffer.from(text),
      isExecutable: path.endsWith(".sh"),
    }));
    writeFileSync(join(root, "p.tgz"), writeArchive(files));
    expect(sluice("add", "./p.tgz").code).toBe(0);
    expect(lockIn(root).packs["@acme/git-safety"].resolved).toBe("file:p.tgz");
    expect(sluice(...push("git push origin main")).code).toBe(2);
  });

  test("of rules alone holds in all projects with --scope user; one that runs something is refused there", () => {
    const { sluice } = project(PACK);
    expect(sluice("add", `${OWN}/git-hygiene`, "--scope", "user").code).toBe(0);
    expect(sluice(...push("git push origin main")).out).toContain("@sluice/git-hygiene/no-push-to-branches");
    const refused = sluice("add", "./p", "--scope", "user");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("pack/pack-runs");
  });
});

describe("an installed pack that is not as it was installed", () => {
  const damaged: readonly (readonly [string, (folder: string, root: string) => void])[] = [
    ["a changed byte", (folder) => appendFileSync(join(folder, "sluice.yaml"), "#\n")],
    ["a rule that is gone", (folder) => writeFileSync(join(folder, "sluice.yaml"), "hooks: []\n")],
    ["a missing file", (folder) => rmSync(join(folder, "look.sh"))],
    ["a file that does not belong to it", (folder) => writeFileSync(join(folder, "more.yaml"), "")],
    ["a file that is far too large", (folder) => truncateSync(join(folder, "look.sh"), 1024 ** 3)],
    [
      "a link",
      (folder) => {
        rmSync(join(folder, "look.sh"));
        symlinkSync("/bin/true", join(folder, "look.sh"));
      },
    ],
    ["no folder", (folder) => rmSync(folder, { recursive: true })],
    ["no lock", (_, root) => rmSync(join(root, ".sluice/lock.json"))],
    [
      "half a lock",
      (_, root) => writeFileSync(join(root, ".sluice/lock.json"), '{"lockfileVersion":1,"packs":{"@acme/'),
    ],
    [
      "another version in the lock",
      (_, root) => {
        const text = readFileSync(join(root, ".sluice/lock.json"), "utf8");
        writeFileSync(join(root, ".sluice/lock.json"), text.replace('"1.2.3"', '"1.2.2"'));
      },
    ],
    [
      "another hash in the lock",
      (_, root) => {
        const text = readFileSync(join(root, ".sluice/lock.json"), "utf8");
        writeFileSync(join(root, ".sluice/lock.json"), text.replace(/sha256-./, "sha256-g"));
      },
    ],
  ];

  test.each(damaged)(
    "with %s brings no other rules: its calls are asked about, and check says what to do",
    (_, damage) => {
      const { root, sluice } = project(PACK);
      sluice("add", "./p");
      damage(join(root, ".sluice/packs/@acme+git-safety@1.2.3"), root);
      const asked = sluice(...push("git status"));
      expect(asked.code).toBe(3);
      expect(asked.out).toContain("The pack @acme/git-safety guards this call and cannot be used");
      const told = sluice("check");
      expect(told.code).toBe(1);
      expect(told.out).toMatch(/pack\/[\w-]+/);
      expect(told.out).toMatch(/sluice add|version control/);
      expect(sluice("packs").code).toBe(1);
    },
  );

  test("whose lock cannot be read is added anew when the lock is deleted, as the message says", () => {
    const { root, sluice } = project(PACK);
    sluice("add", "./p");
    const lock = join(root, ".sluice/lock.json");
    writeFileSync(lock, "half {");
    expect(sluice("add", "./p").err).toMatch(/pack\/lock-unreadable[\s\S]*delete it: then `sluice add <pack>`/);
    rmSync(lock);
    expect(sluice("add", "./p").code).toBe(0);
    expect(Object.keys(lockIn(root).packs)).toEqual(["@acme/git-safety"]);
  });

  test("is put back by `sluice add`, byte for byte", () => {
    const { root, sluice } = project(PACK);
    sluice("add", "./p");
    const file = join(root, ".sluice/packs/@acme+git-safety@1.2.3/sluice.yaml");
    appendFileSync(file, "#\n");
    expect(sluice("add").out).toContain("Put back: @acme/git-safety@1.2.3");
    expect(readFileSync(file, "utf8")).toBe(PACK["p/sluice.yaml"]);
    expect(sluice("add").out).toContain("as the lock pins them");
    appendFileSync(join(root, "p/sluice.yaml"), "#\n");
    rmSync(file);
    expect(sluice("add").err).toContain("pack/other-bytes");
    expect(existsSync(file)).toBe(false);
  });
});

describe("an author", () => {
  test("begins a pack whose checks and tests pass, and uses it at once", () => {
    const { sluice } = project();
    expect(sluice("pack", "init", "@acme/branches")).toMatchObject({
      code: 0,
      out: expect.stringContaining("`sluice add ./branches` in a project"),
    });
    expect(sluice("pack", "init", "../elsewhere").out).toMatch(/`sluice add [/~][^`]*\/elsewhere` in a project/);
    expect(sluice("pack", "check", "branches")).toMatchObject({ code: 0, err: "" });
    expect(sluice("pack", "test", "branches").code).toBe(0);
    expect(sluice("add", "./branches").code).toBe(0);
    expect(sluice(...push("git push origin main")).code).toBe(2);
    expect(sluice("pack", "init", "branches").err).toContain("there already");
  });

  test("is told of a hook without examples, a denial without a reason, and an example that fails", () => {
    const silent = "hooks:\n  - { name: a, event: tool:pre_execute, rules: 'call runs \"sudo\" -> deny()' }\n";
    const wrong =
      'hooks:\n  - name: a\n    event: tool:pre_execute\n    rules: call runs "sudo" -> deny("no")\n    examples: { deny: [ls], allow: [id] }\n';
    const { root, sluice } = project({ "p/package.json": '{"name":"p","version":"1.0.0"}', "p/sluice.yaml": silent });
    const { code, out } = sluice("pack", "check", "p");
    expect(code).toBe(1);
    expect(out).toContain("pack/no-examples");
    expect(out).toContain("pack/no-reason");
    writeFileSync(join(root, "p/sluice.yaml"), wrong);
    expect(sluice("pack", "check", "p").code).toBe(0);
    expect(sluice("pack", "test", "p").code).toBe(1);
    writeFileSync(join(root, "p/sluice.yaml"), wrong.replace("tool:pre_execute", "tool:pre_exec"));
    const { errors } = JSON.parse(sluice("pack", "check", "p", "--json").out);
    expect(errors).toEqual([expect.objectContaining({ code: "config/unknown-event", line: 3, column: 12 })]);
  });
});

import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { loadLayers } from "./load.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-pack-"));
});

function write(file: string, content: string | object): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

const load = () => loadLayers(join(folder, "repo/app"), { layers: ["project"] });
const hook = (name: string, more: object = {}) => ({ name, event: "*", command: "true", ...more });

describe("a pack", () => {
  beforeEach(() => write("repo/app/.sluice/hooks.json", { extends: ["some-pack"], hooks: [hook("own")] }));

  test.each([
    ["names its file in package.json", { sluice: "./rules/mine.yaml" }, "rules/mine.yaml"],
    ["has hooks.yaml in its folder otherwise", {}, "hooks.yaml"],
    ["or hooks.json", {}, "hooks.json"],
  ])("%s", (_, manifest, file) => {
    write("repo/node_modules/some-pack/package.json", { name: "some-pack", version: "1.2.3", ...manifest });
    write(`repo/node_modules/some-pack/${file}`, { hooks: [hook("theirs")] });
    const { hooks, errors, files } = load();
    expect(errors).toEqual([]);
    expect(hooks.map(({ name, layer }) => `${layer} ${name}`)).toEqual(["project theirs", "project own"]);
    expect(files[0]).toMatchObject({ pack: { name: "some-pack", version: "1.2.3" } });
  });

  test("the nearest one counts, its scripts are seen from its own file, and it may extend its own files", () => {
    write("repo/node_modules/some-pack/package.json", { version: "1.0.0" });
    write("repo/node_modules/some-pack/hooks.json", [hook("far")]);
    write("repo/app/node_modules/some-pack/package.json", { version: "2.0.0" });
    write("repo/app/node_modules/some-pack/hooks.json", { extends: "./more.json", hooks: [hook("near")] });
    write("repo/app/node_modules/some-pack/more.json", [{ name: "scripted", event: "*", script: "./check.sh" }]);
    const { hooks, errors } = load();
    expect(errors).toEqual([]);
    expect(hooks.map(({ name }) => name)).toEqual(["scripted", "near", "own"]);
    expect(hooks[0]?.script).toBe(join(folder, "repo/app/node_modules/some-pack/check.sh"));
  });

  test.each([
    ["a file above itself", { sluice: "../../app/evil.yaml" }, "config/pack-escapes"],
    ["an absolute file", { sluice: "/etc/passwd" }, "config/pack-escapes"],
    ["a link that leads out", { sluice: "./link.yaml" }, "config/pack-escapes"],
    ["a file that is not there", { sluice: "./nothing.yaml" }, "config/pack-empty"],
    ["nothing at all", {}, "config/pack-empty"],
  ])("that names %s brings no hooks, and this is told", (_, manifest, code) => {
    write("repo/app/evil.yaml", { hooks: [hook("evil")] });
    write("repo/node_modules/some-pack/package.json", { version: "1.0.0", ...manifest });
    symlinkSync(join(folder, "repo/app/evil.yaml"), join(folder, "repo/node_modules/some-pack/link.yaml"));
    const { hooks, errors } = load();
    expect(errors.map((problem) => problem.code)).toEqual([code]);
    expect(hooks.map(({ name }) => name)).toEqual(["own"]);
  });

  test("cannot extend files outside of itself", () => {
    write("repo/app/evil.yaml", { hooks: [hook("evil")] });
    write("repo/node_modules/some-pack/package.json", { version: "1.0.0" });
    write("repo/node_modules/some-pack/hooks.json", { extends: "../../app/evil.yaml", hooks: [hook("theirs")] });
    const { hooks, errors } = load();
    expect(errors.map(({ code }) => code)).toEqual(["config/leaves-pack"]);
    expect(hooks.map(({ name }) => name)).toEqual(["theirs", "own"]);
  });
});

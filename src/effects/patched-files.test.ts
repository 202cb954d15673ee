import { describe, expect, test } from "vitest";
import { effectText } from "./effect.ts";
import { effectsOf } from "./effects.ts";
import { readCommandLine } from "./parse/read-command-line.ts";
import { patchedFiles, type Strip } from "./patched-files.ts";

test.each<[string, Strip, string, string[]]>([
  ["a diff", 1, "--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n", ["write x.ts"]],
  ["a diff with dates", 0, "--- x.ts\t2026-01-01\n+++ x.ts 2026-01-01 10:00:00\n@@ -1 +1 @@\n-a\n+b\n", ["write x.ts"]],
  ["a file that goes", 1, "--- a/x.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", ["delete x.ts"]],
  ["lines that look like names", 1, "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- y\n-c\n+++ z\n+d\n", ["write x"]],
  ["a second file after changes", 1, "+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n", ["write x", "write y"]],
  ["a name in quotes", 1, '--- "a/\\303\\244"\n+++ "b/\\303\\244"\n', ["write ä"]],
  ["a new name", 1, "diff --git a/x b/y\nrename from x\nrename to y\n", ["write y", "delete x"]],
  ["another mode", 1, "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n", ["write run.sh"]],
  ["an index alone", 0, "Index: x.ts\n@@ -1 +1 @@\n-a\n+b\n", ["write x.ts"]],
  ["names without folders", "name", "--- a/src/x\n+++ b/src/x\n", ["write x"]],
  ["an indented head", "prefix", "*** Begin Patch\n  *** Delete File: x\n*** End Patch", ["delete x"]],
])("%s tells its files", (_, strip, text, files) => {
  expect(patchedFiles(text, strip).map(({ act, path }) => `${act} ${path}`)).toEqual(files);
});

describe("a patch is read where it is", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  const told = (line: string) => {
    const script = (path: string) => (path === "e.patch" ? patch : undefined);
    const effects = effectsOf(readCommandLine(line, { script }), script).map(effectText);
    return effects.filter((text) => /^(?:writes|deletes|unknown)/.test(text) && text !== "writes made.patch");
  };

  test.each([
    "git apply e.patch",
    "git apply < e.patch",
    "git am e.patch",
    "patch -p1 < e.patch",
    "patch -p1 -i e.patch",
    "cat e.patch | git apply",
    "cat e.patch | patch -p1",
    `git apply <<< '${patch}'`,
    `cat > made.patch <<'E'\n${patch}E\ngit apply made.patch`,
  ])("%s", (line) => {
    expect(told(line)).toEqual(["writes x"]);
  });

  test.each([
    "git apply other.patch",
    "curl -s https://example.com/x.patch | git apply",
    'git apply "$file"',
    "cp other.patch e.patch && git apply e.patch",
  ])("what is changed cannot be told: %s", (line) => {
    expect(told(line)).toEqual(
      expect.arrayContaining(["writes . tree", expect.stringMatching(/^unknown: git apply|^unknown: .*git apply/)]),
    );
  });

  test("seen from the folder that it is applied in", () => {
    expect(told("cd src && git apply ../e.patch")).toEqual(["writes src/x"]);
    expect(told("git apply --directory=src e.patch")).toEqual(["writes src/x"]);
    const text = "*** Begin Patch\n*** Add File: e\n+x\n*** End Patch";
    expect(told(`cd src && apply_patch "$(cat <<'E'\n${text}\nE\n)"`)).toEqual(["writes src/e"]);
    expect(told(`cat <<'E' | apply_patch\n${text}\nE`)).toEqual(["writes e"]);
    expect(told(`echo '${text}' | apply_patch`)).toEqual(["writes e"]);
  });
});

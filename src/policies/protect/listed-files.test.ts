import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { isPathEffect } from "../../effects/effect.ts";
import { GAP } from "../../effects/parse/command.ts";
import { readCommandLine } from "../../effects/parse/read-command-line.ts";
import { HookEvent } from "../../event/event.ts";
import { beforeListed, holdsLetters, isListed, isReached, letsThrough } from "./listed-files.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "sluice-lists-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const file = join(cwd, ".sluice/hooks.yaml");
mkdirSync(join(cwd, ".sluice/deep"), { recursive: true });
writeFileSync(file, "Hooks: []\ncolor.x = 1\n");
writeFileSync(join(cwd, ".sluice/deep/a.ts"), "plain\n");

it.each([
  [GAP, ""],
  ["**", ""],
  [`a/${GAP}`, "a/"],
  ["a/b/**", "a/b/"],
  [`a/${GAP}${GAP}`, "a/"],
  [`a${GAP}`, undefined],
  [`${GAP}/a`, undefined],
  ["a/*/**", undefined],
  ["a", undefined],
])("the folder before a listed name in %j is %j", (text, folder) => {
  expect(beforeListed(text)).toBe(folder);
});

it.each([
  ["hooks", true],
  ["HOOKS", true],
  ["colou?r", true],
  ["colors", false],
  ["color\\.x", true],
  ["color\\.y", false],
  ["c[aeiou]lor", true],
  ["[xyz]zz", false],
  ["zz*|hooks", true],
  ["zz\\|yy", true],
  ["(zz)", false],
  ["^Hooks:", true],
  ["zz{0,3}", true],
  ["qq+", false],
  ["zz{,3}", true],
  ["zz{}", true],
  ["qqz{2}", false],
  ["color\\-x", false],
  ["col\\/or", false],
  ["col.r", true],
  ["co..qq", false],
  ["\\(zz\\)", false],
  ["color$", true],
  ["{color}", true],
  ["\\bzz", false],
  ["col\\wr", true],
  ["z", true],
  ["x".repeat(201), true],
  ["x".repeat(200), false],
])("a file may contain a match of %s: %s", (pattern, may) => {
  expect(holdsLetters(file, pattern)).toBe(may);
});

it("a missing file contains nothing, and a large one may contain anything", () => {
  expect(holdsLetters(join(cwd, "gone"), "a")).toBe(false);
  writeFileSync(join(cwd, "large"), "a".repeat(1024 * 1024 + 1));
  expect(holdsLetters(join(cwd, "large"), "zz")).toBe(true);
  writeFileSync(join(cwd, "large"), "a".repeat(1024 * 1024));
  expect(holdsLetters(join(cwd, "large"), "zz")).toBe(false);
});

it.each([
  ["grep '\\.ts$'", false],
  ["grep yaml", true],
  ["grep -v yaml", true],
  ["grep -iv zzz", true],
  ["grep -i zzz", false],
  ["grep", true],
  ["sort zzz", true],
  ["grep zzz-", false],
  ["grep -e", true],
  ["grep yaml$", true],
  ["grep -- yaml", true],
  ["grep x.vv", false],
  [`grep ${"z".repeat(201)}`, true],
])("a filter passes the name of a file: %s: %s", (line, isLet) => {
  const [command] = readCommandLine(line).commands;
  expect(command && letsThrough(command, file)).toBe(isLet);
});

it.each([
  ["grep -rl color . | xargs sed -i s/color/x/", true],
  ["grep -rl zzz . | xargs sed -i s/color/x/", false],
  ["grep -rl zzz-L . | xargs sed -i s/color/x/", false],
  ["grep -rl zzz --colour=-v . | xargs sed -i s/color/x/", false],
  ["grep -rL zzz . | xargs sed -i s/color/x/", true],
  ["grep -rl --file=words . | xargs sed -i s/color/x/", true],
  ["grep -rl --files-without-match zzz . | xargs sed -i s/color/x/", true],
  ["grep -rl color . | xargs sed -i s/zzz/x/", false],
  ["grep -rl color . | xargs sed -i 's#zzz#x#g'", false],
  ["grep -rl color . | xargs sed -i '1,3s/zzz/x/'", false],
  ["grep -rl color . | xargs sed -i 's/zzz/x/;1d'", true],
  ["grep -rl color . | xargs sed -i -e s/zzz/x/ -e s/yyy/x/", true],
  ["grep -rl color . | xargs sed -i 1d", true],
  ["grep -rl color . | grep yaml | xargs sed -i 1d", true],
  ["grep -rl color . | grep '\\.ts$' | xargs sed -i 1d", false],
  ["grep -rl plain . | grep '\\.ts$' | xargs sed -i 1d", true],
  ["grep -rl plain . | grep '\\.ts$' | grep zzz | xargs sed -i 1d", false],
  ["rg -l color | xargs sed -i 1d", false],
  ["rg -l --hidden color | xargs sed -i 1d", true],
  ["rg -l --unrestricted color | xargs sed -i 1d", true],
  ["rg -lu color | xargs sed -i 1d", true],
  ["rg -u -l color | xargs sed -i 1d", true],
  ["rg -l. color | xargs sed -i 1d", true],
  ["rg --hidden --files | xargs sed -i 1d", true],
  ["rg -l color .sluice | xargs sed -i 1d", true],
  [`rg -l color ${cwd}/.sluice | xargs sed -i 1d`, true],
  ["rg -l color . | xargs sed -i 1d", false],
  ["git ls-files | xargs gofmt -w", false],
  ["git ls-files | xargs eslint --fix", false],
  ["git ls-files | xargs prettier --write", false],
  ["git ls-files | xargs npx prettier --write", false],
  ["git grep -l color | xargs sed -i 1d", true],
  ["git grep -l zzz | xargs sed -i 1d", false],
  ["git ls-files | xargs sed -i 1d", true],
  ["git diff --name-only | xargs sed -i 1d", true],
  ["git diff --name-only main | xargs sed -i 1d", true],
  ["git diff --name-only --cached | xargs sed -i 1d", true],
  ["grep -rl color . | xargs sed -i s/zzz/x/ a.txt", true],
  ["grep -rl color . | xargs sed -i -E s/zzz/x/", false],
  ["grep -rl color . | xargs sed -i 's/zzz/x/gI;'", false],
  ["grep -rl color . | xargs sed -i 's/z\\/z/x/'", false],
  ["grep -rl color . | xargs sed -i '$s/zzz/x/'", false],
  ["grep -rl color . | xargs sed -i '/a/s/zzz/x/'", true],
  ["grep -rl color . | xargs perl -pi -e s/zzz/x/", false],
  ["grep -rl color . | xargs tee", true],
  ["grep -rl color . | xargs tee s/zzz/x/", true],
  ["grep -rl color . | xargs sed -i s/zzz/x/2", false],
  ["grep -rl color . | xargs sed -i s/zzz/x/w", true],
  ["grep -rvl zzz . | xargs sed -i 1d", true],
  ["grep -rl --invert-match zzz . | xargs sed -i 1d", true],
  ["grep -rl -f words . | xargs sed -i 1d", true],
  ["rg -l --files zzz --hidden | xargs sed -i 1d", true],
  ["rg -l --hidden | xargs sed -i 1d", true],
  ["grep -rl --file=words zzz . | xargs sed -i 1d", true],
  ["rg -l --hiddenx color | xargs sed -i 1d", false],
])("a change of listed files reaches a protected file: %s: %s", (command, reaches) => {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd }));
  const effects = call.effects.filter(isPathEffect).filter(isListed);
  expect(effects.length).toBeGreaterThan(0);
  const place = { path: join(cwd, ".sluice"), kind: "tree", what: "", base: cwd } as const;
  expect(effects.some((effect) => isReached(place, effect, call))).toBe(reaches);
});

it.each([
  ["rg -l hooks | xargs sed -i 1d", "node_modules/\n", false],
  ["rg -l --hidden hooks | xargs sed -i 1d", "dist\n/node_modules\n", false],
  ["rg --files | xargs sed -i 1d", "**/node_modules/**\n", false],
  ["rg -l hooks | xargs sed -i 1d", "dist\n", true],
  ["rg -l hooks | xargs sed -i 1d", undefined, true],
  ["rg -l hooks | xargs sed -i 1d", "node_modules\n!node_modules/sluice\n", true],
  ["rg -lu hooks | xargs sed -i 1d", "node_modules\n", true],
  ["rg -l --no-ignore hooks | xargs sed -i 1d", "node_modules\n", true],
  ["rg -l --no-ignore-vcs hooks | xargs sed -i 1d", "node_modules\n", true],
  ["rg -l hooks node_modules | xargs sed -i 1d", "node_modules\n", true],
  ["grep -rl hooks . | xargs sed -i 1d", "node_modules\n", true],
  ["RIPGREP_CONFIG_PATH=c rg -l hooks | xargs sed -i 1d", "node_modules\n", true],
  ["export RIPGREP_CONFIG_PATH=c; rg -l hooks | xargs sed -i 1d", "node_modules\n", true],
] as const)("%s, if git ignores %j, reaches the package: %s", (command, ignored, reaches) => {
  const top = mkdtempSync(join(cwd, "package-"));
  const path = join(top, "node_modules/sluice");
  mkdirSync(path, { recursive: true });
  mkdirSync(join(top, ".git"));
  writeFileSync(join(path, "a.js"), "hooks\n");
  if (ignored !== undefined) writeFileSync(join(top, ".gitignore"), ignored);
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: top }));
  const place = { path, kind: "tree", what: "", base: top } as const;
  const effects = call.effects.filter(isPathEffect).filter(isListed);
  const isChanged = () => effects.some((effect) => isReached(place, effect, call));
  expect(isChanged()).toBe(reaches);
  // A file of ripgrep may include what git ignores.
  writeFileSync(join(top, ".ignore"), "!node_modules\n");
  expect(isChanged()).toBe(true);
});

it("a missing place is not reached, and one with many files is", () => {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command: "git ls-files | xargs sed -i 1d" }, { cwd }));
  const [effect] = call.effects.filter(isPathEffect).filter(isListed);
  const reaches = (path: string, kind: "file" | "tree") =>
    effect && isReached({ path: join(cwd, path), kind, what: "", base: cwd }, effect, call);
  expect(reaches("gone", "file")).toBe(false);
  expect(reaches("gone", "tree")).toBe(false);
  expect(reaches(".sluice", "file")).toBe(false);
  expect(reaches(".sluice/hooks.yaml", "file")).toBe(true);
  mkdirSync(join(cwd, "many"));
  for (let at = 0; at <= 200; at++) mkdirSync(join(cwd, `many/${at}`));
  expect(reaches("many", "tree")).toBe(true);
  rmSync(join(cwd, "many/0"), { recursive: true });
  expect(reaches("many", "tree")).toBe(false);
});

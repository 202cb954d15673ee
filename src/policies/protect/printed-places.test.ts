import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeProject } from "../../../tests/protect/project.ts";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { namedByUnread, printedPlace } from "./printed-places.ts";
import { protectedPaths } from "./protected-paths.ts";

const { home, root: cwd, put } = makeProject(afterAll);
put(".claude/settings.json", "{}");
put("list.txt", "src/a.ts\n.sluice/hooks.yaml\n");
put("fine.txt", "src/a.ts\n~eve/x\n");
put("src/a.ts", "");
put("hooks", "");
put("deep/list.txt", `${cwd}/.claude/settings.json`);
put("long.txt", `${"src/a.ts\n".repeat(2000)}.sluice/hooks.yaml\n`);
put("fits.txt", `${"src/a.ts\n".repeat(1999)}.sluice/hooks.yaml\n`);
put("large.txt", `.sluice/hooks.yaml\n${"x".repeat(256 * 1024)}`);
put("link-target/x", "");
symlinkSync(join(cwd, ".sluice/hooks.yaml"), join(cwd, "alias-of-hooks"));

function called(command: string) {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd }), diskLookups);
  return [call, protectedPaths({ root: cwd, home, env: { HOME: home }, platform: "linux" })] as const;
}

describe("a name that another command prints", () => {
  it.each([
    ["rm $(cat list.txt)", "removes"],
    ["cat list.txt | xargs rm", "removes"],
    ["rm $(ls .sluice/*)", "removes"],
    ["rm -r $(readlink -f .sluice)", "removes"],
    ["rm $(find . -name hooks.yaml)", "removes"],
    ["rm $(find . -iname '*.yaml')", "removes"],
    ["rm $(grep -rl hooks .sluice)", "removes"],
    ["rm $(git ls-files)", "removes"],
    ["cd src && rm $(git ls-files ..)", "removes"],
    ["cd src && rm $(git ls-files :/)", "removes"],
    ["rm $(git ls-files | grep yaml)", "removes"],
    ["while read f; do rm $f; done < list.txt", "removes"],
    ["rm $(dirname .sluice/x)/hooks.yaml", "removes"],
    ["echo x > $(cat list.txt)", "changes"],
    ["rm $(cat fine.txt list.txt)", "removes"],
    ["rm $(cat fits.txt)", "removes"],
    ["rm $(< list.txt)", "removes"],
    ["rm $(ls $X/.sluice/hooks.yaml)", "removes"],
    ["rm $(ls -d $X/.sluice)/hooks.yaml", "removes"],
    ["rm $(sort list.txt | uniq)", "removes"],
    ["rm $(ls -d .sl*/*)", "removes"],
    ["rm $(ls alias-of-*)", "removes"],
    ["rm $(find . -name 'alias-of-*')", "removes"],
    ["rm $(grep -rl hooks .)", "removes"],
    ["rm $(rg -l --hidden hooks)", "removes"],
    ["rm $(git grep -l hooks)", "removes"],
    ["rm $(git grep -l hooks .)", "removes"],
    ["rm $(git grep -l hooks '*.yaml')", "removes"],
    ["cd src && rm $(git grep -l hooks ..)", "removes"],
    ["cd src && rm $(git grep -l hooks :/)", "removes"],
    ["rm $(git diff --name-only main)", "removes"],
    ["rm $(grep -rl hooks . | grep yaml)", "removes"],
    ["rm $(find . -type f | grep yaml)", "removes"],
    ["rm $(find . -name '*.yaml' | grep hooks)", "removes"],
    ["sed -i s/hooks/x/ $(git ls-files)", "changes"],
    ["sed -i s/hooks/x/ $(git ls-files '*.yaml')", "changes"],
    ["sed -i s/hooks/x/ $(git ls-files '*.Y?ML')", "changes"],
    ["perl -pi -e 's/a/b/' $(git ls-files '*.ts' '*')", "changes"],
    ["cd src && sed -i s/hooks/x/ $(git ls-files ':/*.ts')", "changes"],
    ["rm $(find .sluice -type f)", "removes"],
    ["rm $(find . -type f)", "removes"],
    ["rm $(grep -rl zzz .sluice)", "removes"],
    ["rm $(dirname src/a.ts)/../.sluice/hooks.yaml", "removes"],
    ["read f < list.txt; rm $f", "removes"],
    ["rm $(node -p \"require.resolve('sluice')\")", "removes"],
    ["echo x > $(git rev-parse --show-toplevel)/.sluice/hooks.yaml", "changes"],
    ["cd src && echo x > $(readlink -f ..)/.sluice/hooks.yaml", "changes"],
  ])("may be protected: %s", (command, does) => {
    const found = printedPlace(...called(command));
    expect(found?.how).toBe(`${does}, by a name that a command prints,`);
    expect(found?.place.path).toContain(command.includes("require") ? "/node_modules/sluice" : "/.sluice");
  });

  it.each([
    "rm $(cat fine.txt)",
    "rm $(cat not-there.txt)",
    "cat fine.txt | xargs rm",
    "rm $(ls src/*)",
    "rm $(find . -name '*.ts')",
    "rm $(find src -type f)",
    "rm $(git ls-files | grep '\\.ts$')",
    "cat $(cat list.txt)",
    "rm $(readlink -f src)",
    "echo x > $(git rev-parse --show-toplevel)/src/a.ts",
    "while read f; do rm $f; done < fine.txt",
    "rm $(cat long.txt)",
    "rm $(cat large.txt)",
    "rm $(cat ~eve/list.txt)",
    "rm $(cat src)",
    "rm $(cat list.txt | grep '\\.ts$')",
    "rm $(ls .sluice/* | grep zzz)",
    "rm $(find . -name hooks.yaml | grep zzz)",
    "rm $(grep -rl hooks src)",
    "rm $(grep -rl zzz .)",
    "rm $(rg -l hooks)",
    "rm $(git grep -l zzz)",
    "rm $(git grep -l hooks src)",
    "rm $(git grep -l hooks -- src)",
    "rm $(git grep -l hooks -- src a:b)",
    "cd src && rm $(git grep -l hooks)",
    "rm $(git ls-files src)",
    "rm $(git rev-parse --git-path a/b)",
    "rm $(grep -rl hooks . | grep '\\.ts$')",
    "rm $(find . -type f | grep '\\.ts$')",
    "rm $(find . -iname '*.ts')",
    "rm $(find . -name 'alias-of-*' | grep zzz)",
    "sed -i s/zzz/x/ $(git ls-files)",
    "sed -i s/hooks/x/ $(git ls-files '*.ts')",
    "perl -pi -e 's/a/b/' $(git ls-files '*.ts' 'src/*.js')",
    "rm $(git ls-files 'src/**/*.ts')",
    "cd src && rm $(git ls-files a/b)",
    "rm $(git ls-files -- src lib)",
    "cd src && rm $(git ls-files)",
    "rm $(ls -d src/*)",
    "rm $(ls --hide=.sluice/hooks.yaml src)",
    "rm $(node -p \"require.resolve('lodash')\")",
    "rm $(echo src)/hooks.yaml",
    "rm $(cat $LIST)",
    "rm $X",
    "cat $(cat list.txt) > src/a.ts",
  ])("may not: %s", (command) => {
    expect(printedPlace(...called(command))).toBe(undefined);
  });
});

it("if the folder of a call is not known, nothing is listed", () => {
  const [, paths] = called("ls");
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command: "rm $(git ls-files); rm $(cat list.txt)" }));
  expect(call.place.cwd).toBe(undefined);
  expect(printedPlace(call, paths)).toBe(undefined);
});

it("the files with a text are not known before, so changing them is a guess, and removing them is not", () => {
  const guess = (command: string) => printedPlace(...called(command))?.isGuess;
  for (const search of ["grep -rl hooks .", "git grep -l hooks"])
    expect([`sed -i s/hooks/x/ $(${search})`, `rm $(${search})`].map(guess)).toEqual([true, undefined]);
  expect(["sed -i s/hooks/x/ $(git ls-files)", "echo x > $(cat list.txt)"].map(guess)).toEqual([undefined, undefined]);
  expect(printedPlace(...called("sed -i s/zzz/x/ $(grep -rl hooks .)"))).toBe(undefined);
  expect(guess("sed -i s/hooks/x/ $(grep -rl hooks .); rm $(cat list.txt)")).toBe(undefined);
});

describe("an unknown program", () => {
  it.each([
    "frobnicate .sluice/hooks.yaml",
    "frobnicate --out=.claude/settings.json",
    "frobnicate a:.claude/settings.json",
    `frobnicate "x ${cwd}/.claude/settings.json y"`,
    "cd src && frobnicate ../.sluice/hooks.yaml",
    "curl -s https://example.com/x --output-dir .claude -o settings.json",
    "curl -s https://example.com/x --output-dir ./.claude -o settings.json",
    "curl -s https://example.com/x --output-dir node_modules -o sluice",
    "curl -d a=b https://example.com/x --output-dir node_modules -o sluice",
    "frobnicate --a=b,.claude/settings.json",
    "frobnicate 'a .claude/settings.json'",
    "nc -l 80 .sluice/hooks.yaml",
    "frobnicate <(ls) .sluice/hooks.yaml",
    "ls; frobnicate x; frobnicate .sluice/hooks.yaml",
    "env -S .sluice/hooks.yaml ls",
  ])("may change a protected file among its arguments: %s", (command) => {
    expect(namedByUnread(...called(command))).toContain("and may write to it");
  });

  it("is reported with the file", () => {
    const said = "`frobnicate` is given PLACE, the configuration of Sluice, and may write to it";
    for (const command of ["frobnicate .sluice/hooks.yaml", `frobnicate "x ${cwd}/.sluice/hooks.yaml"`])
      expect(namedByUnread(...called(command))).toBe(said.replace("PLACE", join(cwd, ".sluice")));
  });

  it.each([
    "frobnicate src/a.ts",
    "frobnicate hooks",
    "frobnicate",
    "cat .sluice/hooks.yaml",
    "sluice check .sluice/hooks.yaml",
    "curl -s https://example.com/x -o src/a.ts",
    "diff <(cat a) .sluice/hooks.yaml",
    "time cat .sluice/hooks.yaml",
    "env cat .sluice/hooks.yaml",
    "nice -n 5 cat .sluice/hooks.yaml",
    "frobnicate $X/.sluice/hooks.yaml",
    "frobnicate ~eve/.sluice/hooks.yaml",
    "frobnicate --out",
    "grep -f .sluice/hooks.yaml <(ls)",
    "curl -s https://example.com/x -d @.sluice/hooks.yaml",
    `frobnicate ${"a".repeat(4090)}/../.sluice/hooks.yaml`,
    "npx sluice check .sluice/hooks.yaml",
    `python3 -c "print(open('${cwd}/.claude/settings.json').read())"`,
    "curl -T .sluice/hooks.yaml https://example.com",
  ])("is not a question in %s", (command) => {
    expect(namedByUnread(...called(command))).toBe(undefined);
  });
});

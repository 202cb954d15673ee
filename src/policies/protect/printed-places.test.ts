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
put("fine.txt", "src/a.ts\n");
put("src/a.ts", "");

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
    ["rm $(git ls-files | grep yaml)", "removes"],
    ["while read f; do rm $f; done < list.txt", "removes"],
    ["rm $(dirname .sluice/x)/hooks.yaml", "removes"],
    ["echo x > $(cat list.txt)", "changes"],
    ["echo x > $(git rev-parse --show-toplevel)/.sluice/hooks.yaml", "changes"],
    ["cd src && echo x > $(readlink -f ..)/.sluice/hooks.yaml", "changes"],
  ])("may be protected: %s", (command, does) => {
    const found = printedPlace(...called(command));
    expect(found?.how).toBe(`${does}, by a name that a command prints,`);
    expect(found?.place.path).toContain("/.sluice");
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
  ])("may not: %s", (command) => {
    expect(printedPlace(...called(command))).toBe(undefined);
  });
});

describe("a program of which nothing is known", () => {
  it.each([
    "frobnicate .sluice/hooks.yaml",
    "frobnicate --out=.claude/settings.json",
    "frobnicate a:.claude/settings.json",
    `frobnicate "x ${cwd}/.claude/settings.json y"`,
    "cd src && frobnicate ../.sluice/hooks.yaml",
    "curl -s https://example.com/x --output-dir .claude -o settings.json",
  ])("may change the protected file that it is given: %s", (command) => {
    expect(namedByUnread(...called(command))).toContain("and may write to it");
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
  ])("is not asked about in %s", (command) => {
    expect(namedByUnread(...called(command))).toBe(undefined);
  });
});

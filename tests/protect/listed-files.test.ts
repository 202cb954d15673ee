import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import { selfProtection } from "../../src/policies/protect/self-protection.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-listed-")));
const root = join(home, "project");

beforeAll(() => {
  mkdirSync(join(root, ".sluice"), { recursive: true });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, ".sluice/hooks.yaml"), "hooks: []\n");
  writeFileSync(join(root, "src/a.ts"), "const color = 1;\n");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function verdict(command: string): string {
  const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root });
  return selfProtection(event, { root, home, env: {} })?.action ?? "continue";
}

describe("a change of the files that a command lists", () => {
  it.each([
    "grep -rl color . | xargs sed -i 's/color/colour/g'",
    "rg -l color | xargs sed -i 's/color/colour/'",
    "rg -l hooks | xargs sed -i 's/hooks/events/'",
    "git grep -l color | xargs perl -pi -e 's/color/colour/'",
    "git ls-files | grep '\\.ts$' | xargs sed -i '1d'",
    "git ls-files | xargs sed -i 's/color/colour/'",
    "git diff --name-only | xargs sed -i '1d'",
    "git diff --name-only main | xargs npx prettier --write",
    "prettier -l . | xargs prettier --write",
    "npx prettier --write $(git ls-files -m)",
    "find . -type f -exec sed -i 's/color/colour/' {} +",
    "sed -i 's/color/colour/' $(grep -rl color .)",
    "sed -i 's/color/colour/' $(git grep -l color)",
    "sed -i 's/color/colour/' $(git ls-files)",
    "rm $(grep -rl color .)",
  ])("passes where it cannot reach Sluice's own files: %s", (command) => {
    expect(verdict(command)).toBe("continue");
  });

  it.each([
    "grep -rl hooks . | xargs sed -i 's/hooks/events/'",
    "rg -l --hidden hooks | xargs sed -i 's/hooks/events/'",
    "git ls-files | xargs sed -i '1d'",
    "git diff --name-only main | xargs sed -i '1d'",
    "git ls-files | xargs sed -i 's/color/colour/;1d'",
    "grep -rl 'color\\|hooks' . | xargs sed -i '$d'",
    "sed -i 's/hooks/events/' $(grep -rl hooks .)",
    "sed -i 's/hooks/events/' $(git grep -l hooks)",
  ])("is asked about where it may: %s", (command) => {
    expect(verdict(command)).toBe("ask");
  });

  it.each([
    "find . -name hooks.yaml | xargs sed -i s/a/b/",
    "find . -name '*.yaml' -exec sed -i s/hooks/b/ {} +",
    "rm $(grep -rl hooks .)",
    "rm $(git grep -l hooks)",
    "rm $(find . -type f | grep yaml)",
    "grep -rl hooks . | xargs sed -i s/hooks/b/; rm .sluice/hooks.yaml",
    "sed -i s/hooks/b/ $(grep -rl hooks .); rm $(git ls-files)",
  ])("is denied where it names them, or removes what it finds: %s", (command) => {
    expect(verdict(command)).toBe("deny");
  });
});

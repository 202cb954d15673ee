import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { decideInProject } from "../../src/decide/in-project.ts";
import { readLayers } from "../../src/decide/layers.ts";
import { configurationAt } from "../../src/decide/project.ts";
import { HookEvent } from "../../src/event/event.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-denied-"));
  root = join(base, "home/project");
  for (const name of ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]) vi.stubEnv(name, join(base, "home", name));
  for (const [path, text] of Object.entries({
    [join(base, "home/XDG_CONFIG_HOME/sluice/hooks.yaml")]: CONFIG,
    [join(root, "dist/a.js")]: "a",
    [join(root, "frozen/b.txt")]: "b",
  })) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const CONFIG = `guards: standard
hooks:
  - { name: frozen, event: tool:pre_execute, rules: 'args.command contains "rm -r frozen" -> deny("frozen stays")' }
`;

async function action(command: string): Promise<string> {
  const configuration = configurationAt(root, { env: process.env, layers: readLayers });
  const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId: "s" });
  return (await decideInProject(event, configuration, { env: process.env })).decision.action;
}

test("a denial of the root says nothing about what lies below it", async () => {
  expect(await action("rm -rf /")).toBe("deny");
  for (const command of ["rm -rf dist", "find dist -delete", "rimraf dist", 'eval "$STEP" && rm -f dist/a.js'])
    expect(await action(command), command).toBe("continue");
  expect(await action("find / -delete")).toBe("deny");
});

test.each([
  "find frozen -delete",
  "python3 -c \"import shutil; shutil.rmtree('frozen')\"",
  `cd frozen/.. && rmdir "${"frozen"}"`,
  "node -e \"eval(x); require('fs').rmSync('./frozen/', y)\"",
])("the same act on the same target is denied in another form: %s", async (command) => {
  expect(await action("rm -r frozen")).toBe("deny");
  expect(await action(command)).toBe("deny");
});

test("what lies in a folder whose removal was denied may still change", async () => {
  expect(await action("rm -r frozen")).toBe("deny");
  expect(await action("unlink frozen/b.txt")).toBe("continue");
  expect(await action("node -e \"eval(x); require('fs').rmSync('frozen/b.txt')\"")).toBe("continue");
});

test("a denial that is about the whole project stops no tool that is given the project's folder", async () => {
  writeFileSync(
    join(base, "home/XDG_CONFIG_HOME/sluice/hooks.yaml"),
    `${CONFIG}  - { name: fixed, event: tool:pre_execute, rules: 'args.command equals "git checkout ." -> deny("no")' }\n`,
  );
  expect(await action("git checkout .")).toBe("deny");
  for (const command of ["code .", "npx prettier --write ."]) expect(await action(command), command).toBe("continue");
});

import { beforeAll, expect, test } from "vitest";
import { createHookEngine, type HookEngine } from "../../src/index.ts";
import { EXAMPLE, project } from "./project.ts";

const { root, env } = project({
  ".orchestration/active_intents.yaml": EXAMPLE.replace("src/auth/**", "src/**").concat("      on_unknown: deny\n"),
  ".intentignore": "src/keep.ts\nsrc/lib/keep.ts\n*.pem\n",
  "src/keep.ts": "k\n",
  "src/a.ts": "a\n",
  "src/far": "→ ../elsewhere",
  "src/deep/x.ts": "x\n",
  "src/lib2/keep.ts": "k\n",
  "src/more/keep.ts": "k\n",
  "src/more/other.ts": "o\n",
  "src/one.pem": "p\n",
  "lib/keep.ts": "k\n",
});
let engine: HookEngine;

beforeAll(async () => {
  Object.assign(process.env, env);
  engine = createHookEngine({ root, sessionId: "s" });
  await engine.selectActiveIntent("INT-001");
});

const decide = (command: string) => engine.preToolUse({ toolName: "Bash", toolInput: { command } });

test.each([
  "cp keep.ts src",
  "cp src/more/keep.ts src",
  "cp src/more/keep.ts ./src/",
  "mv src/more/keep.ts src",
  "install -m 644 keep.ts src",
  "ln src/more/keep.ts src",
  "ln -s more/keep.ts src",
  "rsync keep.ts src",
  "scp host.test:keep.ts src",
  "git mv src/more/keep.ts src",
  "cp src/more/*.ts src",
  "cd src && cp more/keep.ts .",
  "cd src/more && cp keep.ts ..",
  "bash -c 'cp keep.ts src'",
  "cp -r lib src",
  "cp -r src/more/. src/lib",
  "mv src/more src/lib",
  "mkdir -p src/lib && cp keep.ts src/lib",
  "cp far src",
  "cp -S src keep.ts src",
  "mv -t src/lib src/more/keep.ts",
  "cp -t src src/more/other.ts src/more/keep.ts",
  "mv src/a.ts src/more/keep.ts src",
])("what is put into a folder is seen there under its name: %s", async (command) => {
  expect(await decide(command)).toMatchObject({ allow: false, code: "SCOPE_VIOLATION" });
});

test.each([
  "cp nothere.ts src",
  "cp src/a.ts src/deep",
  "mv src/a.ts src/deep",
  "install -m 644 src/a.ts src/deep",
  "git mv src/a.ts src/deep",
  "cp keep.ts src/other.ts",
  "cp keep.ts src/deep",
  "mkdir -p src/fresh && cp src/a.ts src/fresh",
  "ln -s a.ts src/b.ts",
  "cd src && cp a.ts deep",
  "cp -t src/deep src/a.ts",
  "cp src/a.ts src/more/other.ts src/deep",
])("neighbours in the folder do not matter: %s", async (command) => {
  expect(await decide(command)).toEqual({ allow: true });
});

test("code whose every part stands written there needs no approval", async () => {
  expect(await decide(`python3 -c "open('src/deep/p.py','w').write('x')"`)).toEqual({ allow: true });
  expect(await decide(`python3 -c "open('db.py','w').write('x')"`)).toMatchObject({ code: "SCOPE_VIOLATION" });
  expect(await decide(`node -e "require('fs').writeFileSync('src/deep/p.js','x')"`)).toEqual({ allow: true });
  expect(await decide(`node -e "fs.writeFileSync('db.js','x')"`)).toMatchObject({ code: "SCOPE_VIOLATION" });
  expect(await decide(`node -e "fs.writeFileSync('src/deep/p.js', x())"`)).toMatchObject({ allow: false });
  expect(await decide(`python3 -c "import x; open('src/deep/p.py','w').write('x')"`)).toMatchObject({ allow: false });
});

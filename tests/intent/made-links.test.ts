import { expect, test } from "vitest";
import { createHookEngine } from "../../src/index.ts";
import { project, within } from "./project.ts";

test.each<[command: string, code: string | undefined]>([
  ["ln -s $PWD/src src/auth/l && echo x > src/auth/l/db.ts", "SCOPE_VIOLATION"],
  ['ln -s "$(pwd)/src" src/auth/l; echo x > src/auth/l/db.ts', "SCOPE_VIOLATION"],
  ["ln -s $X src/auth/l && echo > src/auth/l/x", "SCOPE_VIOLATION"],
  ["ln -s $X src/auth/l && rm src/auth/l/x", "SCOPE_VIOLATION"],
  ["cd src/auth; ln -s $PWD/.. l; echo > l/db.ts", "SCOPE_VIOLATION"],
  ["cd src/auth; ln -s $PWD/.. l; mv l m; echo > m/db.ts", "SCOPE_VIOLATION"],
  ["D=$(pwd); ln -s $D src/auth/l; echo > src/auth/l/README.md", "SCOPE_VIOLATION"],
  ["ln -s $PWD/src src/auth/k; ln -s k src/auth/l; echo x > src/auth/l/db.ts", "SCOPE_VIOLATION"],
  ["cp -s $PWD/src/db.ts src/auth/l; echo x > src/auth/l", "SCOPE_VIOLATION"],
  ["ln -s $PWD/src/auth/a.ts src/auth/l && echo x > src/auth/l", undefined],
  ["ln -s a.ts src/auth/l && echo x > src/auth/l", undefined],
  ["cd src/auth && ln -s a.ts k && mv k l && echo x > l", undefined],
])("a link made by the same line leads out of no scope: %s", async (command, code) => {
  const { root, env } = project({ "src/auth/a.ts": "", "src/db.ts": "" });
  await within(env, async () => {
    const engine = createHookEngine({ root, sessionId: "s" });
    await engine.selectActiveIntent("INT-001");
    const said = await engine.preToolUse({ toolName: "Bash", toolInput: { command } });
    if (code === undefined) expect(said).toEqual({ allow: true });
    else expect(said).toMatchObject({ allow: false, code });
  });
});

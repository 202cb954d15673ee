import { expect, test } from "vitest";
import { createHookEngine } from "../../src/index.ts";
import { EXAMPLE, project } from "./project.ts";

const patch = (...paths: string[]) =>
  `*** Begin Patch\n${paths.map((path) => `*** Update File: ${path}\n@@\n-a\n+b\n`).join("")}*** End Patch`;
const diff = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;

async function decide(onUnknown: string, command: string) {
  const { root, env } = project({
    ".orchestration/active_intents.yaml": EXAMPLE.concat(`      on_unknown: ${onUnknown}\n`),
    "inside.patch": diff("src/auth/a.ts"),
    "outside.patch": diff("lib/x.ts"),
    "src/auth/a.ts": "a\n",
    "lib/x.ts": "a\n",
  });
  Object.assign(process.env, env);
  const engine = createHookEngine({ root, sessionId: "s" });
  await engine.selectActiveIntent("INT-001");
  return engine.preToolUse({ toolName: "Bash", toolInput: { command } });
}

test.each([
  `apply_patch <<'EOF'\n${patch("lib/x.ts")}\nEOF`,
  `apply_patch '${patch("src/auth/a.ts", "lib/x.ts")}'`,
  `cat <<'EOF' | apply_patch\n${patch("lib/x.ts")}\nEOF`,
  "git apply outside.patch",
  "patch -p1 < outside.patch",
])("a patch on a file outside of the scope is denied, also where the unknown may pass: %s", async (command) => {
  expect(await decide("allow", command)).toMatchObject({ allow: false, code: "SCOPE_VIOLATION" });
});

test.each([
  `apply_patch <<'EOF'\n${patch("src/auth/a.ts")}\nEOF`,
  `apply_patch '${patch("src/auth/a.ts")}'`,
  `cat <<'EOF' | apply_patch\n${patch("src/auth/a.ts")}\nEOF`,
  "git apply inside.patch",
  "patch -p1 < inside.patch",
])("a patch wholly inside of the scope passes, also where the unknown is asked about: %s", async (command) => {
  expect(await decide("ask", command)).toMatchObject({ allow: true });
});

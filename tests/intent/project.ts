import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { writeSettled } from "../settled-file.ts";

/** The example that the file of intents is explained with. */
export const EXAMPLE = `active_intents:
    - id: "INT-001"
      name: "JWT Authentication Migration"
      status: "IN_PROGRESS"
      owned_scope:
          - "src/auth/**"
          - "src/middleware/jwt.ts"
      constraints:
          - "Must not use external auth providers"
      acceptance_criteria:
          - "Unit tests in tests/auth/ pass"
`;

/** What is there in a project; a text is a file, `→ target` a link. */
export type Files = Readonly<Record<string, string>>;

/** A project with intents that are enforced, and a state folder of its own; gone after the test, or after the file when it serves all of them. */
export function project(files: Files = {}, mode = "enforce") {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-intent-")));
  const end = () => rmSync(home, { recursive: true, force: true });
  // Outside of a test it is there for the whole file.
  try {
    onTestFinished(end);
  } catch {
    afterAll(end);
  }
  const root = join(home, "project");
  const env = { HOME: home, XDG_STATE_HOME: join(home, ".state"), XDG_CONFIG_HOME: join(home, ".config") };
  const all: Files = {
    ".sluice/hooks.yaml": `intents:\n  mode: ${mode}\n`,
    ".orchestration/active_intents.yaml": EXAMPLE,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) put(join(root, name), text);
  mkdirSync(join(home, "outside"), { recursive: true });
  return { home, root, env };
}

/** Puts a file or a link where it belongs. */
export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (text.startsWith("→ ")) symlinkSync(text.slice(2), path);
  else writeSettled(path, text);
}

/** Runs something with the environment of such a project. */
export async function within<Result>(
  env: Readonly<Record<string, string>>,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = Object.keys(env).map((key) => [key, process.env[key]] as const);
  Object.assign(process.env, env);
  try {
    return await act();
  } finally {
    for (const [key, value] of before) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
}

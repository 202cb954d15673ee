import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { HooksManager } from "../../src/hosts/hooks-manager.ts";
import { TEMPLATES, type Template, type TemplateExample } from "../../src/templates/index.ts";
import { cases } from "../cases.ts";
import { type Clone, clone } from "./clone.ts";

const ROWS = (Object.entries(TEMPLATES) as [string, Template][]).map(([name, row], at) => [name, row, at] as const);

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each(ROWS)(
  "init approves %s, and it works before and after other files of the project change",
  async (name, row, at) => {
    const [acts] = row.examples.filter(
      ({ expect, says, after }) => expect === "deny" || says !== undefined || after !== undefined,
    );
    const passes = row.examples.findLast(({ expect, after }) => expect === "continue" && after === undefined);
    const withScripts = row.examples.find(({ files }) => files?.["package.json"] !== undefined);
    // In a test run, templates take turns in which of them are tried.
    const tried = [acts, passes, withScripts].filter((example) => example !== undefined);
    for (const example of tried.filter((_, index) => (index + at) % cases(2, 1) === 0 || tried.length === 1)) {
      const made = prepared(example);
      const { out } = made.sluice(["init", "--template", name]);
      expect(out).toContain(name);
      await works(made, name, example);
      change(made);
      prepare(made, example);
      if (example === withScripts)
        made.write("package.json", { version: "2.0.0", scripts: { test: "true", lint: "x" } });
      expect(made.sluice(["trust", "--status"]).code).toBe(0);
      if (example === passes)
        expect(made.sluice(["list"]).out).toMatch(new RegExp(`^on\\s+project\\s+${name}\\b`, "m"));
      await works(made, name, example);
    }
  },
);

/** A project as an example wants it. */
function prepared(example: TemplateExample): Clone {
  const made = clone();
  for (const key of Object.keys(process.env)) if (/^(GIT|XDG|SLUICE)_/.test(key)) vi.stubEnv(key, undefined);
  vi.stubEnv("HOME", made.home);
  vi.stubEnv("XDG_STATE_HOME", join(made.home, ".state"));
  vi.stubEnv("XDG_CONFIG_HOME", join(made.home, ".config"));
  vi.stubEnv("PATH", `${join(made.elsewhere, "bin")}:${process.env.PATH}`);
  for (const [program, script] of Object.entries(example.programs ?? {}))
    made.write(`../elsewhere/bin/${program}`, `#!/bin/sh\n${script}\n`, 0o755);
  prepare(made, example);
  return made;
}

function prepare(made: Clone, { files = {}, before }: TemplateExample): void {
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  if (before !== undefined) inFolder(made, `rm -rf .git; ${before}`);
}

/** What agents do all day: files come, scripts and versions change. */
function change(made: Clone): void {
  made.write("new-file.sh", "#!/bin/sh\nexit 1\n", 0o755);
  made.write("src/main.py", "print(1)\n");
  made.write("docs/notes.md", "new\n");
}

async function works(
  made: Clone,
  name: string,
  { event, tool, args, data, ...wanted }: TemplateExample,
): Promise<void> {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const manager = new HooksManager({ root: made.root });
  manager.load();
  const given = { ...data, ...(tool && { tool_name: tool }), ...(args === undefined ? {} : { tool_args: args }) };
  const { results, reasons, contexts } = await manager.decide({ sessionId: "s", cwd: made.root }, event, given);
  await manager.close();
  const own = results.find(({ hook }) => hook.name === name);
  const words = [...reasons, ...contexts, own?.reason].join("\n");
  expect(warn.mock.calls, name).toEqual([]);
  // After the fact, a denial is feedback.
  const isFeedback = wanted.expect === "continue" && wanted.says !== undefined;
  if (!isFeedback) expect(own?.action, words).toBe(wanted.expect);
  if (wanted.says !== undefined) expect(words).toContain(wanted.says);
  if (wanted.after !== undefined) inFolder(made, wanted.after);
  warn.mockRestore();
}

function inFolder({ root }: Clone, line: string): void {
  execFileSync("sh", ["-c", line], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
}

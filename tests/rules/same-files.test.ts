import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEffects } from "../../src/effects/call-effects.ts";
import { callFiles } from "../../src/effects/call-files.ts";
import { Hook, HookEvent } from "../../src/index.ts";
import { callChanges } from "../../src/policies/intent/call-changes.ts";
import { lossesOf } from "../../src/policies/undo/losses.ts";
import { DRY_STORE } from "../../src/policies/undo/object-store.ts";
import { compileCondition } from "../../src/rule/evaluate.ts";
import { prepareTools } from "../../src/rule/tools.ts";
import { absoluteFiles } from "../../src/runners/command.ts";
import { diskLookups } from "../../src/runners/disk-lookups.ts";
import { touchedFiles } from "../../src/trace/change/touched-files.ts";

/** Rules, matchers, script hooks, undo, intents and the trace agree on the files of a call. */

const root = realpathSync(mkdtempSync(join(tmpdir(), "same-files-")));
const TREE = [
  ...["a.ts", "b.ts", "b.test.ts", ".env", ".env.local", "README.md", "x y.ts", "[id].ts"],
  ...["src/a.ts", "src/b.test.ts", "src/.hidden.ts", "src/deep/c.ts", "src/deep/.env", "docs/a.md", "docs/b.md"],
];

beforeAll(() => {
  for (const path of TREE) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "x\n");
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NAMES = [
  ...[
    "a.ts",
    "*.ts",
    "*.test.ts",
    "*",
    ".*",
    ".env*",
    "*.zzz",
    "?.ts",
    "[ab].ts",
    "[!a]*.ts",
    "'x y.ts'",
    "x*.ts",
    "\\[id\\].ts",
  ],
  ...[
    "src/*.ts",
    "src/.*.ts",
    "src/*/*.ts",
    "*/a.*",
    "docs/*.md",
    "{a,b}.ts",
    "{src,docs}/a.*",
    "./*.md",
    "src/../*.md",
  ],
];
const CALLS = [
  (name: string) => `rm -f ${name}`,
  (name: string) => `cd . && rm ${name}`,
  (name: string) => `bash -c 'rm -f ${name.replaceAll("'", `"`)}'`,
  (name: string) => `for f in ${name}; do rm "$f"; done`,
  (name: string) => `sed -i s/a/b/ ${name}`,
  (name: string) => `sudo sed -i s/a/b/ ${name}`,
  (name: string) => `chmod 600 ${name}`,
  (name: string) => `truncate -s 0 ${name}`,
  (name: string) => `shopt -s dotglob; rm -f ${name}`,
  (name: string) => `(cd docs; cat a.md); rm ${name}`,
  (name: string) => `ls && shred -u ${name}`,
  (name: string) => `touch ${name}`,
  (name: string) => `cat README.md | tee ${name}`,
  (name: string) => `rm -- ${name} 2>/dev/null || true`,
].flatMap((line) => NAMES.map(line));

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

describe("the files that a call changes", () => {
  it(`are the same for everybody who asks, in ${CALLS.length} calls`, async () => {
    expect(CALLS.length).toBeGreaterThanOrEqual(300);
    expect(readdirSync(root).length).toBeGreaterThan(5);
    const different: object[] = [];
    for (const command of CALLS) {
      const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId: "s" });
      const sorted = (paths: readonly string[]) => [...new Set(paths)].filter(isFile).sort();
      const { written, deleted } = callFiles(event, diskLookups);
      const changed = sorted([...written, ...deleted].map(({ absolute }) => absolute));
      const act = callEffects(event, diskLookups);
      const tools = await prepareTools(
        [{ when: { kind: "compare", field: "call", operator: "writes", value: "*" }, action: "deny" }],
        diskLookups,
      );
      const byRules = TREE.filter((path) =>
        (["writes", "deletes"] as const).some((operator) =>
          compileCondition(
            {
              kind: "compare",
              field: "call",
              operator,
              value: path.includes("/") ? path.replaceAll(/[[\]]/g, "?") : `${root}/${path.replaceAll(/[[\]]/g, "?")}`,
            },
            tools,
          )(event),
        ),
      ).map((path) => join(root, path));
      const byMatcher = TREE.filter((path) => {
        const pattern = join(root, path).replaceAll(/[[\]]/g, "?");
        return Hook.fromJSON({
          matcher: { events: ["PreToolUse"], path_patterns: [pattern] },
          command: "true",
        }).matches(event);
      }).map((path) => join(root, path));
      const isReading = act?.effects.some(({ does }) => does === "read") === true;
      // The trace also remembers what is in a folder that is named, because the call may move or remove it.
      const folders = [...written, ...deleted].map(({ absolute }) => `${absolute}/`);
      const byTrace = touchedFiles(event, root, diskLookups).paths.filter(
        (path) => !folders.some((one) => path.startsWith(one)),
      );
      const byIntents = callChanges(event).paths.flatMap(({ path, names }) =>
        (names ?? [path]).map((name) => join(root, name)),
      );
      if (act === undefined) throw new Error(command);
      const byUndo = lossesOf(act, { root, cwd: root, home: undefined, store: DRY_STORE }).paths.map(
        ({ path }) => path,
      );
      const seen = {
        rules: sorted(byRules),
        ...(isReading ? {} : { matcher: sorted(byMatcher) }),
        script: changed.length === 0 ? [] : sorted(absoluteFiles(event, root)),
        undo: sorted(byUndo),
        intents: sorted(byIntents),
        trace: sorted(byTrace),
      };
      for (const [who, files] of Object.entries(seen))
        if (files.join("\n") !== changed.join("\n")) different.push({ command, who, files, changed });
    }
    expect(different).toEqual([]);
  });
});

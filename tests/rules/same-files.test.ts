import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callEffects } from "../../src/effects/call-effects.ts";
import { callFiles } from "../../src/effects/call-files.ts";
import { Hook, HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";
import { guardHooks } from "../../src/policies/guards/guard-hooks.ts";
import { callChanges } from "../../src/policies/intent/call-changes.ts";
import { lossesOf } from "../../src/policies/undo/losses.ts";
import { DRY_STORE } from "../../src/policies/undo/object-store.ts";
import { compileCondition } from "../../src/rule/evaluate.ts";
import { prepareTools } from "../../src/rule/tools.ts";
import { absoluteFiles } from "../../src/runners/command.ts";
import { diskLookups } from "../../src/runners/disk-lookups.ts";
import { touchedFiles } from "../../src/trace/change/touched-files.ts";

/** Guards, rules, matchers, script hooks, undo, intents and the trace agree on the files of a call. */

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

/** The same names, read. */
const READS = [
  (name: string) => `cat ${name}`,
  (name: string) => `cd . && head -3 ${name}`,
  (name: string) => `bash -c 'tail ${name.replaceAll("'", `"`)}'`,
  (name: string) => `for f in ${name}; do cat "$f"; done`,
  (name: string) => `sudo cat ${name} | sort`,
  (name: string) => `grep -h x ${name}`,
].flatMap((line) => NAMES.map(line));

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Files that run by themselves, and calls that may change them. */
const GUARDED = [".bashrc", ".zshrc", ".git/hooks/pre-commit"];
const CHANGES = [
  (name: string) => `sed -i s/a/b/ ${name}`,
  (name: string) => `truncate -s 0 ${name}`,
  (name: string) => `cat README.md | tee -a ${name}`,
  (name: string) => `for f in ${name}; do echo x >> "$f"; done`,
  (name: string) => `shopt -s dotglob; sed -i s/a/b/ ${name}`,
].flatMap((line) =>
  [
    ...[".bashrc", ".b*", ".[bz]*", ".*rc", "*rc", "*", "*.ts", "{.bashrc,a.ts}", "./.z*", ".??shrc", "src/*", "*/*"],
    ...[".git/hooks/*", ".g*/h*/*", ".git/*/p*", "*/hooks/*", "*.zzz", ".x*", "'.b*'"],
  ].map(line),
);

async function conditionOf(operator: string, value: readonly string[]) {
  const when = { kind: "compare", field: "call", operator, value } as const;
  return compileCondition(when, await prepareTools([{ when, action: "deny" }], diskLookups));
}

/** Rules and matchers of each file of the tree, made once. */
async function perFile() {
  const when = { kind: "compare", field: "call", operator: "writes", value: "*" } as const;
  const tools = await prepareTools([{ when, action: "deny" }], diskLookups);
  return TREE.map((file) => {
    const path = join(root, file);
    const pattern = path.replaceAll(/[[\]]/g, "?");
    const asked = (operator: string) => compileCondition({ ...when, operator, value: pattern }, tools);
    const matcher = { events: ["PreToolUse" as const], path_patterns: [pattern] };
    const [writes, deletes, reads] = [asked("writes"), asked("deletes"), asked("reads")];
    return { file, path, writes, deletes, reads, hook: Hook.fromJSON({ matcher, command: "true" }) };
  });
}

const sorted = (paths: readonly string[]) => [...new Set(paths)].filter(isFile).sort();
const eventOf = (command: string) => HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId: "s" });

/** What each part of the house takes for the files that a call changes. */
function seenBy(event: HookEvent, each: Awaited<ReturnType<typeof perFile>>) {
  const { written, deleted } = callFiles(event, diskLookups);
  const changed = sorted([...written, ...deleted].map(({ absolute }) => absolute));
  const act = callEffects(event, diskLookups);
  if (act === undefined) throw new Error("It is not read as a call.");
  const isReading = act.effects.some(({ does }) => does === "read");
  // The trace also remembers what is in a folder that is named, because the call may move or remove it.
  const folders = [...written, ...deleted].map(({ absolute }) => `${absolute}/`);
  const inTrace = touchedFiles(event, root, diskLookups).paths;
  const inIntents = callChanges(event).paths.flatMap(({ path, names }) =>
    (names ?? [path]).map((one) => join(root, one)),
  );
  const inUndo = lossesOf(act, { root, cwd: root, home: undefined, store: DRY_STORE }).paths.map(({ path }) => path);
  const pathsOf = (some: typeof each) => sorted(some.map(({ path }) => path));
  const seen = {
    rules: pathsOf(each.filter(({ writes, deletes }) => writes(event) || deletes(event))),
    ...(isReading ? {} : { matcher: pathsOf(each.filter(({ hook }) => hook.matches(event))) }),
    script: changed.length === 0 ? [] : sorted(absoluteFiles(event, root)),
    undo: sorted(inUndo),
    intents: sorted(inIntents),
    trace: sorted(inTrace.filter((path) => !folders.some((one) => path.startsWith(one)))),
  };
  return { changed, seen };
}

/** Whether one of these guards objects. */
async function guardObjects(event: HookEvent, names: readonly string[]): Promise<boolean> {
  const { results } = await GUARDS.decide(event);
  return results.some(({ action, hook }) => action !== "continue" && names.includes(hook.name));
}

const registry = new HookRegistry();
registry.loadHooks(guardHooks("paranoid").filter(({ name }) => /secrets|persistence/.test(name)));
const GUARDS = new HookExecutor({ registry });
const PARTS = 4;

describe("the files that a call changes", () => {
  it("are those of more than 300 calls", () => {
    expect(CALLS.length).toBeGreaterThanOrEqual(300);
    expect(readdirSync(root).length).toBeGreaterThan(5);
  });

  it.each(Array.from({ length: PARTS }, (_, part) => part))(
    "are the same for everybody who asks, part %i",
    async (part) => {
      const each = await perFile();
      const different: object[] = [];
      for (const command of CALLS.filter((_, at) => at % PARTS === part)) {
        const { changed, seen } = seenBy(eventOf(command), each);
        for (const [who, files] of Object.entries(seen))
          if (files.join("\n") !== changed.join("\n")) different.push({ command, who, files, changed });
      }
      expect(different).toEqual([]);
    },
  );
});

describe("the files that guards look at", () => {
  it(`are those that rules see, in ${READS.length} calls that read and ${CHANGES.length} that write`, async () => {
    vi.stubEnv("HOME", root);
    for (const path of GUARDED) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "x\n");
    }
    const secrets = (await perFile()).filter(({ file }) => /(?:^|\/)\.env/.test(file));
    expect(secrets.length).toBe(3);
    const writes = await conditionOf("writes", [...GUARDED, ".git/hooks"]);
    const different: object[] = [];
    for (const command of READS) {
      const event = eventOf(command);
      const byRules = secrets.filter(({ reads }) => reads(event)).map(({ file }) => file);
      const { read } = callFiles(event, diskLookups);
      const inList = secrets
        .filter(({ path }) => read.some(({ absolute }) => absolute === path))
        .map(({ file }) => file);
      const byGuards = await guardObjects(event, ["guard:secrets"]);
      if (byRules.join() !== inList.join() || byGuards !== byRules.length > 0)
        different.push({ command, byRules, inList, byGuards });
    }
    for (const command of CHANGES) {
      const [byRules, byGuards] = [
        writes(eventOf(command)),
        await guardObjects(eventOf(command), ["guard:persistence"]),
      ];
      if (byRules !== byGuards) different.push({ command, byRules, byGuards });
    }
    expect(different).toEqual([]);
    vi.unstubAllEnvs();
  });
});

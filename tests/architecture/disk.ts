import type { Check } from "./check.ts";

/** What touches the disk in a way that has to be right in one place. */
export const DISK = {
  "only src/fs follows symlinks, makes lock files and folders above others, and replaces files": {
    find: (tree) =>
      tree
        .filter(({ path, room }) => room !== "fs" && !Object.hasOwn(ALLOWED, path))
        .flatMap(({ path, code }) =>
          CALLS.flatMap(([call, instead]) => (call.test(code) ? [`${path} does what ${instead} is for`] : [])),
        ),
    breaks: {
      "config/save.ts": 'import { renameSync } from "node:fs";\nrenameSync(draft, path);',
      "trust/path.ts": 'import { realpathSync } from "node:fs";\nrealpathSync.native(path);',
      "llm/link.ts": "const to = fs.readlinkSync(path);",
      "llm/folder.ts": "mkdirSync(folder, { recursive: true });",
      "server/start.ts": 'closeSync(openSync(lock, "wx", 0o600));',
      "trace/note.ts": 'writeFileSync(path, "", { mode: 0o600, flag: "wx" });',
    },
    violations: [
      "config/save.ts does what fs/write-atomic is for",
      "trust/path.ts does what fs/resolve-path is for",
      "llm/link.ts does what fs/resolve-path is for",
      "llm/folder.ts does what fs/make-dir is for",
      "server/start.ts does what fs/lock or createFile of fs/write-atomic is for",
      "trace/note.ts does what fs/lock or createFile of fs/write-atomic is for",
    ],
    keeps: {
      "fs/lock.ts": 'renameSync(one, other);\nopenSync(path, "wx");\nreadlinkSync(path);',
      "effects/code/effects-of-calls.ts": 'const ROWS = { renameSync: { does: twoPaths("mv") } };',
      "config/save.ts": "writeAtomic(path, text);\n// renameSync(draft, path) would do it too.\n",
      "trace/rotation.ts": "renameSync(file, closed);",
    },
  },
  "what decides a call, serves it or ships its record waits for no named pipe: src/fs reads and extends files": {
    find: (tree) =>
      tree
        .filter(({ room }) => DECIDING.test(room))
        .flatMap(({ path, code }) => (WAITS.test(code) ? [`${path} does what fs/regular-file is for`] : [])),
    breaks: {
      "trust/ledger.ts": 'const text = readFileSync(path, "utf8");',
      "llm/ledger.ts": "appendFileSync(path, line);",
      "engine/file-history.ts": 'const file = openSync(path, "r");',
      "ship/ship-progress.ts": 'readFileSync(path, "utf8");',
      "server/token.ts": 'readFileSync(path, "latin1");',
      "bundle/ring.ts": "readFileSync(path);",
    },
    violations: [
      ...["trust/ledger.ts", "llm/ledger.ts", "engine/file-history.ts"],
      ...["ship/ship-progress.ts", "server/token.ts", "bundle/ring.ts"],
    ].map((path) => `${path} does what fs/regular-file is for`),
    // The user names the file, which may be a pipe on purpose.
    excused: ["ship/file-sink.ts does what fs/regular-file is for"],
    keeps: {
      "trust/ledger.ts": "readFileSync(file);\nreadRegularText(path);",
      "cli/commands/bundle.ts": 'readFileSync(key, "utf8");',
    },
  },
} as const satisfies Record<string, Check>;

const DECIDING = /^(?:trust|llm|trace|engine|decide|ship|bundle|server|policies\/.*)$/;
const WAITS = /\breadFileSync\((?!file\))|\bappendFileSync\(|\bopenSync\([^)]*, "[ra]\+?"/;

/** Files that do it themselves, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  "trace/rotation.ts": "a full journal is closed under another name",
  "trace/change/trace-paths.ts": "a full trace is closed under another name",
  "server/transport.ts": "a socket gets the known name when it listens",
  "launcher/code-cache.ts": "the launcher loads nothing besides itself",
  "contain/commit-changes.ts": "a file with any name takes the place of another in one step",
  "contain/read-changes.ts": "symlinks of two layers are compared by what they say",
  "runners/command.ts": "a value too long for the environment goes into a new folder of its own",
  "policies/undo/after-call.ts": "a symlink is compared by what it says",
  "policies/undo/object-store.ts": "content of any size is stored under its hash",
  "policies/undo/restore.ts": "a file comes back under a name with any bytes",
  "policies/undo/snapshot.ts": "a symlink is kept as what it says",
  "trust/sealed-copies.ts":
    "a folder of copies appears in one step, and what starts a copy of Python's follows links there",
  "install/ledger.ts": "notes the first folder that it makes",
  "cli/commands/init.ts": "tells a symlink in the way from a file",
};

const CALLS: readonly (readonly [call: RegExp, instead: string])[] = [
  [/\b(?:readlink|realpath)(?:Sync)?(?:\.native)?\(/, "fs/resolve-path"],
  [/\brename(?:Sync)?\(/, "fs/write-atomic"],
  [/\bmkdir(?:Sync)?\([^;]*\brecursive: true/, "fs/make-dir"],
  [/"wx\+?"/, "fs/lock or createFile of fs/write-atomic"],
];

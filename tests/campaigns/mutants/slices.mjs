// What the campaign `mutants` changes together, and the tests that have to notice: all run in one process, without a build.
// `unexplained` are the survivors that no row explains, as they were counted last: it may only fall. A slice without that number has
// never been counted, and is tried only where it is named.
// `most` bounds the changes that are tried of each file, where a room is large or its tests take long; which ones is always the same.
const [GUARDS, INTENT, PROTECT, UNDO] = ["guards", "intent", "protect", "undo"].map((room) => `src/policies/${room}`);
const ENGINE = "src/engine";
const TRUST = "src/trust";

const inFolder = (folder, ending, names) => names.split(" ").map((name) => `${folder}/${name}${ending}`);

/** Tests that take a call through the whole of self-protection. */
const ACTS = ["tests/protect/same-act.test.ts", "tests/protect/listed-files.test.ts"];

export const SLICES = {
  decision: { unexplained: 0, files: ["src/decision/*.ts"], tests: ["src/decision/*.test.ts"] },
  fit: { unexplained: 0, files: ["src/adapters/fit.ts"], tests: ["src/adapters/fit.test.ts"] },
  engine: {
    unexplained: 0,
    files: inFolder(ENGINE, ".ts", "chain judge"),
    tests: inFolder(ENGINE, ".test.ts", "chain judge"),
  },
  executor: {
    unexplained: 0,
    files: inFolder(ENGINE, ".ts", "executor history file-history"),
    tests: [
      ...inFolder(ENGINE, ".test.ts", "executor history"),
      "src/runners/combine.test.ts",
      "src/runners/inline.test.ts",
      "tests/guards/hooks.test.ts",
    ],
  },
  trust: {
    unexplained: 0,
    files: inFolder(TRUST, ".ts", "ledger fingerprint private-approvals"),
    tests: inFolder(TRUST, ".test.ts", "ledger private-approvals"),
  },
  "what-runs": {
    unexplained: 0,
    files: [
      ...inFolder(TRUST, ".ts", "code-modules line-diff listed-files observed-disk pin pinned-run pinned-text"),
      ...inFolder(TRUST, ".ts", "pinned-arguments quoted-files run-files script-file script-arguments sealed-copies"),
      ...inFolder(TRUST, ".ts", "started-files uncovered"),
    ],
    tests: [`${TRUST}/*.test.ts`],
    most: 4,
  },
  permits: {
    unexplained: 0,
    files: inFolder(PROTECT, ".ts", "pause"),
    tests: inFolder(PROTECT, ".test.ts", "pause"),
  },
  memory: {
    unexplained: 0,
    files: inFolder(PROTECT, ".ts", "deny-memory denied-target"),
    tests: inFolder(PROTECT, ".test.ts", "deny-memory denied-target"),
  },
  protection: {
    unexplained: 0,
    files: [`${PROTECT}/self-protection.ts`],
    tests: [...inFolder(PROTECT, ".test.ts", "self-protection ui-ports"), ...ACTS],
  },
  places: {
    unexplained: 0,
    files: [
      "src/effects/effects-by-command.ts",
      ...inFolder(PROTECT, ".ts", "arriving-trees ended-processes git-doubts git-overwrites"),
      ...inFolder(PROTECT, ".ts", "glob-names glob-on-disk governance later-settings listed-files loosening-commands"),
      ...inFolder(PROTECT, ".ts", "modified-by-hash paths-in-code person places printed-places protected-path-index"),
      ...inFolder(PROTECT, ".ts", "protected-paths replaced-package tool-lines ui-ports written-protected-paths"),
    ],
    tests: [
      "src/effects/effects-by-command.test.ts",
      `${PROTECT}/*.test.ts`,
      ...inFolder("tests/protect", ".test.ts", "copied-folders globs made-links own-options patches self-protection"),
      ...ACTS,
    ],
    most: 9,
  },
  exceptions: { unexplained: 0, files: [`${GUARDS}/exceptions.ts`], tests: [`${GUARDS}/exceptions.test.ts`] },
  guards: {
    unexplained: 0,
    files: inFolder(GUARDS, ".ts", "policy with-guards guard-hooks"),
    tests: [...inFolder(GUARDS, ".test.ts", "policy with-guards"), "tests/guards/hooks.test.ts"],
  },
  dangers: {
    unexplained: 0,
    files: [
      ...inFolder(GUARDS, ".ts", "addresses clouds containers databases disks downloads exhaustion exposure files"),
      ...inFolder(GUARDS, ".ts", "findings git narrow packages part permissions persistence power privilege"),
      ...inFolder(GUARDS, ".ts", "processes publishing secrets services system traces"),
    ],
    tests: [
      ...inFolder("tests/guards", ".test.ts", "guards tools messages rule-messages allow policy"),
      ...inFolder(GUARDS, ".test.ts", "policy exceptions findings narrow part"),
    ],
    most: 9,
  },
  intents: { unexplained: 0, files: [`${INTENT}/gate.ts`], tests: [`${INTENT}/gate.test.ts`] },
  scopes: { unexplained: 0, files: [`${INTENT}/scope.ts`], tests: [`${INTENT}/scope.test.ts`] },
  "declared-work": {
    unexplained: 0,
    files: [
      ...inFolder(INTENT, ".ts", "binding call-changes change-intents check-intents check-scope command-changes"),
      ...inFolder(INTENT, ".ts", "complete-intent context-text declare handshake intents-file protected-files"),
      ...inFolder(INTENT, ".ts", "read-entries recent-changes scope-requests select-for-session select with-intents"),
      ...inFolder(INTENT, ".ts", "workspace written-path"),
    ],
    tests: [
      `${INTENT}/*.test.ts`,
      ...inFolder("tests/intent", ".test.ts", "hook-engine made-links patches stated-folder unclear-tools"),
    ],
    most: 5,
  },
  undo: {
    unexplained: 0,
    files: [
      ...inFolder(UNDO, ".ts", "byte-path effect-places expire git-losses git keep kept-call losses may-destroy"),
      ...inFolder(UNDO, ".ts", "moved-away object-store open-calls pack recover restore-refs restore snapshot"),
    ],
    tests: [`${UNDO}/*.test.ts`, ...inFolder("tests/undo", ".test.ts", "disposable kept-and-undone quiet unclear")],
    most: 5,
  },
};

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPin, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { UNDO_DEFAULTS } from "../../src/config/undo-settings.ts";
import { boxById, planBox, writeReceipt } from "../../src/policies/contain/box-store.ts";
import { bytePath } from "../../src/policies/undo/byte-path.ts";
import { keepNamed } from "../../src/policies/undo/keep.ts";
import { undoFolder } from "../../src/policies/undo/kept-call.ts";
import { type Household, household } from "../protect/household.ts";

/** Every way in which one verb weakens protection, or why the verb does not. */
type VerbRow =
  | {
      readonly weakens: (ids: Ids) => readonly (readonly string[])[];
      readonly safe?: (ids: Ids) => readonly string[][];
    }
  | { readonly never: string };

/** A verb without a row fails: its author has to say whether it weakens protection. */
const VERBS: Readonly<Record<string, VerbRow>> = {
  init: { never: "writes a configuration where there is none" },
  check: { never: "reads" },
  list: { never: "reads" },
  enable: { never: "turns a hook on" },
  disable: { weakens: () => [["ask-deploy"], ["ask-deploy", "--scope", "user"]] },
  events: { never: "reads" },
  fire: { never: "runs hooks once and stores no approval" },
  install: { never: "adds Sluice to agents" },
  setup: { never: "adds Sluice to agents" },
  uninstall: { weakens: () => [[], ["--yes"], ["--yes", "--purge"], ["claude-code", "--scope", "user", "--yes"]] },
  import: { never: "adds hooks" },
  doctor: { never: "reads" },
  run: { never: "decides one call" },
  explain: { never: "reads" },
  why: { never: "reads" },
  log: { never: "reads" },
  replay: { never: "judges recorded calls and changes no policy" },
  suggest: { weakens: () => [[]] },
  trace: { never: "reads" },
  test: { never: "tries examples" },
  serve: { never: "without a daemon every call is decided by itself" },
  ui: { never: "its acts are the verbs of this table, each with the same proof" },
  stats: { never: "reads" },
  trust: {
    weakens: () => [[], ["--yes"], ["--revoke"], ["runs", "--revoke"], ["--deny"], ["--trust-hash", "x"]],
    safe: () => [["--status"]],
  },
  pause: { weakens: () => [["5m"]], safe: () => [["--status"], ["--end"]] },
  allow: {
    weakens: ({ denied }) => [
      [denied, "--width", "exact"],
      [denied, "--yes"],
      [denied, "--width", "options", "--until", "7d", "--yes"],
      [denied, "--once"],
    ],
    safe: ({ denied }) => [[denied, "--dry-run"]],
  },
  "allow-once": { weakens: ({ denied }) => [[denied]] },
  approvals: { never: "lists answers, or ends them" },
  approve: {
    weakens: ({ request }) => [
      [request],
      [request, "--for", "30m"],
      [request, "--times", "3", "--json"],
      ["setup"],
      ["setup", "--pin"],
      ["setup", "--passkey"],
      ["setup", "--remove"],
    ],
  },
  deny: { never: "denies" },
  undo: {
    weakens: ({ kept }) => [[kept], [kept, "--force"], [kept, "--json"]],
    safe: ({ kept }) => [[kept, "--dry-run"]],
  },
  bundle: { never: "a fetched bundle is signed and newer than the one before; the others write files for a team" },
  evidence: { never: "reads" },
  ship: { never: "sends records" },
  fleet: { never: "reads" },
  inside: {
    weakens: ({ box }) => [
      ["--keep", box],
      ["--keep", box, "--yes"],
      ["--keep", box, "a", "--json"],
    ],
    safe: ({ box }) => [["--show", box]],
  },
  intents: { never: "declares work; guards apply to it all the same" },
  mcp: { never: "declares work, as `intents` does" },
  add: { weakens: () => [["./pack"], ["./pack", "--json"]], safe: () => [["./pack", "--dry-run"]] },
  update: {
    weakens: () => [[], ["--yes"], ["sample", "--yes", "--offline"]],
    safe: () => [["--dry-run", "--offline"]],
  },
  remove: { weakens: () => [["sample"]], safe: () => [["sample", "--dry-run"]] },
  packs: { never: "reads" },
  pack: { never: "reads, or is for authors of packs" },
  templates: { never: "adds hooks" },
  completion: { never: "prints" },
};

interface Ids {
  readonly denied: string;
  readonly request: string;
  readonly kept: string;
  readonly box: string;
}

const RULES = `guards: standard
hooks:
  - { name: ask-deploy, event: "tool:pre_execute:@shell", type: inline, rules: 'args.command starts_with "make deploy" -> ask("may I deploy")' }
  - { name: tabs, event: "tool:pre_execute:@shell", type: inline, mode: monitor, rules: 'args.command contains "expand" -> deny("Tabs stay.")' }
`;

/** A home in which each verb has something to weaken. */
function furnished(): Household & Ids {
  const home = household((gone) => {
    end = gone;
  });
  const env = { ...process.env, HOME: home.home };
  home.put("~/.config/sluice/hooks.yaml", RULES);
  home.put("run.sh", "exit 0\n");
  home.put(".sluice/hooks.yaml", "hooks:\n  - { name: runs, event: tool:pre_execute, command: ./run.sh }\n");
  home.put("pack/package.json", '{ "name": "sample", "version": "1.0.0" }');
  home.put(
    "pack/sluice.yaml",
    'hooks:\n  - { name: from-pack, event: tool:pre_execute, rules: \'tool equals "X" -> deny("no")\' }\n',
  );
  expect(home.sluice(["add", "./pack"]).err).toBe("");
  for (let at = 0; at < 12; at++) home.bash(`expand file${at}`, `s${at}`);
  const denied = home.bash("git push --force origin main", "denied").id ?? "";
  home.bash("make deploy", "asked");
  const { pending } = JSON.parse(home.sluice(["approvals", "--json"]).out) as { pending: { id: string }[] };
  const settings = home.put(".claude/settings.json", "{}\n");
  const kept = keepNamed(
    [{ path: bytePath(settings), loss: "overwritten", isTree: false }],
    { root: home.root, tool: "Bash", command: "printf" },
    undoFolder(env),
    UNDO_DEFAULTS,
  );
  home.put(".claude/settings.json", '{ "now": 1 }\n');
  const channel = { pin: hashPin("a-pin-of-mine", 16) };
  expect(savePersonChannel(channel, { env: { HOME: home.home }, root: "/nonexistent/sluice-no-project" })).toBe(true);
  return { ...home, denied, request: pending[0]?.id ?? "", kept: kept.id, box: heldBox(home) };
}

/** A contained call that holds one new file. */
function heldBox({ home, root, put }: Household): string {
  const env = { HOME: home };
  const about = {
    root,
    cwd: root,
    command: "./x",
    backend: "bubblewrap",
    event: {},
    tool: "Bash",
    hosts: [],
    env,
  } as const;
  const made = (given: string, folder: string) => ({
    line: `sluice inside ${given} -- ./x`,
    place: join(folder, "box"),
    layers: [{ path: root, fate: "judged", upper: "u0" } as const],
  });
  const { id } = planBox(about, made, env);
  const box = boxById(id, env);
  if (box === undefined) throw new Error("the box was not planned");
  put(join(box.folder, "box/u0/a"), "new\n");
  mkdirSync(join(box.folder, "started"));
  const changes = [{ path: join(root, "a"), change: "created", kind: "file", state: "held" }] as const;
  writeReceipt(box, { at: new Date().toISOString(), exit: 0, changes });
  return id;
}

it("every verb of the command has a row that says whether it weakens protection", () => {
  expect(COMMANDS.map(({ name }) => name).sort()).toEqual(Object.keys(VERBS).sort());
});

/** One home for all verbs: none of them may change anything that protects. */
let made: ReturnType<typeof furnished>;
let end = () => {};
beforeAll(() => {
  made = furnished();
}, 60_000);
afterAll(() => end());

const weakening = Object.entries(VERBS).flatMap(([verb, row]) => ("weakens" in row ? [{ verb, ...row }] : []));

describe.runIf(process.platform === "linux").each(weakening)(
  "`sluice $verb` once a PIN is set up",
  ({ verb, weakens, safe }) => {
    it("does nothing without a terminal, and nothing at one where no PIN is typed", () => {
      const before = stateOf(made);
      for (const words of weakens(made)) {
        const line = [verb, ...words];
        const { code, out, err } = made.sluice(line);
        expect([line, code === 0 ? "done" : "refused", `${out}${err}`]).toEqual([
          line,
          verb === "suggest" ? "done" : "refused",
          expect.stringMatching(verb === "suggest" ? /Nothing was written/ : /does nothing here|no terminal/),
        ]);
        const typed = made.atTerminal(line, "\n\n\n");
        expect([line, typed.out]).toEqual([line, expect.stringContaining("PIN: ")]);
        expect([line, stateOf(made)]).toEqual([line, before]);
      }
      for (const words of safe?.(made) ?? []) {
        const { out, err } = made.sluice([verb, ...words]);
        expect(`${verb} ${words.join(" ")}: ${out}${err}`).not.toMatch(/does nothing here|PIN/);
      }
    }, 60_000);
  },
);

/** What protects: configuration, packs, approvals, settings of agents, and what was set up. */
function stateOf({ home, root }: Household): Readonly<Record<string, string>> {
  const folders = [
    join(home, ".config"),
    join(home, ".claude"),
    join(root, ".sluice"),
    join(root, ".claude"),
    ...OWN.map((name) => join(home, ".local/state/sluice", name)),
  ];
  return Object.fromEntries(
    folders.flatMap((folder) => filesIn(folder)).map((path) => [path, readFileSync(path, "utf8")]),
  );
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    );
  } catch {
    return [];
  }
}

const OWN = ["approvals", "trust", "protect", "contain/boxes"];

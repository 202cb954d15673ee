import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXAMPLE, project } from "../../../tests/intent/project.ts";
import { HookEvent } from "../../event/event.ts";
import { bindSession } from "./binding.ts";
import { type GateOptions, gate } from "./gate.ts";

type Options = Partial<Pick<GateOptions, "onUnknown" | "canAsk" | "approved">>;
type Place = ReturnType<typeof project>;

const SESSION = { agent: "a", sessionId: "s" };
const OWNS = "INT-001 owns: src/auth/**, src/middleware/jwt.ts.";

/** A project in which the session works on an intent. */
function working(files: Readonly<Record<string, string>> = {}, id = "INT-001"): Place {
  const place = project(files);
  bindSession(place.root, SESSION, id, { env: place.env });
  return place;
}

/** What the gate says about a call of a tool, or about a command. */
function verdict({ root, env }: Place, call: string | [tool: string, args: object], options: Options = {}) {
  const [tool, args] = typeof call === "string" ? ["Bash", { command: call }] : call;
  const event = HookEvent.toolPreExecute(tool, args, { cwd: root, ...SESSION });
  return gate(event, { root, env, onUnknown: "ask", canAsk: true, approved: false, ...options });
}

const write = (path: string): [string, object] => ["Write", { file_path: path, content: "x" }];
const withIntent = (more: string) => ({ ".orchestration/active_intents.yaml": `${EXAMPLE}${more}` });
const refused = (code: string, words: string) => ({
  kind: "refuses",
  code,
  reason: expect.stringMatching(new RegExp(`^${code}: .*${words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`)),
});
const asked = (code: string, words: string) => ({ ...refused(code, words), kind: "asks" });

describe("what a session may change", () => {
  test.each<[what: string, call: string | [string, object], says: object]>([
    ["nothing is changed", "ls src", { kind: "passes" }],
    ["a file in the scope", write("src/auth/a.ts"), { kind: "passes" }],
    ["a file in the scope, by a command", "echo x > src/auth/a.ts", { kind: "passes" }],
    [
      "a file outside of it",
      write("src/b.ts"),
      refused("SCOPE_VIOLATION", `intent INT-001 does not own src/b.ts (it is not in the scope). ${OWNS} Stay inside`),
    ],
    [
      "several",
      "touch src/auth/a.ts src/b.ts src/c.ts",
      refused("SCOPE_VIOLATION", "does not own src/b.ts (it is not in the scope), src/c.ts (it is not in the scope). "),
    ],
    [
      "one of them twice",
      "touch src/b.ts; rm src/b.ts",
      refused("SCOPE_VIOLATION", "does not own src/b.ts (it is not in the scope). "),
    ],
    [
      "more than are named",
      "touch 1 2 3 4 5 6 7",
      refused("SCOPE_VIOLATION", "5 (it is not in the scope) and 2 more. "),
    ],
    ["as many as are named", "touch 1 2 3 4 5", refused("SCOPE_VIOLATION", "5 (it is not in the scope). ")],
  ])("%s", (_, call, says) => {
    expect(verdict(working(), call)).toEqual(says);
  });

  test("what is not owned can be asked for, and a person adds it", () => {
    expect(verdict(working(), write("src/b.ts"))).toMatchObject({
      reason: expect.stringContaining(
        "call request_scope with the paths and the reason; a person adds them with `sluice intents scope add INT-001 <path>`.",
      ),
    });
  });

  test("names are shown in one line, with what is invisible written out", () => {
    const told = verdict(working(), write("src/a\u202eb\u200bc.ts"));
    expect(told).toEqual(refused("SCOPE_VIOLATION", "src/a\\u{202e}b\\u{200b}c.ts"));
    expect(verdict(working(), "touch $'src/a\\nb.ts'")).toEqual(refused("SCOPE_VIOLATION", "src/a\\nb.ts"));
  });

  test("a scope that is empty owns nothing, and a long one is cut", () => {
    const none = working(
      withIntent('    - { id: "INT-002", name: "x", status: "IN_PROGRESS", owned_scope: [] }\n'),
      "INT-002",
    );
    expect(verdict(none, write("src/b.ts"))).toEqual(refused("SCOPE_VIOLATION", "INT-002 owns nothing."));
    const scope = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => `p${at}`));
    const many = (count: number) =>
      working(
        withIntent(`    - { id: "INT-002", name: "x", status: "IN_PROGRESS", owned_scope: ${scope(count)} }\n`),
        "INT-002",
      );
    expect(verdict(many(12), write("src/b.ts"))).toEqual(refused("SCOPE_VIOLATION", ", p11. "));
    expect(verdict(many(13), write("src/b.ts"))).toEqual(refused("SCOPE_VIOLATION", ", p11, …. "));
  });
});

describe("without an intent", () => {
  test.each<[what: string, call: string | [string, object], words: string]>([
    ["a file is changed", write("src/auth/a.ts"), "this changes files, and the session has selected no intent. "],
    ["what changes is unknown", 'eval "$X"', "it is unknown what this changes ("],
    ["a push does not come back", "git push --force origin main", ", and the session has selected no intent. "],
  ])("%s", (_, call, words) => {
    expect(verdict(project(), call)).toEqual(refused("INTENT_REQUIRED", words));
  });

  test("what is unknown passes where the configuration lets it, and nothing is known to change", () => {
    expect(verdict(project(), 'eval "$X"', { onUnknown: "allow" })).toEqual({ kind: "passes" });
    expect(verdict(project(), 'eval "$X"; touch a', { onUnknown: "allow" })).toMatchObject({ kind: "refuses" });
    expect(verdict(project(), "touch a", { onUnknown: "allow" })).toMatchObject({ kind: "refuses" });
  });

  test("what changes no file and is known all the same needs an intent", () => {
    const words = "this changes something besides files of the project, and the session has selected no intent. ";
    for (const onUnknown of ["ask", "allow"] as const)
      expect(verdict(project(), "git commit --allow-empty -m x", { onUnknown })).toEqual(
        refused("INTENT_REQUIRED", words),
      );
  });

  test("a home is the one that the call has", () => {
    const place = working();
    expect(verdict(place, write("~/a.ts"))).toEqual(refused("SCOPE_VIOLATION", join(place.env.HOME, "a.ts")));
  });

  test("that is there any more, or not begun, nothing is changed", () => {
    expect(verdict(working({}, "INT-009"), write("src/auth/a.ts"))).toEqual(refused("INTENT_REQUIRED", "INT-009"));
    const pending = working(
      withIntent('    - { id: "INT-002", name: "x", status: "PENDING", owned_scope: ["**"] }\n'),
      "INT-002",
    );
    expect(verdict(pending, write("src/b.ts"))).toEqual(refused("INTENT_REQUIRED", "INT-002"));
  });

  test("a project without a file of intents says how to declare one", () => {
    const place = working();
    rmSync(join(place.root, ".orchestration/active_intents.yaml"));
    expect(verdict(place, write("src/auth/a.ts"))).toEqual(
      refused("INTENT_REQUIRED", "this changes files, and the project has no intents: "),
    );
    expect(verdict(place, ["select_active_intent", { intent_id: "INT-001" }])).toEqual(
      refused("INTENT_REQUIRED", "the project has no intents: "),
    );
  });

  test("a file that cannot be read is an error, and nothing passes", () => {
    const place = working();
    const file = join(place.root, ".orchestration/active_intents.yaml");
    writeFileSync(file, "active_intents: [");
    expect(verdict(place, write("src/auth/a.ts"))).toEqual(refused("HOOK_ERROR", file));
    rmSync(file);
    mkdirSync(file);
    expect(verdict(place, write("src/auth/a.ts"))).toMatchObject({ kind: "refuses", code: "HOOK_ERROR" });
  });
});

describe("what is unknown follows the stricter of the intent's word and the configuration's", () => {
  const RUNGS = ["allow", "ask", "deny"] as const;
  const place = (word: string) => {
    const stated = word === "" ? "" : `, on_unknown: ${word}`;
    return working(
      withIntent(`    - { id: "INT-002", name: "x", status: "IN_PROGRESS", owned_scope: ["**"]${stated} }\n`),
      "INT-002",
    );
  };
  test.each(["", ...RUNGS].flatMap((word) => RUNGS.map((onUnknown) => [word, onUnknown] as const)))(
    "intent %j, configuration %s",
    (word, onUnknown) => {
      const rule = RUNGS[Math.max(RUNGS.indexOf(onUnknown), RUNGS.indexOf(word as "allow"))];
      const kinds = { allow: "passes", ask: "asks", deny: "refuses" } as const;
      const here = place(word);
      expect(verdict(here, 'eval "$X"', { onUnknown }).kind).toBe(kinds[rule ?? "deny"]);
      expect(verdict(here, 'eval "$X"', { onUnknown, canAsk: false }).kind).toBe(
        rule === "allow" ? "passes" : "refuses",
      );
      expect(verdict(here, 'eval "$X"', { onUnknown, approved: true }).kind).toBe(
        rule === "deny" ? "refuses" : "passes",
      );
    },
  );

  test("is told with what is unknown, and what is owned", () => {
    expect(verdict(working(), 'eval "$X"')).toEqual(
      asked("SCOPE_VIOLATION", "it is unknown whether this stays in the scope of INT-001: "),
    );
    expect(verdict(working(), 'eval "$X"')).toMatchObject({ reason: expect.stringContaining(OWNS) });
  });

  test("a violation is refused whatever is unknown besides", () => {
    expect(verdict(working(), 'eval "$X"; touch src/b.ts', { onUnknown: "allow", approved: true })).toEqual(
      refused("SCOPE_VIOLATION", "does not own src/b.ts"),
    );
  });
});

describe("what does not come back", () => {
  const LOSS = "git stash drop";
  test("is approved by a person, or by the user's own hooks", () => {
    const place = working();
    expect(verdict(place, LOSS)).toEqual(asked("DESTRUCTIVE_BLOCKED", "what this destroys does not come back: "));
    expect(verdict(place, LOSS, { canAsk: false })).toEqual(
      refused("DESTRUCTIVE_BLOCKED", "A person has to approve it."),
    );
    expect(verdict(place, LOSS, { approved: true })).toEqual({ kind: "passes" });
  });

  test("one question asks about it and about what is unknown; a refusal of either refuses", () => {
    const place = working();
    const both = `${LOSS}; eval "$X"`;
    const told = verdict(place, both);
    expect(told).toEqual(asked("SCOPE_VIOLATION", "it is unknown whether this stays"));
    expect(told).toMatchObject({
      reason: expect.stringMatching(/ DESTRUCTIVE_BLOCKED: what this destroys does not come back/),
    });
    expect(verdict(place, both, { onUnknown: "deny" }).kind).toBe("refuses");
    expect(verdict(place, both, { onUnknown: "allow" })).toEqual(asked("DESTRUCTIVE_BLOCKED", "does not come back"));
  });

  test("needs an intent", () => {
    expect(verdict(project(), LOSS, { onUnknown: "allow" })).toEqual(
      refused("INTENT_REQUIRED", "this destroys what does not come back ("),
    );
  });
});

describe("a call without an intent", () => {
  const ONE_OF_EACH = 'touch a; git stash drop; eval "$X"';
  test("passes where nothing is changed", () => {
    expect(verdict(project(), "ls")).toEqual({ kind: "passes" });
  });

  test("is refused for what is known, however much of it is unknown", () => {
    expect(verdict(project(), ONE_OF_EACH, { onUnknown: "allow" })).toEqual(
      refused("INTENT_REQUIRED", "this changes files"),
    );
  });

  test("is refused with a code and words where no user can be asked", () => {
    expect(verdict(working(), 'eval "$X"', { canAsk: false })).toEqual(
      refused("SCOPE_VIOLATION", "it is unknown whether"),
    );
  });
});

test("of much that is unknown the first five are told, each as far as it goes into a line", () => {
  const listed = (lines: readonly string[]) => {
    const told = verdict(working(), lines.join("; "));
    return /scope of INT-001: (.*)\. INT-001 owns/.exec(told.kind === "asks" ? told.reason : "")?.[1];
  };
  const lines = Array.from({ length: 7 }, (_, at) => `eval "$X${at}"`);
  const five = ["unknown code: eval", ...lines.slice(0, 4).map((line) => `what \`${line}\` changes`)].join("; ");
  expect(listed(lines)).toBe(`${five} and 3 more`);
  expect(listed(lines.slice(0, 4))).toBe(five);
  expect(listed([`eval "$X ${"y".repeat(300)}"`])?.split("; ")[0]).toMatch(/^unknown program: .* y{100}…$/u);
});

describe("the tools of intents", () => {
  test("select an intent and tell about it", () => {
    const told = verdict(project(), ["select_active_intent", { intent_id: "INT-001" }]);
    expect(told).toMatchObject({ kind: "selects", intent: { id: "INT-001" } });
    expect(told).toMatchObject({ context: expect.stringContaining("Must not use external auth providers") });
    expect(verdict(project(), ["select_active_intent", { intent_id: "INT-009" }])).toEqual(
      refused("INTENT_REQUIRED", "INT-009"),
    );
  });

  test("the others change nothing", () => {
    expect(verdict(project(), ["request_scope", { paths: ["src/b.ts"], reason: "x" }])).toEqual({ kind: "passes" });
  });
});

test("a check that breaks refuses", () => {
  const { root, env } = project();
  const event = { ...HookEvent.toolPreExecute("Write", { file_path: "a" }, { cwd: root }) };
  Object.defineProperty(event, "toolName", {
    get() {
      throw new Error("torn");
    },
  });
  const options = { root, env, onUnknown: "allow", canAsk: true, approved: true } as const;
  expect(gate(event as HookEvent, options)).toEqual(refused("HOOK_ERROR", "the check of intents broke: torn"));
});

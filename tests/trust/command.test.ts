import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { readInput } from "../../src/cli/command.ts";
import { COMMANDS, commandNamed } from "../../src/cli/commands/index.ts";
import { trustWith } from "../../src/cli/commands/trust.ts";
import type { Io } from "../../src/cli/io.ts";
import { HooksManager } from "../../src/index.ts";
import { CANARY, type Clone, clone, GUARD, hook } from "./clone.ts";

function project(): Clone {
  const made = clone();
  made.write(".sluice/hooks.json", { hooks: [GUARD, hook()] });
  made.write("scripts/canary.sh", CANARY);
  return made;
}

const FIRE = ["fire", "PreToolUse:bash", "--args", '{"command":"ls"}'];
const hashOf = ({ sluice }: Clone) => JSON.parse(sluice(["trust", "--status", "--json"]).out).hash as string;

describe("sluice trust", () => {
  test("without a terminal it approves nothing, shows everything, and says the next step", () => {
    const made = project();
    const { code, out, err } = made.sluice(["trust"]);
    expect(code).toBe(1);
    expect(out).toMatch(/canary[\s\S]*hooks\.json:\d+[\s\S]*command: sh scripts\/canary\.sh/);
    expect(out).toMatch(/scripts\/canary\.sh\s+program\s+[0-9a-f]{16}/);
    expect(out).toMatch(/sha256:[0-9a-f]{64}/);
    expect(out).toMatch(/new: scripts\/canary\.sh\n {4}\+ #!\/bin\/sh\n {4}\+ touch/);
    expect(err).toContain("sluice trust --yes");
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(false);
  });

  test("--yes approves exactly what it prints, in files that only their owner can touch", () => {
    const made = project();
    const { code, out } = made.sluice(["trust", "--yes"]);
    expect(code).toBe(0);
    expect(out).toContain(hashOf(made));
    expect(out).toContain("Approved canary.");
    const folder = join(made.home, ".state/sluice/trust");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual([0o600]);
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(true);
    expect(made.sluice(["trust", "--status"]).code).toBe(0);
  });

  test("a file that many hooks run is shown once, at the first of them", () => {
    const made = clone();
    made.write(".sluice/hooks.json", { hooks: [1, 2, 3].map((at) => ({ ...hook(), name: `h${at}` })) });
    made.write("scripts/canary.sh", CANARY);
    const { out } = made.sluice(["trust", "--deny"]);
    expect(out.match(/new: scripts\/canary\.sh\n {4}\+ #!/g)).toHaveLength(1);
    expect(out.match(/new: scripts\/canary\.sh {2}as shown at h1\n/g)).toHaveLength(2);
  });

  test("what changed since then is shown line by line", () => {
    const made = project();
    made.trust();
    made.write("scripts/canary.sh", `${CANARY}echo more\n`);
    const { code, out } = made.sluice(["trust", "--status"]);
    expect(code).toBe(1);
    expect(out).toMatch(/modified[\s\S]*changed: scripts\/canary\.sh[\s\S]*\+ echo more/);
  });

  test("--deny lasts through every change, and only an approval of the user ends it", () => {
    const made = project();
    const hash = hashOf(made);
    expect(made.sluice(["trust", "--deny"]).code).toBe(0);
    expect(JSON.parse(made.sluice([...FIRE, "--json", "--trust-hash", hash]).out).trust.state).toBe("denied");
    expect(made.hasRun()).toBe(false);
    made.trust();
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(true);
  });

  test("--revoke forgets", () => {
    const made = project();
    made.trust();
    expect(made.sluice(["trust", "--revoke"]).out).toContain("Forgotten");
    expect(JSON.parse(made.sluice(["trust", "--status", "--json"]).out)).toMatchObject({ state: "untrusted" });
    expect(made.sluice(["trust", "--revoke", "--yes"]).code).not.toBe(0);
  });

  test.each<[string, object, readonly string[]]>([
    [
      "a header",
      { url: "http://127.0.0.1:9/", headers: { x: "Bearer ${GITHUB_TOKEN}" } },
      ["x: Bearer ${GITHUB_TOKEN}", "gets the credential GITHUB_TOKEN"],
    ],
    ["a variable", { command: "true", pass_env: ["NPM_TOKEN"] }, ["gets the credential NPM_TOKEN"]],
    ["a shell", { command: "true", shell: "./mysh" }, ["shell: ./mysh"]],
    ["options", { module: "./p.js", options: { send: "everything" } }, ["send: everything"]],
    [
      "a condition",
      { when: { if: 'tool == "bash"', then: { command: "true" } } },
      ['if: tool == "bash"', "command: true"],
    ],
  ])("%s that a hook has is shown before anything is approved", (_, more, words) => {
    const made = clone();
    made.write("p.js", "export default { name: 'p' };");
    made.write("mysh", "#!/bin/sh\n", 0o755);
    made.write(".sluice/hooks.json", { hooks: [{ name: "all-of-it", event: "tool:pre_execute", ...more }] });
    const { out } = made.sluice(["trust"]);
    for (const line of words) expect(out).toContain(line);
  });

  test("nothing in a hook can hide from the user who looks at it", () => {
    const made = project();
    const command = "true # \u001b[2K\u202Elmth.\u2066\u200b\u{e0041}";
    made.write(".sluice/hooks.json", { hooks: [hook({ command })] });
    const { out } = made.sluice(["trust"]);
    expect(out).toContain("true # \\u001b[2K\\u202elmth.\\u2066\\u200b\\ue0041");
  });

  test("a project that only denies and asks needs no approval", () => {
    const made = clone();
    made.write(".sluice/hooks.json", { hooks: [GUARD] });
    const { code, out } = made.sluice(["trust"]);
    expect(code).toBe(0);
    expect(out).toContain("Nothing here needs an approval");
  });

  test("a file that is swapped between the look and the answer is not approved", async () => {
    const made = project();
    const command = commandNamed("trust");
    const env = { HOME: made.home, XDG_STATE_HOME: join(made.home, ".state") };
    const said: string[] = [];
    const talk = (text: string) => void said.push(text);
    const io: Io = { ...SILENT, out: talk, err: talk, isTerminal: true, cwd: made.root, env };
    const input = command && readInput(command, [], io, COMMANDS);
    if (input === undefined || input instanceof Error) throw new Error("the command is not there");
    const swapped = trustWith(input, async () => {
      made.write("scripts/canary.sh", `${CANARY}echo evil\n`);
      return "y";
    });
    await expect(swapped).rejects.toThrow("changed after it was shown");
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(false);
    expect(await trustWith(input, async () => "n")).toBe("problem");
    expect(await trustWith(input, async () => "y")).toBe("done");
  });
});

test("at a terminal it asks about one hook after the other, and approves those alone that are answered with yes", async () => {
  const made = project();
  made.write(".sluice/hooks.json", { hooks: ["one", "two", "three"].map((name) => ({ ...hook(), name })) });
  const command = commandNamed("trust");
  const said: string[] = [];
  const talk = (text: string) => void said.push(text);
  const env = { HOME: made.home, XDG_STATE_HOME: join(made.home, ".state") };
  const io: Io = { ...SILENT, out: talk, err: talk, isTerminal: true, cwd: made.root, env };
  const input = command && readInput(command, [], io, COMMANDS);
  if (input === undefined || input instanceof Error) throw new Error("the command is not there");
  const answers = ["n", "y", "q"];
  const asked: string[] = [];
  const exit = await trustWith(input, async (question) => {
    asked.push(question);
    return answers[asked.length - 1] ?? "";
  });
  expect(exit).toBe("problem");
  expect(asked).toHaveLength(3);
  expect(asked[1]).toContain("Approve two exactly as it is shown?");
  expect(said.at(-1)).toContain("Approved two. Not approved: one, three.");
  const { hooks } = JSON.parse(made.sluice(["trust", "--status", "--json"]).out);
  expect(hooks.map(({ state }: { state: string }) => state)).toEqual(["untrusted", "trusted", "untrusted"]);
});

describe("where no user can be asked", () => {
  test("the right hash runs the hooks this once, a wrong one does not", () => {
    const made = project();
    const hash = hashOf(made);
    made.sluice([...FIRE, "--trust-hash", hash]);
    expect(made.hasRun()).toBe(true);
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(false);
    const wrong = made.sluice([...FIRE, "--trust-hash", hash.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]);
    expect(wrong.err).toContain("is not that of this project");
    expect(made.sluice([...FIRE, "--trust-hash", "yes"]).err).toContain("is not a trust hash");
    expect(made.hasRun()).toBe(false);
  });

  test.each([{}, { CI: "true" }, { CI: "true", GITHUB_ACTIONS: "true" }])(
    "a hash in the environment approves nothing, with %o beside it",
    (runner) => {
      const made = project();
      const { err } = made.sluice(FIRE, { SLUICE_TRUST_HASH: hashOf(made), ...runner });
      expect(err).toContain("SLUICE_TRUST_HASH in the environment approves nothing");
      expect(made.hasRun()).toBe(false);
    },
  );

  test("a build server approves by the hash before the agent starts", () => {
    const made = project();
    const hash = hashOf(made);
    const wrong = made.sluice(["trust", "--trust-hash", `sha256:${"0".repeat(64)}`]);
    expect(wrong.err).toContain("is not that of this project");
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(false);
    expect(made.sluice(["trust", "--trust-hash", hash]).code).toBe(0);
    // Also where nothing waits for an approval any more.
    const later = made.sluice(["trust", "--trust-hash", `sha256:${"0".repeat(64)}`]);
    expect(later.code).not.toBe(0);
    expect(later.err).toContain("is not that of this project");
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(true);
  });

  test("approvals in a state folder inside the project count for nothing", () => {
    const made = project();
    const inside = { XDG_STATE_HOME: `${made.root}/.state` };
    const approved = made.sluice(["trust", "--yes"], inside);
    expect(approved.code).not.toBe(0);
    expect(approved.err).toContain("is inside the project that it approves");
    made.sluice(FIRE, inside);
    expect(made.hasRun()).toBe(false);
  });

  test("a folder in another case is another folder", () => {
    const made = clone();
    made.write("ordinary/README.md", "");
    made.write(".SLUICE/hooks.json", { hooks: [hook()] });
    made.write("scripts/canary.sh", CANARY);
    made.sluice(FIRE);
    expect(made.hasRun()).toBe(false);
  });
});

describe("the other commands", () => {
  test("list shows what does not run, and why; check reads it all the same", () => {
    const made = project();
    const { out, err } = made.sluice(["list"]);
    expect(out).toMatch(/on\s+project\s+guard/);
    expect(out).toMatch(/off\s+project\s+canary.*not approved yet/);
    expect(err).toContain("Run `sluice trust`");
    expect(JSON.parse(made.sluice(["check", "--json"]).out).hooks).toBe(2);
  });

  test("a relative name is no approval of another file in another folder", () => {
    const made = project();
    made.write("scripts/canary.sh", "true\n");
    made.write("deep/scripts/canary.sh", CANARY);
    made.trust();
    const { err } = made.sluice(FIRE, {}, join(made.root, "deep"));
    expect(made.hasRun()).toBe(false);
    expect(err).toContain("deep/scripts/canary.sh, which is not approved");
  });

  test("what init and templates write for the user is approved, and nothing that lay there before", () => {
    const fresh = clone();
    expect(fresh.sluice(["init", "--template", "log_all"]).out).toContain("approved for you");
    expect(fresh.sluice(["templates", "add", "git_auto_commit"]).out).toContain("approved for you");
    expect(fresh.sluice(["trust", "--status"]).code).toBe(0);
    const foreign = project();
    expect(foreign.sluice(["templates", "add", "log_all"]).out).toContain("approved for you");
    expect(foreign.sluice(["trust", "--status"]).out).toMatch(/log_all\s+approved[\s\S]*canary\s+new/);
    foreign.sluice(FIRE);
    expect(foreign.hasRun()).toBe(false);
  });

  test("packs names the packages in use and the hooks each brings", () => {
    const made = clone();
    made.write("node_modules/@acme/hooks/package.json", { version: "1.2.3", sluice: "./mine.json" });
    made.write("node_modules/@acme/hooks/mine.json", { hooks: [{ ...GUARD, name: "of-acme" }] });
    made.write(".sluice/hooks.json", { extends: "@acme/hooks", hooks: [] });
    expect(made.sluice(["packs"]).out).toMatch(/@acme\/hooks\s+1\.2\.3\s+project\s+of-acme/);
    expect(made.sluice(FIRE.with(2, "--args").with(3, '{"command":"rm"}')).code).toBe(2);
  });
});

describe("a program with a HooksManager", () => {
  const call = { tool: "bash", args: { command: "ls" } };
  const session = { sessionId: "s" };

  test("may answer for its root, for all of it or for these bytes", async () => {
    const made = project();
    for (const trust of ["all", hashOf(made) as `sha256:${string}`] as const) {
      vi.stubEnv("XDG_STATE_HOME", join(made.home, ".state"));
      vi.stubEnv("XDG_CONFIG_HOME", join(made.home, ".config"));
      const manager = new HooksManager({ root: made.root, trust });
      manager.load();
      await manager.emit(session, "PreToolUse", call);
      expect(made.hasRun()).toBe(true);
    }
    vi.unstubAllEnvs();
  });

  test("stops running a script that is changed in the middle of a session, and says so", async () => {
    const made = project();
    made.write("scripts/canary.sh", "true\n");
    made.trust();
    vi.stubEnv("XDG_STATE_HOME", join(made.home, ".state"));
    vi.stubEnv("XDG_CONFIG_HOME", join(made.home, ".config"));
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const manager = new HooksManager({ root: made.root });
    manager.load();
    expect(await manager.emit(session, "PreToolUse", call)).toHaveLength(2);
    made.write("scripts/canary.sh", CANARY);
    expect((await manager.emit(session, "PreToolUse", call)).map(({ action }) => action)).toEqual(["continue", "ask"]);
    expect(made.hasRun()).toBe(false);
    expect(warn.mock.calls.join("\n")).toContain("changed since you approved it");
    made.trust();
    expect(await manager.emit(session, "PreToolUse", call)).toHaveLength(2);
    expect(made.hasRun()).toBe(true);
    warn.mockRestore();
    vi.unstubAllEnvs();
  });

  test.each([
    ["an event that does not exist", { event: "tool:pre_exec", command: "true" }, "ask"],
    ["a kind of tool that does not exist", { event: "tool:pre_execute:@shel", command: "true" }, "ask"],
    ["an action that does not exist", { event: "PreToolUse", rules: 'tool exists -> denny("no")' }, "deny"],
    ["a field that does not exist", { event: "PreToolUse", rules: 'args.comand contains "x" -> deny("no")' }, "deny"],
  ])("keeps the gate of a file's hook shut that has %s", async (_, broken, action) => {
    const made = clone();
    made.write(".sluice/hooks.json", { hooks: [{ name: "broken", ...broken }] });
    vi.stubEnv("XDG_STATE_HOME", join(made.home, ".state"));
    vi.stubEnv("XDG_CONFIG_HOME", join(made.home, ".config"));
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const manager = new HooksManager({ root: made.root });
    manager.load();
    const results = await manager.emit(session, "PreToolUse", call);
    expect(results.map(({ hook, action }) => [hook.name, action])).toEqual([["broken", action]]);
    await manager.close();
    warn.mockRestore();
    vi.unstubAllEnvs();
  });
});

const SILENT = { ...({} as Io), hasColour: false, width: 100 };

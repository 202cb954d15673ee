import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPause } from "../../src/policies/protect/pause.ts";
import { type Household, household } from "./household.ts";

const RULE = `hooks:
  - name: no-curl
    event: tool:pre_execute:@shell
    type: inline
    inline_rules: [{ field: args.command, operator: contains, value: curl, action: deny, reason: no curl here }]
`;

describe("sluice pause", () => {
  it("lets changes pass at once, says so in the journal, and ends when it is told to", () => {
    const { atTerminal, sluice, bash, home } = household();
    const edit = "echo x > .claude/settings.json";
    expect(bash(edit).action).toBe("deny");
    expect(sluice(["pause", "--status"]).out).toBe("Self-protection is on.\n");
    const opened = atTerminal(["pause", "10m"], "y\n");
    expect(opened.code).toBe(0);
    expect(opened.out).toContain("Self-protection is paused for 10 min.");
    expect(statSync(join(home, ".local/state/sluice/protect/pause.json")).mode & 0o777).toBe(0o600);
    expect(bash(edit, "another").action).toBe("continue");
    expect(journalOf(home)).toContain("paused, 10 min left: this call changes");
    expect(bash("sluice trust --yes", "another").action).toBe("deny");
    expect(sluice(["pause", "--end"]).out).toBe("Self-protection is on again.\n");
    expect(bash(edit, "another").action).toBe("deny");
  });

  it("changes nothing for hooks and guards", () => {
    const made = household();
    made.put("~/.config/sluice/hooks.yaml", RULE);
    pause(made);
    expect(made.bash("rm -rf .sluice").action).toBe("continue");
    expect(made.bash("curl example.com")).toMatchObject({
      action: "deny",
      reason: expect.stringContaining("no curl here"),
    });
  });

  // Every such variable is tried beside `whyNoPerson`.
  it.each([
    ["without a terminal", {}, "there is no terminal"],
    ["in an agent's environment", { CLAUDECODE: "1" }, "CLAUDECODE is set"],
    ["inside a hook", { SLUICE_DEPTH: "1" }, "SLUICE_DEPTH is set"],
  ])("is refused %s", (where, env, why) => {
    const { atTerminal, sluice, bash } = household();
    // Output that is not read keeps the terminal waiting; one yes that does not count is enough.
    const typed = where === "inside a hook" ? "y\n" : "";
    const ended = where === "without a terminal" ? sluice(["pause", "10m"]) : atTerminal(["pause", "10m"], typed, env);
    expect(ended.code).toBe(1);
    expect(ended.out + ended.err).toContain(why);
    expect(bash("rm -rf .sluice").action).toBe("deny");
  });

  it("is refused below an agent's own process", () => {
    const { put, atTerminal, bash } = household();
    // A program that is called like an agent, and does nothing but run what it is given.
    const agent = put("bin/claude", '"$@"\n');
    const said = atTerminal(["pause", "10m"], "y\n", {}, ["/bin/sh", agent]);
    expect(said.code).toBe(1);
    expect(said.out).toContain("it was started by Claude Code");
    expect(bash("rm -rf .sluice").action).toBe("deny");
  });

  it("needs a yes", () => {
    const { atTerminal, bash } = household();
    expect(atTerminal(["pause", "10m"], "n\n").code).toBe(1);
    expect(bash("rm -rf .sluice").action).toBe("deny");
  });

  it.each(["2h", "61m", "0m", "soon", "-5m"])("takes no %s", (length) => {
    // It is read before anything else: also where there is no terminal.
    expect(household().sluice(["pause", length]).code).toBe(64);
  });

  it("a file that others could have written opens nothing", () => {
    const made = household();
    pause(made);
    const file = join(made.home, ".local/state/sluice/protect/pause.json");
    const paused = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...paused, end: paused.end + 24 * 3600_000 }));
    expect(made.bash("rm -rf .sluice").action).toBe("deny");
  });
});

describe("sluice allow-once", () => {
  const denied = () => {
    const made = household();
    made.put("~/.config/sluice/hooks.yaml", RULE);
    const { id = "" } = made.bash("curl a.example");
    return { ...made, id };
  };

  it("lets exactly this call pass, once", () => {
    const { id, atTerminal, bash, call, home, sluice } = denied();
    expect(sluice(["why", id]).out).toContain(`sluice allow-once ${id}`);
    const said = atTerminal(["allow-once", id], "y\n");
    expect(said.code).toBe(0);
    expect(said.out).toContain("no curl here");
    expect(bash("curl b.example").action).toBe("deny");
    expect(bash("curl a.example", "another session").action).toBe("deny");
    const passed = call("Bash", { command: "curl a.example", description: "in other words" });
    expect(passed.action).toBe("continue");
    expect(journalOf(home)).toContain(`The user allowed this call once (sluice allow-once ${id}).`);
    expect(bash("curl a.example").action).toBe("deny");
  });

  it("is refused without a terminal, in an agent, without a yes, and for unknown ids", () => {
    const { id, atTerminal, bash, sluice } = denied();
    expect(sluice(["allow-once", id]).code).toBe(1);
    expect(atTerminal(["allow-once", id], "y\n", { CODEX_THREAD_ID: "1" }).code).toBe(1);
    expect(atTerminal(["allow-once", id], "\n").code).toBe(1);
    expect(atTerminal(["allow-once", "ffffff"], "").code).toBe(1);
    expect(bash("curl a.example").action).toBe("deny");
  });

  it("lifts nothing that self-protection said", () => {
    const { atTerminal, bash } = household();
    const { id = "" } = bash("rm -rf .sluice");
    const said = atTerminal(["allow-once", id], "y\n");
    expect(said.code).toBe(1);
    expect(said.out).toContain("cannot be lifted");
    expect(bash("rm -rf .sluice").action).toBe("deny");
  });
});

describe("a denial is remembered for a minute", () => {
  const guarded = (reason: string) => {
    const made = household();
    made.put("prod.json", "{}\n");
    made.put(
      "~/.config/sluice/hooks.yaml",
      `hooks:
  - name: no-edit
    event: tool:pre_execute:@write
    type: inline
    inline_rules: [{ field: path, operator: ends_with, value: prod.json, action: deny, reason: "${reason}" }]
`,
    );
    expect(made.call("Edit", { file_path: "prod.json", old_string: "a", new_string: "b" }).action).toBe("deny");
    return made;
  };

  it.each([
    "echo x > prod.json",
    "sed -i s/a/b/ ./prod.json",
    "rm prod.json",
    "cp other.json prod.json",
    "python3 -c \"open('prod.json','w').write('{}')\"",
    "bash -c 'tee prod.json < x'",
  ])("another way to the same file is denied: %s", (command) => {
    const { bash } = guarded("production is not edited");
    const { action, reason } = bash(command);
    expect(action).toBe("deny");
    expect(reason).toMatch(/You were denied to change .*prod\.json \d+ s ago \(production is not edited\)/);
  });

  it("an MCP tool is another way too", () => {
    const { call } = guarded("production is not edited");
    expect(call("mcp__files__write_file", { path: "prod.json", content: "" }).action).toBe("deny");
  });

  it.each(["cat prod.json", "grep a prod.json", "echo x > test.json", "rm other.json", "ls", "cp prod.json /tmp/copy"])(
    "reading it, and everything else, passes: %s",
    (command) => {
      const { bash } = guarded("production is not edited");
      expect(bash(command).action).toBe("continue");
    },
  );

  it("the way that the denial names stays open", () => {
    const { bash } = guarded("change it with jq and sponge instead");
    expect(bash("jq . prod.json | sponge prod.json").action).toBe("continue");
  });

  it("other sessions do not hear of it", () => {
    const { bash } = guarded("production is not edited");
    expect(bash("echo x > prod.json", "another session").action).toBe("continue");
  });

  it("a denial for something else is no denial of every file in it", () => {
    const made = household();
    made.put("~/.config/sluice/hooks.yaml", RULE);
    expect(made.bash("curl a.example -o page.html").action).toBe("deny");
    expect(made.bash("echo x > page.html").action).toBe("continue");
  });
});

/** Opens a pause as the command does when a person has said yes. */
function pause({ home, root }: Household): void {
  expect(openPause(600_000, { env: {}, home, root })).toBeDefined();
}

function journalOf(home: string): string {
  const folder = join(home, ".local/state/sluice/decisions");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

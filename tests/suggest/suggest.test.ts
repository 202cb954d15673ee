import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { suggestWith } from "../../src/cli/commands/suggest.ts";
import { environmentOf as envOf, runAtTerminal } from "../cli/at-terminal.ts";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";

const USER = `guards: standard # for every project

hooks:
  - name: deploys
    event: tool:pre_execute:@shell
    rules: args.command starts_with "make deploy" -> ask("This changes a server.")
  - name: tabs # under trial
    event: tool:pre_execute:@shell
    mode: monitor
    rules: args.command contains "expand" -> deny("Tabs stay.")
  - name: never-met
    event: tool:pre_execute:@shell
    rules: args.command equals "no such line" -> deny("No.")
  - name: same-as-deploys
    event: tool:pre_execute:@shell
    rules: args.command starts_with "make deploy-all" -> ask("All of them.")
  - name: stricter-than-deploys
    event: tool:pre_execute:@shell
    rules: args.command starts_with "make deploy-never" -> deny("Never.")
`;

/** A user with hooks, and the calls of a past hour. */
function lived(calls: readonly (readonly [command: string, isMade: boolean])[], hooks = USER): Project {
  const at = project();
  const file = join(at.home, ".config/sluice/hooks.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hooks);
  for (const [index, [command, isMade]] of calls.entries()) {
    const call = {
      session_id: `s${index % 4}`,
      cwd: at.root,
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: `t${index}`,
    };
    agent(at, { ...call, hook_event_name: "PreToolUse" });
    if (isMade) agent(at, { ...call, hook_event_name: "PostToolUse", tool_response: { stdout: "" } });
  }
  anHourAgo(at);
  return at;
}

function agent(at: Project, payload: object, name = "claude-code"): void {
  runCommand(["run", name], { cwd: at.root, env: envOf(at), input: JSON.stringify(payload) });
}

/** A question of a moment ago may still be answered, so the journal is an hour older. */
function anHourAgo({ home }: Project): void {
  const folder = join(home, ".state/sluice/decisions");
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".jsonl"))) {
    const text = readFileSync(join(folder, name), "utf8");
    const older = text.replaceAll(
      /"time":"([^"]+)"/g,
      (_, time) => `"time":"${new Date(Date.parse(time) - 3_600_000).toISOString()}"`,
    );
    writeFileSync(join(folder, name), older);
  }
}

function suggested(at: Project): SuggestionJson[] {
  const { code, out, err } = at.sluice("suggest", "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out).suggestions;
}

interface SuggestionJson {
  readonly kind: string;
  readonly about: string;
  readonly count: number;
  readonly calls: readonly { readonly text: string }[];
  readonly edit?: { readonly file: string; readonly after: string };
  readonly replay?: {
    readonly changes: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  };
}

const repeat = (command: string, isMade: boolean, count: number) =>
  Array.from({ length: count }, () => [command, isMade] as const);

describe("sluice suggest", () => {
  it("makes what was asked about and always approved the narrowest exception, with its replay", () => {
    const at = lived([...repeat("terraform destroy -target=module.dev", true, 3), ...repeat("sudo ls", false, 3)]);
    const found = suggested(at).find(({ kind }) => kind === "exception");
    expect(found).toMatchObject({ count: 3, edit: { file: join(at.home, ".config/sluice/hooks.yaml") } });
    expect(found?.edit?.after).toContain("command: terraform destroy -target=module.dev");
    expect(found?.edit?.after).toContain("  - name: tabs # under trial");
    expect(found?.replay?.changes).toMatchObject([{ from: "ask", to: "continue", count: 3 }]);
  });

  it("makes what a rule of one's own asks about and is always approved a line before that rule", () => {
    const at = lived(repeat("make deploy-dev", true, 4));
    expect(suggested(at)).toMatchObject([
      {
        kind: "allow_rule",
        about: "deploys",
        count: 4,
        replay: { changes: [{ from: "ask", to: "continue", count: 4 }] },
      },
    ]);
  });

  it("makes what was asked about and never approved a denial", () => {
    const at = lived(repeat("make deploy-prod", false, 3));
    const [found] = suggested(at);
    expect(found).toMatchObject({ kind: "deny_rule", replay: { changes: [{ from: "ask", to: "deny", count: 3 }] } });
    expect(found?.edit?.after).toContain("name: never-make-deploy-prod");
  });

  it("suggests nothing from what was sometimes approved, or happened once or twice", () => {
    expect(suggested(lived([...repeat("make deploy", true, 3), ...repeat("make deploy", false, 1)]))).toEqual([]);
    expect(suggested(lived(repeat("make deploy", true, 2)))).toEqual([]);
  });

  it("names monitor hooks with what they would have stopped, and hooks that another one covers", () => {
    const at = lived([
      ...repeat("expand a.txt", true, 2),
      ...repeat("make deploy-all", false, 1),
      ...repeat("make deploy-all x", true, 2),
    ]);
    const found = suggested(at);
    const enforce = found.find(({ kind }) => kind === "enforce");
    expect(enforce).toMatchObject({
      about: "tabs",
      count: 2,
      replay: { changes: [{ from: "continue", to: "deny", count: 2 }] },
    });
    expect(enforce?.edit?.after).not.toContain("monitor");
    expect(enforce?.edit?.after).toContain("  - name: tabs # under trial");
    expect(found).toContainEqual(expect.objectContaining({ kind: "shadowed", about: "same-as-deploys", count: 3 }));
  });

  it("does not call a denial covered by a question", () => {
    const found = suggested(lived(repeat("make deploy-never", false, 4)));
    expect(found.filter(({ about }) => about === "stricter-than-deploys")).toEqual([]);
  });

  it("switches off a covered hook by an edit that opens nothing, and never both of two that cover each other", () => {
    const twins = `${USER}  - name: twin
    event: tool:pre_execute:@shell
    rules: args.command starts_with "make deploy-all" -> ask("A twin.")
  - name: harder
    event: tool:pre_execute:@shell
    rules: args.command starts_with "make deploy-all" -> deny("Never all.")
`.replace('make deploy" -> ask', 'make nothing" -> ask');
    const at = lived(repeat("make deploy-all", false, 3), twins);
    const found = suggested(at).filter(({ kind }) => kind === "shadowed");
    // What denies is not covered by what asks.
    expect(found.map(({ about }) => about).sort()).toEqual(["same-as-deploys", "twin"]);
    for (const one of found) {
      expect(one).toMatchObject({ count: 3, replay: { changes: [] } });
      expect(one.calls).toHaveLength(3);
      expect(one.edit?.after).toContain("enabled: false");
    }
    writeFileSync(join(at.home, ".config/sluice/hooks.yaml"), twins.replace(/ {2}- name: harder.*/s, ""));
    expect(suggested(at).filter(({ kind }) => kind === "shadowed")).toHaveLength(1);
  });

  it("does not take the denial of an agent that cannot ask for the user's answer", () => {
    const at = lived([["ls", true]]);
    for (let index = 0; index < 3; index++) {
      const call = { session_id: `s${index}`, cwd: at.root, tool_name: "Bash", tool_use_id: `t${index}` };
      const made = { ...call, tool_input: { command: "make deploy-dev" } };
      agent(at, { ...made, hook_event_name: "PreToolUse" });
      agent(at, { ...made, hook_event_name: "PostToolUse", tool_response: { stdout: "" } });
      agent(at, { ...made, hook_event_name: "PreToolUse", model: "m", turn_id: `u${index}` }, "codex");
    }
    anHourAgo(at);
    expect(suggested(at)).toContainEqual(expect.objectContaining({ kind: "allow_rule", count: 3 }));
  });

  it("names hooks that many calls have never moved", () => {
    const at = lived(repeat("ls", true, 1));
    const folder = join(at.home, ".state/sluice/decisions");
    const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".jsonl"));
    const text = readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, name), text.repeat(210));
    const unused = suggested(at).find(({ about }) => about === "never-met");
    expect(unused).toMatchObject({ kind: "unused", replay: { changes: [] } });
    expect(unused?.edit?.after).toMatch(/name: never-met\n(?:.*\n)*? +enabled: false/);
  });

  it("without a terminal shows everything and writes nothing", () => {
    const at = lived(repeat("make deploy-dev", true, 3));
    const { code, out, err } = at.sluice("suggest");
    expect(code).toBe(0);
    expect(out).toContain('Let "make deploy-dev" pass in deploys.');
    expect(out).toContain("3 times asked about, and you said yes each time.");
    expect(out).toMatch(/\+ +rules: \|-\n/);
    expect(out).toContain("Of 6 recorded calls, 3 would pass that were stopped, and 0 would be treated more strictly.");
    expect(err).toContain("In a terminal of your own, `sluice suggest` asks about each.");
    expect(readFileSync(join(at.home, ".config/sluice/hooks.yaml"), "utf8")).toBe(USER);
  });

  it("writes what a person confirms, with a test that holds it", async () => {
    const at = lived([...repeat("make deploy-dev", true, 3), ...repeat("make deploy-prod", false, 3)]);
    const asked: string[] = [];
    const out = await atTerminal(at, async (question) => {
      asked.push(question);
      return asked.length === 1;
    });
    expect(asked).toHaveLength(2);
    expect(out).toContain("Written: ~/.config/sluice/hooks.yaml.");
    const text = readFileSync(join(at.home, ".config/sluice/hooks.yaml"), "utf8");
    expect(text).toContain('args.command equals "make deploy-dev" -> continue()');
    expect(text).not.toContain("never-make");
    expect(at.sluice("test").out).toMatch(/✓ make deploy-dev \(decision [0-9a-f]+\) +continue/);
    expect(at.sluice("check").code).toBe(0);
  });

  it("writes several changes of one file, one after the other", async () => {
    const at = lived([...repeat("make deploy-dev", true, 3), ...repeat("make deploy-all", false, 3)]);
    for (const [command, isMade] of repeat("expand a.txt", true, 1))
      agent(at, {
        session_id: "x",
        cwd: at.root,
        tool_name: "Bash",
        tool_input: { command },
        hook_event_name: isMade ? "PreToolUse" : "",
      });
    const asked: string[] = [];
    const out = await atTerminal(at, async (question) => asked.push(question) > 0);
    expect(out.match(/Written: /g)).toHaveLength(asked.length);
    const text = readFileSync(join(at.home, ".config/sluice/hooks.yaml"), "utf8");
    expect(text).toContain('args.command equals "make deploy-dev" -> continue()');
    expect(text).not.toContain("mode: monitor");
    expect(at.sluice("test").out).toMatch(/✓ expand a\.txt \(decision [0-9a-f]+\) +deny/);
    expect(text).toContain("enabled: false");
    expect(suggested(at).filter(({ kind }) => kind === "enforce" || kind === "shadowed")).toEqual([]);
  });
});

/** Runs the command as a person at a terminal does; how the terminal is told from an agent's is tried elsewhere. */
const atTerminal = (at: Project, sure: (question: string) => Promise<boolean>) =>
  runAtTerminal(at, ["suggest"], async (input) => {
    await suggestWith(input, { sure, isPerson: true });
  });

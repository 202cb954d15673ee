import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { adapterNamed } from "../../src/adapters/index.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { main } from "../../src/cli/main.ts";
import { answer } from "../../src/decide/answer.ts";
import { type Action, STRICTNESS } from "../../src/decision/result.ts";
import { Hook } from "../../src/index.ts";
import { decide } from "../../src/testing.ts";
import type { TryResult } from "../../src/ui-server/wire.ts";
import { project } from "../cli/sluice.ts";
import { writeSettled } from "../settled-file.ts";
import { pagesServer } from "../ui/pages-server.ts";

afterEach(() => vi.unstubAllEnvs());

/** Events and rules of hooks: names of tools in different spellings, kinds, agents, questions and changes. */
const HOOKS: readonly (readonly [event: string, rule: string])[] = [
  ["tool:pre_execute:Bash", 'args.command contains "curl" -> deny("no")'],
  ["tool:pre_execute:bash", 'args.command contains "curl" -> deny("no")'],
  ["tool:pre_execute:@shell", 'args.command contains "curl" -> deny("no")'],
  ["tool:pre_execute", 'call runs "curl" -> ask("really?")'],
  ["PreToolUse:Bash", 'args.command contains "rm" -> deny("no")'],
  ["tool:pre_execute:[bB]ash", 'args.command starts_with "git" -> ask("really?")'],
  ["tool:pre_execute", 'agent equals "claude-code" and args.command contains "ls" -> deny("no")'],
  ["tool:pre_execute", 'agent equals "opencode" and args.command contains "ls" -> deny("no")'],
  ["tool:pre_execute", 'tool equals "Bash" and call network "*" -> deny("no")'],
  ["tool:*:bash", 'args.command equals "npm install" -> modify(args.command, "npm ci")'],
];

const CALLS = [
  "curl x",
  "ls",
  "rm a.txt",
  "git status",
  "npm install",
  "echo curl",
  "env X=1 curl https://example.com",
  "ls && rm -f b",
  "bash -c 'curl y'",
  "make",
];

/** What each agent is told, in the order of their names. */
type Told = Readonly<Record<string, Action>>;

const strictest = (actions: readonly Action[]) =>
  actions.reduce((one, other) => (STRICTNESS[other] > STRICTNESS[one] ? other : one));

test.each([
  ["claude-code", ["claude-code"]],
  ["claude-code and opencode", ["claude-code", "opencode"]],
] as const)(
  "with %s installed, explain, fire, test, sluice/testing, the playground and run decide 100 calls alike",
  async (_, agents) => {
    const { home, root: folder, sluice: installed } = project();
    installed("install", ...agents, "--yes");
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: join(home, ".state") };
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_STATE_HOME", env.XDG_STATE_HOME);
    const { logIn, port } = await pagesServer({ env });
    const origin = `http://127.0.0.1:${port}`;
    const headers = { ...(await logIn()), origin, "content-type": "application/json" };

    for (const [index, [event, rule]] of HOOKS.entries()) {
      const root = join(folder, String(index));
      const hook = { name: "one", event, rules: rule };
      // Each hook is in a configuration of the user, without the guards that were installed.
      env.XDG_CONFIG_HOME = join(home, String(index));
      vi.stubEnv("XDG_CONFIG_HOME", env.XDG_CONFIG_HOME);
      const write = (examples: object) =>
        writeSettled(
          join(env.XDG_CONFIG_HOME, "sluice/hooks.json"),
          JSON.stringify({ hooks: [{ ...hook, examples }] }),
        );
      mkdirSync(join(env.XDG_CONFIG_HOME, "sluice"), { recursive: true });
      mkdirSync(root);
      write([]);
      const sluice = async (...args: string[]) => {
        const out: string[] = [];
        const world = { isTerminal: false, hasColour: false, width: 200, cwd: root, env };
        const io = { ...world, out: (text: string) => out.push(text), err: () => {}, write: () => {} };
        const exit = await main([...args, "--json"], io, COMMANDS);
        return { ...JSON.parse(out.join("\n")), exit: EXIT_CODES[exit].code };
      };
      const actions: Record<string, Action> = {};
      const unanimous = new Set<string>();
      for (const command of CALLS) {
        const told = await run(command, agents, root, env);
        const wanted = strictest(Object.values(told));
        const explained = await sluice("explain", command);
        const fired = await sluice("fire", command);
        const body = JSON.stringify({ text: command, root });
        const page = (await (await fetch(`${origin}/api/try`, { method: "POST", body, headers })).json()) as TryResult;
        const decided = (await decide(Hook.fromJSON(hook), command)).action;
        const shown = page.answers.filter(({ agent }) => agents.some((one) => one === agent));
        const { action } = fired;
        actions[command] = action;
        if (fired.agents.every((one: AgentVerdict) => one.action === action)) unanimous.add(command);
        expect({
          explain: toldOf(explained.agents),
          fire: toldOf(fired.agents),
          page: Object.fromEntries(shown.map((one) => [one.agent, one.action])),
        }).toEqual({ explain: told, fire: told, page: told });
        // Where an agent cannot ask or change, what it is told is stricter than the decision.
        expect([explained.decision.action, page.action, decided]).toEqual([action, action, action]);
        if (action === "deny" || wanted !== "deny") expect(action).toBe(wanted);
        expect(fired.exit).toBe({ continue: 0, modify: 0, ask: 3, deny: 2 }[action as Action]);
      }
      const examples = CALLS.map((command) => ({ args: { command }, expect: actions[command] }));
      write(examples);
      const { outcomes } = await sluice("test");
      const expected = CALLS.map((command) => [command, unanimous.has(command) ? "passed" : "failed"]);
      expect(CALLS.map((command, at) => [command, outcomes[at].status])).toEqual(expected);
    }
  },
);

interface AgentVerdict {
  readonly agent: string;
  readonly action: Action;
  readonly told: Action;
}

function toldOf(verdicts: readonly AgentVerdict[]): Told {
  return Object.fromEntries(verdicts.map(({ agent, told }) => [agent, told]));
}

/** What `sluice run --cold` answers each agent. */
async function run(
  command: string,
  agents: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Told> {
  const found: Record<string, Action> = {};
  for (const agent of agents) {
    const payload = adapterNamed(agent)?.canary?.payload(command, cwd);
    const { stdout } = await answer({ text: JSON.stringify(payload), agent }, { cwd, env });
    const said = stdout === "" ? {} : JSON.parse(stdout);
    const { permissionDecision, updatedInput } = said.hookSpecificOutput ?? {};
    const isChanged = said.args !== undefined || updatedInput !== undefined;
    found[agent] = isChanged ? "modify" : (permissionDecision ?? said.action ?? "continue");
  }
  return found;
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { looseningCommand, verbInCode } from "./loosening-commands.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "sluice-loosening-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
mkdirSync(join(cwd, "sub"));
writeFileSync(join(cwd, "off.json"), '{ "disableAllHooks": true }');
writeFileSync(join(cwd, "sub/deep.json"), '{ "disableAllHooks": true }');
writeFileSync(join(cwd, "on.json"), "{}");

function said(command: string): string | undefined {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd }));
  return looseningCommand(call) ?? verbInCode(command, call);
}

describe("an agent that is started without its hooks", () => {
  it.each([
    ["claude --settings off.json -p hi", "disableAllHooks"],
    ["cd sub && claude --settings deep.json -p hi", "disableAllHooks"],
    ["claude --settings sub/deep.json -p hi", "disableAllHooks"],
    [`claude --settings ${cwd}/off.json`, "disableAllHooks"],
    ["HOME=/tmp claude", "another HOME"],
    ["XDG_CONFIG_HOME=/tmp claude", "another XDG_CONFIG_HOME"],
    ["env -u HOME claude", "without its environment"],
    ["env --unset=XDG_STATE_HOME claude", "without its environment"],
    ["env - claude", "without its environment"],
    ["env --ignore-environment claude", "without its environment"],
    ["claude config set hooks x", "forgets its hooks"],
    ["LD_AUDIT=x claude", "LD_AUDIT loads other code"],
    ["NODE_PATH=/x sluice check", "NODE_PATH loads other code"],
  ])("is for a person: %s", (command, why) => {
    expect(said(command)).toContain(why);
  });

  it.each([
    "claude --settings on.json -p hi",
    "claude --settings not-there.json -p hi",
    "cat off.json",
    "env -u EDITOR claude",
    "env A=1 claude",
    "claude config set theme dark",
    "claude config get hooks",
    "PATH=$PATH:/x claude",
    "PATH=/x:$PATH sluice check",
    "HOME=/tmp ls",
  ])("is not meant by %s", (command) => {
    expect(said(command)).toBe(undefined);
  });
});

it.each([
  ["npm uninstall sluice", "it uninstalls Sluice"],
  ["npm pkg delete devDependencies.sluice", "it uninstalls Sluice"],
  ["yarn remove sluice", "it uninstalls Sluice"],
  ["rm $(which sluice)", "it changes the program of Sluice"],
  ['chmod -x "$(command -v sluice)"', "it changes the program of Sluice"],
  ["node -r ./node_modules/sluice/dist/command.cjs -e 0 trust", "`sluice trust` is for a person at a terminal"],
  ["node -e \"require('sluice'); run('pause')\"", "`sluice pause` is for a person at a terminal"],
  ["$RUNNER slu-x trust", "`sluice trust` is for a person at a terminal"],
  ["python3 -c \"run(name, 'trust', '--yes')\"", "`sluice trust` is for a person at a terminal"],
  ["python3 -c \"run(['sluice', 'intents', 'start', 'X'])\"", "`sluice intents start` is for a person at a terminal"],
])("%s: %s", (command, why) => {
  expect(said(command)).toBe(why);
});

it.each([
  "npm uninstall lodash",
  "npm pkg delete scripts.sluice",
  "npm pkg get devDependencies.sluice",
  "which sluice",
  "rm $(which vite)",
  "ls $(which sluice)",
  "node -e \"run('pause')\"",
  "node -e \"require('sluice')\"",
  "cat node_modules/sluice/dist/command.cjs trust",
  "$RUNNER trust",
  "python3 -c \"print('sluice intents are fine')\"",
  "python3 -c \"print('sluice', 'check')\"",
  "echo trust --yes",
])("what loosens nothing passes: %s", (command) => {
  expect(said(command)).toBe(undefined);
});

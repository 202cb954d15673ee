import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { agentWithoutHooks } from "./agent-escapes.ts";
import { looseningCommand, verbInCode } from "./loosening-commands.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "sluice-loosening-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
mkdirSync(join(cwd, "sub"));
for (const name of ["off.json", "off.yaml", "off.yml", "off.toml", "off.json.md", "off-json"])
  writeFileSync(join(cwd, name), '{ "disableAllHooks": true }');
writeFileSync(join(cwd, "sub/deep.json"), '{ "disableAllHooks": true }');
writeFileSync(join(cwd, "on.json"), "{}");

function said(command: string): string | undefined {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd }));
  return looseningCommand(call) ?? agentWithoutHooks(call) ?? verbInCode(command, call);
}

describe("an agent that is started without its hooks", () => {
  it.each([
    ["claude --settings off.json -p hi", "disableAllHooks"],
    ["claude --settings off.yaml", "disableAllHooks"],
    ["claude --settings off.yml", "disableAllHooks"],
    ["claude --settings off.toml", "disableAllHooks"],
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
    ["NODE_PATH=/x npx sluice check", "NODE_PATH loads other code"],
    ["NODE_OPTIONS='-r ./x.js' claude", "NODE_OPTIONS loads other code"],
    ["NODE_OPTIONS=--import=./x.mjs claude", "NODE_OPTIONS loads other code"],
    ["NODE_OPTIONS=$X claude", "NODE_OPTIONS loads other code"],
    ["LD_PRELOAD=x claude", "LD_PRELOAD loads other code"],
    ["LD_LIBRARY_PATH=x claude", "LD_LIBRARY_PATH loads other code"],
    ["DYLD_INSERT_LIBRARIES=x claude", "DYLD_INSERT_LIBRARIES loads other code"],
    ["DYLD_LIBRARY_PATH=x claude", "DYLD_LIBRARY_PATH loads other code"],
    ["BASH_ENV=x claude", "BASH_ENV loads other code"],
    ["PATH=/x:$PATH claude", "PATH loads other code"],
    ["USERPROFILE=/x claude", "another USERPROFILE"],
    ["XDG_STATE_HOME=/x claude", "another XDG_STATE_HOME"],
    ["CLAUDE_CONFIG_DIR=/x claude", "another CLAUDE_CONFIG_DIR"],
    ["export HOME=/tmp; claude", "another HOME"],
    ["env -i claude", "without its environment"],
    ["env -v -i claude", "without its environment"],
    ["env --unset HOME claude", "without its environment"],
    ["env -v0i claude", "without its environment"],
    ["env -iv claude", "without its environment"],
    ["env --ignore-env claude", "without its environment"],
    ["env -vuHOME claude", "without its environment"],
    ["env --uns=HOME claude", "without its environment"],
    ["env  -v  -u=XDG_CONFIG_HOME claude", "without its environment"],
    ["npx @anthropic-ai/claude-code@1 --settings off.json", "disableAllHooks"],
    ["pnpm dlx @anthropic-ai/claude-code@1.2 --settings off.json", "disableAllHooks"],
    ["pnpm dlx claude@1.2 --settings off.json", "disableAllHooks"],
    ["deno run -A npm:@anthropic-ai/claude-code@1.2 --settings off.json", "disableAllHooks"],
    ["node node_modules/@anthropic-ai/claude-code/cli.js --settings off.json", "disableAllHooks"],
    ["node bin/claude.js --settings off.json", "disableAllHooks"],
    ["node bin/claude.mjs --settings off.json", "disableAllHooks"],
    ["/usr/bin/claude --settings off.json", "disableAllHooks"],
    ["claude --settings '{\"disableAllHooks\": true}'", "disableAllHooks"],
    ["claude mcp remove sluice", "forgets its hooks"],
    ["claude config set theme 'no hooks'", "forgets its hooks"],
    ["claude plugin uninstall sluice", "forgets its hooks"],
    ["gemini extensions disable sluice", "forgets its hooks"],
    ["claude hooks purge x", "forgets its hooks"],
  ])("is for a person: %s", (command, why) => {
    expect(said(command)).toContain(why);
  });

  it.each([
    "claude --settings on.json -p hi",
    "claude --settings not-there.json -p hi",
    "claude -p off.json.md",
    "claude -p off-json",
    "cat off.json",
    "env -u EDITOR claude",
    "env A=1 claude",
    "env -u HOMES claude",
    "env -0v claude",
    "claude config reset hooks x",
    "claude config sets hooks x",
    "claude configs set sluice x",
    "claude xconfig set sluice x",
    "claude config set theme dark",
    "claude -p 'unset the hooks'",
    "claude -p 'remove the sluice plugin from the docs'",
    "claude config get hooks",
    "PATH=$PATH:/x claude",
    "PATH=/x:$PATH sluice check",
    "HOME=/tmp ls",
    "NODE_OPTIONS=--max-old-space-size=4096 claude",
    "NODE_OPTIONS=x-r claude",
    "claude mcp remove github",
    "claude mcp list sluice",
    "claude -p hi on.json",
    "my-claude --settings off.json",
    "claudex --settings off.json",
    "node my-claude-code/cli.js --settings off.json",
    "node bin/claude.jsx --settings off.json",
    "@claude --settings off.json",
    "pnpm dlx xnpm:claude --settings off.json",
    "env -i ls",
    "EDITOR=vim claude",
  ])("is not meant by %s", (command) => {
    expect(said(command)).toBe(undefined);
  });
});

it.each<[string, string]>([
  ["npm uninstall sluice", "it uninstalls Sluice"],
  ["node -e \"process.kill(pid('sluice'))\"", "it ends Sluice"],
  ["pkill sluice", "it ends Sluice"],
  ["python3 -c \"run(['sluice', 'pause', '5m'])\"", "`sluice pause` is for a person at a terminal"],
  ["python3 -c \"run(['sluice', 'intents', 'new'])\"", "`sluice intents new` is for a person at a terminal"],
  ["python3 -c \"run(['sluice.cjs', 'intents', 'done', 'X'])\"", "`sluice intents done` is for a person at a terminal"],
  ["npm pkg delete devDependencies.sluice", "it uninstalls Sluice"],
  ["yarn remove sluice", "it uninstalls Sluice"],
  ["rm $(which sluice)", "it changes the program of Sluice"],
  ["npm rm -g sluice", "it uninstalls Sluice"],
  ["npm un sluice", "it uninstalls Sluice"],
  ["npm r sluice", "it uninstalls Sluice"],
  ["npm unlink sluice", "it uninstalls Sluice"],
  ["mv $(which -a sluice) /tmp", "it changes the program of Sluice"],
  ["rm $(type -P sluice)", "it changes the program of Sluice"],
  ["rm $(hash -t sluice)", "it changes the program of Sluice"],
  ["rm $(which 'sluice')", "it changes the program of Sluice"],
  ["echo x > $(which sluice)", "it changes the program of Sluice"],
  ["deno run npm:sluice trust", "`sluice trust` is for a person at a terminal"],
  ["deno run npm:sluice@1 disable x", "`sluice disable` is for a person at a terminal"],
  ["bun x/sluice.cjs allow-once x", "`sluice allow-once` is for a person at a terminal"],
  ["node $X/slu.js trust", "`sluice trust` is for a person at a terminal"],
  ["node -p \"require('sluice')('uninstall')\"", "`sluice uninstall` is for a person at a terminal"],
  ["node --eval \"require('sluice')(`disable`)\"", "`sluice disable` is for a person at a terminal"],
  ["sluice allow x", "`sluice allow` is for a person at a terminal"],
  ["sluice ui", "`sluice ui` is for a person at a terminal"],
  ["sluice import x", "`sluice import` is for a person at a terminal"],
  ["sluice bundle build", "`sluice bundle` is for a person at a terminal"],
  ["sluice ship", "`sluice ship` is for a person at a terminal"],
  ["sluice templates add x", "`sluice templates add` is for a person at a terminal"],
  ["sluice templates x$X", "`sluice templates x…` is for a person at a terminal"],
  ["eval $X trust --yes", "`sluice trust` is for a person at a terminal"],
  ['eval "$X sluice intents new"', "`sluice intents new` is for a person at a terminal"],
  ['eval "$X sluice.mjs intents new"', "`sluice intents new` is for a person at a terminal"],
  ["eval \"$X 'sluice', 'intents', 'new'\"", "`sluice intents new` is for a person at a terminal"],
  ["eval $X trust -y", "`sluice trust` is for a person at a terminal"],
  ["node sluice/dist/x.js trust", "`sluice trust` is for a person at a terminal"],
  ['node -e \'require("sluice")("pause")\'', "`sluice pause` is for a person at a terminal"],
  ["lein run sluice intents new", "`sluice intents new` is for a person at a terminal"],
  ["python3 -c \"x.y(name, 'trust', '--yes')\"", "`sluice trust` is for a person at a terminal"],
  ...["trust", "pause", "uninstall", "allow-once", "disable"].flatMap((verb) =>
    [`node -r ./node_modules/sluice/dist/command.cjs -e 0 ${verb}`, `node -e "require('sluice').run('${verb}')"`].map(
      (line): [string, string] => [line, `\`sluice ${verb}\` is for a person at a terminal`],
    ),
  ),
  ["sluice $X", "`sluice …` is for a person at a terminal"],
  ["sluice intents start $X", "`sluice intents start` is for a person at a terminal"],
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
  "rm $(cat sluice.txt)",
  "ls $(which sluice)",
  "node -e \"run('pause')\"",
  "node -e \"require('sluice')\"",
  "cat node_modules/sluice/dist/command.cjs trust",
  "$RUNNER trust",
  "python3 -c \"print('sluice intents are fine')\"",
  "python3 -c \"print('sluice', 'check')\"",
  "echo trust --yes",
  "npm rm sluices",
  "npm xrm sluice",
  "npm rmx sluice",
  "npm pkg delete dependencies.sluices",
  "node x-e sluice.md trust",
  "deno run xnpm:sluice trust",
  "bun x/sluice.cjsx trust",
  "eval $X distrust --yes",
  "eval $X trusty --yes",
  "eval $X trust --yesterday",
  'eval "$X my_sluice intents new"',
  'eval "$X sluice x; intents new"',
  "npm run sluice delete",
  "deno run npm:sluices trust",
  "node x/sluicex.cjs trust",
  "node my-sluice/dist/x.js trust",
  "node -e 'trust'",
  "which sluice; rm a",
  "rm whichsluice",
  "vim node_modules/sluice/dist/command.cjs",
  "python3 -c \"run('sluice'); x('trust')\"",
  "python3 -c \"print('trust', 'no')\"",
  "python3 -c \"print('sluice intents list')\"",
])("a command that loosens nothing passes: %s", (command) => {
  expect(said(command)).toBe(undefined);
});

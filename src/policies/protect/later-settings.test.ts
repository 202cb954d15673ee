import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../adapters/index.ts";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { laterSettings } from "./later-settings.ts";

function said(tool: string, args: Readonly<Record<string, unknown>>): string | undefined {
  const event = HookEvent.toolPreExecute(tool, args, { cwd: "/nowhere/project" });
  return laterSettings(event, toolEffects(event));
}
const written = (file: string, content: string) => said("Write", { file_path: file, content });
const line = (command: string) => said("Bash", { command });

describe("a start-up file that sends what is started later to other settings is a question", () => {
  it.each(
    "~/.bashrc ~/.zshrc ~/.kshrc ~/.mkshrc ~/.profile ~/.bash_profile ~/.zprofile ~/.zshenv ~/.bash_env .env .env.local ~/.login ~/.zlogin .envrc .npmrc ~/.pam_environment mise.toml .mise.local.toml ~/.config/fish/config.fish .devcontainer/devcontainer.json /etc/environment ~/.config/environment.d/a.conf .git/hooks/pre-commit .husky/pre-push .githooks/post-merge".split(
      " ",
    ),
  )("%s", (file) => {
    expect(written(file, "export XDG_CONFIG_HOME=/tmp/x\n")).toContain(
      "would set XDG_CONFIG_HOME for what is started later",
    );
    expect(written(file, "export EDITOR=vim\n")).toBe(undefined);
  });

  it.each([
    "HOME=/tmp/x",
    "export XDG_STATE_HOME=/tmp",
    "LD_PRELOAD=./x.so",
    '"BASH_ENV": "x"',
    "a;DYLD_INSERT_LIBRARIES=x",
    "SLUICE_RESIDENT=0",
    "LD_AUDIT = x",
    ...ADAPTERS.flatMap(({ escapes }) => escapes?.variables ?? []).map((name) => `export ${name}=/tmp/x`),
  ])("by a variable: %s", (text) => {
    expect(written("~/.bashrc", text)).toContain("which then looks elsewhere for its hooks");
  });

  it.each([
    "NODE_OPTIONS='--require ./x.js'",
    "node-options=--import ./x.mjs",
    "NODE_OPTIONS=--max-old-space-size=4 --loader x",
  ])("by code that every program loads: %s", (text) => {
    expect(written(".npmrc", text)).toContain("would set");
  });

  it.each(["trust", "pause", "uninstall", "disable", "allow-once"])("by a verb for a person: %s", (verb) => {
    expect(written("~/.bashrc", `sluice ${verb} --yes`)).toContain(`would run \`sluice ${verb}\` later`);
    expect(written("~/.bashrc", `sluice --root . ${verb}`)).toBe(undefined);
    expect(written("~/.bashrc", `sluice  --json  -q  ${verb}`)).toContain(`would run \`sluice ${verb}\` later`);
    expect(written("~/.bashrc", `sluice --json ${verb}`)).toContain(`would run \`sluice ${verb}\` later`);
  });

  it.each([
    "alias  sluice=true",
    "a;alias sluice=true",
    "b&function  sluice { :; }",
    "sluice  (  ) { :; }",
    "alias sluice=true",
    "function sluice { :; }",
    "x; sluice () { :; }",
    "sluice( ) { :; }",
  ])("by another program of the same name: %s", (text) => {
    expect(written("~/.zshrc", text)).toContain("would put something else in the place of `sluice` later");
  });

  it("a file that the system loads into every program is one, whatever it contains", () => {
    const said = "/etc/ld.so.preload loads other code into every program";
    expect(written("/etc/ld.so.preload", "x")).toBe(said);
    expect(written("ld.so.preload", "x")).toBe(said.replace("/etc/", ""));
    expect(line("echo x > .npmrc; echo x > /etc/ld.so.preload")).toBe(said);
  });

  it("by a command line", () => {
    expect(line("echo 'export HOME=/tmp/x' >> ~/.bashrc")).toContain("would set HOME");
  });
});

it.each([
  ["README.md", "export HOME=/tmp/x"],
  ["src/bashrc", "export HOME=/tmp/x"],
  ["~/.bashrc.md", "export HOME=/tmp/x"],
  ["~/.bashrc", "MYHOME=/tmp/x"],
  ["~/.bashrc", "cd $HOME"],
  ["~/.bashrc", "NODE_OPTIONS=--max-old-space-size=4096"],
  ["~/.bashrc", "my-sluice trust"],
  ["~/.bashrc", "sluice check"],
  ["~/.bashrc", "unalias sluice"],
  ["~/.bashrc", "functionsluice"],
  ["~/.bashrc", "xalias sluice=x"],
  ["~/.bashrc", "alias sluices=x"],
  ["~/.bashrc", "sluicer() { :; }"],
  ["~/.bashrc", "NODE_OPTIONS=x\n--require y"],
  ["~/.bashrc", "MY_NODE_OPTIONS=--requires"],
  ["src/ld.so.preloaded", "x"],
  ["docs/environment.md", "export HOME=/tmp/x"],
  ["hooks/pre-commit", "export HOME=/tmp/x"],
  [".git/hooks/commit", "export HOME=/tmp/x"],
])("other texts and other files pass: %s: %s", (file, text) => {
  expect(written(file, text)).toBe(undefined);
});

it("the command and the variable are reported", () => {
  expect(line("launchctl setenv LD_PRELOAD x")).toBe(
    "`launchctl setenv LD_PRELOAD x` sets LD_PRELOAD, so that what is started later looks elsewhere for its hooks",
  );
  expect(line("systemctl --user set-environment XDG_CONFIG_HOME=/tmp/x")).toContain("sets XDG_CONFIG_HOME, so");
  expect(line(`frobnicate LD_PRELOAD=${"x".repeat(300)}`)?.indexOf("` sets")).toBe(121);
});

it.each([
  ["launchctl setenv LD_PRELOAD x", true],
  ["systemctl --user set-environment XDG_CONFIG_HOME=/tmp/x", true],
  ["launchctl setenv LD_PRELOAD x > log", true],
  ["launchctl setenv EDITOR vim", false],
  ["echo LD_PRELOAD", false],
  ["launchctl setenv MY_LD_PRELOAD x", false],
  ["launchctl setenv SLUICE_RESIDENT 0", true],
  ["setx CLAUDE_CONFIG_DIR=/tmp/x", true],
  ["frobnicate --set LD_PRELOAD=x", true],
  ["frobnicate LD_PRELOAD=x", true],
  ["frobnicate LD_PRELOADED=x", false],
  ["frobnicate disableAllHooks", true],
  ["frobnicate xdisableAllHooks", false],
  ["frobnicate hooks=false", false],
  ["frobnicate 'disable hooks'", false],
  ["frobnicate x", false],
  ["launchctl setenv", false],
])("a variable that a command sets for the whole session: %s: %s", (command, isReported) => {
  expect(line(command) !== undefined).toBe(isReported);
});

import type { Word } from "../parse/command.ts";
import type { Field } from "../parse/value.ts";
import { anyArgument } from "./act.ts";
import { has, reveals, value } from "./call.ts";
import { revealsCloud } from "./cloud-access.ts";
import { readOptions } from "./options.ts";
import type { Program, Programs } from "./program.ts";
import { asProgram, behind, behindDashes, restAsProgram, runVerb, splitWords, withVariables } from "./runs.ts";

/** Programs that set the variables, the folder or the versions with which another program runs. */
export const ENVIRONMENTS = (): Programs => ({
  env: {
    readOnly: true,
    is: { "often-shadowed": true, "lists-variables": true, "takes-code": true },
    options: ENV_OPTIONS,
    style: "first",
    unless: (call) =>
      !call.operands.every(({ text }) => text.includes("=") || text === "-") || has(call, "split-string"),
    gives: "environment",
    input: "ignored",
    runs: (run) => {
      const split = value(run, "split-string");
      // A bare `-` unsets every variable.
      const operands = run.operands[0]?.text === "-" ? run.operands.slice(1) : run.operands;
      const words = split === undefined ? operands : splitArguments(split, run.args, operands);
      return withVariables(run.name, words, value(run, "chdir"));
    },
    examples: [
      ["env -u X"],
      ["env A=1 ls"],
      ["env A=1 rm x", "runs rm x"],
      ["env -i -u B rm x", "runs rm x"],
      ["env - rm x", "runs rm x"],
      ["env -a name rm x", "runs rm x"],
      ["env -S 'rm -rf x'", "runs rm -rf x"],
      ["env -S'A=1 rm' x", "runs rm x"],
      ["env -S rm -rf x", "runs rm -rf x"],
      ["env -vS 'A=1 rm' -rf x", "runs rm -rf x"],
      ["env --split-string=rm -rf x", "runs rm -rf x"],
      ["env -S 'A=1' -u B rm -rf x", "runs rm -rf x"],
      ["env -S '-u B rm' -rf x", "runs rm -rf x"],
      ["env -C /tmp rm x", "runs rm x"],
      ["env C='rm x' sh -c 'eval \"$C\"'", "runs rm x"],
    ],
  },
  toybox: { runs: ({ name, args }) => asProgram(name, args), examples: [["toybox rm x", "runs rm x"]] },
  "cross-env cross-env-shell": {
    style: "first",
    runs: ({ name, operands }) => withVariables(name, behind(operands, 0)),
    examples: [["cross-env A=1 rm x", "runs rm x"]],
  },
  "ld.so": {
    options: "library-path= inhibit-rpath= audit= preload= argv0= list verify inhibit-cache",
    style: "first",
    runs: restAsProgram(),
    examples: [["/lib64/ld-linux-x86-64.so.2 /bin/rm x", "runs rm x"]],
  },
  pixi: {
    ...verb("run", "pixi run rm x", "environment|e= manifest-path="),
    readOnly: "list|ls|info|tree|search|task list|global list",
  },
  direnv: { ...verb("exec", "direnv exec . rm x", "", 1), readOnly: "status|version|stdlib" },
  mise: {
    is: { "loads-unnamed": true },
    ...verb("exec|x", "mise exec -- rm x", "command|c= cd|C= env|E= jobs|j="),
    // The tools precede the dashes.
    runs: (run) => (/^(?:exec|x)$/.test(run.args[0]?.text ?? "") ? behindDashes(run) : []),
    readOnly:
      "ls|list|current|which|where|doctor|env|outdated|ls-remote|latest|bin-paths|settings ls|settings get|plugins ls|tasks ls|version",
  },
  "asdf pyenv rbenv nodenv": {
    ...verb("exec", "asdf exec rm x"),
    readOnly: "list|current|which|where|versions|version|root|prefix|latest|info|commands|whence|help",
  },
  nvm: {
    ...verb("exec|run", "nvm exec 20 rm x", "", 1),
    readOnly: "ls|list|current|which|ls-remote|version|version-remote",
  },
  fnm: { ...verb("exec", "fnm exec --using 20 rm x", "using="), readOnly: "list|ls|current|list-remote|env" },
  volta: { ...verb("run", "volta run --node 20 rm x", "node= npm= yarn= pnpm="), readOnly: "list|ls|which" },
  rustup: {
    ...verb("run", "rustup run nightly rm x", "", 1),
    readOnly: "show|which|check|component list|target list|toolchain list|help",
  },
  doppler: keeper("run", "doppler run -- rm x", "project|p= config|c= command="),
  infisical: keeper("run", "infisical run --env dev -- rm x", "env= path= projectId= token= command|c="),
  teller: verb("run", "teller run -- rm x", "config|c="),
  dotenvx: verb("run", "dotenvx run -f .env -- rm x", "env-file|f= env|e="),
  "aws-vault": keeper("exec", "aws-vault exec a -- rm x", "duration|d= region= mfa-token|t=", 1),
  chamber: keeper("exec", "chamber exec a -- rm x", "", 1),
  toolbox: {
    is: { "holds-services": true },
    ...verb("run", "toolbox run -c a rm x", "container|c= distro|d= release|r="),
  },
  "guix devbox distrobox devenv": {
    is: { "loads-unnamed": true, "holds-services": "distrobox" },
    readOnly: "describe|search|show|list|status|info|size|version",
    runs: behindDashes,
    examples: [["guix shell coreutils -- rm x", "runs rm x"]],
  },
  nix: {
    is: { "loads-unnamed": true },
    readOnly:
      "search|path-info|flake show|flake metadata|flake info|why-depends|log|store ls|registry list|profile list|show-config",
    when: [
      anyArgument(/^(?:run|shell|develop|profile|build)$/),
      anyArgument(/^(?:github:(?!NixOS\/)|(?:gitlab|git\+\w+|https?|sourcehut|tarball\+https?):)/),
    ],
    roles: ["package-install", "network-in", "foreign-source"],
    runs: ({ name, args }) => {
      const at = args.findIndex(({ text }) => text === "-c" || text === "--command");
      return at < 0 ? [] : asProgram(name, args.slice(at + 1));
    },
    examples: [
      ["nix develop -c rm x", "runs rm x"],
      ["nix run git+https://h.test/x", "package-install network-in foreign-source"],
    ],
  },
  "nix-shell": {
    options: "run= command= packages|p= attr|A= expr|E= pure",
    runs: (run) =>
      [value(run, "run"), value(run, "command")].flatMap((text) =>
        text === undefined ? [] : [{ runs: "shell" as const, text, via: run.name }],
      ),
    examples: [["nix-shell --run 'rm x'", "runs rm x"]],
  },
});

/**
 * What `env -S` runs: its text takes the place of the option. If the text names a program, all that follows are arguments of
 * that program; otherwise options of `env` may follow.
 */
function splitArguments(split: Word, args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const parts = readOptions(splitWords(split), ENV_OPTIONS, "first").operands;
  const isNamed = parts.some(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const at = args.findIndex(({ text }) => /^(?:-[a-zA-Z0]*S|--s(?:plit-string)?(?:=|$))/.test(text));
  const isAttached = /^(?:-[a-zA-Z0]*S.|--[a-z-]+=)/s.test(args[at]?.text ?? "");
  return [...parts, ...(isNamed ? args.slice(at + (isAttached ? 1 : 2)) : operands)];
}

const ENV_OPTIONS =
  "unset|u= chdir|C= split-string|S= P= argv0|a= ignore-environment|i null|0 debug|v block-signal? default-signal? ignore-signal? list-signal-handling";

/** The same for a program that keeps keys, and may print them. */
function keeper(...row: Parameters<typeof verb>): Program {
  return {
    ...verb(...row),
    does: (call) => {
      if (revealsCloud(call.report.program, call.command.args)) reveals(call);
    },
  };
}

/** A program with one verb that runs the rest of its arguments. */
function verb(names: string, example: string, options = "", after = 0): Program {
  return { verbs: { [names]: runVerb(options, after) }, examples: [[example, "runs rm x"]] };
}

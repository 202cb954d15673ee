import type { Word } from "../parse/command.ts";
import { anyOperand, argumentsAre, hasOperands, operand, option } from "./act.ts";
import { type Call, has, plays, reads, value, values } from "./call.ts";
import { roleOfVariable } from "./code-variables.ts";
import { runsCode, runsFile } from "./interpreters.ts";
import { type Options, readOptions } from "./options.ts";
import type { Inner, Invocation, Programs } from "./program.ts";
import { asLine, asProgram, hasInput, lines, restAsProgram } from "./runs.ts";

const SHELL_OPTIONS =
  "c s i l e x u v n a b f h k m p t B C E H P T D r o= O= rcfile= init-file= norc noprofile posix login command= version help restricted verbose";

/** Shells and their builtin commands. */
export const SHELLS = (): Programs => ({
  "sh bash zsh dash ksh mksh fish ash csh tcsh rbash yash posh": {
    is: { "often-shadowed": "bash sh zsh", shell: true, "takes-code": true },
    options: SHELL_OPTIONS,
    style: "first",
    does: (asked) => {
      const { given, operands } = shellOptions(asked.command.args);
      const call: Call = { given, operands, command: asked.command, report: asked.report };
      for (const path of values(call, "rcfile", "init-file")) reads(call, path);
      if (has(call, "c", "command") && call.operands[0]?.text === "-") call.report.input = "run";
      else if (has(call, "c", "command")) runsCode(call, call.operands);
      else runsFile(has(call, "s") ? { ...call, operands: [] } : call);
    },
    runs: shellRuns,
    examples: [
      ["bash x.sh", "reads x.sh", "unknown: x.sh"],
      ["bash", "typed-code"],
      ["zsh -il", "typed-code"],
      ["bash -c ls"],
      ["sh -c 'rm x'", "runs rm x"],
      ["zsh -ce 'rm x'", "runs rm x"],
      ["dash +x -c 'rm x'", "runs rm x"],
      ["bash -c '$0 $1' rm x", "runs rm x"],
      [`ksh -xec 'rm "$1"' me x`, "runs rm x"],
      ["echo 'rm x' | fish", "runs rm x"],
      ["ash -s <<< 'rm x'", "runs rm x"],
      ["echo 'rm x' > s.sh; bash s.sh", "runs rm x"],
      ["sh <<E\nrm x\nE", "runs rm x"],
      ["zsh -c 'for f (x/*) rm $f'", "runs rm x/*"],
      ["zsh -c 'for f (x/*(.)) { rm $f }'", "runs rm x/*"],
      ["zsh -c 'foreach f (x/*); rm $f; end'", "runs rm x/*"],
      ["ls x | sed 's/.*/rm \"&\"/' | sh", "runs rm x/*"],
      ["find x -type f -printf 'rm %p\\n' | sh", "runs rm x/**"],
    ],
  },
  busybox: {
    style: "first",
    unless: hasOperands,
    input: "ignored",
    runs: ({ name, args }) => asProgram(name, args),
    examples: [["busybox"], ["busybox rm x", "runs rm x"]],
  },
  "nu xonsh elvish osh": {
    is: { "takes-code": true },
    options: "config= env-config= commands|c= rc= login|l",
    style: "first",
    runs: (run) => [...lines(run, "commands"), ...(has(run, "commands") ? [] : restAsProgram()(run))],
    examples: [["nu -c 'rm x'", "runs rm x"]],
  },
  eval: { is: { "takes-code": true }, does: (call) => runsCode(call, call.operands), examples: [["eval ls"]] },
  exec: { readOnly: true, is: { "takes-code": true }, examples: [["exec ls"], ["exec rm x", "runs rm x"]] },
  printenv: {
    readOnly: true,
    is: { "prints-words": true, "lists-variables": true },
    ...SHOWS_VARIABLES,
    examples: [["printenv HOME"]],
  },
  "complete compopt": { readOnly: true, options: "C= F= W= A= o= p r", examples: [["complete -p"]] },
  "export declare typeset set compgen": {
    readOnly: true,
    is: { "lists-variables": "export set declare typeset", "sets-options": "set", "lists-names": "compgen" },
    options: "p x f a A i r g o? C=",
    runs: (run) => (run.name === "compgen" ? lines(run, "C") : []),
    does: [
      { unless: [hasOperands, "f e u o"], ...SHOWS_VARIABLES },
      (call) => {
        for (const { text } of call.operands) {
          const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
          const role = name === undefined ? undefined : roleOfVariable(name, value ?? "", true);
          if (role !== undefined) plays(call, role);
        }
      },
      { when: argumentsAre(/(?:^| )\+o history(?: |$)/), roles: ["trace-removal"] },
    ],
    examples: [
      ["export -p"],
      ["set +o history", "trace-removal"],
      ["export HISTFILE=/dev/null", "trace-removal"],
      ["export LD_PRELOAD=./x.so", "run-code"],
      ["export A=1"],
    ],
  },
  unset: {
    readOnly: true,
    when: anyOperand(/^HIST(?:FILE|SIZE|FILESIZE)$/),
    roles: ["trace-removal"],
    examples: [["unset HISTFILE", "trace-removal"], ["unset X"]],
  },
  history: {
    is: { "shows-typed": true },
    readOnly: true,
    options: "c d= w? a? r? n? l e= s",
    does: [
      { when: "c d", roles: ["trace-removal"] },
      // What was typed often contains keys.
      { when: "w a", writes: operand(0, option("w", "~/.bash_history")), otherwise: { gives: "environment" } },
    ],
    examples: [["history -c", "trace-removal"], ["history -w a", "writes a"], ["history 20"]],
  },
  fc: { is: { "shows-typed": true }, ...SHOWS_VARIABLES, examples: [["fc -l"]] },
  "ulimit umask": {
    readOnly: true,
    names: "umask",
    when: hasOperands,
    roles: ["permission"],
    examples: [["umask 000", "permission"]],
  },
  "bind enable": {
    options: "p l f= n d= r a",
    names: "enable",
    when: "f",
    roles: ["run-code"],
    examples: [["enable -f x.so x", "run-code"]],
  },
  "trap alias hash": { readOnly: true, examples: [["trap -p"], ["alias ll='ls -l'"], ["hash -r"]] },
  yes: { is: { "prints-endlessly": true }, readOnly: true, input: "ignored", examples: [["yes"]] },
  echo: { ...PRINTS_ARGUMENTS, prints: "words", examples: [["echo rm -rf /"]] },
  printf: { ...PRINTS_ARGUMENTS, prints: "format", examples: [["printf %s x"]] },
  "cd pushd": { ...IGNORES_INPUT, is: { "enters-folder": true }, examples: [["cd a"], ["pushd a"]] },
  "true false test [ : pwd sleep seq basename dirname which type id whoami uname exit return read wait shift local times clear tput":
    {
      ...IGNORES_INPUT,
      prints: { true: "success", ":": "success", false: "failure", wait: "nothing", sleep: "nothing" },
      is: {
        "finds-programs": "which",
        "often-shadowed": "id",
        "fills-variables": "read",
        "uses-keys": "test [",
        "looks-at-files": "test [",
        counts: "seq",
        "prints-files": "type",
      },
      examples: [["true"], ["test -f a"]],
    },
  "[[ bg break builtin command continue dirs disown fg getopts help jobs let mapfile popd readarray readonly shopt unalias":
    {
      is: { "fills-variables": "mapfile readarray", "lists-variables": "readonly" },
      runs: (run) => {
        if (run.name !== "mapfile" && run.name !== "readarray") return [];
        const line = run.args[run.args.findIndex(({ text }) => text === "-C") + 1];
        return line === undefined || line === run.args[0] ? [] : asLine(run.name, [line]);
      },
      readOnly: true,
      examples: [["jobs -l"], ["mapfile -t lines"], ["builtin cd a"]],
    },
});

/** The row of a command whose output is about neither its files nor its input. */
const IGNORES_INPUT = { readOnly: true, input: "ignored", silent: true } as const;
const PRINTS_ARGUMENTS = { ...IGNORES_INPUT, is: { "prints-words": true } } as const;
const SHOWS_VARIABLES = { gives: "environment", input: "ignored" } as const;

/** Options of a shell; `+x` turns one off. */
function shellOptions(args: readonly Word[]): Options {
  return readOptions(
    args.filter(({ text }) => !/^\+[a-zA-Z]+$/.test(text)),
    SHELL_OPTIONS,
    "first",
  );
}

function shellRuns(asked: Invocation): readonly Inner[] {
  const { name, args } = asked;
  const run = shellOptions(args);
  const first = values(run, "rcfile", "init-file").map(
    (path): Inner => ({ runs: "file", path, via: `${name} --rcfile` }),
  );
  const [operand, ...rest] = run.operands;
  const long = value(run, "command");
  if (long !== undefined) return [...first, { runs: "shell", text: long, via: `${name} -c` }];
  if (has(run, "c")) {
    if (operand === undefined) return first;
    return [...first, { runs: "shell", text: operand, via: `${name} -c`, args: rest.slice(1), zero: rest[0] }];
  }
  if (has(run, "version", "help")) return first;
  const isInput = operand === undefined || has(run, "s") || operand.text === "-" || operand.text === "/dev/stdin";
  if (!isInput) return [...first, { runs: "file", path: operand, via: name, args: rest }];
  if (!hasInput(asked)) return first;
  return [...first, { runs: "input", via: name, args: has(run, "s") ? run.operands : rest }];
}

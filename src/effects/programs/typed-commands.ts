import type { Word } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { allValues, operand, operandIs } from "./act.ts";
import { has, hasVerb, plays, values } from "./call.ts";
import type { Inner, Invocation, Programs } from "./program.ts";
import { asLine, asProgram } from "./runs.ts";

/** Debuggers and terminals: options or arguments contain the commands that are typed into them. */
export const TYPED = (): Programs => ({
  gdb: {
    is: { "runs-named": true },
    readOnly: false,
    options:
      "ex|eval-command= iex|init-eval-command= command|x= init-command|ix= directory|d= core|c= pid|p= symbols|s= exec|e= args batch q nx n quiet",
    style: "whole",
    scripts: allValues("command init-command"),
    runs: (run) => {
      const { name, args } = run;
      const at = args.findIndex(({ text }) => text === "--args" || text === "-args");
      const inners = values(run, "ex", "iex").flatMap(({ text }) =>
        debuggerLine(text, /^\s*(?:shell\s+|!\s*|pipe\s+)([\s\S]+)$/, name),
      );
      return at < 0 ? inners : [...inners, ...asProgram(name, args.slice(at + 1))];
    },
    examples: [
      ["gdb -batch --args rm x", "runs rm x"],
      ["gdb -batch -ex 'shell rm x'", "runs rm x"],
      ["gdb -ex '!rm x'", "runs rm x"],
      ["gdb -ex 'python import os; os.system(\"rm x\")'", "runs rm x"],
    ],
  },
  lldb: {
    is: { "runs-named": true },
    readOnly: false,
    options:
      "one-line|o= one-line-before-file|O= one-line-on-crash|k= source|s= source-before-file|S= file|f= attach-pid|p= attach-name|n= arch|a= core|c= batch|b no-lldbinit|x",
    scripts: allValues("source source-before-file"),
    runs: (run) =>
      values(run, "one-line", "one-line-before-file", "one-line-on-crash").flatMap(({ text }) =>
        debuggerLine(text, /^\s*(?:platform\s+)?shell\s+([\s\S]+)$/, run.name),
      ),
    examples: [["lldb -b -o 'platform shell rm x'", "runs rm x"]],
  },
  man: {
    readOnly: true,
    options:
      "pager|P= html|H? config-file|C= locale|L= systems|m= manpath|M= sections|S|s= extension|e= preprocessor|p= encoding|E= prompt|r= all|a apropos|k whatis|f",
    runs: (run) => values(run, "pager", "html").map((text) => ({ runs: "shell", text, via: `${run.name} -P` })),
    examples: [["man -P 'rm x' ls", "runs rm x"]],
  },
  tmux: {
    is: { "runs-named": true },
    // A semicolon starts another command.
    readOnly: (run) => (hasVerb(run, ASKS) && !run.operands.some(({ text }) => text.endsWith(";"))) || undefined,
    options: "L= S= f= c= T= 2 C D l N q u U v V",
    style: "first",
    verbs: {
      "new|new-session|new-window|neww|split-window|splitw|run|run-shell|respawn-pane|if-shell|send-keys|send": {
        options: "s= n= t= c= x= y= e= F= l= N= d D A P b k v h Z X H R M K f",
        style: "first",
        runs: ({ name, operands }) =>
          asLine(
            name,
            operands.filter(({ text }) => !/^(?:Enter|C-m)$/.test(text)),
          ),
      },
    },
    examples: [
      ["tmux new-session -d 'rm x'", "runs rm x"],
      ["tmux send-keys -t a 'rm x' Enter", "runs rm x"],
    ],
  },
  screen: {
    options: "S= t= c= T= h= p= e= s= X d m D r R x U a A L q v",
    style: "first",
    writes: ({ command: { args } }) => args.filter((_, at) => args[at - 1]?.text === "-Logfile"),
    // Old versions take the log file as the value of `-L`.
    does: [{ when: ["L", operandIs(0, /^\/(?!.*bin\/)/), operandIs(1, /./)], writes: operand(0) }],
    runs: (run) => {
      const { name, args, operands } = run;
      if (!has(run, "X")) return asProgram(name, operands);
      const [verb, ...typed] = args.slice(args.findIndex(({ text }) => text === "-X") + 1);
      if (verb?.text !== "stuff" && verb?.text !== "exec") return [];
      const line = typed.map(({ text }) => text.replaceAll(/\\n|\^M|\\015/g, "\n")).join(" ");
      return [{ runs: "shell", text: fieldOf(line), via: name }];
    },
    examples: [
      ["screen -dm rm x", "runs rm x"],
      ["screen -S a -X stuff 'rm x\\n'", "runs rm x"],
    ],
  },
  "xterm gnome-terminal konsole alacritty kitty": {
    does: (call) => {
      // A window on the screen of another machine contains a shell of this machine.
      const at = call.command.args.findIndex(({ text }) => /^--?display(?:=|$)/.test(text));
      const screen = call.command.args[at]?.text.split("=")[1] ?? call.command.args[at + 1]?.text ?? "";
      if (at >= 0 && !/^(?:unix|localhost|127\.0\.0\.1)?:|^$/.test(screen)) plays(call, "expose");
    },
    runs: ({ name, args }) => {
      const at = args.findIndex(({ text }) => text === "-e" || text === "-x" || text === "--");
      return at < 0 ? [] : asProgram(name, args.slice(at + 1));
    },
    examples: [["xterm -e rm x", "runs rm x"], ["xterm -display 10.0.0.9:0", "expose"], ["xterm -display :1"]],
  },
});

/** Commands of tmux that only show something. */
const ASKS =
  "ls|list-sessions|list-windows|list-panes|list-keys|list-clients|list-commands|has-session|has|show-options|show-environment|info";

/** A line that is typed into a debugger, which may pass it to a shell or to Python. */
function debuggerLine(line: string, shell: RegExp, via: string): Inner[] {
  const [, code] = shell.exec(line) ?? [];
  if (code !== undefined) return [{ runs: "shell", text: fieldOf(code), via }];
  const [, python] = /^\s*(?:py(?:thon)?|script)\s+([\s\S]+)$/.exec(line) ?? [];
  return python === undefined ? [] : [{ runs: "code", language: "python", text: fieldOf(python), via }];
}

/** What is typed into a client, by options, files or its input: command lines, and files that it writes or reads. */
export function typedInto(
  run: Invocation,
  files: readonly Word[],
  texts: readonly Word[],
  shell: RegExp,
  touches: Touches = {},
): readonly Inner[] {
  const { stdin, file } = run;
  const inners: Inner[] = [];
  const typed = texts.map(({ text }) => text);
  const add = (path: Word) => {
    const text = path.text === "-" ? stdin.text : file(path);
    if (text === undefined) inners.push({ runs: "doubt", why: "unread script", what: path.text });
    else typed.push(text);
  };
  for (const path of files) add(path);
  if (typed.length === 0 && stdin.input.from === "file" && stdin.input.path.text !== "/dev/null") add(stdin.input.path);
  else typed.push(stdin.text);
  return [...inners, ...typedCommands(run, typed.join("\n"), shell, touches)];
}

/** The commands by which a client writes and reads files; a group of each expression is the path. */
interface Touches {
  readonly writes?: RegExp;
  readonly reads?: RegExp;
}

/** The lines of a text that a client passes to a shell, and those by which it writes or reads a file. */
export function typedCommands(
  { name }: Invocation,
  typed: string,
  shell: RegExp,
  touches: Touches = {},
): readonly Inner[] {
  return typed
    .split("\n")
    .slice(0, MAX_LINES)
    .flatMap((line): Inner[] => {
      const inners: Inner[] = [];
      const code = shell.exec(line)?.slice(1).find(Boolean);
      if (code !== undefined) inners.push({ runs: "shell", text: fieldOf(code), via: name });
      for (const [way, pattern] of [
        ["write", touches.writes],
        ["read", touches.reads],
      ] as const) {
        const path = pattern?.exec(line)?.slice(1).find(Boolean);
        if (path !== undefined && path !== "stdout")
          inners.push({ runs: "write", path: fieldOf(path), way, via: name });
      }
      return inners;
    });
}

const MAX_LINES = 5000;

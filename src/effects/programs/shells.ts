import { type Call, deletes, has, known, plays, reads, value, values, writes } from "./call.ts";
import { GAP } from "../parse/command.ts";
import { nameOf } from "../paths.ts";
import type { Programs } from "./program.ts";
import { roleOfVariable } from "../parse/telling-variables.ts";
import { tellMigration } from "./databases.ts";
import { ignoresInput } from "./operands.ts";
import { fromPypi } from "./packages.ts";
import { runsFetched } from "./run-from-network.ts";

/** Programs that run code, and what shells can do by themselves. */
export const SHELLS: Programs = {
  "sh bash zsh dash ksh mksh fish ash busybox csh tcsh rbash": {
    options: "c? s i l e x u v o= O= rcfile= init-file= norc noprofile posix login command=",
    style: "first",
    does: (call) => {
      for (const path of values(call, "rcfile", "init-file")) reads(call, path);
      if (has(call, "c", "command") && call.operands[0]?.text === "-") call.told.input = "run";
      else if (has(call, "c", "command")) runsCode(call, call.operands);
      else runsFile(call);
    },
    examples: [["bash x.sh", "reads x.sh", "unknown: x.sh"], ["bash -c ls"]],
  },
  "python python2 python3 pypy node nodejs deno php lua luajit Rscript julia tclsh osascript ts-node tsx swift-run groovy guile racket sbcl elixir":
    {
      options:
        "c= e= eval|p|print= r= require= import= m= W= X= u B E s S i I O input-type= experimental-strip-types l= d=",
      style: "first",
      does: (call) => {
        const module = value(call, "m")?.text;
        if (module !== undefined) return tellModule(call, module);
        const code = values(call, "c", "e", "eval");
        const far = [
          ...values(call, "import", "require", "r"),
          ...call.operands.filter(({ text }) => !text.startsWith("-")).slice(0, 2),
        ].find(({ text }) => /^https?:\/\//.test(text));
        if (far !== undefined && !has(call, "c", "e", "eval")) return runsFetched(call, far);
        if (code.some(({ text }) => text.includes("do shell script"))) plays(call, "run-code");
        if (call.told.program === "osascript") tellAppleScript(call, code);
        if (call.told.program === "deno" && call.operands[0]?.text === "publish")
          return plays(
            call,
            ...(call.command.args.some(({ text }) => text === "--dry-run")
              ? []
              : (["publish", "network-out"] as const)),
          );
        if (has(call, "c", "e", "eval")) runsCode(call, code);
        else if (/^(?:run|-)$/.test(call.operands[0]?.text ?? "") && call.operands.at(-1)?.text === "-")
          call.told.input = "run";
        else runsFile(call);
      },
      examples: [
        ["python3 a.py", "reads a.py", "unknown: a.py"],
        ["node -e 1"],
        ["deno publish", "publish network-out"],
        ["deno publish --dry-run"],
        ["python3 -m pytest"],
        ["python3 -m pip install x", "package-install network-in", "fetches from pypi.org"],
        ["python3 -m pip list"],
        [`osascript -e 'do shell script "id" with administrator privileges'`, "run-code privilege"],
        ["python3 manage.py flush", "database work-loss", "reads manage.py", "unknown: manage.py"],
      ],
    },
  eval: {
    does: (call) => runsCode(call, call.operands),
    examples: [["eval ls"]],
  },
  printenv: { does: gives, examples: [["printenv HOME"]] },
  env: {
    options: "u= unset= i ignore-environment 0 null C= chdir= S= split-string= v debug",
    style: "first",
    does: (call) => {
      if (call.operands.every(({ text }) => text.includes("=")) && !has(call, "S", "split-string")) gives(call);
    },
    examples: [["env -u X"], ["env A=1 ls"]],
  },
  "export declare typeset set compgen": {
    options: "p x f a A i r g o?",
    does: (call) => {
      if (call.operands.length === 0 && !has(call, "f", "e", "u", "o")) gives(call);
      for (const { text } of call.operands) {
        const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
        const role = name === undefined ? undefined : roleOfVariable(name, value ?? "", true);
        if (role !== undefined) plays(call, role);
      }
      if (call.command.args.some(({ text }, at, all) => text === "+o" && all[at + 1]?.text === "history"))
        plays(call, "trace-removal");
    },
    examples: [
      ["export -p"],
      ["set +o history", "trace-removal"],
      ["export HISTFILE=/dev/null", "trace-removal"],
      ["export LD_PRELOAD=./x.so", "run-code"],
      ["export A=1"],
    ],
  },
  unset: {
    does: (call) => {
      if (call.operands.some(({ text }) => /^HIST(?:FILE|SIZE|FILESIZE)$/.test(text))) plays(call, "trace-removal");
    },
    examples: [["unset HISTFILE", "trace-removal"], ["unset X"]],
  },
  "history fc": {
    options: "c d= w? a? r? n? l e= s",
    does: (call) => {
      if (call.told.program === "history" && has(call, "c", "d")) plays(call, "trace-removal");
      if (call.told.program === "history" && has(call, "w", "a"))
        writes(call, call.operands[0] ?? value(call, "w") ?? known("~/.bash_history"));
      // What was typed often holds keys.
      else call.told.gives = "environment";
    },
    examples: [["history -c", "trace-removal"], ["history -w a", "writes a"], ["history 20"]],
  },
  "ulimit umask": {
    does: (call) => {
      if (call.told.program === "umask" && call.operands.length > 0) plays(call, "permission");
    },
    examples: [["umask 000", "permission"]],
  },
  "trap bind enable alias hash": {
    options: "p l f= n d= r a",
    does: (call) => {
      if (call.told.program === "enable" && has(call, "f")) plays(call, "run-code");
    },
    examples: [["enable -f x.so x", "run-code"]],
  },
  yes: {
    does: ignoresInputOnly,
    examples: [["yes"]],
  },
  "echo printf true false test [ : cd pwd sleep seq basename dirname which type id whoami uname exit return read wait shift local times clear tput":
    {
      does: ignoresInput,
      examples: [["echo rm -rf /"], ["test -f a"], ["printf %s x"]],
    },
  "make gmake cmake ninja meson bazel tox nox pytest jest vitest mocha ava playwright cypress ctest phpunit rspec just task turbo nx webpack vite rollup esbuild javac":
    {
      does: (call) => {
        if (
          call.command.args.some(
            ({ text }, at, all) => /^(?:-$|\/dev\/(?:stdin$|fd\/))/.test(text) && all[at - 1]?.text === "-f",
          )
        )
          call.told.input = "run";
      },
      examples: [["make all", "unknown: make all"], ["pytest -q tests"], ["vitest run"]],
    },
};

function tellAppleScript(call: Call, code: readonly { readonly text: string }[]): void {
  if (code.some(({ text }) => /\bto (?:shut down|restart|sleep|log out)\b/.test(text))) plays(call, "power");
  if (code.some(({ text }) => /\bwith administrator privileges\b/.test(text))) plays(call, "privilege");
  if (code.some(({ text }) => /\bmake (?:new )?login item\b/.test(text))) plays(call, "persistence");
  if (code.some(({ text }) => /\bempty (?:the )?trash\b/.test(text)))
    deletes(call, known("~/.Trash"), { isTree: true });
}

/** What modules of Python do that are programs of their own. */
function tellModule(call: Call, module: string): void {
  const asked = `${module} ${call.operands[0]?.text ?? ""}`;
  if (/^(?:pip|pipx) (?:install|download)$|^ensurepip /.test(asked)) fromPypi(call);
  if (/^twine upload$/.test(asked)) plays(call, "publish", "network-out");
  if (/^pyftpdlib /.test(asked)) plays(call, "publish");
  // Whoever reaches the port reads what lies in the folder.
  if (module === "http.server")
    reads(
      call,
      call.command.args.find((_, at, all) => /^(?:-d|--directory)$/.test(all[at - 1]?.text ?? "")),
      { isTree: true },
    );
}

/** Code that is known is read elsewhere; what is left to come from other commands is run. */
function runsCode(call: Call, code: readonly { readonly text: string }[]): void {
  if (code.some(({ text }) => text.includes(GAP))) call.told.input = "run";
}

function runsFile(call: Call): void {
  const script = call.operands[0];
  if (script === undefined || has(call, "s") || isStandardInput(script.text)) call.told.input = "run";
  if (script === undefined || has(call, "s")) return;
  reads(call, script);
  call.told.scripts.push(script);
  if (nameOf(script.text) === "setup.py" && call.operands.some(({ text }) => /^(?:upload|register)$/.test(text)))
    plays(call, "publish", "network-out");
  if (/^(?:manage\.py|artisan)$/.test(nameOf(script.text))) tellMigration(call, call.operands.slice(1));
}

/** Also the name of a process substitution, which only the run will know. */
function isStandardInput(text: string): boolean {
  return text === "-" || text.includes(GAP) || /^\/dev\/(?:stdin$|fd\/)|^\/proc\/self\/fd\//.test(text);
}

function gives(call: Call): void {
  call.told.gives = "environment";
  call.told.input = "ignored";
}

function ignoresInputOnly(call: Call): void {
  call.told.input = "ignored";
}

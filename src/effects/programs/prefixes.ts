import { fieldOf } from "../parse/value.ts";
import { operand, option } from "./act.ts";
import { type Call, has, known, plays, value, values, writes } from "./call.ts";
import type { Inner, Program, Programs, Runs } from "./program.ts";
import { asLine, asProgram, behind, behindDashes, lines as optionLines, prefix, restAsProgram } from "./runs.ts";

/** Programs that run the rest of their arguments, after their options and perhaps operands of their own. */
export const PREFIXES = (): Programs => ({
  nohup: prefix("nohup rm x"),
  nice: prefix("nice -n 5 rm x", "adjustment|n="),
  choom: prefix("choom -n 0 -- rm x", "adjust|n= pid|p="),
  ionice: {
    options: "class|c= classdata|n= pid|p pgid|P uid|u ignore|t",
    style: "first",
    does: ofRunningOnes,
    runs: unlessOfRunningOnes(),
    examples: [
      ["ionice -c3 rm x", "runs rm x"],
      ["ionice -c3 -p 1", "settings"],
    ],
  },
  chrt: {
    options:
      "pid|p sched-runtime|T= sched-period|P= sched-deadline|D= all-tasks|a batch|b fifo|f idle|i other|o rr|r max|m",
    style: "first",
    does: ofRunningOnes,
    runs: unlessOfRunningOnes(1),
    examples: [
      ["chrt -f 10 rm x", "runs rm x"],
      ["chrt -p 1", "settings"],
    ],
  },
  taskset: {
    options: "pid|p all-tasks|a cpu-list|c",
    style: "first",
    does: ofRunningOnes,
    runs: unlessOfRunningOnes(1),
    examples: [
      ["taskset 0x1 rm x", "runs rm x"],
      ["taskset -p 3 1", "settings"],
    ],
  },
  prlimit: {
    options:
      "pid|p= output|o= raw noheadings verbose nofile|n? nproc|u? as|v? core|c? cpu|t? data|d? fsize|f? stack|s?",
    style: "first",
    does: ofRunningOnes,
    runs: unlessOfRunningOnes(),
    examples: [
      ["prlimit --nofile=10 rm x", "runs rm x"],
      ["prlimit -p 1 --nofile=10", "settings"],
    ],
  },
  setsid: prefix("setsid -w rm x", "ctty|c fork|f wait|w"),
  setarch: prefix("setarch x86_64 rm x", "", 1),
  "linux32 linux64": prefix("linux32 rm x"),
  stdbuf: prefix("stdbuf -o0 rm x", "input|i= output|o= error|e="),
  timeout: {
    ...prefix("timeout -k 1 5 rm x", "signal|s= kill-after|k= foreground|f preserve-status|p verbose|v", 1),
    is: { "ends-others": true },
  },
  time: {
    readOnly: true,
    options: "output|o= append|a format|f= verbose|v portability|p quiet|q",
    style: "first",
    writes: option("output"),
    runs: restAsProgram(),
    examples: [
      ["/usr/bin/time ls"],
      ["/usr/bin/time -o log ls", "writes log"],
      ["/usr/bin/time -f %e rm x", "runs rm x"],
    ],
  },
  flock: {
    options: "timeout|w|wait= conflict-exit-code|E= nonblock|n shared|s exclusive|x|e unlock|u command|c= close|o",
    style: "first",
    writes: operand(0),
    runs: (run) => {
      const [, ...words] = run.operands;
      const line = value(run, "command") ?? (/^-c$|^--command$/.test(words[0]?.text ?? "") ? words[1] : undefined);
      if (line !== undefined) return [{ runs: "shell", text: line, via: run.name }];
      return asProgram(run.name, behind(words, 0));
    },
    examples: [
      ["flock a.lock ls", "writes a.lock"],
      ["flock /tmp/lock rm x", "runs rm x"],
      ["flock /tmp/lock -c 'rm x'", "runs rm x"],
    ],
  },
  "strace ltrace": {
    options:
      "output|o= trace|e= attach|p= string-limit|s= trace-path|P= user|u= env|E= columns|a= summary-syscall-overhead|O= summary-sort-by|S= detach-on|b= const-print-style|X= interruptible|I= follow-forks|f summary-only|c n= l= x= F=",
    style: "first",
    unless: (call) => value(call, "output")?.text.startsWith("|") === true,
    writes: option("output"),
    runs: (run) => {
      const log = value(run, "output");
      const piped: readonly Inner[] = log?.text.startsWith("|")
        ? [{ runs: "shell", text: { ...log, text: log.text.slice(1) }, via: `${run.name} -o` }]
        : [];
      return [...piped, ...asProgram(run.name, behind(run.operands, 0))];
    },
    examples: [
      ["strace -o log ls", "writes log"],
      ["strace -o '|rm x' ls", "runs rm x"],
      ["strace -f -o log rm x", "runs rm x"],
      ["ltrace -o log rm x", "runs rm x"],
    ],
  },
  script: {
    options:
      "command|c= append|a return|e flush|f quiet|q log-in|I= log-out|O= log-io|B= log-timing|T= output-limit|o=",
    does: (call) => {
      const logs = values(call, "log-in", "log-out", "log-io", "log-timing");
      for (const path of logs) writes(call, path);
      if (logs.length === 0 || call.operands[0] !== undefined) writes(call, call.operands[0] ?? known("typescript"));
    },
    runs: (run) => {
      const line = value(run, "command");
      return line === undefined ? [] : [{ runs: "shell", text: line, via: `${run.name} -c` }];
    },
    examples: [
      ["script a", "writes a"],
      ["script -O log -c ls", "writes log"],
      ["script -qec ls /dev/null"],
      ["script -qec 'rm x' /dev/null", "runs rm x"],
    ],
  },
  "unshare nsenter": {
    is: { "other-world": true },
    options:
      "root|R? wd|w? setuid|S= setgid|G= target|t= mount|m? uts|u? ipc|i? net|n? pid|p? user|U? cgroup|C? time|T? map-user= map-group= propagation= setgroups= fork|f map-root-user|r keep-caps preserve-credentials no-fork|F all|a",
    style: "first",
    roles: ["privilege"],
    runs: restAsProgram(),
    examples: [
      ["nsenter -t 1 -m sh", "privilege", "typed-code"],
      ["unshare -r rm x", "runs rm x"],
      ["nsenter -t 1 -m rm x", "runs rm x"],
    ],
  },
  chroot: {
    is: { "other-world": true },
    options: "userspec= groups= skip-chdir u= g= G= n",
    style: "first",
    roles: ["privilege"],
    runs: restAsProgram(1),
    examples: [["chroot / rm x", "runs rm x"]],
  },
  proot: {
    is: { "other-world": true },
    ...prefix("proot -r / rm x", "rootfs|r= R= S= bind|b= m= cwd|w= qemu|q= root-id|0 kernel-release|k="),
  },
  fakeroot: prefix("fakeroot -- rm x", "lib|l= s= i= b= faked="),
  fakechroot: { is: { "other-world": true }, ...prefix("fakechroot rm x") },
  perf: {
    readOnly: false,
    style: "first",
    options: "exec-path= paginate|p no-pager debug=",
    verbs: {
      "stat|record|trace": {
        options: "event|e= output|o= freq|F= pid|p= tid|t= cpu|C= repeat|r= delay|D= call-graph|g? count|c= all-cpus|a",
        style: "first",
        runs: restAsProgram(),
      },
    },
    examples: [["perf stat rm x", "runs rm x"], ["perf list"]],
  },
  valgrind: { ...prefix("valgrind --quiet rm x"), readOnly: false },
  catchsegv: prefix("catchsegv rm x"),
  watch: {
    options:
      "interval|n= equexit|q= differences|d? beep|b color|c errexit|e chgexit|g no-rerun|r no-title|t no-wrap|w exec|x precise|p",
    style: "first",
    // Its arguments are passed to a shell.
    runs: ({ name, operands }) => {
      const [only, ...others] = operands;
      if (only !== undefined && others.length === 0) return [{ runs: "shell", text: only, via: name }];
      return asProgram(name, behind(operands, 0));
    },
    examples: [
      ["watch -n 1 rm x", "runs rm x"],
      ["watch 'rm x'", "runs rm x"],
    ],
  },
  unbuffer: prefix("unbuffer rm x"),
  rlwrap: {
    ...prefix("rlwrap -a rm x", "a? b= C= D= e= f= F= g= H= l= m? M= o O= p? P= q= s= S= t= w= z="),
    writes: option("l"),
  },
  chronic: prefix("chronic rm x"),
  numactl: prefix(
    "numactl -N 0 rm x",
    "membind|m= cpunodebind|N= physcpubind|C= preferred|p= interleave|i= localalloc|l",
  ),
  cgexec: prefix("cgexec -g cpu:a rm x", "g="),
  "systemd-inhibit": prefix("systemd-inhibit --what=sleep rm x", "what= who= why= mode= list"),
  caffeinate: prefix("caffeinate -i rm x", "t= w="),
  torsocks: prefix("torsocks rm x", "user|u= pass|p= address|a= port|P="),
  "proxychains proxychains4": prefix("proxychains -q rm x", "f= q"),
  "dbus-run-session": prefix("dbus-run-session -- rm x", "config-file= dbus-daemon="),
  "dbus-launch": prefix("dbus-launch rm x"),
  "qemu-x86_64 qemu-aarch64": {
    options: "L= E= U= cpu= g= s= B= R= 0= d= D= p=",
    style: "whole first",
    runs: restAsProgram(),
    examples: [["qemu-x86_64 -L /usr rm x", "runs rm x"]],
  },
  box64: prefix("box64 rm x"),
  concurrently: lines(
    "concurrently -k 'rm x'",
    "names|n= prefix-colors|c= prefix|p= max-processes|m= handle-input|i kill-others|k",
  ),
  hyperfine: lines(
    "hyperfine -w 1 'rm x'",
    "warmup|w= runs|r= prepare|p= command-name|n= min-runs|m= max-runs|M= shell|S= setup|s= cleanup|c= export-json= export-markdown= export-csv= style= parameter-list|L= parameter-scan|P= ignore-failure|i",
  ),
  "xvfb-run": prefix(
    "xvfb-run -a rm x",
    "server-num|n= server-args|s= error-file|e= auth-file|f= xauth-protocol|p= wait|w=",
  ),
  entr: {
    ...prefix("ls | entr -c rm x", "a c d n p r s x z"),
    runs: (run) => (has(run, "s") ? asLine("entr -s", run.operands) : asProgram(run.name, run.operands)),
    examples: [
      ["ls | entr -c rm x", "runs rm x"],
      ["ls | entr -s 'rm x; ls'", "runs rm x"],
    ],
  },
  zellij: {
    readOnly: "list-sessions|ls",
    runs: behindDashes,
    examples: [["zellij run -- rm x", "runs rm x"], ["zellij ls"]],
  },
  fzf: {
    options:
      "preview= bind= query|q= filter|f= delimiter|d= nth|n= with-nth= height= multi|m? prompt= header= preview-window= execute= reload=",
    runs: (run) => [
      ...optionLines(run, "preview"),
      ...values(run, "bind").flatMap(({ text }) =>
        [
          ...text.matchAll(
            /\b(?:execute(?:-silent)?|reload(?:-sync)?|become|transform\w*|preview)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g,
          ),
        ].map(([, line = ""]): Inner => ({ runs: "shell", text: fieldOf(line), via: `${run.name} --bind` })),
      ),
    ],
    examples: [
      ["fzf --preview 'rm x'", "runs rm x"],
      ["fzf --bind 'start:execute(rm x)'", "runs rm x"],
    ],
  },
  onchange: {
    options: "command|c= debounce|d= ignore|i= initial polling|p silent verbose",
    runs: (run) => [...optionLines(run, "command"), ...behindDashes(run)],
    examples: [["onchange src -- rm x", "runs rm x"]],
  },
  firejail: { is: { "other-world": true }, ...prefix("firejail --quiet rm x") },
  dotenv: prefix("dotenv -e .env -- rm x", "e= f= p= v= c?"),
  wine: prefix("wine rm x"),
  arch: { ...prefix("arch -x86_64 rm x", "e= d="), readOnly: true },
  faketime: prefix("faketime '1 day ago' rm x", "exclude-monotonic|m f p=", 1),
  shx: prefix("shx rm x"),
  watchexec: prefix(
    "watchexec -e ts -- rm x",
    "watch|w= exts|e= ignore|i= debounce|d= signal|s= filter|f= shell= delay-run= clear|c? restart|r on-busy-update|o= workdir= env|E=",
  ),
  envchain: prefix("envchain aws rm x", "", 1),
  ccache: prefix("ccache rm x"),
  distcc: prefix("distcc rm x"),
  daemonize: prefix("daemonize rm x", "c= e= o= p= l= u= E= a v"),
  cpulimit: {
    options: "limit|l= pid|p= exe|e= path|P= lazy|z include-children|i verbose|v",
    style: "first",
    runs: (run) => (run.args.some(({ text }) => text === "--") ? restAsProgram()(run) : []),
    examples: [["cpulimit -l 5 -- rm x", "runs rm x"]],
  },
  "flatpak-spawn": prefix("flatpak-spawn --host rm x", "env= directory= forward-fd= sandbox-expose= unset-env="),
  "host-spawn distrobox-host-exec": prefix("host-spawn rm x"),
  bwrap: {
    is: { "other-world": true },
    runs: inSandbox,
    examples: [["bwrap --bind / / --dev /dev rm x", "runs rm x"]],
  },
  "start-stop-daemon": {
    options:
      "exec|x= startas|a= pidfile|p= user|u= name|n= chuid|c= chdir|d= chroot|r= nicelevel|N= signal|s= retry|R= output|O= start|S stop|K background|b make-pidfile|m quiet|q oknodo|o test|t",
    runs: (run) => {
      const program = value(run, "startas") ?? value(run, "exec");
      return program === undefined || has(run, "stop") ? [] : asProgram(run.name, [program, ...run.operands]);
    },
    examples: [["start-stop-daemon --start --exec /bin/rm -- x", "runs rm x"]],
  },
});

function ofRunningOnes(call: Call): void {
  if (has(call, "pid")) plays(call, "settings");
}

function unlessOfRunningOnes(after = 0): Runs {
  return (run) => (has(run, "pid") ? [] : restAsProgram(after)(run));
}

/** A program whose operands are command lines, one each. */
function lines(example: string, options: string): Program {
  return {
    options,
    runs: ({ name, operands }) => operands.map((text) => ({ runs: "shell", text, via: name })),
    examples: [[example, "runs rm x"]],
  };
}

/** Each option of `bwrap` takes its own number of values. */
function inSandbox({ name, args }: Parameters<Runs>[0]): ReturnType<Runs> {
  let at = 0;
  while (args[at]?.text.startsWith("--")) {
    const option = args[at]?.text.slice(2) ?? "";
    at += 1 + (TWO_WORDS().test(option) ? 2 : ONE_WORD().test(option) ? 1 : 0);
  }
  return asProgram(name, args.slice(at));
}

const TWO_WORDS = () =>
  /^(?:(?:dev-|ro-)?bind(?:-try)?|(?:ro-)?bind-data|symlink|setenv|file|chmod|overlay|bind-fd|ro-bind-fd)$/;
const ONE_WORD = () =>
  /^(?:dev|proc|tmpfs|dir|chdir|unsetenv|hostname|[ug]id|cap-(?:add|drop)|mqueue|lock-file|remount-ro|seccomp|add-seccomp-fd|args|argv0|perms|size|userns2?|pidns|exec-label|file-label|sync-fd|block-fd|info-fd|json-status-fd)$/;

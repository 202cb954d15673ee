import type { SimpleCommand } from "../parse/command.ts";
import { anyArgument, anyOperand, either, hasOperands, operandIs } from "./act.ts";
import { type Call, has, plays, someArgument, value, values, valueText } from "./call.ts";
import { type Options, readOptions } from "./options.ts";
import type { Programs } from "./program.ts";
import { WATCHING } from "./services.ts";
import { typedInto } from "./typed-commands.ts";

/** Programs that show processes and the machine, or end them. */
export const PROCESSES = (): Programs => ({
  "bc cal expr free getconf groups iostat locale logname lsattr lscpu lshw lsmem lsmod lsns lsof lspci lsusb mpstat netstat nproc pgrep pidof pmap pstree ss sw_vers top tty uptime users vmstat w whereis who zipinfo":
    {
      is: {
        "finds-programs": "whereis",
        "finds-processes": "pgrep pidof lsof pstree",
        "reports-machine": "lshw lsmod lsof lspci lsusb netstat pmap ss top",
      },
      readOnly: true,
      examples: [["lsof -i :80"], ["free -m"]],
    },
  ps: {
    is: { "often-shadowed": true, "finds-processes": true },
    readOnly: true,
    options: "o= p= u= C= t= format= pid= user= sort= ppid=",
    // Without a dash, `e` prints the environment of each process.
    when: operandIs(0, /^[a-df-z]*e[a-z]*$/),
    keys: true,
    examples: [["ps aux"], ["ps -ef"], ["ps eww", "reveal"], ["ps -o pid,cmd -p 1"]],
  },
  kill: {
    readOnly: true,
    does: (call) => {
      const words = call.command.args.map(({ text }) => text);
      if (words.length === 0 || /^(?:-l|-L|--list|-0|--table|--help)/.test(words[0] ?? "")) return;
      plays(call, "kill");
      if (call.report.givers().some(({ args }) => args.some(({ text }) => WATCHING().test(text))))
        plays(call, "trace-removal");
      // After a signal, -1 means every process.
      if (words.slice(1).includes("-1") || call.report.isGivenAll(listsProcesses)) plays(call, "power");
    },
    examples: [
      ["kill -9 123", "kill"],
      ["kill -KILL 123", "kill"],
      ["kill -1 123", "kill"],
      ["kill -9 -1", "kill power"],
      ["kill $(pgrep -u me)", "kill power"],
      ["kill $(/usr/bin/pgrep --uid me)", "kill power"],
      ["kill $(pgrep node)", "kill"],
      ["kill $(pgrep -u me -t pts/1)", "kill"],
      ["kill -l"],
      ["kill -0 123"],
    ],
  },
  "pkill killall killall5 xkill skill": {
    readOnly: true,
    options: "f x u= U= t= P= g= s= signal= n o l list",
    unless: "l list",
    roles: ["kill"],
    does: endsWatcher,
    examples: [
      ["pkill -f node", "kill"],
      ["pkill falco", "kill trace-removal"],
    ],
  },
  slay: { when: hasOperands, roles: ["kill", "power"], examples: [["slay me", "kill power"], ["slay --help"]] },
  "taskkill stop-process": {
    readOnly: true,
    roles: ["kill"],
    // A bare star means every process.
    does: [endsWatcher, { when: anyArgument(/^\*$/), roles: ["power"] }],
    examples: [
      ["taskkill /F /IM node.exe", "kill"],
      ["taskkill /F /IM '*'", "kill power"],
      ["Stop-Process -Name '*'", "kill power"],
    ],
  },
  fuser: {
    options: "kill|k signal= i mount|m namespace|n= v",
    when: "kill",
    roles: ["kill"],
    // All processes that use a whole file system.
    does: [{ when: either("mount", anyOperand(/^\/$/)), roles: ["power"] }],
    examples: [["fuser -km /home", "kill power"], ["fuser -k 8080/tcp", "kill"], ["fuser 8080/tcp"]],
  },
  rtcwake: {
    options: "mode|m= seconds|s= time|t= dry-run|n",
    dry: "dry-run",
    unless: (call) => /^(?:no|show|on|disable)$/.test(valueText(call, "mode")),
    roles: ["power"],
    examples: [["rtcwake -m off -s 60", "power"], ["rtcwake -m show"]],
  },
  "shutdown reboot halt poweroff telinit kexec pm-suspend pm-hibernate pm-suspend-hybrid zzz acpitool gnome-session-quit xfce4-session-logout":
    {
      options: "c help",
      unless: "c help",
      roles: ["power"],
      examples: [["shutdown -h now", "power"], ["shutdown -c"]],
    },
  init: { when: operandIs(0, /^[06Ss1]$/), roles: ["power"], examples: [["init 0", "power"]] },
  renice: {
    options: "priority|n= pid|p pgrp|g user|u relative=",
    when: "pid",
    roles: ["settings"],
    examples: [["renice -n 5 -p 1", "settings"]],
  },
  "stress stress-ng xmrig minerd cpuminer ethminer cgminer slowloris slowhttptest goldeneye hulk t50": {
    options: "version|V help|h timeout|t= cpu|c= vm|m= vm-bytes= fork= hdd|d=",
    does: (call) => {
      // A few workers for less than two minutes are a benchmark.
      const isShort = /^(?:\d{1,2}s?|1[01]\ds?|1m)$/.test(valueText(call, "timeout"));
      const isSmall = /^[1-8]$/.test(valueText(call, "cpu")) && !has(call, "vm", "vm-bytes", "fork", "hdd");
      if (!has(call, "version", "help") && !(isShort && isSmall)) plays(call, "exhaust");
    },
    examples: [
      ["stress --cpu 8", "exhaust"],
      ["stress-ng --cpu 2 --timeout 10s"],
      ["stress-ng --vm 8 --timeout 10s", "exhaust"],
      ["stress-ng --version"],
    ],
  },
  dc: {
    readOnly: true,
    options: "expression|e= file|f=",
    runs: (run) => typedInto(run, values(run, "file"), values(run, "expression"), /^\s*!\s*([\s\S]+)$/),
    examples: [["dc -e '2 3 + p'"], ["dc <<< '!rm x'", "runs rm x"]],
  },
  "ab wrk wrk2 hey siege bombardier oha autocannon": {
    options: "n|requests= c|concurrency|connections= d|duration= t|threads=",
    when: (call) => Number(value(call, "n")?.text ?? 0) >= 1e6 || Number(value(call, "c")?.text ?? 0) >= 5000,
    unless: anyOperand(/^(?:https?:\/\/)?(?:localhost|127\.|0\.0\.0\.0|\[::1)/),
    roles: ["exhaust"],
    examples: [["ab -n 1000 -c 10 https://h.test/"], ["wrk -c100000 https://h.test", "exhaust"]],
  },
  "hping3 hping": {
    options: "flood faster c= p= S",
    when: "flood",
    roles: ["exhaust"],
    examples: [["hping3 --flood h.test", "exhaust"], ["hping3 -c 1 h.test"]],
  },
});

/** Who ends a program that records or checks what happens removes that record. */
function endsWatcher(call: Call): void {
  if (someArgument(call, WATCHING())) plays(call, "trace-removal");
}

/** Whether a command lists every process, or all of a user. */
function listsProcesses({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ text }) => text);
  const name = program?.text.replace(/^.*\//, "");
  if (name === "lsof" && words.includes("-t") && words.includes("/")) return true;
  if (name === "ps")
    return (
      words.some((text) => /^-?\w*[eAaxu]/.test(text)) && !words.some((text) => /^(?:-C|-p|--ppid|--pid)/.test(text))
    );
  return name === "pgrep" && choosesAll(chosenBy(name, words));
}

/** Whether a run that ends processes ends every one, the first one, or all of a user. */
export function killsAll(program: string, args: readonly string[], source: string): boolean {
  if (program === "killall5" || LISTS_ALL().test(source)) return true;
  if (program === "kill") {
    const [signal = ""] = args;
    const targets = signal.startsWith("-") && args.length > 1 ? args.slice(/^-[sn]$/.test(signal) ? 2 : 1) : args;
    return targets.includes("1") || targets.includes("-1");
  }
  const chosen = chosenBy(program, args);
  const names = chosen.operands.map(({ text }) => text);
  // All except these; all that the first process has started; all that are older or younger.
  if (has(chosen, "inverse") || values(chosen, "parent").some(({ text }) => text.split(",").includes("1"))) return true;
  if (has(chosen, "older-than", "younger-than") && names.length === 0) return true;
  // Processes that every session and desktop needs, or the programs of several projects.
  if (names.some((name) => VITAL().test(name)) || (program === "killall" && names.length > 2)) return true;
  return choosesAll(chosen);
}

/** The user whose processes a command selects, as it is written; undefined if the command does not state one. */
export function processOwner(program: string, args: readonly string[]): string | undefined {
  return value(chosenBy(program, args), "user")?.text;
}

/** The options and names by which a program selects processes, without the signal. */
function chosenBy(program: string, args: readonly string[]): Options {
  const isSignal = (text: string) => SIGNAL().test(program === "killall" ? text : text.toUpperCase());
  const words = args.filter((text) => !isSignal(text)).map((text) => ({ text, isKnown: true, isGlob: false }));
  return readOptions(words, program === "killall" ? KILLALL : /^(?:pkill|pgrep|skill)$/.test(program) ? PKILL : "");
}

/** Whether every process is selected, or every process of a user. */
function choosesAll(chosen: Options): boolean {
  if (has(chosen, "parent", "pgroup", "session", "terminal", "pidfile")) return false;
  const { operands } = chosen;
  return operands.length === 0 ? has(chosen, "user") : operands.every(({ text }) => EVERY_NAME.test(text));
}

/** Whether a program ends immediately. */
export function isInstant(name: string): boolean {
  return INSTANT.test(name);
}

/** Whether a program takes so little time that a loop of such programs never rests. */
export function isQuick(name: string): boolean {
  return QUICK().test(name);
}

/** Whether a program waits for something, or ends the loop around it. */
export function isWaiting(name: string): boolean {
  return WAITING().test(name);
}

/** A substitution that inserts the numbers of all processes. */
const LISTS_ALL = () => /^\S*kill\b[^|;&]*(?:\$\(|`)\s*ps\s+-?(?:e|A|ax|aux)\w*(?:\s+(?:-?o\s*)?'?pid=?'?)?\s*[)`]/;
/** Options by which `pkill` and `pgrep` select processes, and those of `killall`, whose letters have other meanings. */
const PKILL =
  "user|euid|uid|u|U= group|G= parent|P= pgroup|g= session|s= terminal|t= pidfile|F= runstates|r= older|O= signal= delimiter|d= cgroup= ns= nslist= env= inverse|v";
const KILLALL = "user|u= signal|s= older-than|o= younger-than|y= ns|n= context|Z=";
/** `killall` accepts these names only in upper case. */
const SIGNAL = () =>
  /^-(?:SIG)?(?:HUP|INT|QUIT|ILL|TRAP|ABRT|IOT|BUS|FPE|KILL|USR[12]|SEGV|PIPE|ALRM|TERM|STKFLT|CHLD|CLD|CONT|STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|POLL|PWR|SYS|RTM(?:IN|AX)\S*)$/;
/** Patterns that match every name. */
const EVERY_NAME = /^(?:\.\*?|\.\+|\^|\*|\.\{.*)?$/;
const VITAL = () =>
  /^(?:sshd|systemd|init|launchd|loginwindow|WindowServer|Finder|Dock|gnome-shell|gnome-session|kwin\w*|plasmashell|Xorg|Xwayland|gdm\d?|sddm|lightdm|dbus-daemon|NetworkManager|dockerd|containerd|kubelet|explorer(?:\.exe)?|lsass(?:\.exe)?|csrss(?:\.exe)?|winlogon(?:\.exe)?)$/;
const INSTANT = /^(?:echo|printf|cat|date|dd)$/;
const QUICK = () =>
  /^(?:echo|printf|cat|date|dd|true|:|cd|mkdir|touch|cp|mv|ln|tee|head|ls|pwd|expr|let|eval|curl|wget|mktemp|base64|openssl|gzip|tar|yes|export|test|\[|aws|gcloud|az|kubectl|gh|git|docker|rm|sync)$/;
const WAITING = () =>
  /^(?:sleep|wait|read|break|exit|return|timeout|inotifywait|fswatch|tail|nc|ping|select|usleep|exec|kill)$/;

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { runsOf } from "../../effects/command-runs.ts";
import { HookEvent } from "../../event/event.ts";
import { endsSluice, isOurProcess, namesUs, signalsSluice } from "./ended-processes.ts";

function ends(command: string): boolean {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: "/nowhere/project" }));
  return runsOf(call).some((run) => endsSluice(run, call)) || signalsSluice(command, call);
}

describe("a command that ends a process of Sluice", () => {
  it.each([
    "pkill sluice",
    "pkill -f '((z|y)x)*serve'",
    "kill $(ps ax | grep -P '(?:zzz|serve) --laun' | cut -c1-7)",
    `pkill -f '${"(a|b|c)".repeat(5)}'`,
    "pkill -f ''",
    "pkill -f '(zzz|s(er|x)ve) --laun'",
    "pkill -f '(zzz|yyy)*serve'",
    "pkill -f '\\(zzz\\|serve\\)'",
    "pkill -f 'sluice serve'",
    "pkill -f 'slu[i]ce'",
    "pkill -f 'serve --launched'",
    "pkill -9 -f plugin-host",
    "pkill -f 's(er|x)ve --laun'",
    "pkill -f 'zzz|serve'",
    "pkill --full 'serve.*launched'",
    "pkill -f 'serve \\-\\-launched'",
    "killall -r 's.rve'",
    "kill $(pgrep sluice)",
    "gdb -p $(pgrep sluice) -batch -ex 'call exit(0)'",
    "lldb -p $(pidof sluice) -o 'process kill'",
    "renice 19 $(pgrep sluice)",
    "kill $(pgrep -f 'serve.*launched')",
    "ps aux | grep '[s]luice' | awk '{print $2}' | xargs kill",
    "systemctl --user stop sluice",
    "kill -9 -1",
    "python3 -c \"import os; os.kill(find('sluice'), 9)\"",
    "kill -STOP 1234 sluice",
    "fuser -km /",
    "kill $(pgrep -f 'ser[v]e')",
    "pkill -r 's.rve'",
    "pkill --regexp 's.rve'",
    "pkill -f '^.*serve --launched$'",
    "pkill -f 'se{1}rve'",
    "pkill -f '/x|serve/'",
    "awk '/serve --laun/ {print $1}' | xargs kill",
    "ps ax | awk '/serve --laun/{print $1}' | xargs kill",
    "ps ax | awk '/serve.*laun/ && !/awk/ {print $1}' | xargs kill",
    `pkill -f ${dirname(process.execPath)}/`,
    "node -e \"process.kill(pid('sluice'))\"",
    "node -e \"os.killpg(pid('sluice'))\"",
    "kill $(pgrep -f 'serve --launched')",
    "pgrep sluice | sudo xargs kill",
    "[[ $name == sluice ]] && kill $p",
    "[[ $name =~ sluice ]] && kill $p",
    "systemctl disable sluice.service",
    "systemctl edit sluice",
    "systemctl set-property sluice MemoryMax=1",
    "pkill -ef 's.rve'",
    `pkill -f 'serve|${"z".repeat(394)}'`,
    `pkill -f '${basename(process.argv[1] ?? "")}'`,
    `pkill -f '${basename(process.execPath)}'`,
    "case $(cat x) in *sluice*--launched*) kill $p;; esac",
    "for p in /proc/*; do case $(cat $p/cmdline) in *sluice*) kill ${p#/proc/};; esac; done",
  ])("%s", (command) => {
    expect(ends(command)).toBe(true);
  });

  it.each([
    "gdb -p $(pgrep webpack) -batch -ex bt",
    'echo "$(pgrep sluice)" > pid.txt',
    "lsof -p $(pgrep sluice)",
    "pkill webpack",
    "pkill -f '(webpack|rollup)'",
    "pkill -f '(webpack) --watch'",
    "pkill -f 'zzz.*yyy'",
    "pkill serve",
    "kill 99999999",
    "kill $(pgrep webpack)",
    "kill $(pgrep -f 'webpack.*watch')",
    "systemctl --user stop postgres",
    "systemctl --user status sluice",
    "echo sluice",
    "grep -r kill sluice",
    "python3 -c \"print('sluice')\"",
    "python3 -c \"os.kill(find('webpack'), 9)\"",
    "case $1 in *sluice*) echo x;; esac",
    "case $1 in *sluice*) kill 99999999;; esac",
    "python3 -c \"send_signal(find('sluice'))\"",
    "kill 99999999; echo sluice",
    "kill $PID; echo webpack",
    "env kill $PID; ls",
    "for p in a b; do case $p in *sluice*) echo x;; esac; done; kill 99999999",
    "case $1 in *sluice*) rm $X;; esac",
    "pkill -f serve-",
    "systemctl --user stop 'a b'",
    "kill $PID; ls 'src/*'",
    "pkill -f -- -serve",
    `pkill -f 'serve|${"z".repeat(395)}'`,
    "A=1",
    "systemctl edit postgres",
    "systemctl is-active sluice",
    "git config user.name sluice",
    "grep 'kill(' sluice",
    "pkill -x 's.rve'",
    "pkill -f '(webpack|rollup) serve'",
    "grep kill 1234",
    "systemctl restart postgres",
    `kill $PID; tail -20 ${dirname(dirname(process.execPath))}/dev.log`,
    `PID=$(cat dev.pid); kill $PID; npm run dev > /dev/null; ls ${dirname(process.argv[1] ?? "")}/a.txt`,
  ])("other commands do not: %s", (command) => {
    expect(ends(command)).toBe(false);
  });
});

it.each([
  ["sluice", true],
  ["a/sluice.cjs", true],
  ["SLUICE", true],
  ["[s]luice", true],
  ["slui[c]e", true],
  ["sluices", false],
  ["[sluices]", false],
  ["", false],
])("an argument names Sluice: %j: %s", (word, isNamed) => {
  expect(namesUs(word)).toBe(isNamed);
});

it.runIf(existsSync("/proc/self"))("a process of Sluice is recognized by its id", () => {
  const other = spawn("sleep", ["60"], { argv0: "sluice", stdio: "ignore" });
  onTestFinished(() => void other.kill());
  const pid = String(other.pid);
  expect([pid, `-${pid}`, `x${pid}`, `${pid}x`].map(isOurProcess)).toEqual([true, true, false, false]);
  for (const line of [
    `kill ${pid}`,
    `kill -9 99999999 ${pid}`,
    `gdb -p ${pid}`,
    `renice 19 ${pid}`,
    `echo 1000 | tee /proc/${pid}/oom_score_adj`,
    `rm /tmp/locks/${pid}`,
    `prlimit --pid ${pid} --cpu=1`,
    `frobnicate ${pid}`,
    `python3 -c "os.kill(${pid}, 9)"`,
    `python3 -c "signal(x, ${pid})"`,
    `python3 -c "x = '${"y ".repeat(20_000)}'; os.kill(${pid}, 9)"`,
    `ls; echo x > a${pid}; frobnicate --of=${pid}`,
  ])
    expect([line, ends(line)]).toEqual([line, true]);
  for (const line of [
    `ps -p ${pid}`,
    `cat /proc/${pid}/status`,
    `echo ${pid}; touch a`,
    `python3 -c "print(${pid})"`,
    `frobnicate 99999999`,
  ])
    expect([line, ends(line)]).toEqual([line, false]);
});

it.each(["", "1", "x1", "1x", String(process.pid), "99999999"])("%j is not a process of Sluice", (word) => {
  expect(isOurProcess(word)).toBe(false);
});

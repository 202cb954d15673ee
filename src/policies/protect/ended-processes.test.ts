import { describe, expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { endsSluice, isOurProcess, namesUs, signalsSluice } from "./ended-processes.ts";

function ends(command: string): boolean {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: "/nowhere/project" }));
  return call.commands.some((one, at) => endsSluice(one, at, call)) || signalsSluice(command, call);
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
    "pkill -f 's(er|x)ve --laun'",
    "pkill -f 'zzz|serve'",
    "pkill --full 'serve.*launched'",
    "pkill -f 'serve \\-\\-launched'",
    "killall -r 's.rve'",
    "kill $(pgrep sluice)",
    "kill $(pgrep -f 'serve.*launched')",
    "ps aux | grep '[s]luice' | awk '{print $2}' | xargs kill",
    "systemctl --user stop sluice",
    "kill -9 -1",
    "python3 -c \"import os; os.kill(find('sluice'), 9)\"",
    "for p in /proc/*; do case $(cat $p/cmdline) in *sluice*) kill ${p#/proc/};; esac; done",
  ])("%s", (command) => {
    expect(ends(command)).toBe(true);
  });

  it.each([
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
])("a word names Sluice: %j: %s", (word, isNamed) => {
  expect(namesUs(word)).toBe(isNamed);
});

it.each(["", "1", "x1", "1x", String(process.pid), "99999999"])("%j is no process of Sluice", (word) => {
  expect(isOurProcess(word)).toBe(false);
});

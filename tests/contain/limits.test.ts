import { describe, expect, it } from "vitest";
import { containedProject, WORKING } from "./contained-project.ts";

describe.skipIf(WORKING.length === 0).each(WORKING)("the limits of a box made by %s", (backend) => {
  it("`processes` ends a program that starts others without end, and its call ends as it would", () => {
    const project = containedProject("contain: { mode: all, limits: { processes: 400 } }\n");
    const bomb = "for (1 .. 2000) { $p = fork; if (!defined $p) { print qq(refused); exit 5 } sleep 600 if !$p }";
    const { code, out, err } = project.run(`perl -e '${bomb}'`, backend);
    expect([code, out, err]).toEqual([5, "refused", ""]);
  });

  it("`memory` refuses a program more data than that", () => {
    const project = containedProject("contain: { mode: all, limits: { memory: 100MiB } }\n");
    const { code, err } = project.run(`perl -e '$_ = "x" x 3e8; print length'`, backend);
    expect([code === 0, err]).toEqual([false, expect.stringMatching(/^Out of memory/i)]);
    expect(project.run(`perl -e '$_ = "x" x 3e7; print length'`, backend).out).toBe("30000000");
  });

  it("`time` ends a program that runs longer, also one that refuses to end; what it did is judged, and the agent is told", () => {
    const project = containedProject("contain: { mode: all, limits: { time: 1s } }\n");
    const { err } = project.run(`perl -e '$SIG{TERM} = "IGNORE"; mkdir "made"; sleep 60 while 1'`, backend);
    expect(err).toMatch(/Ran contained: 1 file changed .*\nIt was ended after 1 s: .*limits: \{ time \}/);
    expect(project.run("sleep 60", backend).err).toMatch(/Ran contained: nothing changed. It was ended after 1 s/);
  });
});

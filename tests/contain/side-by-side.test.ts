import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ContainedProject, containedProject, WORKING } from "./contained-project.ts";

/** The latest boxes with what has become of their changes. */
function boxesOf(
  project: ContainedProject,
): readonly { readonly state: string; readonly changes: readonly object[] }[] {
  return JSON.parse(project.sluice("inside", "--list", "--json").out);
}

/** Runs the second line while the first one runs, which ends when its standard input does. */
async function lateAndEarly(project: ContainedProject, first: string, second: string) {
  let end = () => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running = project.runBeside(first, undefined, until);
  while (boxesOf(project)[0]?.state !== "running") await new Promise((resolve) => setImmediate(resolve));
  const early = await project.runBeside(second);
  end();
  return { early, late: await running };
}

describe.skipIf(WORKING.length === 0)("two contained calls at once in one project", () => {
  it("both are kept where they write different files, and both can be taken back", async () => {
    const project = containedProject("contain: all\n");
    project.write("gone", "old\n");
    const lines = ["echo 1 > one; rm gone; cat", "echo 2 > two; cat"];
    const ended = await Promise.all(lines.map((line) => project.runBeside(line)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(["one", "two"].map(project.read)).toEqual(["1\n", "2\n"]);
    expect(existsSync(join(project.root, "gone"))).toBe(false);
    expect(boxesOf(project).map(({ state }) => state)).toEqual(["done", "done"]);
    expect(project.sluice("undo", "--last").code).toBe(0);
    expect(project.sluice("undo", "--last").code).toBe(0);
    expect(project.read("gone")).toBe("old\n");
    expect(existsSync(join(project.root, "one"))).toBe(false);
  });

  it("a file that both write is kept of the one that ends first, and held of the other", async () => {
    const project = containedProject("contain: all\n");
    project.write("both", "old\n");
    const { late, early } = await lateAndEarly(project, "echo late > both; echo late > own; cat", "echo early > both");
    expect(early.err).toContain("Ran contained: 1 file changed");
    expect(late.err).toMatch(/1 file changed, 1 file changed held back.*both was changed by another program/s);
    expect([project.read("both"), project.read("own")]).toEqual(["early\n", "late\n"]);
  });

  it("a commit of git is held as a whole where another one came first, so that neither is lost", async () => {
    const project = containedProject("contain: all\n");
    const git = (...args: string[]) => {
      const { stdout } = spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: project.root,
        encoding: "utf8",
        env: project.env,
      });
      return stdout.trim();
    };
    project.write("one", "old\n");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
    const commit = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m";
    const { late } = await lateAndEarly(project, `${commit} late; cat`, `${commit} early`);
    expect(late.err).toContain("held back");
    expect(git("log", "--format=%s")).toBe("early\nfirst");
    expect(git("fsck", "--no-dangling")).toBe("");
  });
});

describe.skipIf(WORKING.length === 0)("a contained call inside of another one", () => {
  it("does not run: neither Sluice nor its boxes are in a box, and nothing of it is in the project", () => {
    const project = containedProject("contain: all\n");
    const { answer } = project.run("echo 1 > outer");
    const line = project.decide("echo 2 > inner").input?.command ?? "";
    project.write("data", [...`${line}\n`].reverse().join("").trimStart());
    const nested = project.run('eval "$(rev < data)"; echo $? > code');
    expect(nested.answer.contained?.id).not.toBe(answer.contained?.id);
    expect(project.read("code")).toMatch(/^12[67]\n$/);
    expect([project.read("outer"), existsSync(join(project.root, "inner"))]).toEqual(["1\n", false]);
  });
});

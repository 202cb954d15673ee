import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashPin, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { builtFile } from "../built-file.ts";
import { runCommand } from "../command-server/run-command.ts";
import { containedProject, WORKING } from "./contained-project.ts";

/** A program that no row describes, and that acts inside of the project and outside. */
const PROGRAM = `echo out; echo err >&2
echo new > src/changed; rm src/gone; echo made > src/made; chmod 755 src/mode; ln -s made src/link
rm -r tree; mkdir tree; echo 2 > tree/second
cat "$HOME/.ssh/id_rsa"; echo evil >> "$HOME/.bashrc"; cat "$HOME/.config/sluice/hooks.yaml"
exit 7
`;

function filled(configuration?: string) {
  const project = containedProject(configuration);
  // What a program does that it reads from elsewhere is not known before.
  project.write("prog", '#!/bin/sh\neval "$(rev < data)"\n', 0o755);
  project.write(
    "data",
    PROGRAM.replaceAll(/^.*$/gm, (line) => [...line].reverse().join("")),
  );
  for (const name of ["src/changed", "src/gone", "src/mode", "tree/first"]) project.write(name, "old\n");
  project.write("../home/.ssh/id_rsa", "KEY\n");
  return project;
}

describe.skipIf(WORKING.length === 0).each(WORKING)(
  "a call with unknown effects runs in a box made by %s",
  (backend) => {
    it("has its exit code and output, and what it did in the project is kept when nothing objects", () => {
      const project = filled();
      const { answer, code, out, err } = project.run("./prog", backend);
      expect(answer.action).toBe("modify");
      expect(answer.input?.command).toMatch(/sluice inside [0-9a-f]{6} -- \.\/prog$/);
      expect([code, out, err]).toEqual([7, "out\n", expect.stringContaining("err")]);
      expect(err).toMatch(/^err$/m);
      expect(err).toMatch(/Ran contained: 5 files changed and 2 deletions \(why: sluice why [0-9a-f]{6}\)\./);
      expect(project.read("src/changed")).toBe("new\n");
      expect(project.read("src/link")).toBe("made\n");
      expect(lstatSync(join(project.root, "src/mode")).mode & 0o777).toBe(0o755);
      expect(existsSync(join(project.root, "src/gone"))).toBe(false);
      expect(existsSync(join(project.root, "tree/first"))).toBe(false);
      // Outside of the project nothing has changed, and no key was read.
      expect(existsSync(join(project.home, ".bashrc"))).toBe(false);
      expect(`${out}${err}`).not.toContain("KEY");
      expect(`${out}${err}`).not.toContain("contain: unknown");
    });

    it("is taken back by `sluice undo`, byte for byte", () => {
      const project = filled();
      project.run("./prog", backend);
      expect(project.sluice("undo", "--last").code).toBe(0);
      expect(["src/changed", "src/gone", "src/mode", "tree/first"].map(project.read)).toEqual(Array(4).fill("old\n"));
      expect(lstatSync(join(project.root, "src/mode")).mode & 0o777).toBe(0o644);
      expect(existsSync(join(project.root, "src/made"))).toBe(false);
      expect(existsSync(join(project.root, "tree/second"))).toBe(false);
    });

    it("may make folders in which something is protected", () => {
      const project = containedProject("contain: all\n");
      const { err } = project.run("mkdir -p node_modules/x .claude/y && echo 1 > node_modules/x/index.js", backend);
      expect(err).toContain("Ran contained: 5 files changed (");
      expect(project.read("node_modules/x/index.js")).toBe("1\n");
    });

    it("what it made and somebody has changed since is left by `sluice undo`, and reported", () => {
      const project = containedProject("contain: all\n");
      project.run("mkdir -p a/b; echo 1 > a/b/one; echo 2 > a/two", backend);
      project.write("a/two", "of the user\n");
      const { code, err } = project.sluice("undo", "--last");
      expect([code, err]).toEqual([1, expect.stringContaining("the call made it, and it has changed since")]);
      expect(existsSync(join(project.root, "a/b"))).toBe(false);
      expect(project.read("a/two")).toBe("of the user\n");
    });

    it("gives the project's own folder the mode and time that it has in the box", () => {
      const project = containedProject("contain: all\n");
      project.run(
        "mkdir d; touch d/x; touch -d 2001-02-03T04:05:06Z d; chmod 711 .; touch -d 2002-02-03T04:05:06Z .",
        backend,
      );
      expect(lstatSync(project.root).mode & 0o777).toBe(0o711);
      expect(lstatSync(project.root).mtime.toISOString()).toBe("2002-02-03T04:05:06.000Z");
      expect(lstatSync(join(project.root, "d")).mtime.toISOString()).toBe("2001-02-03T04:05:06.000Z");
      project.run("touch -d 2003-02-03T04:05:06Z .", backend);
      expect(lstatSync(project.root).mtime.toISOString()).toBe("2003-02-03T04:05:06.000Z");
    });
  },
);

describe.skipIf(WORKING.length === 0)("what a contained call did is judged by the rules of the project", () => {
  const RULES = `contain: unknown
hooks:
  - { name: no-made, event: tool:pre_execute, rules: 'call writes "src/made" -> deny("nothing is made here")' }
  - { name: ask-gone, event: tool:pre_execute, rules: 'call deletes "src/**" -> ask("is it still needed?")' }
`;

  it("what is denied is dropped and reported, what is asked is held, and the rest is kept", () => {
    const project = filled(RULES);
    const { err, answer } = project.run("./prog");
    expect(err).toContain("Dropped src/made: nothing is made here");
    expect(err).toContain("Held src/gone: is it still needed?");
    expect(project.read("src/changed")).toBe("new\n");
    expect(existsSync(join(project.root, "src/made"))).toBe(false);
    expect(project.read("src/gone")).toBe("old\n");
    const [box] = JSON.parse(project.sluice("inside", "--list", "--json").out);
    expect(box).toMatchObject({ id: answer.contained?.id, state: "held", exit: 7 });
    const held = box.changes.filter(({ state }: { state: string }) => state === "held");
    expect(held).toMatchObject([{ path: "src/gone", change: "deleted" }]);
  });

  it("what is held is kept only by a person, or dropped", () => {
    const project = filled(RULES);
    const { id = "" } = project.run("./prog").answer.contained ?? {};
    expect(project.sluice("inside", "--keep", id).code).toBe(1);
    expect(project.read("src/gone")).toBe("old\n");
    expect(project.sluice("inside", "--drop", id).code).toBe(0);
    expect(JSON.parse(project.sluice("inside", "--show", id, "--json").out).state).toBe("done");
    expect(project.sluice("inside", "--drop", id).code).toBe(1);
  });

  it("where a PIN is set up, `--yes` does not keep what is held", () => {
    const project = filled(RULES);
    const { id = "" } = project.run("./prog").answer.contained ?? {};
    const place = { env: project.env, root: "/nonexistent/sluice-no-project" };
    expect(savePersonChannel({ pin: hashPin("a-pin-of-mine") }, place)).toBe(true);
    expect(project.sluice("inside", "--keep", id, "--yes").err).toContain("protect/no-person");
    expect(project.read("src/gone")).toBe("old\n");
  });

  it("an agent may run exactly the line that it was given, once, and no other", () => {
    const project = filled();
    const line = project.decide("./prog").input?.command ?? "";
    expect(project.decide(line)).toMatchObject({ action: "continue" });
    expect(project.decide(`${line} more`).action).toBe("deny");
    const id = /inside (\w+)/.exec(line)?.[1] ?? "";
    expect(project.sluice("inside", id, "--", "rm", "-rf", "src").err).toContain("given for another command");
    expect(project.decide(`sluice inside --keep ${id}`).action).toBe("deny");
    expect(project.decide("sluice inside --list").action).toBe("continue");
  });
});

it.skipIf(WORKING.length === 0)("a command that a package manager has installed as a symlink contains calls", () => {
  const project = filled();
  const link = join(project.home, "sluice");
  symlinkSync(builtFile("sluice.cjs"), link);
  const data = { tool_args: { command: "./prog" } };
  const input = JSON.stringify({
    type: "tool:pre_execute",
    tool_name: "Bash",
    session_id: "s",
    cwd: project.root,
    data,
  });
  const at = { cwd: project.root, env: project.env, input, encoding: "utf8" } as const;
  expect(JSON.parse(spawnSync(process.execPath, [link, "run", "json"], at).stdout).action).toBe("modify");
});

it.skipIf(WORKING.length === 0)(
  "an agent whose own rules judge the rewritten line sees each command of the call first, and none of them runs there",
  () => {
    const project = filled();
    const command = "./prog 'fi; touch evil' '$(touch evil)' | ./other > made && ./third";
    const payload = { hook_event_name: "PreToolUse", session_id: "s", cwd: project.root, tool_use_id: "t" };
    const input = JSON.stringify({ ...payload, tool_name: "Bash", tool_input: { command } });
    const at = { cwd: project.root, env: project.env, input };
    const { out } = runCommand(["run", "claude-code"], at);
    const line: string = JSON.parse(out).hookSpecificOutput.updatedInput.command;
    const [first, second, third, last = ""] = line.split(/; (?=false && \.|\/)/);
    expect(first).toBe("false && ./prog 'fi; touch evil' '$(touch evil)'");
    expect([second, third]).toEqual(["false && ./other", "false && ./third"]);
    expect(last).toMatch(/sluice inside [0-9a-f]{6} -- '/);
    for (const shell of ["sh", "bash"])
      spawnSync(shell, ["-c", line.replace(/[^ ]*sluice inside .*/s, "true")], { cwd: project.root });
    expect(existsSync(join(project.root, "evil"))).toBe(false);
    expect(project.read("src/changed")).toBe("old\n");
  },
);

it("calls whose effects are known run as they are", () => {
  const { decide } = containedProject();
  expect(decide("ls -la").action).toBe("continue");
  expect(decide("mkdir a && touch a/b").action).toBe("continue");
});

it("`exempt` names programs and conditions whose calls run outside, and only the user's own counts", () => {
  const project = containedProject("contain: { mode: all, exempt: [ls, 'args.command starts_with \"docker \"'] }\n");
  expect(project.decide("ls").action).toBe("continue");
  expect(project.decide("docker ps").action).not.toBe("modify");
  expect(project.decide("pwd").action).toBe(WORKING.length === 0 ? "continue" : "modify");
});

it("where no box can be made, a call with unknown effects waits for a person, and others run", () => {
  const project = containedProject("contain: unknown\n");
  project.write("prog", "#!/bin/sh\n", 0o755);
  project.cannotContain();
  const { action, reason = "" } = project.decide("./prog");
  expect([action, reason]).toEqual(["ask", expect.stringMatching(/It cannot be contained here.*no boxes here/s)]);
  expect(JSON.parse(project.sluice("approvals", "--json").out)).toMatchObject({ pending: [{ tool: "Bash" }] });
  expect(project.decide("ls").action).toBe("continue");
});

describe.skipIf(WORKING.length === 0)("a contained call without a receipt is a failure with a name", () => {
  it("is reported at the end of the call, by its line or by the original one", () => {
    const project = filled();
    const { contained } = project.decide("./prog");
    const ended = { tool_args: { command: "./prog" }, tool_result: "done" };
    expect(project.send("tool:post_execute", ended)).toContain("it ran outside");
    expect(project.send("tool:post_execute", ended)).not.toContain("it ran outside");
    const [box] = JSON.parse(project.sluice("inside", "--list", "--json").out);
    expect(box).toMatchObject({
      id: contained?.id,
      state: "failed",
      failed: expect.stringContaining("contain/no-receipt"),
    });
  });
});

import { mkdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { type Work, work } from "./work.ts";

const PATCH = { input: "*** Begin Patch\n*** Update File: hand.ts\n@@\n-a\n+b\n*** End Patch" };
const patch = (at: Work, text: string, session = "s1") =>
  at.call({ tool: "apply_patch", input: PATCH, does: () => at.write("hand.ts", text), session });
const announced = async (at: Work, tool: string, input: object) =>
  (await at.call({ tool, input, does: () => {} })).before;
const shell = (at: Work, command: string) => announced(at, "Bash", { command });

const STALE = expect.stringMatching(
  /^STALE_WRITE: hand\.ts has changed .* no recorded call did it\. Read it again, then write\.$/,
);

/** A session has written a file, and then another did. */
async function stale(): Promise<Work> {
  const at = work({ "hand.ts": "a\n", q: "q\n" }, { intents: { mode: "enforce" } });
  expect((await patch(at, "b\n")).before.action).toBe("continue");
  expect((await patch(at, "by another\n", "s2")).before.action).toBe("continue");
  expect((await patch(at, "c\n")).before).toMatchObject({
    action: "deny",
    reasons: [expect.stringMatching(/STALE_WRITE: .* session s2 changed it at .*, lines 1-1/)],
  });
  return at;
}

test.each([
  ["apply_patch", PATCH],
  ["Bash", { command: "echo z > hand.ts" }],
  ["Bash", { command: "rm hand.ts" }],
  ["Bash", { command: "mv q hand.ts" }],
  ["Write", { file_path: "hand.ts", content: "z" }],
  ["Edit", { file_path: "hand.ts", old_string: "b", new_string: "z" }],
  ["MultiEdit", { file_path: "hand.ts", edits: [{ old_string: "b", new_string: "z" }] }],
  ["mcp__filesystem__write_file", { path: "hand.ts", content: "z" }],
])("what a person or a program changed has to be read as well: %s with %j", async (tool, input) => {
  const at = work({ "hand.ts": "a\n", q: "q\n" }, { intents: { mode: "enforce" } });
  await patch(at, "b\n");
  at.write("hand.ts", "by a person\n");
  const denied = await announced(at, tool, input);
  expect(denied).toMatchObject({ action: "deny", reasons: [STALE] });
  expect(denied.toHookDecision()).toEqual({ allow: false, code: "STALE_WRITE", reason: STALE });
  await announced(at, "Read", { file_path: "hand.ts" });
  expect((await announced(at, tool, input)).action).toBe("continue");
});

test("where intents are only advised, the agent is told and the write passes", async () => {
  const at = work({ "hand.ts": "a\n" }, { intents: { mode: "advise" } });
  await patch(at, "b\n");
  at.write("hand.ts", "by a person\n");
  const told = expect.stringMatching(/^hand\.ts has changed since this session last read it, and no recorded call/);
  expect((await patch(at, "c\n")).before).toMatchObject({ action: "continue", contexts: [told] });
});

test("one stale file of a patch with several is enough, and is named", async () => {
  const at = work({ "a.ts": "a\n", "b.ts": "b\n" }, { intents: { mode: "enforce" } });
  await shell(at, "cat a.ts b.ts");
  at.write("b.ts", "by a person\n");
  const update = (name: string) => `*** Update File: ${name}\n@@\n-x\n+y\n`;
  const both = { input: `*** Begin Patch\n${update("a.ts")}${update("b.ts")}*** End Patch` };
  expect(await announced(at, "apply_patch", both)).toMatchObject({
    action: "deny",
    reasons: [expect.stringMatching(/^STALE_WRITE: b\.ts has changed/)],
  });
});

test("a call of the session whose end the agent never told may have made the change", async () => {
  const at = work({ "hand.ts": "a\n" }, { intents: { mode: "enforce" } });
  await shell(at, "cat hand.ts");
  const input = {
    command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: hand.ts\n@@\n-a\n+b\n*** End Patch\nEOF",
  };
  await at.call({ tool: "Bash", input, does: () => at.write("hand.ts", "b\n"), isNeverEnded: true });
  expect((await patch(at, "c\n")).before.action).toBe("continue");
});

test("what another session did before this one read the file is not blamed for a later change", async () => {
  const at = work({ "hand.ts": "a\n" }, { intents: { mode: "enforce" } });
  await patch(at, "by another\n", "s2");
  await new Promise((wake) => setTimeout(wake, 5));
  await shell(at, "cat hand.ts");
  expect((await patch(at, "c\n")).before.action).toBe("continue");
  at.write("hand.ts", "by a person\n");
  expect((await patch(at, "d\n")).before.reasons).toEqual([STALE]);
});

test.each([
  ["Bash", { command: "cat hand.ts" }],
  ["Bash", { command: "sed -n 1,20p hand.ts" }],
  ["Bash", { command: "nl -ba hand.ts | sed -n '1,20p'" }],
  ["Bash", { command: "head -5 hand.ts" }],
  ["Bash", { command: "tail -n +2 hand.ts" }],
  ["Bash", { command: "grep -n another hand.ts" }],
  ["Bash", { command: "awk 'NR < 9' hand.ts" }],
  ["Bash", { command: "less hand.ts" }],
  ["Bash", { command: "bat hand.ts" }],
  ["Bash", { command: "cat *.ts" }],
  ["Bash", { command: "cat < hand.ts" }],
  ["Bash", { command: "cat hand.ts; ./mystery" }],
  ["shell", { command: ["bash", "-lc", "cat hand.ts"] }],
  ["mcp__filesystem__read_file", { path: "hand.ts" }],
  ["mcp__filesystem__read_text_file", { path: "hand.ts" }],
  ["mcp__filesystem__read_multiple_files", { paths: ["q", "hand.ts"] }],
  ["str_replace_based_edit_tool", { command: "view", path: "hand.ts" }],
  ["Read", { file_path: "hand.ts" }],
  ["Grep", { pattern: "x", path: "hand.ts" }],
])("%s with %j shows the file, and the write that was refused passes", async (tool, input) => {
  const at = await stale();
  expect((await announced(at, tool, input)).action).toBe("continue");
  expect((await patch(at, "c\n")).before.action).toBe("continue");
});

test("a whole path is the same file", async () => {
  const at = await stale();
  await shell(at, `cat ${at.path("hand.ts")}`);
  expect((await patch(at, "c\n")).before.action).toBe("continue");
});

test.each(["cat q", "cat missing.ts", "ls", "echo hand.ts", "cd sub && cat hand.ts"])(
  "%j does not show it",
  async (command) => {
    const at = await stale();
    mkdirSync(at.path("sub"));
    await shell(at, command);
    expect((await patch(at, "c\n")).before.action).toBe("deny");
  },
);

test.each([
  "echo z > hand.ts",
  "echo z >> hand.ts",
  "echo z | tee hand.ts",
  "sed -i s/a/b/ hand.ts",
  "mv q hand.ts",
  "mv q ./hand.ts && ls",
  "cp q hand.ts",
  "rm hand.ts",
  "rm *.ts",
  "rm -rf .",
  "cat > hand.ts <<EOF\nx\nEOF",
  "cat hand.ts && sed -i s/a/b/ hand.ts",
  "bash -c 'echo z > hand.ts'",
  `python3 -c "open('hand.ts', 'w').write('x')"`,
])("a shell is held to it as well: %j", async (command) => {
  const at = await stale();
  expect(await shell(at, command)).toMatchObject({
    action: "deny",
    reasons: [expect.stringMatching(/STALE_WRITE: hand\.ts has changed/)],
  });
  await shell(at, "cat hand.ts");
  expect((await shell(at, command)).action).toBe("continue");
});

test("what is copied into a folder goes over the file of that name", async () => {
  const at = work({ "src/a.ts": "a\n", "a.ts": "new\n" }, { intents: { mode: "enforce" } });
  await shell(at, "cat src/a.ts");
  const does = () => at.write("src/a.ts", "by another\n");
  await at.call({ tool: "Write", input: { file_path: "src/a.ts" }, does, session: "s2" });
  expect((await shell(at, "cp a.ts src/")).action).toBe("deny");
});

test.each(["npm test hand.ts", "./mystery hand.ts", "tsc -p .", "git add hand.ts", "echo z > other.ts", "mkdir new"])(
  "%j is not certain to go over it, and passes",
  async (command) => {
    const at = await stale();
    expect((await shell(at, command)).action).toBe("continue");
  },
);

test("what a session's own commands changed is no news to it", async () => {
  const at = work({ "a.md": "a\n" }, { intents: { mode: "enforce" } });
  const run = (command: string, does: () => void) => at.call({ tool: "Bash", input: { command }, does });
  await run("cat a.md", () => {});
  await run("sed -i s/a/b/ a.md", () => at.write("a.md", "b\n"));
  for (const command of ["./mystery", "git pull", "git checkout other", "git stash pop", "npm run format"])
    await run(command, () => at.write("a.md", `by ${command}\n`));
  expect((await shell(at, "echo d > a.md")).action).toBe("continue");
  await run("rm a.md", () => rmSync(at.path("a.md")));
  at.write("a.md", "another file\n");
  expect((await shell(at, "echo e > a.md")).action).toBe("continue");
});

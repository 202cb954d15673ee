import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";

/** One call of a tool as an agent reports it, with what the tool does in between. */
function called({ root, home }: Project, file: string, text: string, id = file): void {
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    SLUICE_RESIDENT: "0",
  };
  const tell = (type: string) => {
    const data = { tool_use_id: id, tool_args: { file_path: file } };
    const input = JSON.stringify({ type, tool_name: "Write", session_id: "s1", cwd: root, data });
    return runCommand(["run", "json", "--cold"], { cwd: root, env, input });
  };
  expect(tell("tool:pre_execute").code).toBe(0);
  mkdirSync(join(root, file, ".."), { recursive: true });
  writeFileSync(join(root, file), text);
  expect(tell("tool:post_execute").code).toBe(0);
}

const traceOf = ({ root }: Project) => join(root, ".orchestration/agent_trace.jsonl");

test("what agents report is recorded, found again and verified", () => {
  const at = project({ ".orchestration/.keep": "", "src/a.ts": "export const a = 1;\n" });
  called(at, "src/a.ts", "export const a = 1;\nexport const b = 2;\n");
  expect(at.sluice("trace", "verify")).toMatchObject({ code: 0, out: expect.stringContaining("1 record") });
  expect(JSON.parse(at.sluice("trace", "find", "src/a.ts:2", "--json").out)).toMatchObject({
    found: [{ state: "intact", record: { session_id: "s1", agent: "json", mutation_class: "INTENT_EVOLUTION" } }],
  });
  expect(at.sluice("trace", "find", "src/a.ts:1")).toMatchObject({
    code: 1,
    out: expect.stringContaining("No recorded call"),
  });
  expect(at.sluice("trace").out).toContain("src/a.ts:2");
  expect(JSON.parse(at.sluice("trace", "export").out)).toMatchObject({
    version: "0.1.0",
    files: [
      { path: "src/a.ts", conversations: [{ contributor: { type: "ai" }, ranges: [{ start_line: 2, end_line: 2 }] }] },
    ],
  });
});

test("a changed record is named by its line, and a cut end is noticed", () => {
  const at = project({ ".orchestration/.keep": "" });
  for (const name of ["a.md", "b.md", "c.md"]) called(at, name, `${name}\n`);
  const whole = readFileSync(traceOf(at), "utf8");
  const lines = whole.trimEnd().split("\n");
  writeFileSync(traceOf(at), whole.replace('"relative_path":"b.md"', '"relative_path":"x.md"'));
  expect(at.sluice("trace", "verify")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^trace BROKEN at \S*agent_trace\.jsonl:2: the record was changed\.$/m),
  });
  writeFileSync(traceOf(at), `${lines.slice(0, 2).join("\n")}\n`);
  expect(at.sluice("trace", "verify")).toMatchObject({ code: 1, out: expect.stringContaining("cut off") });
  writeFileSync(traceOf(at), `${whole}{"id":"torn`);
  expect(at.sluice("trace", "verify")).toMatchObject({
    code: 0,
    out: expect.stringContaining("note: the last line is torn"),
  });
  called(at, "d.md", "d\n");
  expect(at.sluice("trace", "verify")).toMatchObject({
    code: 0,
    out: expect.stringContaining("note: once a torn last line"),
  });
});

test("files that no call explains are listed, with a code that says so", () => {
  const at = project({ ".orchestration/.keep": "" });
  called(at, "a.md", "a\n");
  expect(at.sluice("trace", "audit")).toMatchObject({ code: 0 });
  writeFileSync(join(at.root, "rogue.md"), "hello\n");
  const { code, out } = at.sluice("trace", "audit", "--json");
  expect([code, JSON.parse(out).files]).toEqual([1, [expect.objectContaining({ path: "rogue.md", size: 6 })]]);
});

test("the page holds no markup of others and loads nothing from elsewhere", () => {
  const at = project({ ".orchestration/.keep": "" });
  called(at, "<img src=x onerror=alert(1)>.md", "a\n");
  const { code, out } = at.sluice("trace", "report", "--html");
  expect(code).toBe(0);
  expect(out).toContain("&#60;img src=x onerror=alert(1)&#62;.md");
  expect(out).not.toMatch(/<img|<script|https?:|url\(/);
  expect(at.sluice("trace", "map").code).toBe(0);
  expect(readFileSync(join(at.root, ".orchestration/intent_map.md"), "utf8")).toContain(
    "\\<img src=x onerror=alert(1)\\>.md",
  );
});

test("tracing that is off says so, and asking for a map turns nothing on", () => {
  const at = project();
  const off = expect.stringContaining("Tracing is off here: no change is recorded. `trace: on` in .sluice/hooks.yaml");
  expect(at.sluice("trace")).toMatchObject({ code: 0, out: off });
  expect(JSON.parse(at.sluice("trace", "--json").out)).toEqual({ changes: [], tracing: "off" });
  expect(at.sluice("trace", "map")).toMatchObject({ code: 0, out: off });
  expect(JSON.parse(at.sluice("trace", "map", "--json").out)).toEqual({ file: null, intents: [] });
  expect(at.sluice("trace", "audit").err).toEqual(off);
  expect(at.sluice("trace", "find", "a.md:1").out).toEqual(off);
  expect(existsSync(join(at.root, ".orchestration"))).toBe(false);
  const stated = project({ ".sluice/hooks.yaml": "trace: on\nhooks: []\n" });
  expect(stated.sluice("trace").out).toBe("trace OK: nothing is recorded yet.\n");
  expect(stated.sluice("trace", "map").out).toBe("Nothing is recorded yet. No map was written.\n");
});

test("`trace: required` keeps a gate shut that could not be recorded", () => {
  const at = project({ ".sluice/hooks.yaml": "trace: required\nhooks: []\n", ".orchestration": "no folder" });
  const data = { tool_args: { file_path: "a.md", content: "a" } };
  const input = JSON.stringify({ type: "tool:pre_execute", tool_name: "Write", session_id: "s", cwd: at.root, data });
  const env = { ...process.env, HOME: at.home, XDG_STATE_HOME: join(at.home, ".state"), SLUICE_RESIDENT: "0" };
  const { code, err } = runCommand(["run", "json", "--cold"], { cwd: at.root, env, input });
  expect([code, err]).toEqual([2, expect.stringContaining("trace: required")]);
});

test("what `trace` does not know is told with what there is", () => {
  expect(project().sluice("trace", "verfy")).toMatchObject({ code: 64, err: expect.stringContaining("verify") });
});

test("a broken trace says what is left of it, and no more", () => {
  const at = project({ ".orchestration/.keep": "" });
  called(at, "a.md", "a\n");
  called(at, "b.md", "b\n");
  called(at, "c.md", "c\n");
  const whole = readFileSync(traceOf(at), "utf8");
  const [first = "", second = "", third = ""] = whole.split("\n");
  const verified = () => at.sluice("trace", "verify");
  writeFileSync(traceOf(at), whole.replace('"a.md"', '"x.md"'));
  expect(verified()).toMatchObject({ code: 1, out: expect.not.stringContaining("in front of it") });
  writeFileSync(traceOf(at), `${second}\n${third}\n`);
  expect(verified()).toMatchObject({ code: 1, out: expect.not.stringContaining("in front of it") });
  writeFileSync(traceOf(at), `${first}\n${second}\n`);
  expect(verified().out).toContain("The 2 records before it are intact.");
  rmSync(traceOf(at));
  expect(verified()).toMatchObject({
    code: 1,
    out: expect.stringMatching(/is not there[\s\S]*which program removed it/),
  });
  writeFileSync(join(at.root, "elsewhere.jsonl"), whole);
  symlinkSync(join(at.root, "elsewhere.jsonl"), traceOf(at));
  expect(verified()).toMatchObject({ code: 1, out: expect.stringContaining("it is a link") });
  expect(verified().out).not.toContain("cut off");
});

test("a record that was changed is never shown without a word", () => {
  const at = project({ ".orchestration/.keep": "" });
  called(at, "a.md", "a\n");
  called(at, "b.md", "b\n");
  const whole = readFileSync(traceOf(at), "utf8");
  const find = (file: string) => at.sluice("trace", "find", `${file}:1`).out;
  expect(find("a.md") + find("b.md")).not.toContain("BROKEN");
  for (const word of ["list", "export"]) expect(at.sluice("trace", word).err).toBe("");
  const lines = whole.split("\n");
  for (const [index, file] of ["a.md", "b.md"].entries()) {
    const changed = lines.map((line, number) => (number === index ? line.replaceAll('"s1"', '"s2"') : line));
    writeFileSync(traceOf(at), changed.join("\n"));
    expect(find(file)).toContain("BROKEN    this record does not fit");
    for (const word of ["list", "export"]) {
      const { code, err } = at.sluice("trace", word);
      expect(code).toBe(0);
      expect(err).toContain(`agent_trace.jsonl:${index + 1}: trace BROKEN: the record was changed.`);
      expect(err).toContain(`Records from ${index + 1} on cannot be relied on. \`sluice trace verify\``);
    }
  }
});

test("what is not there is not looked for in silence", () => {
  const at = project({ ".orchestration/.keep": "", "a.ts": "1\n2\n" });
  const find = (place: string) => at.sluice("trace", "find", place);
  expect(find("nofile.ts:1")).toMatchObject({ code: 1, out: expect.stringContaining("no file nofile.ts") });
  expect(find("a.ts:9")).toMatchObject({ code: 1, out: expect.stringContaining("no line 9 in a.ts: it has 2 lines") });
  expect(find("a.ts:2").out).toBe("No recorded call wrote a.ts:2.\n");
});

test("an audit says which files Sluice's own commands write", () => {
  const at = project({
    ".orchestration/.keep": "",
    ".sluice/hooks.yaml": "hooks: []\n",
    ".mcp.json": "{}",
    "rogue.md": "x\n",
  });
  spawnSync("git", ["init", "-q"], { cwd: at.root });
  const { code, out } = at.sluice("trace", "audit");
  expect(code).toBe(1);
  expect(out).toMatch(/\.sluice\/hooks\.yaml .*which `sluice init`/);
  expect(out).toMatch(/\.mcp\.json .*which `sluice install`/);
  expect(out).toMatch(/rogue\.md .*no recorded call touched it\n/);
  expect(out).toContain("`git status` names those that are not committed");
});

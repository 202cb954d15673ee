import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Hook } from "../hook/hook.ts";
import { loadLayers } from "./load.ts";
import { saveLayer } from "./save.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-save-"));
});

function write(file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

const text = (file: string) => readFileSync(join(root, file), "utf8");
const load = () => [...loadLayers(root, { layers: ["project"] }).hooks];
const save = (hooks: readonly (Hook | object)[]) => saveLayer("project", root, hooks);
const json = (hooks: readonly Hook[]) => hooks.map((hook) => hook.toJSON());
const added = Hook.fromJSON({ name: "new", event: "session:*", command: "echo new" });

/** The one piece that was put into a text, when nothing else was done to it. */
function insertedInto(before: string, after: string): string | undefined {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  const end = after.length - (before.length - start);
  return after.slice(0, start) + after.slice(end) === before ? after.slice(start, end) : undefined;
}

const YAML = `# The hooks of this project.
trace: required   # always

hooks:
  # Formats what was written.
  - name: fmt
    event:   "tool:post_execute"   # after
    command: prettier   --write .

  # Guards.
  - name: guard
    matcher: {events: [PreToolUse], tools: [bash]}
    command: |
      check one

      check two
    x-note: kept

  - name: last
    event: session:end
    command: 'true'

# The end.
guards: strict
`;

const JSONC = `{
  // The hooks of this project.
  "hooks": [
    // Formats what was written.
    { "name": "fmt", "event": "tool:post_execute", "command": "prettier" }, // after
    {
      "name": "guard", /* inside */
      "event": "tool:pre_execute",
      "command": "check"
    },
    { "name": "last", "event": "session:end", "command": "true" } // at last
    // The end.
  ],
  "x-mine": { "kept": [1, 2] },
}
`;

describe.each([
  ["hooks.yaml", YAML],
  ["hooks.json", JSONC],
  ["hooks.yaml", YAML.replaceAll("\n", "\r\n")],
  ["hooks.json", JSONC.replaceAll("\n", "\r\n")],
  ["hooks.yaml", YAML.replace("hooks:\n", "hooks:\n  disabled: []\n  definitions:\n")],
  ["hooks.json", `\uFEFF${JSONC}`],
])("a file with comments (%s)", (name, content) => {
  const file = `.sluice/${name}`;
  const eol = content.includes("\r\n") ? "\r\n" : "\n";
  beforeEach(() => write(file, content));

  test("saving what was loaded writes nothing", () => {
    const before = statSync(join(root, file));
    save(load());
    expect(text(file)).toBe(content);
    expect(statSync(join(root, file)).ino).toBe(before.ino);
  });

  test("a new hook is added, and nothing that was there has moved", () => {
    const hooks = [...load(), added];
    save(hooks);
    expect(json(load())).toEqual(json(hooks));
    const kept = content.replace("} // at last", "}, // at last");
    expect(insertedInto(kept, text(file))).toContain("echo new");
    expect(text(file).replaceAll(eol, "")).not.toMatch(/[\r\n]/);
  });

  test("a hook that is no longer in the list goes, with its own comment, and nothing else", () => {
    const hooks = load().filter((hook) => hook.name !== "fmt");
    save(hooks);
    expect(json(load())).toEqual(json(hooks));
    expect(text(file)).not.toContain("fmt");
    expect(text(file)).not.toContain("Formats what was written");
    expect(text(file)).toContain("The hooks of this project.");
    expect(text(file)).toContain("The end.");
    expect(content).toContain(text(file).split(`"guard"`)[1] ?? "");
  });

  test("switching a hook off touches that hook alone", () => {
    const hooks = load();
    const guard = hooks.find((hook) => hook.name === "guard");
    if (guard) guard.enabled = false;
    save(hooks);
    expect(load().map(({ enabled }) => enabled)).toEqual([true, false, true]);
    const [before, after] = [content, text(file)].map((all) => all.split(/guard"?,?/)[0]);
    expect(after).toBe(before);
    expect(text(file)).toContain(content.slice(content.lastIndexOf("last")));
  });

  test("a changed hook of the same name takes the place of the old one", () => {
    const hooks = load().map((hook) =>
      hook.name === "guard" ? Hook.fromJSON({ name: "guard", event: "tool:*", command: "other", tags: ["a"] }) : hook,
    );
    save(hooks);
    expect(json(load())).toEqual(json(hooks));
    expect(text(file)).toContain("Formats what was written");
  });

  test("hooks can be put in another order", () => {
    const hooks = [...load().toReversed(), added].toSpliced(1, 0, Hook.fromJSON({ event: "*", command: "between" }));
    save(hooks);
    expect(json(load())).toEqual(json(hooks));
    expect(text(file)).toContain("Formats what was written");
  });

  test("all hooks can go", () => {
    save([]);
    expect(load()).toEqual([]);
    expect(loadLayers(root, { layers: ["project"] }).errors).toEqual([]);
    expect(text(file)).toContain("The hooks of this project.");
    save([added]);
    expect(json(load())).toEqual([added.toJSON()]);
  });
});

describe("forms of files", () => {
  test.each([
    [".forge/hooks.json", "[]", "a list at the top"],
    [".forge/hooks.json", '[{ "event": "*", "command": "a" }]', "a list at the top, in one line"],
    [".sluice/hooks.json", "", "an empty file"],
    [".sluice/hooks.json", "// nothing yet\n", "a file of comments"],
    [".sluice/hooks.json", '{ "trace": "on" }', "a file without hooks"],
    [".sluice/hooks.json", '{ "hooks": { "disabled": ["x"] } }', "an object without definitions"],
    [".sluice/hooks.json", '{ "hooks": [1, 2,], }', "trailing commas and entries that are no hooks"],
    [".sluice/hooks.json", '{\n\t"hooks": [\n\t\t// none yet\n\t]\n}\n', "an empty list with a comment"],
    [".sluice/hooks.yaml", "", "an empty file"],
    [".sluice/hooks.yaml", "# nothing yet", "a file of comments"],
    [".sluice/hooks.yaml", "hooks:\n", "an empty key"],
    [".sluice/hooks.yaml", "hooks: []\n", "an empty list"],
    [".sluice/hooks.yaml", "hooks: [{event: '*', command: a}, {event: '*', command: b}]\n", "a list in one line"],
    [".sluice/hooks.yaml", "- event: '*'\n  command: a\n", "a list at the top"],
    [".sluice/hooks.yaml", "trace: on", "a file without hooks and without a last line end"],
    [".sluice/hooks.yaml", "hooks: {disabled: [x]}\n", "an object without definitions"],
    [".sluice/hooks.yaml", "hooks:\n- event: '*'\n  command: a", "a list that is not indented"],
    [".sluice/hooks.yaml", "hooks:\n  - &a {event: '*', command: a}\n  - *a\n", "anchors"],
    [
      ".sluice/hooks.yaml",
      "hooks:\n  - &a {event: '*', command: a}\n  - {<<: *a, priority: 3}\n",
      "keys of another hook",
    ],
    [".sluice/hooks.yaml", "hooks:\n  -\n    event: '*'\n    command: a\n", "dashes on lines of their own"],
  ])("%s: %s %s", (file, content) => {
    write(file, content);
    const hooks = [...load(), added];
    save(hooks);
    expect(json(load())).toEqual(json(hooks));
    for (const word of content.match(/nothing yet|none yet|trace|disabled/g) ?? []) expect(text(file)).toContain(word);
    const off = load();
    for (const hook of off) hook.enabled = false;
    save(off);
    expect(load().map(({ enabled }) => enabled)).toEqual(off.map(() => false));
    expect(json(load())).toEqual(json(off));
    save(off.slice(1));
    expect(json(load())).toEqual(json(off.slice(1)));
  });

  test("the pattern keeps the name that its file gave it", () => {
    write(".forge/hooks.json", '[{ "event_pattern": "tool:*", "command": "a" }]');
    const hooks = load();
    for (const hook of hooks) hook.enabled = false;
    save(hooks);
    expect(JSON.parse(text(".forge/hooks.json"))).toEqual([{ event_pattern: "tool:*", command: "a", enabled: false }]);
  });

  test("entries that cannot be read stay where they are", () => {
    write(
      ".sluice/hooks.yaml",
      "hooks:\n  - 1\n  - {event: '*', command: a}\n  - {event: '*'}\n  - {event: '*', command: b}\n",
    );
    save([...load().toReversed(), added]);
    expect(json(load())).toEqual([{ event: "*", command: "b" }, { event: "*", command: "a" }, added.toJSON()]);
    expect(text(".sluice/hooks.yaml")).toMatch(
      /- 1\n[\s\S]*command: b\}\n[\s\S]*command: a\}\n {2}- \{event: '\*'\}\n/,
    );
  });

  test("a hook that a list switches off is not changed by saving", () => {
    const content = "hooks:\n  definitions:\n    - {name: a, event: '*', command: a}\n  disabled: [a]\n";
    write(".sluice/hooks.yaml", content);
    expect(load()[0]?.enabled).toBe(false);
    save(load());
    expect(text(".sluice/hooks.yaml")).toBe(content);
  });
});

describe("several files in one layer", () => {
  const one = '{ "hooks": [{ "name": "one", "event": "*", "command": "1" }] }';
  const two = '[{ "name": "two", "event": "*", "command": "2" }]';

  test("each hook goes back to its own file, a new one to the first", () => {
    write(".sluice/hooks.json", one);
    write(".forge/hooks.json", two);
    save([...load(), added]);
    expect(text(".forge/hooks.json")).toBe(two);
    expect(load().map(({ name, origin }) => `${origin?.place.file.slice(root.length + 1)} ${name}`)).toEqual([
      ".sluice/hooks.json one",
      ".sluice/hooks.json new",
      ".forge/hooks.json two",
    ]);
  });

  test("a hook is removed from the file that holds it, also from an extended one", () => {
    write(".sluice/hooks.yaml", "extends: ../team.json\nhooks: []\n");
    write("team.json", two);
    write(".forge/hooks.json", one);
    save(load().filter(({ name }) => name === "one"));
    expect(text("team.json")).toBe("[]");
    expect(text(".forge/hooks.json")).toBe(one);
  });

  test("a file that changed in the meantime is changed where the hook is now", () => {
    write(".sluice/hooks.json", one);
    const hooks = load();
    write(".sluice/hooks.json", one.replace("[{", '[{ "name": "zero", "event": "*", "command": "0" }, {'));
    for (const hook of hooks) hook.enabled = false;
    save([...hooks, ...load().filter(({ name }) => name === "zero")]);
    expect(load().map(({ name, enabled }) => [name, enabled])).toEqual([
      ["one", false],
      ["zero", true],
    ]);
  });

  test("a target that cannot be read is refused, and nothing is written anywhere", () => {
    write(".sluice/hooks.yaml", "hooks: [\n");
    write(".forge/hooks.json", two);
    const message = expect.stringContaining(join(root, ".sluice/hooks.yaml"));
    expect(() => save([added])).toThrowError(expect.objectContaining({ code: "config/target-unreadable", message }));
    expect([text(".sluice/hooks.yaml"), text(".forge/hooks.json")]).toEqual(["hooks: [\n", two]);
  });
});

describe("what is handed over", () => {
  test("may be what a file would say of a hook", () => {
    const [plain, other] = [
      { event: "stop", command: "x" },
      { name: "y", matcher: { events: ["Stop"] }, command: "y" },
    ];
    save([plain, added]);
    expect(json(load())).toEqual([plain, added.toJSON()]);
    save([plain, other]);
    expect(JSON.parse(text(".sluice/hooks.json"))).toEqual({ hooks: [plain, other] });
  });

  test.each([
    [undefined, "config/no-hooks-given"],
    [null, "config/no-hooks-given"],
    [{ hooks: [] }, "config/no-hooks-given"],
    [[null], "hook/no-object"],
  ])("has to be a list of hooks, not %j", (hooks, code) => {
    write(".sluice/hooks.json", '[{ "event": "*", "command": "a" }]');
    expect(() => save(hooks as never)).toThrowError(expect.objectContaining({ code }));
    expect(load()).toHaveLength(1);
  });

  test.each([undefined, null, ""])("has to name the project, not %j", (place) => {
    const problem = expect.objectContaining({ code: "config/no-root", fix: expect.stringContaining("saveProject(") });
    expect(() => saveLayer("project", place as never, [added])).toThrowError(problem);
  });
});

describe("writing", () => {
  test("a file in the place of a folder is named, with what to do", () => {
    writeFileSync(join(root, ".sluice"), "");
    const place = { file: join(root, ".sluice/hooks.json") };
    const problem = { code: "config/not-written", place, fix: "Rename that file, then save again." };
    expect(() => save([added])).toThrowError(expect.objectContaining(problem));
    expect(() => save([added])).toThrow(/hooks\.json was not saved: a part of its path is a file/);
  });

  test("a link stays a link, and the file behind it keeps its mode", () => {
    write("dotfiles/hooks.json", "[]");
    chmodSync(join(root, "dotfiles/hooks.json"), 0o640);
    mkdirSync(join(root, ".sluice"));
    symlinkSync("../dotfiles/hooks.json", join(root, ".sluice/hooks.json"));
    save([added]);
    expect(lstatSync(join(root, ".sluice/hooks.json")).isSymbolicLink()).toBe(true);
    expect(statSync(join(root, "dotfiles/hooks.json")).mode & 0o777).toBe(0o640);
    expect(JSON.parse(text("dotfiles/hooks.json"))).toEqual([added.toJSON()]);
  });

  test("a link to a file that is not there yet makes that file", () => {
    mkdirSync(join(root, "dotfiles"));
    mkdirSync(join(root, ".sluice"));
    symlinkSync("../dotfiles/hooks.json", join(root, ".sluice/hooks.json"));
    save([added]);
    expect(JSON.parse(text("dotfiles/hooks.json"))).toEqual({ hooks: [added.toJSON()] });
  });

  test("the file is replaced at once, and no draft stays behind", () => {
    write(".sluice/hooks.json", "[]");
    const before = statSync(join(root, ".sluice/hooks.json")).ino;
    save([added]);
    expect(statSync(join(root, ".sluice/hooks.json")).ino).not.toBe(before);
    expect(readdirSync(join(root, ".sluice"))).toEqual(["hooks.json"]);
  });
});

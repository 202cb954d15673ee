import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "../../../tests/intent/project.ts";
import { protectionOf } from "./protected-files.ts";
import { Workspace } from "./workspace.ts";

const LISTED = `# secrets
*.pem
/build
docs/private/
!docs/private/readme.md
logs/**/*.log
!keep.pem
trailing   
two words
\\#odd
/#note/x
+(x).key
!!odd/x
`;

test.each<[path: string, isProtected: boolean]>([
  ["a.pem", true],
  ["deep/er/a.pem", true],
  ["deep/.hidden.pem", true],
  ["keep.pem", false],
  ["#note/x", true],
  ["+(x).key", true],
  ["x.key", false],
  ["build", true],
  ["build/x/y", true],
  ["src/build", false],
  ["docs/private/a.md", true],
  ["docs/private/readme.md", true],
  ["docs/private", true],
  ["other/docs/private/a.md", false],
  ["logs/a/b/c.log", true],
  ["logs/a.log", true],
  ["logs/a.txt", false],
  ["trailing", true],
  ["two words", true],
  ["twowords", false],
  ["#odd", true],
  ["# secrets", false],
  [".orchestration/active_intents.yaml", true],
  [".orchestration/agent_trace.jsonl", true],
  [".intentignore", true],
  [".sluice/hooks.yaml", true],
  [".sluiced/x", false],
  [".mcp.json", true],
  [".cursor/mcp.json", true],
  [".cursor/rules.md", false],
])("%s: %s", (path, isProtected) => {
  const { root } = project({ ".intentignore": LISTED });
  expect(protectionOf(new Workspace(root), ["**"])(path) !== undefined).toBe(isProtected);
});

test("it is said why a path is protected", () => {
  const { root } = project({ ".intentignore": LISTED });
  const why = protectionOf(new Workspace(root), ["**"]);
  expect(why("a.pem")).toBe(".intentignore protects it from every intent");
  expect(why(".mcp.json")).toContain("registers the server");
  expect(why(".intentignore")).toContain("intents are checked with");
});

test("an intent that names a file of MCP servers may change it", () => {
  const { root } = project();
  expect(protectionOf(new Workspace(root), ["**", ".mcp.json"])(".mcp.json")).toBeUndefined();
});

test("an intent that names the settings may change them", () => {
  const { root } = project();
  expect(protectionOf(new Workspace(root), [".sluice/**"])(".sluice/hooks.yaml")).toBeUndefined();
  expect(protectionOf(new Workspace(root), ["src/**", ".sluice/**"])(".sluice/hooks.yaml")).toBeUndefined();
  expect(protectionOf(new Workspace(root), ["**"])(".sluice/hooks.yaml")).toBeDefined();
  expect(protectionOf(new Workspace(root), [".sluice/**"])(".intentignore")).toBeDefined();
});

test("a list that is a folder is named, in words of its own", () => {
  const { root } = project({ ".intentignore/x": "" });
  const read = () => protectionOf(new Workspace(root), ["**"]);
  expect(read).toThrow(/\.intentignore cannot be used: This is a folder, where a file is looked for/);
  const place = { file: join(root, ".intentignore") };
  expect(read).toThrow(expect.objectContaining({ code: "intent/protected-unreadable", place }));
});

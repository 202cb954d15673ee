import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkBlock } from "./check-block.ts";
import { readPage } from "./page.ts";
import { Workshop } from "./workshop.ts";

let workshop: Workshop;

beforeEach(() => {
  workshop = new Workshop();
});

afterEach(() => {
  workshop.close();
});

describe("a page that keeps its word", () => {
  it.each(
    Object.entries({
      "a module that imports the package": [
        "```ts",
        'import { EventType } from "sluice";',
        "const name: string = EventType.TOOL_ERROR;",
        'console.assert(name === "tool:error");',
        "```",
      ],
      "a module that imports a file of the page": [
        "```js file=lib/answer.mjs",
        "export const answer = 42;",
        "```",
        "```ts",
        'import { answer } from "./lib/answer.mjs";',
        "console.assert(answer === 42);",
        "```",
      ],
      commands: ["```sh", "mkdir a", "touch a/b # a remark", "test -f a/b", "```", "~~~sh", "test -d a", "~~~"],
      "a session": [
        "```sh",
        "$ printf 'one\\ntwo\\n' > file; cat file",
        "one",
        "two",
        "$ cd / && \\",
        "  pwd",
        "/",
        "$ echo 'it took 12 ms' >&2; pwd; false",
        "it took 3.5 ms",
        "/",
        "$ echo $?",
        "1",
        "$ true",
        "```",
      ],
      "a session that leaves things out": ["```sh", "$ printf 'a 1\\nb\\nc\\nd [x]\\n'", "a …", "…", "d [x]", "```"],
      "the folder a reader stands in": ["```sh", "$ pwd", "~/project", "```"],
      "what npm does, by name": ["```sh", "npm ci && npm test", "npm run build -- --quiet; npm install sluice", "```"],
      "a file for later blocks": [
        "```json file=.data/a.json",
        '{ "a": 1 }',
        "```",
        "```sh",
        "$ cat .data/a.json",
        '{ "a": 1 }',
        "```",
      ],
      "data that is no configuration": ["```yaml", "a: [1, 2]", "```", "```jsonl", "{}", "[]", "```"],
      text: ["  ```text", "  anything $ at ( all", "  ```"],
      "a configuration": ["```yaml", "hooks:", "  - event: tool:pre_execute:@shell", "    command: 'true'", "```"],
      "a configuration in JSON": [
        "```json",
        '{ "hooks": [{ "event": "tool:*", "command": "true", "timeout": 5 }] }',
        "```",
      ],
      "a hook": ["```json", '{ "event": "tool:*", "command": "true" }', "```"],
    }),
  )("%s", async (_, lines) => {
    expect(await complaints(lines)).toEqual([]);
  });

  it("leaves nothing of its own in the project", async () => {
    expect(await complaints(["```ts", "export {};", "```", "```sh", "$ ls -A | wc -l", "0", "```"])).toEqual([]);
  });
});

describe("a page that does not", () => {
  it.each(
    Object.entries({
      "a module that throws": [
        ["```js", 'throw new Error("spilt milk");', "```"],
        /^page\.md:1 ended with exit code 1:[\s\S]*spilt milk/,
      ],
      "an assertion that does not hold": [
        ["", "```ts", "console.assert(1 > 2);", "```"],
        /^page\.md:2 [\s\S]*does not hold/,
      ],
      "a module that imports what is not there": [["```ts", 'import { nothing } from "sluice";', "```"], /nothing/],
      "code that cannot be parsed": [["```ts", "const = 1;", "```"], /^page\.md:1 /],
      "a command that fails": [["```sh", "false", "echo later", "```"], /^page\.md:1 ended with exit code 1/],
      "a command that is not there": [["```sh", "no-such-command-anywhere", "```"], /exit code 127/],
      "a session with other output": [
        ["```sh", "$ echo 1", "2", "```"],
        /"\$ echo 1" is shown to print\n2\nbut it prints\n1/,
      ],
      "a session with less output": [["```sh", "$ echo 1; echo 2", "1", "```"], /is shown to print/],
      "a silent command that fails": [["```sh", "$ true", "$ false", "```"], /"\$ false" ended with exit code 1/],
      "a session that ends early": [["```sh", "$ exit 3", "$ echo 1", "1", "```"], /ended the shell/],
      "a script that does not exist": [["```sh", "npm run fly", "```"], /package\.json has no script "fly"/],
      "a configuration with a typing error": [
        ["```yaml", "hooks:", "  - event: tool:pre_exec", "    command: 'true'", "```"],
        /tool:pre_exec/,
      ],
      "a configuration with a key that no hook has": [
        ["```yaml", "hooks:", "  - event: tool:*", "    command: 'true'", "    tiemout: 5", "```"],
        /tiemout/,
      ],
      "a configuration with a wrong value": [
        ["```yaml", "hooks:", "  - event: tool:*", "    command: 1", "```"],
        /command/,
      ],
      "a hook without an act": [
        ["```json", '{ "event": "tool:*", "type": "llm", "command": "true" }', "```"],
        /LLM hook requires/,
      ],
      "data that cannot be parsed": [["```json", "{ a: 1 }", "```"], /^page\.md:1 .*JSON/],
      "YAML that cannot be parsed": [["```yaml", "a: [1", "```"], /^page\.md:1 /],
      "a block without a language": [["```", "hello", "```"], /without a language; pages show ts, js, sh/],
      "a block in a strange language": [["```console-notrun", "hello", "```"], /in "console-notrun"/],
    }),
  )("%s", async (_, [lines, complaint]) => {
    const found = await complaints(lines as string[]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(complaint as RegExp);
  });
});

it("a page's files are its own", async () => {
  await complaints(["```sh", "touch here; touch ~/there", "```"]);
  expect(existsSync(join(workshop.project, "here"))).toBe(true);
  expect(existsSync(join(workshop.home, "there"))).toBe(true);
});

it("the command on a page's path is the built one", () => {
  const wrapper = readFileSync(join(workshop.home, "../bin/sluice"), "utf8");
  expect(wrapper).toContain("dist/sluice.cjs");
});

async function complaints(lines: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const block of readPage("page.md", lines.join("\n")).blocks) {
    await checkBlock(block, workshop).catch((error: Error) => found.push(error.message));
  }
  return found;
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MutationClass } from "../change/change-record.ts";
import type { FileState } from "../change/file-state.ts";
import { classifyFile } from "./classify-file.ts";

interface Labelled {
  readonly name: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly class: MutationClass;
}

const FOLDER = join(import.meta.dirname, "../../../fixtures/mutations");
const languages = readdirSync(FOLDER).map((name) => ({
  language: name.replace(/\.json$/, ""),
  edits: JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Labelled[],
}));
const state = (text: string): FileState => ({ kind: "text", hash: "", size: text.length, text });
const told = ({ path, before, after }: Labelled) => classifyFile(path, state(before), state(after));

describe.each(languages)("edits of $language", ({ edits }) => {
  it("are told apart", async () => {
    const wrong: string[] = [];
    for (const edit of edits) {
      const found = await told(edit);
      if (found !== edit.class) wrong.push(`${edit.name}: ${found} instead of ${edit.class}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("the class of a change", () => {
  const all = languages.flatMap(({ edits }) => edits);

  it("is labelled for more than a hundred and fifty edits in at least six languages", () => {
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(languages.length).toBeGreaterThanOrEqual(7);
  });

  it("never calls a change of behaviour harmless, whichever way it goes", async () => {
    for (const edit of all.filter((one) => one.class === "INTENT_EVOLUTION")) {
      const back = { ...edit, before: edit.after, after: edit.before };
      expect([edit.name, await told(back)]).toEqual([edit.name, expect.stringMatching(/INTENT_EVOLUTION|UNKNOWN/)]);
    }
  });

  it.each([
    ["a.ts", "export function f(x) { return x + 1; }\n", "function g() { return 1; }\n"],
    ["a.ts", "export function f(x) { return x + 1; }\n", "const g = () => 1;\n"],
    ["a.ts", "export function f(x) { return x + 1; }\n", "function validate(token: string) { return token !== ''; }\n"],
    ["a.ts", "export function f(x) { return x + 1; }\n", "const LIMIT = 5;\n"],
    ["a.js", "export function f(x) { return x + 1; }\n", "const LIMIT = 5;\n"],
    ["a.py", "def f(x):\n    return x + 1\n", "def g():\n    return 2\n"],
    ["a.py", "def f(x):\n    return x + 1\n", "LIMIT = 5\n"],
  ])(
    "is never a refactoring for a thing in %s without a caller, whether it comes or goes",
    async (path, text, more) => {
      const [short, long] = [state(text), state(text + more)];
      expect(await classifyFile(path, short, long)).toBe("INTENT_EVOLUTION");
      expect(await classifyFile(path, long, short)).toBe("INTENT_EVOLUTION");
    },
  );

  it("is nothing but form for a text that stays as it is", async () => {
    for (const edit of all.filter((one) => one.class !== "UNKNOWN" && one.class !== "NON_CODE"))
      expect([edit.name, await told({ ...edit, after: edit.before })]).toEqual([edit.name, "FORMAT_ONLY"]);
  });

  it.each([
    ["a new file of code", "a.ts", { kind: "missing" }, state("a();"), "INTENT_EVOLUTION"],
    ["a deleted file of code", "a.ts", state("a();"), { kind: "missing" }, "INTENT_EVOLUTION"],
    ["a new document", "a.md", { kind: "missing" }, state("a"), "NON_CODE"],
    ["code without a state before", "a.ts", undefined, state("a();"), "UNKNOWN"],
    ["bytes", "a.png", { kind: "missing" }, { kind: "bytes", hash: "", size: 1 }, "NON_CODE"],
    ["code that is too long", "a.ts", state("a();"), state("a();\n".repeat(300_000)), "UNKNOWN"],
  ] as const)("of %s", async (_, path, before, after, wanted) => {
    expect(await classifyFile(path, before, after)).toBe(wanted);
  });
});

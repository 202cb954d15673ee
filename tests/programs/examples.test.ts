import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { readPage } from "../docs/page.ts";

const FOLDER = fileURLToPath(new URL("../../examples/programs/", import.meta.url));

const MARK = "=== ";

/** What each example shows, word for word. */
const SHOWN: Readonly<Record<string, string>> = {
  function: `
    delete  ToolDeniedError: nothing is deleted on a Friday
    write   wrote drafts/a.txt | drafts are read every Monday
    send    ToolDeniedError: mail leaves the house
    read    Error: a.txt is not there`,
  "ai-sdk": `
    delete  nothing is deleted on a Friday
    write   wrote drafts/a.txt | drafts are read every Monday
    send    mail leaves the house
    read    a.txt is not there
    model   llm:pre_request blocked by hook "budget": the money of this month is spent; it was called 0 times`,
  "openai-agents": `
    delete  nothing is deleted on a Friday
    write   wrote drafts/a.txt | drafts are read every Monday
    send    mail leaves the house
    read    An error occurred while running the tool. Please try again. | the disk is full`,
  langchain: `
    delete  error: nothing is deleted on a Friday
    write   success: wrote drafts/a.txt | drafts are read every Monday
    send    error: mail leaves the house
    read    Error: a.txt is not there`,
  mcp: `
    hooks on the server
    delete  failed: nothing is deleted on a Friday
    write   wrote drafts/a.txt | drafts are read every Monday
    send    failed: mail leaves the house
    read    failed: a.txt is not there | the disk is full
    hooks on the client
    delete  failed: nothing is deleted on a Friday
    write   wrote drafts/a.txt | drafts are read every Monday
    send    failed: mail leaves the house
    read    failed: a.txt is not there | the disk is full`,
  "claude-agent-sdk": `
    SessionStart        {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"the main branch is frozen"}}
    UserPromptSubmit    {}
    PreToolUse          {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x.txt is not yours"}}
    PostToolUse         {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"tests live in tests/"}}
    PostToolUseFailure  {"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"tests live in tests/"}}
    PermissionRequest   {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no network here"}}}
    Stop                {"decision":"block","reason":"the tests have not run"}
    SessionEnd          {}`,
};

describe("the examples of programs", () => {
  it("are all known here", () => {
    const files = readdirSync(FOLDER).filter((file) => file !== "hooks.mjs");
    expect(files.sort()).toEqual(
      Object.keys(SHOWN)
        .map((name) => `${name}.mjs`)
        .sort(),
    );
  });

  // One process runs them all, one after the other: most of the time goes into loading Sluice and what the SDKs share.
  let printed: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const run = Object.keys(SHOWN).map((name) => `console.log("${MARK}${name}"); await import("./${name}.mjs");`);
    const words = ["--input-type=module", "--eval", run.join("\n")];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: FOLDER });
    const parts = stdout.split(MARK).slice(1);
    printed = Object.fromEntries(parts.map((part) => [part.split("\n", 1)[0], part.slice(part.indexOf("\n"))]));
  });

  it.each(Object.entries(SHOWN))("show what hooks do: %s", (name, shown) => {
    expect(printed[name]?.trim().split("\n")).toEqual(shown.trim().split(/\n\s+/));
  });

  it("stand in docs/programs.md word for word", () => {
    const root = new URL("../../", import.meta.url);
    const page = readPage("docs/programs.md", readFileSync(new URL("docs/programs.md", root), "utf8"));
    const quotes = page.blocks.filter(({ words }) => words.from !== undefined);
    expect(quotes.length).toBeGreaterThan(3);
    for (const { words, text } of quotes) expect(readFileSync(new URL(words.from ?? "", root), "utf8")).toContain(text);
  });
});

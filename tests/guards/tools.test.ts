import { describe, expect, test } from "vitest";
import { inHomeOfLists, LONG, standard, toolRows } from "./tool-lists.ts";

inHomeOfLists();

test(
  "calls of many servers that lose, open, pay, speak or leak are stopped",
  async () => {
    const passed: string[] = [];
    for (const { tool, input } of toolRows("tools/dangerous"))
      if ((await standard(tool, input)).action === "continue") passed.push(`${tool} ${JSON.stringify(input)}`);
    expect(passed).toEqual([]);
  },
  LONG,
);

test(
  "calls of many servers in daily work pass",
  async () => {
    const stopped: string[] = [];
    for (const { tool, input } of toolRows("tools/everyday"))
      if ((await standard(tool, input)).action !== "continue") stopped.push(`${tool} ${JSON.stringify(input)}`);
    expect(stopped).toEqual([]);
  },
  LONG,
);

describe("a tool that is given a command line is judged as the shell is", () => {
  test.each([
    ["mcp__ssh__exec", { command: "git push --force origin main" }, "git push --force origin main"],
    ["mcp__k8s__kubectl", { command: "delete ns prod" }, "kubectl delete ns prod"],
    ["mcp__kubernetes__kubectl_delete", { resourceType: "ns", name: "prod" }, "kubectl delete ns prod"],
    ["mcp__git__git_reset", { mode: "hard" }, "git reset --hard"],
    ["mcp__aws__call_aws", { cli_command: "aws s3 rb s3://b --force" }, "aws s3 rb s3://b --force"],
    ["mcp__jupyter__execute_code", { code: "!rm -rf src" }, "rm -rf src"],
    ["mcp__sandbox__run_code", { language: "bash", code: "rm -rf src" }, "rm -rf src"],
    ["mcp__git__git_status", { repo_path: "." }, "git status"],
    ["mcp__kubernetes__kubectl_get", { resourceType: "pods" }, "kubectl get pods"],
  ])("%s %j", async (tool, input, command) => {
    const { action } = await standard("bash", { command });
    expect((await standard(tool, input)).action).toBe(action);
  });
});

test("a question names the tool, the part of its input and what to ask", async () => {
  const { reasons } = await standard("mcp__pg__query", { sql: "SELECT 1; DROP TABLE users" });
  expect(reasons).toEqual([
    "`mcp__pg__query DROP TABLE users` drops, empties or resets data in a database. Ask the user whether that data may go.",
  ]);
});

test(
  "an input that is made to be slow keeps no guard for long",
  async () => {
    for (const text of [
      "a",
      "'",
      "/*",
      "${{ secrets.A }} ",
      "-- x\n",
      "alter table x drop ",
      "grant a on b\n",
      "TOKEN=aA1",
    ]) {
      const long = text.repeat(100_000 / text.length);
      await standard("mcp__pg__query", { sql: long });
      await standard("mcp__http__request", { method: "POST", url: `https://x.test/${long}`, body: long });
      await standard("Write", { file_path: ".github/workflows/a.yml", content: long });
    }
  },
  LONG,
);

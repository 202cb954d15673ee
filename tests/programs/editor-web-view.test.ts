import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { ORIGIN, startEditor } from "./editor.ts";
import type { HostState } from "./extension-host.ts";

let editor: Awaited<ReturnType<typeof startEditor>>;

beforeAll(async () => {
  editor = await startEditor();
});
afterAll(() => editor.stop());

const stateOf = ({ posted }: typeof editor) => posted.findLast(({ kind }) => kind === "state")?.state as HostState;
const lastCall = (of: typeof editor) => stateOf(of).timeline.findLast(({ type }) => type === "call");

async function called(of: typeof editor, tool: string, input: object) {
  const before = stateOf(of)?.timeline.length ?? 0;
  of.send({ kind: "call_tool", tool, input });
  await vi.waitFor(() => expect(stateOf(of).timeline[before]?.result).toBeDefined(), { timeout: 60_000, interval: 20 });
  return lastCall(of);
}

describe("the extension host as a web view of an editor", () => {
  test("messages come in over postMessage, and decisions go out", async () => {
    editor.send({ kind: "ready" });
    expect(stateOf(editor).intents.map(({ id }) => id)).toEqual(["INT-001", "INT-002", "INT-003"]);
    const write = { path: "src/auth/a.ts", content: "export const a = 1;\n" };
    expect(await called(editor, "write_file", write)).toMatchObject({
      decision: { allow: false, code: "INTENT_REQUIRED" },
    });
    expect(existsSync(join(editor.root, write.path))).toBe(false);
    await called(editor, "select_active_intent", { intent_id: "INT-001" });
    expect(await called(editor, "write_file", write)).toMatchObject({
      decision: { allow: true },
      result: { ok: true },
    });
    expect(readFileSync(join(editor.root, write.path), "utf8")).toBe(write.content);
    expect(stateOf(editor).trace.records[0]).toMatchObject({ intent_id: "INT-001" });
  });

  test("a message that the host does not know is refused, with what there is instead", () => {
    const before = editor.posted.length;
    editor.send({ kind: "format_disk" });
    expect(editor.posted.slice(before)).toEqual([
      { kind: "refused", what: expect.stringContaining('"format_disk"'), fix: expect.stringContaining("call_tool") },
    ]);
    editor.send(null);
    expect(editor.posted).toHaveLength(before + 2);
  });

  test("a question whose panel is closed is denied", async () => {
    const closing = await startEditor();
    onTestFinished(closing.stop);
    await called(closing, "select_active_intent", { intent_id: "INT-001" });
    closing.send({ kind: "call_tool", tool: "delete_file", input: { path: "src/auth/old/cookie.ts" } });
    await vi.waitFor(() => expect(stateOf(closing).questions).toHaveLength(1), { timeout: 60_000 });
    closing.closePanel();
    await vi.waitFor(() => expect(lastCall(closing)).toMatchObject({ approved: false }), { timeout: 60_000 });
    expect(existsSync(join(closing.root, "src/auth/old/cookie.ts"))).toBe(true);
  });

  test("the page has the editor's addresses only, and a policy that lets nothing else in", () => {
    const { html } = editor.webview;
    expect(html).toContain(`content="default-src 'none'; script-src ${ORIGIN}; style-src ${ORIGIN}; img-src data:`);
    expect(html.match(/(?:href|src)="[^"]+"/g)).toEqual([
      'href="data:,"',
      `href="${ORIGIN}/page.css"`,
      `src="${ORIGIN}/page.js"`,
    ]);
  });
});

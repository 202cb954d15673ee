import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { amp } from "../amp.ts";
import type { Wanted } from "../recipe.ts";

type Handler = (event: object, context?: object) => Promise<unknown>;

const call = { thread: { id: "T-1" }, toolUseID: "t", tool: "Bash", input: { cmd: "rm" } };

describe("the plugin for Amp", () => {
  it("refuses with the reason of a denial, and tells Sluice what the event was", async () => {
    const { handlers, told } = await plugin("echo 'no rm here' >&2; exit 2");
    expect(await handlers["tool.call"]?.(call)).toEqual({ action: "reject-and-continue", message: "no rm here" });
    expect(told()).toMatchObject({ agent: "amp", event: "tool.call", ...call });
  });

  it.each([
    [`echo '{"action":"allow"}'`, { action: "allow" }],
    [`echo '{"action":"modify","input":{"cmd":"ls"}}'`, { action: "modify", input: { cmd: "ls" } }],
  ])("hands Amp the answer as it is: %s", async (script, answer) => {
    const { handlers } = await plugin(script);
    expect(await handlers["tool.call"]?.(call)).toEqual(answer);
  });

  it.each([
    ["says nothing", ":"],
    ["says no JSON", "echo hello"],
    ["says something else", "echo '{}'"],
    ["breaks", "exit 1"],
    ["hangs", "sleep 60"],
  ])("refuses when Sluice %s; other events go on", async (_, script) => {
    const { handlers } = await plugin(script, 1);
    expect(await handlers["tool.call"]?.(call)).toMatchObject({ action: "reject-and-continue" });
    expect(await handlers["agent.end"]?.({ status: "done" })).toBeUndefined();
  });

  it.each([
    [async () => true, { action: "modify", input: { cmd: "ls" } }],
    [async () => false, { action: "reject-and-continue", message: "sure?" }],
    [async () => undefined, { action: "reject-and-continue", message: "sure?" }],
    [() => Promise.reject(new Error("nobody is there")), { action: "reject-and-continue", message: "nobody is there" }],
  ])("asks the user, and no answer is a no: %s", async (confirm, answer) => {
    const { handlers } = await plugin(`echo '{"action":"ask","message":"sure?","input":{"cmd":"ls"}}'`);
    expect(await handlers["tool.call"]?.(call, { ui: { confirm } })).toEqual(answer);
  });

  it("hands words for the model to the turn", async () => {
    const { handlers } = await plugin(`echo '{"message":{"content":"know this"}}'`);
    expect(await handlers["agent.start"]?.({ message: "do" })).toEqual({ message: { content: "know this" } });
  });
});

/** The file that is installed, loaded as a module, beside a Sluice that runs this script. */
async function plugin(script: string, seconds = 20) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-shim-"));
  const fake = join(folder, "sluice.sh");
  const heard = join(folder, "heard.json");
  writeFileSync(fake, `cat > '${heard}'\n${script}\n`);
  const { recipe } = amp;
  if (recipe?.kind !== "files") throw new Error("files are expected");
  const hookEvents = Object.entries(amp.hookEvents).filter(([, { installed }]) => installed !== "never");
  const wanted = hookEvents.map(([hookEvent]): Wanted => ({ hookEvent, command: "", seconds, gate: true }));
  const [file] = recipe.files("project", wanted, ["/bin/sh", fake]);
  // Amp strips types from its plugins; this one has none, so it is JavaScript as well.
  const path = join(folder, "sluice.mjs");
  writeFileSync(path, file?.text ?? "");
  const handlers: Record<string, Handler> = {};
  const module = await import(/* @vite-ignore */ pathToFileURL(path).href);
  module.default({ on: (event: string, handler: Handler) => void Object.assign(handlers, { [event]: handler }) });
  return { handlers, told: (): unknown => JSON.parse(readFileSync(heard, "utf8")) };
}

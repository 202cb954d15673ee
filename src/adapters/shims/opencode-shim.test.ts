import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { opencode } from "../opencode.ts";
import type { Wanted } from "../recipe.ts";

type Hook = (input: object, output?: object) => Promise<void>;

const bash = { tool: "bash", sessionID: "s", callID: "c" };

describe("the plugin for OpenCode", () => {
  it("throws the reason of a denial, and tells Sluice what the hook was handed", async () => {
    const { hooks, told } = await plugin("echo 'no rm here' >&2; exit 2");
    const before = hooks["tool.execute.before"];
    await expect(before?.(bash, { args: { command: "rm" } })).rejects.toThrow("no rm here");
    expect(told()).toEqual({
      hook: "tool.execute.before",
      input: bash,
      output: { args: { command: "rm" } },
      cwd: "/project",
    });
  });

  it("changes arguments where they lie", async () => {
    const { hooks } = await plugin(`echo '{"action":"modify","output":{"args":{"command":"ls","list":[1]}}}'`);
    const args = { command: "rm", description: "d", list: [3, 4] };
    const { list } = args;
    const output = { args };
    await hooks["tool.execute.before"]?.(bash, output);
    expect(output.args).toBe(args);
    expect(args).toEqual({ command: "ls", list: [1] });
    expect(args.list).toBe(list);
  });

  it("leaves everything as it is when Sluice lets it pass", async () => {
    const { hooks } = await plugin(`echo '{"action":"continue"}'`);
    const output = { args: { command: "ls" } };
    await hooks["tool.execute.before"]?.(bash, output);
    expect(output).toEqual({ args: { command: "ls" } });
  });

  it.each([
    ["says nothing", ":"],
    ["says no JSON", "echo hello"],
    ["says something else", "echo '{}'"],
    ["says null", "echo null"],
    ["breaks", "exit 1"],
    ["denies with exit code 0", `echo '{"action":"deny","reason":"x"}'`],
    ["hangs", "sleep 60"],
    ["is killed", "kill -9 $$"],
  ])("a gate stays shut when Sluice %s; a note goes on", async (_, script) => {
    const { hooks } = await plugin(script, 1);
    await expect(hooks["tool.execute.before"]?.(bash, { args: {} })).rejects.toThrow();
    const output = { output: "a" };
    await hooks["tool.execute.after"]?.({ ...bash, args: {} }, output);
    expect(output).toEqual({ output: "a" });
  });

  it("a gate stays shut when Sluice is not there", async () => {
    const { hooks } = await plugin("", 1, ["/nowhere/sluice"]);
    await expect(hooks["tool.execute.before"]?.(bash, { args: {} })).rejects.toThrow("could not be started");
  });

  it("hands over events that are wanted, waits for none, and keeps keys to itself", async () => {
    const { hooks, told } = await plugin("exit 1");
    await hooks.event?.({ event: { type: "lsp.updated", properties: {} } });
    await hooks.event?.({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    await expect.poll(told).toMatchObject({ hook: "event", input: { event: { type: "session.idle" } } });
    await hooks["chat.params"]?.({ provider: { apiKey: "k" }, model: { id: "m", headers: { key: "k" } } }, {}).catch(
      () => {},
    );
    expect(told()).toMatchObject({ hook: "chat.params", input: { model: { id: "m" } } });
    expect(JSON.stringify(told())).not.toContain('"k"');
  });

  it("compaction goes on when Sluice breaks, because nothing could stop it", async () => {
    const { hooks } = await plugin("exit 1");
    await hooks["experimental.session.compacting"]?.({ sessionID: "s" }, { context: [] });
  });
});

/** The file that is installed, loaded as OpenCode loads it, beside a Sluice that runs this script. */
async function plugin(script: string, seconds = 20, words?: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-shim-"));
  const fake = join(folder, "sluice.sh");
  const heard = join(folder, "heard.json");
  writeFileSync(fake, `cat > '${heard}.new'; mv '${heard}.new' '${heard}'\n${script}\n`);
  const { recipe } = opencode;
  if (recipe?.kind !== "files") throw new Error("files are expected");
  const hookEvents = Object.entries(opencode.hookEvents).filter(([, { installed }]) => installed !== "never");
  const wanted = hookEvents.map(
    ([hookEvent, { can }]): Wanted => ({
      hookEvent,
      command: "",
      seconds,
      gate: can.includes("deny") || hookEvent.includes("compacting"),
    }),
  );
  const [file] = recipe.files("project", wanted, words ?? ["/bin/sh", fake]);
  const path = join(folder, "sluice.js");
  writeFileSync(path, file?.text ?? "");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const { Sluice, ...others } = await import(/* @vite-ignore */ pathToFileURL(path).href);
  expect(others).toEqual({});
  const hooks: Record<string, Hook> = await Sluice({ directory: "/project" });
  return { hooks, told: (): unknown => JSON.parse(readFileSync(heard, "utf8")) };
}

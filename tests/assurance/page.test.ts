import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { UndoPreview } from "../../src/ui-server/wire-summary.ts";
import { project } from "../cli/sluice.ts";
import { pagesServer } from "../ui/pages-server.ts";
import { claimsOf } from "./claims.ts";

/** A call that deletes a file which was kept first, and the pages of its user. */
async function world() {
  const { root, home, sluice } = project({ "a.txt": "one\n" });
  execFileSync("git", ["init", "-q", "-b", "main", "--template="], { cwd: root });
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
  const args = JSON.stringify({ command: "rm -rf a.txt" });
  sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", args, "--json");
  const [kept] = JSON.parse(sluice("undo", "--list", "--json").out) as { id: string }[];
  const file = join(root, "a.txt");
  rmSync(file);
  const env = { HOME: home, XDG_STATE_HOME: join(home, ".state"), XDG_CONFIG_HOME: join(home, ".config") };
  const server = await pagesServer({ env, hello: { version: "1", root, home, confirms: true } });
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...(await server.logIn()), origin, "content-type": "application/json" };
  const undo = async (): Promise<UndoPreview> => {
    const body = JSON.stringify({ id: kept?.id });
    return (await (await fetch(`${origin}/api/undo`, { method: "POST", body, headers })).json()) as UndoPreview;
  };
  return { file, undo, objects: join(home, ".state/sluice/undo/objects") };
}

claimsOf("the pages", [
  {
    says: 'undo: "1 item brought back."',
    whenTrue: async () => {
      const { file, undo } = await world();
      expect(await undo()).toMatchObject({ isDone: true, restored: ["a.txt"], left: [] });
      expect(readFileSync(file, "utf8")).toBe("one\n");
    },
    whenFalse: {
      "the file has changed since": async () => {
        const { file, undo } = await world();
        writeFileSync(file, "newer\n");
        const undone = await undo();
        expect(undone.restored).toEqual([]);
        expect(undone.left).toHaveLength(1);
        expect(readFileSync(file, "utf8")).toBe("newer\n");
      },
      "what was kept is gone": async () => {
        const { undo, objects } = await world();
        rmSync(objects, { recursive: true });
        const undone = await undo();
        expect(undone.restored ?? []).toEqual([]);
      },
    },
  },
]);

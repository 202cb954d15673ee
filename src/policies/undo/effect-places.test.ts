import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { callEffects } from "../../effects/call-effects.ts";
import { isPathEffect } from "../../effects/effect.ts";
import { HookEvent } from "../../event/event.ts";
import { placesOf } from "./effect-places.ts";

/** A project with a folder, a link to it and a file. */
function project(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-places-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "there/deep"), { recursive: true });
  symlinkSync("there", join(root, "link"));
  writeFileSync(join(root, "file"), "");
  return root;
}

test.each<[command: string, places: string[]]>([
  ["rm a", ["a"]],
  ["cd there; rm a", ["there/a"]],
  ["cd missing; rm a", ["missing/a", "a"]],
  ["cd ./missing; rm a", ["missing/a", "a"]],
  ["cd missing/deep; rm a", ["missing/deep/a", "a", "missing/a"]],
  ["cd there/none/deep; rm a", ["there/none/deep/a", "a", "there/none/a", "there/a"]],
  ["cd /missing-folder; rm a", ["/missing-folder/a", "a"]],
  ["cd ../missing-folder; rm a", ["../missing-folder/a", "a"]],
  ["cd file; rm a", ["file/a", "a"]],
  ["cd missing; rm /nowhere/x", ["/nowhere/x"]],
  ["mkdir missing; cd missing; rm a", ["missing", "missing/a"]],
  ["mkdir -p missing/deep; cd missing; rm a", ["missing/deep", "missing/a"]],
  ["cd missing; mkdir missing; rm a", ["missing/missing", "missing", "missing/a", "a"]],
  ["rm -r link/", ["link", "ROOT/there"]],
  ["rm -r link", ["link"]],
  ["rm -r there/", ["there"]],
  ["rm -r lin*/", ["lin*"]],
  ["cat a", ["a"]],
  ["rmdir link/", ["link"]],
  ["rm /nowhere/x ./a", ["/nowhere/x", "a"]],
])("%s happens at %j", (command, places) => {
  const root = project();
  const call = callEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: root }), undefined);
  const found = (call?.effects ?? []).flatMap((effect) => (call === undefined ? [] : placesOf(effect, call, root)));
  expect(found.every((effect) => typeof effect === "object")).toBe(true);
  const texts = found.flatMap((effect) => (isPathEffect(effect) ? [effect.path.text.replace(root, "ROOT")] : []));
  expect([...new Set(texts)].sort()).toEqual(places.sort());
});

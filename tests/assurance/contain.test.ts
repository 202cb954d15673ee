import { existsSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { containedProject, WORKING } from "../contain/contained-project.ts";
import { claimsOf } from "./claims.ts";

const RULES = (verdict: string) => `contain: all
hooks:
  - { name: made, event: tool:pre_execute, rules: 'call writes "src/**" -> ${verdict}("not by itself")' }
`;

/** A call has made a file in a box, under a configuration. */
function made(configuration = "contain: all\n") {
  const project = containedProject(configuration);
  project.write("src/old", "old\n");
  // What a program does that it reads from elsewhere is not known before.
  project.write("prog", '#!/bin/sh\neval "$(rev < data)"\n', 0o755);
  project.write("data", "wen/crs > wen ohce\n");
  const ran = project.run("./prog");
  return {
    ...project,
    ...ran,
    id: ran.answer.contained?.id ?? "",
    isThere: () => existsSync(join(project.root, "src/new")),
  };
}

/** The same where the change waits for a person. */
const held = () => made(RULES("ask"));

describe.skipIf(WORKING.length === 0)("a contained call", () => {
  claimsOf("a contained call", [
    {
      says: "Ran contained: 1 file changed",
      whenTrue: () => {
        const { err, isThere } = made();
        expect([err, isThere()]).toEqual([expect.stringMatching(/Ran contained: 1 file changed \(/), true]);
      },
      whenFalse: {
        "a rule denies the change": () => {
          const { err, isThere } = made(RULES("deny"));
          expect([err, isThere()]).toEqual([expect.stringContaining("1 file changed dropped"), false]);
        },
        "a rule asks about the change": () => {
          const { err, isThere } = held();
          expect([err, isThere()]).toEqual([expect.stringContaining("1 file changed held back"), false]);
        },
        "nothing has changed": () => {
          expect(containedProject("contain: all\n").run("true").err).toBe("");
        },
      },
    },
    {
      says: "inside --keep: 1 change kept",
      whenTrue: () => {
        const { id, sluice, isThere } = held();
        const { code, out } = sluice("inside", "--keep", id, "--yes");
        expect([code, out, isThere()]).toEqual([0, expect.stringContaining("1 change kept."), true]);
      },
      whenFalse: {
        "its folder has become a symlink": () => {
          const { id, sluice, root } = held();
          renameSync(join(root, "src"), join(root, "elsewhere"));
          symlinkSync("elsewhere", join(root, "src"));
          const { code, out } = sluice("inside", "--keep", id, "--yes");
          expect([code === 0, out.includes("1 change kept")]).toEqual([false, false]);
          expect(existsSync(join(root, "elsewhere/new"))).toBe(false);
        },
        "it was dropped before": () => {
          const { id, sluice, isThere } = held();
          sluice("inside", "--drop", id);
          expect([sluice("inside", "--keep", id, "--yes").code === 0, isThere()]).toEqual([false, false]);
        },
      },
    },
    {
      says: "inside --drop: 1 change dropped",
      whenTrue: () => {
        const { id, sluice, isThere } = held();
        const { code, out } = sluice("inside", "--drop", id);
        expect([code, out, isThere()]).toEqual([0, expect.stringContaining("1 change dropped."), false]);
      },
      whenFalse: {
        "it was kept before": () => {
          const { id, sluice, isThere } = held();
          sluice("inside", "--keep", id, "--yes");
          const { code, out } = sluice("inside", "--drop", id);
          expect([code === 0, out.includes("dropped."), isThere()]).toEqual([false, false, true]);
        },
      },
    },
  ]);
});

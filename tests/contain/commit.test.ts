import { spawnSync } from "node:child_process";
import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { boxById } from "../../src/policies/contain/box-store.ts";
import { containedProject, WORKING } from "./contained-project.ts";

describe.skipIf(WORKING.length === 0).each(WORKING)(
  "what a box made by %s has changed is put into the project",
  (by) => {
    it("a changed file has the mode, the time and the content of the box, also if it is read-only, and no marks of the overlay", () => {
      const project = containedProject("contain: all\n");
      for (const name of ["plain", "locked"]) project.write(name, "old\n");
      const act = "for f in plain locked; do echo new > $f; touch -d 2001-02-03T04:05:06Z $f; done; chmod 444 locked";
      project.run(act, by);
      for (const [name, mode] of [
        ["plain", 0o644],
        ["locked", 0o444],
      ] as const) {
        const path = join(project.root, name);
        expect(project.read(name)).toBe("new\n");
        expect([lstatSync(path).mode & 0o777, lstatSync(path).mtime.toISOString()]).toEqual([
          mode,
          "2001-02-03T04:05:06.000Z",
        ]);
        const marks = spawnSync("python3", ["-c", "import os, sys; print(os.listxattr(sys.argv[1]))", path]);
        if (marks.status === 0) expect(String(marks.stdout)).toBe("[]\n");
      }
      expect(readdirSync(project.root).sort()).toEqual(["locked", "plain"]);
    });

    it("new names of one changed file are names of one file afterwards", () => {
      const project = containedProject("contain: all\n");
      project.write("one", "old\n");
      project.run("echo new > one; ln one two; ln one three", by);
      const numbers = ["one", "two", "three"].map((name) => statSync(join(project.root, name)).ino);
      expect(new Set(numbers).size).toBe(1);
      expect(["one", "two", "three"].map(project.read)).toEqual(["new\n", "new\n", "new\n"]);
    });

    it("an interrupted commit is ended by the next command, and what was exchanged before stays exchanged", () => {
      const project = containedProject("contain: all\n");
      for (const name of ["one", "two", "gone"]) project.write(name, "old\n");
      const { id = "" } = project.run("echo new > one; echo new > two; rm gone", by).answer.contained ?? {};
      const box = boxById(id, project.env);
      if (box === undefined) throw new Error("the box is not known");
      // The state after a kill: one file is exchanged and what was there is in the box, the rest is not done.
      const { place } = box.plan;
      mkdirSync(join(place, "u0"), { recursive: true });
      const upper = (name: string) => join(place, "u0", name);
      writeFileSync(upper("one"), "old\n");
      writeFileSync(upper("two"), "new\n");
      project.write("two", "old\n");
      const paths = ["one", "two"].map((name) => join(project.root, name));
      const inodes = [statSync(paths[0] ?? "").ino, statSync(upper("two")).ino];
      const receipt = { ...box.receipt, changes: [] };
      const draft = { created: [], kept: paths, inodes, receipt };
      spawnSync("rm", [join(box.folder, "receipt.json")]);
      writeFileSync(join(box.folder, "commit.json"), JSON.stringify(draft), { mode: 0o600 });
      expect(JSON.parse(project.sluice("inside", "--show", id, "--json").out).state).toBe("done");
      expect(["one", "two"].map(project.read)).toEqual(["new\n", "new\n"]);
      expect(existsSync(join(project.root, "gone"))).toBe(false);
    });

    it("of files with other names outside of the call, only the written name changes", () => {
      const project = containedProject("contain: all\n");
      project.write("one", "old\n");
      linkSync(join(project.root, "one"), join(dirname(project.root), "outside"));
      utimesSync(join(project.root, "one"), 1e9, 1e9);
      project.run("echo new > one", by);
      expect([project.read("one"), project.read("../outside")]).toEqual(["new\n", "old\n"]);
    });
  },
);

import { expect, it } from "vitest";
import { effectText } from "./effect.ts";
import { effectsOf } from "./effects.ts";
import { asOnDisk } from "./on-disk.ts";
import { readCommandLine } from "./parse/read-command-line.ts";

/** What a line writes on a disk where only `link` and `src` are there, and how often the disk is asked. */
function written(line: string) {
  const reading = readCommandLine(line);
  const asked = { real: [] as string[], missing: [] as string[] };
  const effects = asOnDisk(effectsOf(reading), reading.commands, {
    real: (path) => {
      asked.real.push(path);
      return path.includes("link/../") ? "far/b" : undefined;
    },
    isMissing: (path) => {
      asked.missing.push(path);
      return !/^(?:link|src)(?:\/|$)/.test(path);
    },
  });
  return { asked, writes: effects.filter(({ does }) => does === "write").map(effectText) };
}

it("a path below a folder that is not there is not looked for on the disk, however many there are", () => {
  const { asked, writes } = written("cd a; echo > ../b; ".repeat(40));
  expect(writes).toHaveLength(40);
  // Only the first one leads out of what is not there.
  expect(asked.real).toEqual(["a/../b"]);
  expect(asked.missing).toEqual(["a"]);
});

it.each([
  ["cd link; echo > ../b", true],
  ["cd link/a; echo > ../../b", false],
  ["cd a/b; echo > ../../link/../b", true],
  ["cd a/../link; echo > ../b", true],
  ["echo > a/../link/../b", true],
  ["cd a/b; echo > link/../b", false],
])("`..` behind a link is followed to where the link leads: %s", (line, isFollowed) => {
  expect(written(line).writes.includes("writes far/b")).toBe(isFollowed);
});

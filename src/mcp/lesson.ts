import { existsSync } from "node:fs";
import { join } from "node:path";
import { changeFile } from "../config/change-file.ts";
import { MARK, readText } from "../config/read-text.ts";
import { writeAtomic } from "../fs/write-atomic.ts";

/** Adds a lesson to the project's memory file, once, and says which file that is. */
export function recordLesson(root: string, lesson: string): string {
  const name = MEMORY_FILES.find((file) => existsSync(join(root, file))) ?? MEMORY_FILES[0];
  const path = join(root, name);
  const line = `- ${lesson.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST)}`;
  changeFile(path, () => {
    const file = readText(path);
    if (file.state !== "read" && file.state !== "missing") throw file.problem;
    const before = file.state === "read" ? (file.hasMark ? MARK : "") + file.text : "";
    if (!before.split(/\r?\n/).includes(line)) writeAtomic(path, withLine(before, line));
  });
  return name;
}

/** At the end of the lessons, which get a heading of their own. */
function withLine(text: string, line: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const whole = text === "" || text.endsWith("\n") ? text : text + eol;
  const lines = whole.split(eol);
  const heading = lines.indexOf(HEADING);
  if (heading < 0) return [whole + (whole === "" ? "" : eol) + HEADING, "", line, ""].join(eol);
  const next = lines.findIndex((other, index) => index > heading && /^#{1,2} /.test(other));
  let end = next < 0 ? lines.length - 1 : next;
  while (end > heading + 1 && lines[end - 1]?.trim() === "") end--;
  const gap = end === heading + 1 ? [""] : [];
  return [...lines.slice(0, end), ...gap, line, ...lines.slice(end)].join(eol);
}

const MEMORY_FILES = ["AGENTS.md", "CLAUDE.md"] as const;
const HEADING = "## Lessons";
const LONGEST = 500;

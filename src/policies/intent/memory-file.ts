import { existsSync } from "node:fs";
import { join } from "node:path";
import { changeFile } from "../../config/change-file.ts";
import { MARK, readText } from "../../config/read-text.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";

/** The files in which agents read what a project has learned. */
type MemoryFile = "AGENTS.md" | "CLAUDE.md";

/** Adds lessons to the project's memory file, each once, and says which file that is; where there is none, `fresh` is made. */
export function recordLessons(root: string, lessons: readonly string[], fresh: MemoryFile): MemoryFile {
  const name = MEMORY_FILES.find((file) => existsSync(join(root, file))) ?? fresh;
  const path = join(root, name);
  changeFile(path, () => {
    const file = readText(path, { root });
    if (file.state !== "read" && file.state !== "missing") throw file.problem;
    const before = file.state === "read" ? (file.hasMark ? MARK : "") + file.text : "";
    const after = lessons.map((lesson) => `- ${asLesson(lesson)}`).reduce(withLine, before);
    if (after !== before) writeAtomic(path, after);
  });
  return name;
}

/** A lesson on one line, and not too long to be read. */
export function asLesson(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_LESSON);
}

/** At the end of the lessons, which get a heading of their own; a line that is there is not added again. */
function withLine(text: string, line: string): string {
  if (text.split(/\r?\n/).includes(line)) return text;
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

const MEMORY_FILES: readonly MemoryFile[] = ["AGENTS.md", "CLAUDE.md"];
const HEADING = "## Lessons";
const LONGEST_LESSON = 500;

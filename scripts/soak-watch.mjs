// What the soak test looks at: the processes of one home, and the lines of its journal.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";

/** Daemons and workers of one home, or only those with these words. */
export function processesOf(home, words = /--launched|--worker/) {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`);
        return isOurs && words.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      } catch {
        return false;
      }
    });
}

/** How many descriptors a process has open. */
export function filesOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return -1;
  }
}

/** How large a process is. */
export function residentBytes(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}

/** A third of the time is for warming up; after that, the last part may not be clearly larger than the first. */
export function isFlat(sizes) {
  const rest = sizes.slice(Math.floor(sizes.length / 3)).toSorted((one, other) => one - other);
  return rest.length < 4 || rest.at(-1) < rest[0] * 1.5 + 32 * 2 ** 20;
}

/** Reads the journal while it grows: old parts of it are thrown away in time. */
export function journalTail(folder) {
  const seen = new Map();
  const open = new Map();
  let lines = 0;
  const read = () => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const fd = openSync(join(folder, name), "r");
      const { ino } = fstatSync(fd);
      if (open.has(ino)) closeSync(fd);
      else open.set(ino, { fd, at: 0, rest: "" });
    }
    const buffer = Buffer.alloc(4 * 1024 * 1024);
    for (const part of open.values())
      for (let got = readSync(part.fd, buffer, 0, buffer.length, part.at); got > 0; ) {
        part.at += got;
        const whole = `${part.rest}${buffer.toString("latin1", 0, got)}`.split("\n");
        part.rest = whole.pop();
        for (const line of whole.filter(Boolean)) {
          lines++;
          const { session_id: id } = JSON.parse(line);
          seen.set(id, (seen.get(id) ?? 0) + 1);
        }
        got = readSync(part.fd, buffer, 0, buffer.length, part.at);
      }
  };
  return { read, seen, count: () => lines };
}

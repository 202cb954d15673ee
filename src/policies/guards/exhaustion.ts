import { DENY, type Guard } from "./guard.ts";
import { lineOf, type Part, quoted } from "./part.ts";

/** The machine remains usable. */
export const exhaustion: Guard = {
  title: "Using up the machine",
  why: "A fork bomb or an endless file leaves a machine that no longer responds.",
  rules: [
    {
      name: "exhaust",
      ...DENY,
      reason: "Uses up the processes, the memory or the disk of the machine.",
      does: ({ written: [path] }) =>
        path === undefined ? "starts processes without end" : `fills ${path} without end`,
      instead: bounded,
      ask: "whether the machine may be used up",
    },
  ],
  stops: () => [
    ":(){ :|:& };:",
    "bomb() { bomb | bomb & }; bomb",
    "yes > big.txt",
    "cat /dev/zero > big.bin",
    "dd if=/dev/zero of=/tmp/fill",
    "x=$(yes)",
    "mapfile -t all < <(yes)",
    "tail -f /dev/zero | cat",
    "grep x /dev/zero",
    "seq inf | sort",
    "touch file{1..10000000}",
    "truncate -s 100T big.bin",
    "mkfile 5t big.bin",
  ],
  passes: () => [
    "yes | head -3",
    "yes | npx create-x",
    "answer=$(yes | head -1)",
    "f() { echo hi; }; f",
    "head -c 100 /dev/urandom",
    "cat /dev/urandom | tr -dc a-z | head -c 16",
    "timeout 5 cat /dev/zero",
    "tail -f app.log | cat",
    "for i in 1 2 3; do echo $i; done",
    "touch src/{a,b}{1..30}.ts",
  ],
};

/** The same command with a limit. */
function bounded(part: Part): string | undefined {
  const [path] = part.written;
  if (path === undefined) return undefined;
  if (part.program === "dd") return lineOf(part, "dd", ...part.words, "bs=1M", "count=10");
  if (part.program === "yes") return `yes | head -n 1000 > ${quoted(path)}`;
  const source = part.words.find(({ text }) => /^\/dev\//.test(text));
  const line = source && lineOf({ folder: "." }, "head", "-c", "10M", source);
  return line && `${line} > ${quoted(path)}`;
}

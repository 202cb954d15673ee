import { basename } from "node:path";
import { ADAPTERS } from "../../adapters/index.ts";
import { readRegularText } from "../../fs/regular-file.ts";

/** Why no person sits at this terminal; nothing when one may. The system shows its processes as files in a folder. */
export function whyNoPerson(
  io: {
    readonly isTerminal: boolean;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
  processes = { folder: "/proc", parent: process.ppid },
): string | undefined {
  if (!io.isTerminal) return "there is no terminal";
  const mark = MARKS.find((name) => io.env[name]);
  if (mark !== undefined) return `${mark} is set, as agents do for the commands that they run`;
  const agent = agentAbove(processes.parent, processes.folder);
  return agent === undefined ? undefined : `it was started by ${agent}`;
}

/** An agent among the processes that started this one, where the system tells. */
function agentAbove(pid: number, folder: string): string | undefined {
  try {
    for (let at = pid, steps = 0; at > 1 && steps < MOST_ABOVE; steps++) {
      const words = readRegularText(`${folder}/${at}/cmdline`).split("\0").slice(0, 2);
      const found = ADAPTERS.find(
        ({ program }) => program !== undefined && words.some((word) => isProgram(word, program)),
      );
      if (found !== undefined) return found.title;
      at = Number(/^PPid:\s*(\d+)/m.exec(readRegularText(`${folder}/${at}/status`))?.[1] ?? 0);
    }
  } catch {}
  return undefined;
}

function isProgram(word: string, program: string): boolean {
  return basename(word).replace(/\.[cm]?js$/, "") === program;
}

const MARKS = [...ADAPTERS.flatMap(({ marks = [] }) => marks), "AI_AGENT", "SLUICE_DEPTH"];
const MOST_ABOVE = 64;

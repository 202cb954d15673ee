import type { Io } from "./io.ts";

/**
 * Reads one line from the terminal without showing it; undefined if it is cancelled or the input ends. What was typed after
 * the line stays for the next question.
 */
export async function readHidden(question: string, io: Pick<Io, "write">): Promise<string | undefined> {
  const { stdin } = process;
  stdin.setRawMode(true);
  io.write(2, question);
  try {
    return await line();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    io.write(2, "\n");
  }
}

function line(): Promise<string | undefined> {
  const { stdin } = process;
  stdin.setEncoding("utf8");
  return new Promise((resolve) => {
    let typed = "";
    const end = (result: string | undefined) => {
      stdin.off("data", take);
      stdin.off("end", ended);
      resolve(result);
    };
    const ended = () => end(undefined);
    const take = (text: string) => {
      const signs = [...rest, ...text];
      rest = [];
      for (const [at, sign] of signs.entries()) {
        if (sign === "\r" || sign === "\n") {
          rest = signs.slice(signs[at + 1] === "\n" && sign === "\r" ? at + 2 : at + 1);
          return end(typed);
        }
        if (sign === CTRL_C || (sign === CTRL_D && typed === "")) return end(undefined);
        if (sign === DELETE || sign === BACKSPACE) typed = [...typed].slice(0, -1).join("");
        else if (sign >= " ") typed += sign;
      }
    };
    stdin.on("data", take);
    stdin.on("end", ended);
    stdin.resume();
    if (rest.length > 0) take("");
  });
}

/** What was typed after a line that was read. */
let rest: readonly string[] = [];
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const DELETE = "\u007f";
const BACKSPACE = "\b";

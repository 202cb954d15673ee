import { EXIT_CODES } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";

/** Runs the command line of this process; `answered` is told the exit code of an answer as soon as it has been written. */
export function start(answered: (exitCode: number) => void): void {
  main(process.argv.slice(2), processIo(answered)).then((exit) => {
    const { code } = EXIT_CODES[exit];
    process.exitCode = code;
    answered(code);
  });
}

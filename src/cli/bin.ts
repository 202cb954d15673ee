import { EXIT_CODES } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";

// Hooks run in process groups of their own, so a signal to this one does not reach them; leaving in order ends them.
for (const [signal, number] of [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const) {
  process.once(signal, () => process.exit(128 + number));
}

main(process.argv.slice(2), processIo()).then((exit) => {
  process.exitCode = EXIT_CODES[exit].code;
});

import { EXIT_CODES } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";

main(process.argv.slice(2), processIo()).then((exit) => {
  process.exitCode = EXIT_CODES[exit].code;
});

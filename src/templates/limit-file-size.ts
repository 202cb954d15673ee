import { write } from "./example-events.ts";
import { ARGS, sh, VALUES, WRITTEN } from "./shell-text.ts";
import { template } from "./template.ts";

const SAYS = "more than 1 MB";

/** No single write is larger than a megabyte. */
export const limitFileSize = template({
  title: "No files over 1 MB",
  why: "Large files swell the repository for good.",
  spec: {
    name: "limit_file_size",
    event: "tool:pre_execute:@write",
    description: "Denies file tools that write more than 1 MB of text at once.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${WRITTEN}
      [ "$(printf '%s' "$json" | wc -c)" -gt 1000000 ] || exit 0
      size=$(written | wc -c)
      [ "$size" -gt 1000002 ] || exit 0
      printf '%s\n' "This writes $((size / 1000)) kB, ${SAYS}. Write a smaller file, generate it with a script, or ask the user."
      exit 1`,
    tags: ["guard", "files"],
  },
  examples: [
    { does: "denies 1.2 MB", ...write("a.txt", "x".repeat(1_200_000)), expect: "deny", says: SAYS },
    { does: "lets 900 kB of quotes pass", ...write("a.txt", '"'.repeat(900_000)), expect: "continue" },
    { does: "lets exactly 1 MB pass", ...write("a.txt", "x".repeat(1_000_000)), expect: "continue" },
    { does: "lets a small file pass", ...write("a.txt", "hello"), expect: "continue" },
  ],
});

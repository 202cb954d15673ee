import { unexplainedChanges } from "../trace/change/audit.ts";
import { columns } from "./columns.ts";
import type { Input } from "./command.ts";
import { rootOf } from "./configuration.ts";
import type { Exit } from "./exit-codes.ts";

/** Lists changed files that no recorded call explains; exit code 1 when there are some. */
export function auditTrace(input: Input): Exit {
  const { io } = input;
  const audit = unexplainedChanges({ root: rootOf(input), env: io.env });
  const { files, looked_at, by } = audit;
  if (input.has("json")) io.out(JSON.stringify(audit, null, 2));
  else if (files.length === 0)
    io.out(`Every change is explained: ${looked_at} changed files looked at, told by ${by}.`);
  else {
    io.out(`No recorded call explains these (${files.length} of ${looked_at} changed files):`);
    const rows = files.map(({ path, changed_at, size, why }) => [
      `  ${path}`,
      changed_at ?? "gone",
      size === null ? "" : `${size} bytes`,
      why,
    ]);
    for (const line of columns(rows)) io.out(line);
    io.out("A person, a program or an agent without hooks changed them; `git diff` shows what.");
  }
  return files.length === 0 ? "done" : "problem";
}

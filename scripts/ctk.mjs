// Runs conformance vectors of agent-hooks on `sluice/agent-hooks`: npm run ctk -- <folder of vectors> [--json]
import { fileURLToPath } from "node:url";
import { reportText, runFolder } from "./ctk/run-folder.mjs";
import { loadSource } from "./load-source.mjs";

const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
if (folder === undefined) {
  console.error("Name the folder of vectors: npm run ctk -- <folder>");
  process.exit(2);
}
try {
  const library = await loadSource(fileURLToPath(new URL("..", import.meta.url)), ["agent-hooks.ts"]);
  const report = await runFolder(library, folder);
  if (process.argv.includes("--json")) console.log(JSON.stringify(report, undefined, 2));
  else console.log(reportText(report));
  process.exitCode = report.failed.length > 0 || report.passed.length === 0 ? 1 : 0;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

import type { Role } from "../effect.ts";
import type { SimpleCommand } from "../parse/command.ts";

/** Whether a command that changes a cloud or a database names production, or only what is local or made for development. */
export function targetOf(
  command: SimpleCommand,
  changed: "cloud" | "database",
  commands: readonly SimpleCommand[],
): Role | undefined {
  const words = command.args.map(({ text }) => text);
  const wrappers = command.via.map((wrapper) => wrapper.split(" ", 1)[0]);
  // What is set for a wrapper, such as `bundle exec`, holds for what it runs.
  const around = commands.filter((other) => other === command || wrappers.includes(other.program?.text));
  for (const { assignments } of around)
    for (const name in assignments) words.push(`${name}=${assignments[name]?.text ?? ""}`);
  if (words.some((word) => PRODUCTION.test(word))) return "production";
  if (words.some((word) => LOCAL.test(word))) return "recoverable";
  return changed === "database" && words.some(isForDevelopment) ? "recoverable" : undefined;
}

/** A name of a database, an environment or a file; a statement of SQL names tables, and they say nothing. */
function isForDevelopment(word: string): boolean {
  return !/\s/.test(word) && DEVELOPMENT.test(word.replace(/\/\.local\//g, "/"));
}

const PRODUCTION = /(?:^|[^a-z])(?:prod|production|prd)(?:$|[^a-z])/i;
/** This machine, or a cluster or a cloud that runs on it. */
const LOCAL =
  /(?:^(?:-h)?|[=/@:])(?:localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?:$|[:/?,])|(?:^|=)(?:(?:kind|k3d)-[\w.-]+|minikube|docker-desktop|docker-for-desktop|orbstack|rancher-desktop|colima|microk8s|localstack)$|^--(?:local|emulator)$/;
const DEVELOPMENT =
  /(?:^|[^a-z])(?:dev|development|test|testing|tests|local|sandbox|scratch|tmp|temp|ci|demo|playground)\d*(?:$|[^a-z])|^:memory:$/i;

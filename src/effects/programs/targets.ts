import type { Role } from "../effect.ts";
import type { SimpleCommand } from "../parse/command.ts";

/** Whether a command that changes a cloud or a database names production, or only what is local or made for development. */
export function targetOf({ args, assignments }: SimpleCommand, changed: "cloud" | "database"): Role | undefined {
  const words = args.map(({ text }) => text);
  for (const name in assignments) words.push(`${name}=${assignments[name]?.text ?? ""}`);
  if (words.some((word) => PRODUCTION.test(word))) return "production";
  if (words.some((word) => LOCAL.test(word))) return "recoverable";
  return changed === "database" && words.some(isForDevelopment) ? "recoverable" : undefined;
}

/** A name of a database, an environment or a file; a statement of SQL names tables, and they say nothing. */
function isForDevelopment(word: string): boolean {
  return !/\s/.test(word) && DEVELOPMENT.test(word);
}

const PRODUCTION = /(?:^|[^a-z])(?:prod|production|prd)(?:$|[^a-z])/i;
/** This machine, or a cluster or a cloud that runs on it. */
const LOCAL =
  /(?:^|[=/@:])(?:localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?:$|[:/?,])|(?:^|=)(?:(?:kind|k3d)-[\w.-]+|minikube|docker-desktop|docker-for-desktop|orbstack|rancher-desktop|colima|microk8s|localstack)$|^--(?:local|emulator)$/;
const DEVELOPMENT =
  /(?:^|[^a-z])(?:dev|development|test|testing|tests|local|sandbox|scratch|tmp|temp|ci|demo|playground)\d*(?:$|[^a-z])|^:memory:$/i;

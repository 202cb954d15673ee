import type { SimpleCommand } from "../parse/command.ts";

/** Whether a program without a row says itself that it removes a resource of a service: `acmectl delete-bucket x`, `acme server destroy x`. */
export function removesResource({ args, program }: SimpleCommand): boolean {
  if (program === undefined || program.text.includes("/")) return false;
  const words: string[] = [];
  for (const { text } of args) {
    if (text.startsWith("-")) continue;
    words.push(text);
    if (words.length === MOST_WORDS) break;
  }
  const said = words.join(" ");
  return said.length < LONGEST && REMOVES.test(said) && !args.some(({ text }) => DRY.test(text));
}

const MOST_WORDS = 3;
const LONGEST = 200;
const THINGS =
  "(?:apps?|applications?|projects?|services?|sites?|servers?|instances?|droplets?|vms?|machines?|clusters?|databases?|dbs?|buckets?|volumes?|disks?|snapshots?|backups?|domains?|zones?|namespaces?|tenants?|accounts?|organizations?|orgs?|environments?|envs?|stacks?|deployments?|repos?|repositories|repository|users?|secrets?|keys?|networks?|nodes?|jobs?|contexts?|queues?|topics?|pipelines?|streams?|collections?|ind(?:ex|exes|ices)|tables?|functions?|workers?|sites?|workspaces?)";
const VERBS = "(?:delete|destroy|purge|terminate|wipe)";
const REMOVES = new RegExp(`^(?:${VERBS}[-_: ]${THINGS}|${THINGS}[-_: ]${VERBS})(?=\\s|$)`, "i");
const DRY = /^--?(?:dry[-_]?run|what-?if|help|h)\b/i;

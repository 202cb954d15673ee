import type { Role } from "../effect.ts";
import type { SimpleCommand } from "../parse/command.ts";

/** Whether a command that changes a cloud or a database names production, or only something local or for development. */
export function targetOf(
  command: SimpleCommand,
  changed: "cloud" | "database",
  commands: readonly SimpleCommand[],
): Role | undefined {
  const words = command.args.map(({ text }, at, all) =>
    /^(?:-h|-H|--host)$/.test(all[at - 1]?.text ?? "") ? `@${text}` : text,
  );
  const wrappers = command.via.map((wrapper) => wrapper.split(" ", 1)[0]);
  // Variables of a wrapper, such as `bundle exec`, also apply to the program that it runs.
  const around = commands.filter((other) => other === command || wrappers.includes(other.program?.text));
  for (const { assignments } of around)
    for (const name in assignments) words.push(`${name}=${assignments[name]?.text ?? ""}`);
  // A container of this machine is for development, unless the engine is on another machine.
  const engines = commands.filter(
    ({ program }) => wrappers.includes(program?.text) && ENGINES.test(program?.text ?? ""),
  );
  const engineWords = engines.flatMap(({ args }) => {
    const texts = args.map(({ text }) => text);
    // The name of the container is between the verb and the program.
    const inner = texts.indexOf(command.program?.text ?? "");
    if (inner > 0) words.push(...texts.slice(0, inner));
    return texts.slice(
      0,
      Math.max(
        texts.findIndex((text) => /^(?:exec|run)$/.test(text)),
        0,
      ),
    );
  });
  words.push(...engineWords);
  // The context or the profile that the line has chosen before.
  for (const other of commands) {
    if (other === command) break;
    const given = other.args.map(({ text }) => text);
    if (/^kube(?:ctx|ns)$/.test(other.program?.text ?? "") || given.some((text) => CHOOSES.test(text)))
      words.push(given.at(-1) ?? "");
  }
  // The value of `$PROD_DATABASE_URL` is not known, but its name is enough.
  const variables = command.source.match(VARIABLE) ?? [];
  if ([...words, ...variables].some((word) => PRODUCTION.test(word))) return "production";
  if (changed === "database" && engines.length > 0)
    return engineWords.some((word) => ELSEWHERE.test(word)) ? undefined : "recoverable";
  if (words.some((word) => LOCAL().test(word))) return "recoverable";
  return changed === "database" && words.some((word) => SERVICE().test(word) || isForDevelopment(word))
    ? "recoverable"
    : undefined;
}

/** Whether a name of a database, an environment or a file means development; names of tables in SQL mean nothing. */
function isForDevelopment(word: string): boolean {
  if (/\s/.test(word) || DUMP.test(word)) return false;
  return DEVELOPMENT().test(word.replace(/\/\.local\//g, "/").replaceAll(/([a-z])(?=[A-Z])/g, "$1_"));
}

/** Whether a name of a machine, a context or an environment means production. */
export function isProduction(name: string): boolean {
  return PRODUCTION.test(name);
}

/** Whether a word of a command or of a program that runs it, or a variable that is set for it, names production. */
export function namesProduction(command: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const wrappers = command.via.map((wrapper) => wrapper.split(" ", 1)[0]);
  return commands.some((one) => (one === command || wrappers.includes(one.program?.text)) && namesIt(one));
}

function namesIt({ args, assignments, source, program }: SimpleCommand): boolean {
  const values = Object.values(assignments).map(({ text }) => text);
  const words = [program?.text ?? "", ...args.map(({ text }) => text), ...values, ...(source.match(VARIABLE) ?? [])];
  return words.some((word) => !/\s/.test(word) && isProduction(word));
}

/** Whether a word names what is for development or for trials: a host, a database, a project. */
export function isForTrials({ text }: { readonly text: string }): boolean {
  return (
    !/\s|^[~.]?\//.test(text) &&
    !isProduction(text) &&
    (FOR_TRIALS().test(text) || LOCAL().test(text) || isForDevelopment(text))
  );
}

const FOR_TRIALS = () =>
  /(?:^|[^a-z])(?:staging|stage|stg|qa|uat|preview|box|pi|lab|nas|vm|vagrant|runner|build|localhost|(?:dev|test|lab|build)(?:host|box|srv|server|machine|vm|pc))\d*(?:$|[^a-z])|\.local$/i;

/** Whether a setting of a database names this machine, a service of a compose file, or a file. */
export function isOnThisMachine(setting: string): boolean {
  return (
    !PRODUCTION.test(setting) &&
    (LOCAL().test(setting) || SERVICE().test(setting) || /=(?:file|sqlite3?):/.test(setting))
  );
}

const PRODUCTION = /(?:^|[^a-z])(?:prod|production|prd)(?:$|[^a-z])/i;
const CHOOSES = /^(?:use-context|set-context|(?:AWS_PROFILE|RAILS_ENV|APP_ENV|NODE_ENV|ENVIRONMENT|STAGE)=.*)$/;
const VARIABLE = /\$\{?\w{1,100}/g;
/** The name of a file with data does not say where the data goes. */
const DUMP = /\.(?:dump|sql|bak|backup|archive|tar|gz|zst|bz2|xz|rdb)$/i;
/** This machine, or a cluster or a cloud that runs on it. */
const LOCAL = () =>
  /(?:^(?:-h)?|[=/@:])(?:localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?:$|[:/?,])|(?:^|=)(?:(?:kind|k3d)-[\w.-]+|minikube|docker-desktop|docker-for-desktop|orbstack|rancher-desktop|colima|microk8s|localstack)$|^--(?:local|emulator)$/;
/** The machine of a database by the name of a service in a compose file. */
const SERVICE = () =>
  /(?:@|:\/\/)(?:db|database|postgres(?:ql)?|pg|mysql|mariadb|mongo(?:db)?|redis|valkey|cache|clickhouse|cassandra|mssql)(?:$|[:/?,])/;
const ENGINES = /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/;
/** An engine of containers on another machine. */
const ELSEWHERE = /^(?:-H|--host|--context|-c)(?:$|=)|^(?:tcp|ssh):\/\//;
const DEVELOPMENT = () =>
  /(?:^|[^a-z])(?:dev|development|test|testing|tests|local|sandbox|scratch|tmp|temp|ci|demo|playground)\d*(?:$|[^a-z])|^:memory:$/i;

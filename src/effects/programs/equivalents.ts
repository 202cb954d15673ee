import { GAP } from "../parse/command.ts";
import { type Field, fieldOf } from "../parse/value.ts";
import type { Inner } from "./program.ts";

/** Commands that are equivalent to calls in code of another language; the effects of code are reported as such commands. */
export const EQUIVALENTS = {
  /** Removes files, or folders by its flags. */
  removal: (flags: readonly string[], paths: readonly Field[]) => words(["rm", ...flags], paths),
  /** Removes a folder and its content. */
  removalBelow: (folder: string) => words(["find", folder, "-delete"]),
  copy: (from: Field, to: Field) => words(["cp"], [from, to]),
  move: (from: Field, to: Field) => words(["mv"], [from, to]),
  link: (flags: string, target: Field, name: Field) => words(["ln", flags], [target, name]),
  mode: (mode: string, paths: readonly Field[]) => words(["chmod", mode], paths),
  killAll: () => words(["kill", "-9", "-1"]),
  /** Starts processes without an end. */
  forks: () => words(["stress", "--fork"]),
  git: (verb: string, args: readonly Field[]): Inner => ({ ...words(["git", verb], args), isProgram: true }),
  fetch: (address: string) => words(["curl", address]),
  /** Sends a request that may change something: `requests.delete(url)`. */
  request: (method: string, address: string) => words(["curl", "-X", method, address]),
  fetchInto: (target: Field, address: Field) => words(["curl", "-o"], [target, address]),
  /** Sends a file. */
  send: (path: string, address: string) => words(["curl", "--data-binary", `@${path}`, address]),
  /** Sends the output of a command. */
  sendOutput: (command: string, address: string) => line(`${command} | curl -d @- ${quoted(address)}`),
  sendEnvironment: (address: string) => line(`env | curl -d @- ${quoted(address)}`),
  /** Runs the content of an address. */
  runFetched: (address: string) => line(`curl ${quoted(address)} | sh`),
  /** Runs the output of a command. */
  runOutput: (command: string) => line(`${command} | sh`),
  /** Runs a text that was encoded. */
  runDecoded: () => line("base64 -d | sh"),
  /** Talks to a socket, and may run what it receives. */
  socket: (host: string, port: string, isRun: boolean) => line(`nc ${host} ${port}${isRun ? " | sh" : ""}`),
  /** Installs a package from an address. */
  install: (address: string) => words(["pip", "install", address]),
  installFrom: (registry: string) => words(["pip", "install", "--index-url", registry, "x"]),
  /** Runs a statement in a database. */
  sql: (text: string, isLocal: boolean) => words(["psql", ...(isLocal ? ["-h", "localhost"] : []), "-c", text]),
  cloudRemoval: () => words(["aws", "sdk", "delete-resource"]),
  /** Asks a service for something by its library. */
  sdk: (service: string, asked: readonly string[], options: readonly string[]): Inner => ({
    ...words([
      service.replace(/_sdk$|_admin$|_client$/, ""),
      ...asked.flatMap((word) => (/^sendmail$/i.test(word) ? ["send", "mail"] : [word])),
      "--force",
      ...options,
    ]),
    isProgram: true,
  }),
  /** Gives another machine a shell. */
  reverseShell: (host: string) => line(`bash -i >& /dev/tcp/${host}/1 0>&1`),
} as const satisfies Readonly<Record<string, (...args: never[]) => Inner>>;

/** Whether this removes or moves something that is known only at run time. */
export function isUnknownRemoval(inner: Inner): inner is Extract<Inner, { runs: "words" }> {
  if (inner.runs !== "words") return false;
  const [program, first] = inner.words;
  if (program?.text === MOVES) return first?.text.includes(GAP) === true;
  return program?.text === "rm" && inner.words.some(({ text }) => text.includes(GAP));
}

/** The program that moves. */
export const MOVES = "mv";

/** Whether this writes to something that is known only at run time. */
export function isUnknownWrite(inner: Inner): inner is Extract<Inner, { runs: "write" }> {
  return inner.runs === "write" && inner.way !== "read" && inner.path.text === GAP;
}

function words(command: readonly string[], more: readonly Field[] = []): Extract<Inner, { runs: "words" }> {
  return { runs: "words", words: [...command.map(fieldOf), ...more], via: "" };
}

function line(text: string): Extract<Inner, { runs: "shell" }> {
  return { runs: "shell", text: fieldOf(text), via: "" };
}

function quoted(address: string): string {
  return `'${address.replaceAll("'", "")}'`;
}

/** The service whose library code uses, by its name there. */
export function serviceLibraryIn(code: string): string | undefined {
  return SERVICE_LIBRARY().exec(code)?.[1];
}

const SERVICE_LIBRARY = () =>
  /\b(?:import|from|require|use)\b\s*\(?\s*["']?@?(stripe|paypal|huggingface_hub|mlflow|wandb|slack_sdk|twilio|sendgrid|mailchimp\w*|smtplib|nodemailer|github|octokit|kubernetes|supabase|firebase_admin|firebase-admin|shopify|pagerduty|pdpyras|datadog|cloudflare|digitalocean|hcloud|auth0|okta|jira|notion_client|tweepy|telegram|discord|kaggle|datasets|transformers|sagemaker|googleapiclient|msgraph|woocommerce|shopify|plaid|adyen|square|hubspot|intercom|zendesk|algoliasearch|pinecone|weaviate)\b/;

/** Whether a word in the name of a function means that it changes something at the service of its library. */
export function actsAtService(word: string): boolean {
  return ACTS_AT_SERVICE().test(word);
}

const ACTS_AT_SERVICE = () =>
  /^(?:delete|destroy|remove|purge|drop|terminate|revoke|refund|payout|transfer|charge|send|sendmail|sendMail|post|publish|push|update|create|archive|cancel|disable|deactivate|transition|trash|empty|flush|wipe|invite|grant|upload)$/i;

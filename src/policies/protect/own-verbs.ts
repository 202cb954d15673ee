import { isUnclear, type OwnCommand } from "../../effects/index.ts";

/** Which calls of one verb an agent may make. Lists are separated by blanks. */
interface VerbRow {
  /** One of these options must be present: with it, the verb only shows something. */
  readonly needs?: string;
  /** The options that an agent may give. */
  readonly options?: string;
  /** The options that are for a person. */
  readonly personal?: string;
  /** What an agent may give as the first argument; anything if left out. */
  readonly parts?: string;
  /** First arguments that are for a person. */
  readonly personalParts?: string;
}

/** Whether an agent may make a call of our own command. Verbs, arguments and options without a row need a person. */
export function isHarmless(own: OwnCommand): boolean {
  const { verb, words, options } = own;
  if (verb === "" || options.has("help")) return true;
  const row = Object.hasOwn(OWN_VERBS, verb) ? OWN_VERBS[verb] : undefined;
  if (row === undefined) return false;
  const known = namesIn(`${COMMON} ${row.options ?? ""}`);
  if ([...options].some((name) => !known.has(name))) return false;
  if (row.needs !== undefined)
    return [...namesIn(row.needs)].some((name) => options.has(name)) && !words.some(isUnclear);
  const [part] = words;
  return part === undefined || row.parts === undefined || namesIn(row.parts).has(part);
}

function namesIn(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

const COMMON = "json root help";

/** Every verb of the command. A new verb without a row needs a person. */
export const OWN_VERBS: Readonly<Record<string, VerbRow>> = {
  add: { needs: "dry-run", options: "dry-run offline scope with" },
  allow: { needs: "dry-run", options: "dry-run once reason until width yes" },
  "allow-once": { needs: "help" },
  approvals: { parts: "", personalParts: "revoke", personal: "all" },
  approve: { needs: "help", personal: "for once passkey pin remove shape single times" },
  bundle: {
    parts: "verify",
    personalParts: "keygen build publish fetch",
    options: "public",
    personal: "accept after expires fallback key out replaces replay ring to version",
  },
  check: { options: "reporter strict" },
  completion: { options: "words" },
  deny: { needs: "help", personal: "reason single" },
  disable: { needs: "help", personal: "scope" },
  doctor: { options: "strict verbose" },
  enable: { needs: "help", personal: "scope" },
  events: {},
  evidence: { needs: "help", personal: "key out public since" },
  explain: { options: "agent all args data effects prompt session shell tool" },
  fire: { options: "agent args data prompt session stop-on-failure strict tool", personal: "trust-hash" },
  fleet: { parts: "status", personalParts: "share", options: "from once" },
  help: {},
  import: { needs: "dry-run", options: "diff dry-run scope yes" },
  init: { needs: "help", personal: "scope template yes" },
  // The line of a contained call is known by its text before this is asked.
  inside: { needs: "list show", options: "all diff list show", personal: "drop keep network yes" },
  // It only adds Sluice to the settings of agents.
  install: { options: "diff dry-run http no-mcp scope yes" },
  intents: {
    parts: "board list show",
    personalParts: "new start done scope",
    personal: "constraint criterion id name scope",
  },
  list: { options: "tool" },
  log: { options: "action agent follow hook last project session since store tool" },
  mcp: {},
  pack: { parts: "check list test", personalParts: "init", options: "name only scope" },
  packs: { options: "scope" },
  pause: { needs: "status", options: "status", personal: "end" },
  remove: { needs: "dry-run", options: "dry-run scope" },
  // The HTML report overwrites any file.
  replay: { options: "accept against approve contain from make-tests policy reporter since", personal: "html" },
  // Agents call it for their hooks. From a tool call, it would report what has not happened, such as a prompt of the user.
  run: { needs: "help", personal: "background cold lost moment start trust-hash" },
  serve: { needs: "status", options: "status", personal: "launched project stop worker" },
  setup: { needs: "dry-run", options: "diff dry-run yes" },
  ship: { needs: "help", personal: "arguments once protocol to" },
  stats: { options: "all days project watch" },
  suggest: { options: "project since" },
  templates: { parts: "show", personalParts: "add" },
  test: { options: "coverage live only reporter watch", personal: "trust-hash" },
  trace: { options: "base html last reporter" },
  trust: { needs: "status", options: "status", personal: "deny revoke trust-hash yes" },
  ui: { needs: "help", personal: "export no-open port redact session since store" },
  // Without a person, it skips files that no agent may write.
  undo: { options: "all dry-run force last list session" },
  uninstall: { needs: "dry-run", options: "diff dry-run purge scope yes" },
  update: { needs: "dry-run", options: "dry-run offline scope yes" },
  version: {},
  why: { options: "action agent hook last project session since tool" },
};

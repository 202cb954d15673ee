import type { DataTarget, EffectDraft, PathTarget, ReportedEffect } from "./call-report.ts";

/** Returns an effect with its labels and its sentence, without the targets that it does not have. */
export function finished(draft: EffectDraft, labels: readonly string[], command?: number): ReportedEffect {
  const targets = Object.entries({ ...draft, command }).filter(([, value]) => value !== undefined);
  const facts = { labels: [...new Set(labels)], text: effectSentence(draft) };
  // The targets are the ones of the draft.
  const effect: unknown = { ...Object.fromEntries(targets), ...facts };
  return effect as ReportedEffect;
}

/** Returns an effect as one sentence in English. */
function effectSentence(effect: EffectDraft): string {
  const sentence = phrase(effect);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function phrase(effect: EffectDraft): string {
  switch (effect.does) {
    case "read":
      if (effect.of === "path") return `reads ${path(effect)}`;
      if (effect.of === "data") return `reads ${data(effect)}`;
      return `shows keys, tokens or passwords that ${effect.service} keeps`;
    case "write":
      return written(effect);
    case "delete":
      return deleted(effect);
    case "run":
      return ran(effect);
    case "fetch":
      return `fetches from ${effect.url ?? effect.host ?? remote(effect.remote)}`;
    case "send":
      return sent(effect);
    case "install":
      return effect.package === undefined
        ? `installs the packages that ${effect.program} is asked for`
        : `installs ${effect.package} with ${effect.program}`;
    case "publish":
      return `publishes ${effect.what ?? "the project"} with ${effect.program}${effect.host === undefined ? "" : ` at ${effect.host}`}`;
    case "change-access":
      if (effect.of === "path") return `changes who may use ${path(effect)}`;
      if (effect.of === "network") return `lets other machines reach this one or a service, through ${effect.program}`;
      return `changes ${effect.account === undefined ? "an account or its rights" : `the account or the rights of ${effect.account}`} with ${effect.program}`;
    case "change-system":
      return SYSTEM[effect.what](effect.program, effect.name);
    case "end-process":
      return `ends ${effect.process === undefined || effect.process === "…" ? "processes" : `the process or service ${effect.process}`} with ${effect.program}`;
    case "spend":
      return `moves money with ${effect.service}${effect.what === undefined ? "" : `: ${effect.what}`}`;
    case "change-service":
      return `creates, changes or stops ${effect.resource ?? "something"} with ${effect.service}`;
    case "rewrite-history":
      return `replaces the history of ${effect.branch === undefined ? "a branch" : `the branch ${effect.branch}`}${effect.remote === undefined ? "" : ` on ${effect.remote}`}`;
  }
}

function written(effect: Extract<EffectDraft, { does: "write" }>): string {
  switch (effect.of) {
    case "path":
      return writtenPath(effect);
    case "data":
      return `changes ${data(effect)}`;
    case "branch":
      return `creates or moves the branch ${effect.branch}${on(effect.remote)}`;
    case "tag":
      return `creates or moves the tag ${effect.tag}${on(effect.remote)}`;
    case "history":
      return "records changes in the repository";
  }
}

function writtenPath(effect: Extract<EffectDraft, { does: "write"; of: "path" }>): string {
  const target = path(effect);
  const { source } = effect;
  if (effect.how === "link") return `makes ${effect.path} a link${source === undefined ? "" : ` to ${source}`}`;
  if (effect.how === "unpack") return `unpacks ${source ?? "files"} into ${folder(effect.path)}`;
  if (effect.how === "patch") return `changes ${target} by a patch`;
  if (effect.how === "pick") return `changes ${someOf(effect.path)}`;
  if (source !== undefined) return `${effect.how === "move" ? "moves" : "copies"} ${source} to ${effect.path}`;
  return `writes ${target}`;
}

function deleted(effect: Extract<EffectDraft, { does: "delete" }>): string {
  switch (effect.of) {
    case "path":
      if (effect.how === "move") return `moves ${path(effect)} away`;
      if (effect.how === "pick") return `deletes ${someOf(effect.path)}`;
      return `deletes ${path(effect)}${effect.how === "trash" ? ", which can be taken back" : ""}`;
    case "data":
      return `deletes ${data(effect)}`;
    case "branch":
      return `deletes the branch ${effect.branch}${on(effect.remote)}`;
    case "tag":
      return `deletes the tag ${effect.tag}${on(effect.remote)}`;
    case "work":
      return "throws away work or data that may be saved nowhere else";
    case "resource":
      return `deletes ${effect.resource ?? "something"} with ${effect.service}`;
  }
}

function ran(effect: Extract<EffectDraft, { does: "run" }>): string {
  if (effect.of === "program") return `runs ${effect.program}${effect.verb === undefined ? "" : ` ${effect.verb}`}`;
  const code = CODE[effect.from](effect.path, effect.host);
  return effect.program === "" ? `runs ${code}` : `runs ${code} with ${effect.program}`;
}

type Code = Extract<EffectDraft, { does: "run"; of: "code" }>["from"];
const CODE: Readonly<Record<Code, (path: string | undefined, host: string | undefined) => string>> = {
  network: (path, host) => `${path ?? "code"} that was fetched from ${host ?? "another machine"}`,
  file: (path) => `the code in ${path ?? "a file"}`,
  text: () => "code that the line contains in another form",
  environment: () => "code from the environment",
  variable: () => "code from a variable",
  data: () => "code from data",
  typed: () => "code that is typed into it later",
  unknown: () => "code that comes from elsewhere",
};

function sent(effect: Extract<EffectDraft, { does: "send" }>): string {
  const { branch, tag, path, what, service, to } = effect;
  if (what === "message")
    return `sends a message${to === undefined ? "" : ` to ${to}`} through ${service ?? "a service"}`;
  const through = service === undefined ? undefined : `another machine with ${service}`;
  const place = effect.host ?? through ?? remote(effect.remote);
  if (branch !== undefined) return `pushes the branch ${branch} to ${place}`;
  if (tag !== undefined) return `pushes the tag ${tag} to ${place}`;
  const kind = what === undefined ? "" : ` ${SENT[what] ?? what}`;
  return `sends${path === undefined ? kind : ` ${path}`} to ${place}`;
}

/** What a flow sends, by where it comes from. */
const SENT: Readonly<Record<string, string>> = {
  environment: "the environment variables",
  variable: "the value of a variable",
  text: "text",
  data: "a whole repository or database",
  network: "what it has fetched",
  file: "a file",
  key: "a key",
  commits: "commits",
};

type SystemPart = Extract<EffectDraft, { does: "change-system" }>["what"];
const SYSTEM: Readonly<Record<SystemPart, (program: string, name: string | undefined) => string>> = {
  settings: (program, name) => `changes settings with ${program}${name === undefined ? "" : `: ${name}`}`,
  startup: (program, name) =>
    `lets ${name ?? "something"} run later or at every start${program === "" ? "" : `, with ${program}`}`,
  power: (program) => `stops or restarts the machine or a session with ${program}`,
  disk: (program, name) => `writes to ${name ?? "a disk or a partition"} with ${program}`,
  traces: (program) => `removes the record of what was done, with ${program}`,
  resources: () => "uses up the processor, the memory or the disk",
};

function path({ path: text, isGlob, isTree }: PathTarget): string {
  if (text === ".") return isTree ? "everything in the current folder" : "the current folder";
  if (text === "…") return "a path that is known only at run time";
  if (isGlob) return `the files that match ${text}`;
  return isTree ? `${text} and everything in it` : text;
}

function data({ table, database, part }: Omit<DataTarget, "of">): string {
  if (database !== undefined) return `the database ${database}`;
  const whole = table === undefined ? "a table" : `the table ${table}`;
  if (part === undefined && table === undefined) return "data of a database";
  return part === undefined || part === "all" ? whole : `${PARTS[part]} ${whole}`;
}

const PARTS = {
  "every-row": "every row of",
  rows: "rows of",
  columns: "columns or partitions of",
  definition: "the definition of",
} as const;

function someOf(path: string): string {
  return `some of the files in ${folder(path)}`;
}

function folder(path: string): string {
  return path === "." ? "the current folder" : path;
}

function on(place: string | undefined): string {
  return place === undefined ? "" : ` on ${place}`;
}

function remote(name: string | undefined): string {
  return name === undefined ? "another machine" : `the remote ${name}`;
}

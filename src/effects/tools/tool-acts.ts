import { dataField, type EventFacts } from "../../event/field.ts";
import { oncePerText } from "../../event/once.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import type { CallPlace, Effect, ServiceAct } from "../effect.ts";
import { hasKey } from "../key-shapes.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import { isDisposable, isOutside } from "../path-class.ts";
import { isSecretFile } from "../programs/secret-files.ts";
import { addressIn, isControl, isDeceptive, isLocalHost } from "./addresses.ts";
import type { HarmIn } from "./automated-lines.ts";
import { automationActs, mayAutomate } from "./automation-acts.ts";
import { commandActs } from "./command-acts.ts";
import { dataActs } from "./data-acts.ts";
import { browserActs, httpActs } from "./http-acts.ts";
import { isScaledToNothing } from "./named-things.ts";
import { openedActs } from "./opened-acts.ts";
import { lostFileActs } from "./lost-checks.ts";
import { orderedActs, remembered, searchedActs } from "./order-acts.ts";
import { peopleDataActs } from "./people-data.ts";
import { requestActs } from "./request-acts.ts";
import { givenKey, sentKeys } from "./sent-keys.ts";
import { serviceAct } from "./service-acts.ts";
import { type CalledTool, type InputLeaf, TOOL_ACTS, type ToolAct, toolCall, wordsOf } from "./tool-call.ts";
import { LOOKS, verbOf, words } from "./verbs.ts";

/**
 * What a call of a tool other than a shell does besides its files, by what its input carries and by the verb of its name:
 * statements, requests, addresses, messages, payments. The tool's own files are reported elsewhere.
 */
export function toolActEffects(
  event: EventFacts,
  place: CallPlace,
  known: readonly Effect[],
  isHarm: HarmIn,
): readonly Effect[] {
  const { toolName = "" } = event;
  const automated = automationEffects(known, () => writtenTexts(event), isHarm);
  if (toolName === "") return automated;
  if (isOwnTool(toolName)) return [...automated, ...ownToolEffects(event, place, known, isHarm)];
  const call = toolCall(event);
  const isNetwork = isOfKind(toolName, "@network");
  const acts: ToolAct[] = [
    ...(isNetwork ? [] : namedActs(call, known)),
    ...(isNetwork ? [] : dataActs(call)),
    ...httpActs(call),
  ];
  if (!isNetwork) acts.push(...openedActs(call), ...browserActs(call));
  acts.push(...sentKeys(call), ...scheduled(call), ...copiedSecrets(call, known), ...codeActs(call));
  acts.push(...searchedActs(call, known), ...remembered(call), ...lostFileActs(call, place, known));
  acts.push(...pushedFiles(call, isHarm), ...scaledAway(call), ...peopleDataActs(call), ...strangersActs(call, place));
  const effects: Effect[] = [...automated];
  for (const leaf of call.leaves) addressEffects(leaf, toolName, place, known, effects, acts);
  if (call.words.some((word) => UPLOADS.has(word))) effects.push(...uploaded(call));
  return [...effects, ...once(acts).map((act) => actEffect(act, toolName))];
}

/** What a tool of an agent itself gives away or takes away: keys that it publishes or looks for everywhere, checks, content. */
function ownToolEffects(
  event: EventFacts,
  place: CallPlace,
  known: readonly Effect[],
  isHarm: HarmIn,
): readonly Effect[] {
  const { toolName = "" } = event;
  const call = toolCall(event);
  const acts = [...searchedActs(call, known), ...remembered(call), ...lostFileActs(call, place, known)];
  acts.push(...orderedActs(call, isHarm));
  const published = known.find((effect) => effect.does === "write" && SERVED().test(effect.path.text));
  if (published?.does === "write" && writtenTexts(event).some((text) => hasKey(text) || givenKey(text)))
    acts.push({ kind: "copy-secret", text: published.path.text });
  return acts.map((act) => actEffect(act, toolName));
}

/** Folders from which a server shows its files to everybody. */
const SERVED = () => /(?:^|[\\/])(?:public|static|www|wwwroot|htdocs)[\\/]/;
/** The acts of files that are written where programs run them by themselves. */
export function automationEffects(
  known: readonly Effect[],
  texts: () => readonly string[],
  isHarm: HarmIn,
): readonly Effect[] {
  const first = known.find((effect) => effect.does === "write" && mayAutomate(effect.path.text));
  if (first === undefined) return NO_EFFECTS;
  const written = known.filter((effect) => effect.does === "write" && mayAutomate(effect.path.text));
  const paths = written.flatMap((effect) => (effect.does === "write" ? [effect.path.text] : []));
  return automationActs(paths, texts, isHarm).map((act) => ({
    ...actEffect(act, programOf(first)),
    command: first.command ?? 0,
  }));
}

/** One line rarely asks for more; all of them are stopped by the first. */
const MAX_REQUESTS = 32;

/** What the commands of a line ask services for by requests. */
export function requestEffects(commands: readonly SimpleCommand[], known: readonly Effect[]): readonly Effect[] {
  const found: Effect[] = [];
  for (const [at, command] of commands.entries()) {
    for (const act of [...requestActs(command), ...commandActs(command, commands, known)])
      found.push({ ...actEffect(act, command.program?.text ?? ""), command: at });
    if (found.length >= MAX_REQUESTS) break;
  }
  return found.length === 0 ? NO_EFFECTS : found;
}

function programOf(effect: Effect): string {
  return "program" in effect ? effect.program : "";
}

function actEffect({ kind, text }: ToolAct, program: string): Extract<Effect, { does: "run" }> {
  const act: ServiceAct = { kind, text };
  return { does: "run", program, verb: kind, roles: TOOL_ACTS[kind].roles, command: 0, act };
}

/** What the name of a tool does, and the operation that it is given by name. */
function namedActs(call: CalledTool, known: readonly Effect[]): ToolAct[] {
  const kind = serviceAct({ name: call.words, call });
  const own: ToolAct[] = kind === undefined ? [] : [{ kind, text: objectsOf(call) }];
  const verb = verbOf(call.words);
  if (verb !== undefined && LOOKS.has(verb)) return own;
  const asked = call.leaves.flatMap(({ key, value, above }): ToolAct[] => {
    if (key === "method" && /^(?:get|head|post|put|patch|delete|options)$/i.test(String(value))) return [];
    if (above.length > 0 || typeof value !== "string" || !OPERATION_KEY().test(key) || !OPERATION.test(value))
      return [];
    if (isLineOfShell(value, call, known)) return [];
    const name = wordsOf(value);
    const of = serviceAct({
      name: [...name, ...call.words.filter((word) => !CARRYING.has(word))],
      call: { ...call, words: name },
    });
    return of === undefined ? [] : [{ kind: of, text: [value, objectsOf(call)].join(" ").trim() }];
  });
  return [...own, ...asked];
}

/** A line that a tool for shells runs is read as one: `rm -rf src` removes files, nothing at a service. */
function isLineOfShell(value: string, { words: name, server }: CalledTool, known: readonly Effect[]): boolean {
  if (![...name, ...server].every((word) => SHELL_WORDS.has(word))) return false;
  const [program = ""] = value.trim().split(/\s/, 1);
  // The first word of a line is a program, unless it is a verb of a service.
  if (verbOf([program.toLowerCase()]) === undefined) return true;
  return known.some((effect) => effect.does === "run" && effect.program === program && effect.roles.length > 0);
}

const SHELL_WORDS = words(
  "shell bash zsh sh powershell pwsh terminal console command commands cmd exec execute run process start desktop commander adb ssh",
);

/** The things that a call names, for a message. */
function objectsOf({ leaves }: CalledTool): string {
  const named = leaves.filter(
    ({ key, value, above }) => above.length === 0 && typeof value === "string" && OBJECT_KEY().test(key),
  );
  return named
    .slice(0, 3)
    .map(({ value }) => String(value).slice(0, 600))
    .join(" ");
}

function addressEffects(
  { key, value }: InputLeaf,
  tool: string,
  place: CallPlace,
  known: readonly Effect[],
  effects: Effect[],
  acts: ToolAct[],
): void {
  if (typeof value !== "string") return;
  const isCode = CODE_KEY.test(key) || (key === "prompt" && FETCHES_BY_PROMPT.test(tool));
  const texts = ADDRESS_KEY().test(key) ? [value] : isCode ? addressesIn(value) : [];
  for (const text of texts) {
    const address = addressIn(text);
    if (address === undefined) continue;
    const isLoggedIn = address.password !== "" && !isLocalHost(address.hostname);
    if (isControl(address) || isDeceptive(text) || isLoggedIn || INNER_SCHEMES.test(address.protocol))
      acts.push({ kind: "inner-address", text });
    if (address.protocol === "file:") {
      const path = word(decoded(address.pathname));
      effects.push({ does: "read", path, isTree: false, isForced: false, program: tool, command: 0 });
      if (isOutside(path, place) && !isDisposable(path, place)) acts.push({ kind: "inner-address", text });
    } else if (
      address.hostname !== "" &&
      !known.some((effect) => effect.does === "network" && effect.host?.text === address.hostname)
    )
      effects.push({ does: "network", way: "both", host: word(address.hostname), program: tool, command: 0 });
  }
}

function addressesIn(code: string): string[] {
  return code.length > MAX_CODE_LENGTH
    ? []
    : (code.match(/\b(?:https?|file):\/\/[^\s'"`)\\<>]{1,400}/g) ?? []).slice(0, 8);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Files of this machine that go elsewhere. */
function uploaded({ tool, leaves }: CalledTool): Effect[] {
  return leaves.flatMap(({ key, value }): Effect[] => {
    // A key that is put on another machine lets somebody in there.
    if (typeof value === "string" && REMOTE_PATH_KEY.test(key) && /(?:^|\/)\.ssh\//.test(value))
      return [{ does: "write", path: word(value), isTree: false, isForced: false, program: tool, command: 0 }];
    if (
      typeof value !== "string" ||
      !LOCAL_FILE_KEY().test(key) ||
      !/^[^\n]{1,1000}$/.test(value) ||
      /^(?!file:)\w+:\/\//.test(value)
    )
      return [];
    const path = word(value);
    return [
      { does: "read", path, isTree: false, isForced: false, program: tool, command: 0 },
      { does: "flow", from: "file", path, to: "network", command: 0 },
    ];
  });
}

/** A file with keys that is put where a server shows it, or under a name that does not show what it holds. */
function copiedSecrets({ words: name }: CalledTool, known: readonly Effect[]): ToolAct[] {
  if (!name.includes("copy") && !name.includes("move") && !name.includes("rename")) return [];
  return known.flatMap((effect): ToolAct[] => {
    if (effect.does !== "write" || effect.source === undefined || !isSecretFile(effect.source.text)) return [];
    return PUBLISHED().test(effect.path.text) ? [{ kind: "copy-secret", text: effect.path.text }] : [];
  });
}

/** Files with keys, and files that run by themselves, that a tool writes into a repository elsewhere. */
function pushedFiles({ words: name, leaves, input }: CalledTool, isHarm: HarmIn): ToolAct[] {
  if (!("repo" in input || "project_id" in input || "projectId" in input) || !name.some((word) => PUSHES.has(word)))
    return [];
  const paths = leaves.flatMap(({ key, value }) => (typeof value === "string" && PATH_KEY.test(key) ? [value] : []));
  const texts = () =>
    leaves.flatMap(({ key, value }) => (typeof value === "string" && CONTENT_KEY().test(key) ? [value] : []));
  const secret = paths.filter(isSecretFile).map((text): ToolAct => ({ kind: "copy-secret", text }));
  return [...secret, ...(paths.some(mayAutomate) ? automationActs(paths, texts, isHarm) : [])];
}

const PUSHES = words("push create update commit write add upload put");
const PATH_KEY = /^(?:path|filepath|filename|file)$/;

/** What serves requests is brought down to nothing. */
function scaledAway(call: CalledTool): ToolAct[] {
  const { words: name } = call;
  return name.includes("scale") && (name.includes("zero") || isScaledToNothing(call))
    ? [{ kind: "outage", text: name.join(" ") }]
    : [];
}

/** What code does with the libraries of services: `bucket.delete()`, `ec2.terminate_instances()`. */
function codeActs(call: CalledTool): ToolAct[] {
  return call.leaves.flatMap(({ key, value }): ToolAct[] => {
    if (typeof value !== "string" || value.length > MAX_CODE_LENGTH || !CODE_KEY.test(key)) return [];
    const isService = SERVICE_CODE().test(value) || [...call.words, ...call.server].some((word) => CLOUDS.has(word));
    if (!isService) return [];
    for (const [text, method = ""] of value.matchAll(/\.(\w{3,60})\s?\(/g)) {
      const name = wordsOf(method);
      const kind = serviceAct({ name, call: { ...call, words: name, leaves: [] } });
      if (kind !== undefined || (name.length === 1 && DESTROYS.test(method)))
        return [{ kind: kind ?? "resource-loss", text }];
    }
    return [];
  });
}

/** What is written where others work: a comment, an issue or a review in a repository of somebody else. */
function strangersActs({ words: name, input }: CalledTool, { repository, cwd }: CallPlace): ToolAct[] {
  const owner = input.owner ?? String(input.repo ?? input.repository ?? "").split("/", 2)[0];
  if (typeof owner !== "string" || owner === "" || !name.some((word) => TALKS.has(word))) return [];
  if (
    !name.some(
      (word) => MAKES.has(word) || word === "submit" || word === "write" || word === "post" || word === "reply",
    )
  )
    return [];
  const own = repository?.(cwd ?? ".")?.settings("remote.origin.url") ?? [];
  const isStrange =
    own.length > 0
      ? !own.some((url) => url.toLowerCase().includes(`${owner.toLowerCase()}/`))
      : WELL_KNOWN.has(owner.toLowerCase());
  return isStrange ? [{ kind: "message", text: `${owner} ${String(input.repo ?? "")}`.trim() }] : [];
}

const TALKS = words("issue comment review discussion pull pr reply");
/** Owners of repositories that many people read. */
const WELL_KNOWN = words(
  "facebook meta microsoft google apple vercel angular vuejs sveltejs reactjs nodejs denoland oven-sh rust-lang golang python django pallets psf rails ruby laravel symfony php spring-projects apache kubernetes helm hashicorp docker moby grafana prometheus elastic redis postgres mongodb torvalds git github gitlab actions aws azure googleapis cloudflare openai anthropics huggingface pytorch tensorflow numpy pandas-dev scikit-learn electron expo flutter dart-lang swiftlang kotlin jetbrains eslint prettier babel webpack vitejs typescript tailwindlabs supabase prisma sentry stripe ansible nixos homebrew curl openssl",
);

/** A command that a tool is to run later, or again and again. */
function scheduled({ words: name, server, leaves }: CalledTool): ToolAct[] {
  const isJob = [...name, ...server].some((word) => JOBS.has(word)) && name.some((word) => MAKES.has(word));
  if (!isJob || !leaves.some(({ key }) => /^(?:schedule|cron|cronexpression|interval|runat|every|at)$/.test(key)))
    return [];
  const command = leaves.find(({ key, value }) => /^(?:command|cmd|script)$/.test(key) && typeof value === "string");
  return command === undefined ? [] : [{ kind: "auto-run", text: String(command.value).slice(0, 2000) }];
}

/** The texts that a call writes into files. */
function writtenTexts(event: EventFacts): string[] {
  const { input, leaves } = toolCall(event);
  const args = dataField(event, "tool_args");
  const texts = leaves.flatMap(({ key, value }) =>
    typeof value === "string" && CONTENT_KEY().test(key) ? [value] : [],
  );
  if (typeof args === "string") texts.push(args);
  const patches = [input.input, input.patch, input.diff, input.command].filter((text) => typeof text === "string");
  return [...texts, ...patches.map((text) => text.replaceAll(/^[+ ]/gm, "").replaceAll(/^-.*$/gm, ""))];
}

function once(acts: readonly ToolAct[]): ToolAct[] {
  return acts.filter(
    ({ kind, text }, at) => acts.findIndex((other) => other.kind === kind && other.text === text) === at,
  );
}

function word(text: string): Word {
  return { text, isKnown: true, isGlob: false };
}

/** Tools of agents for files, shells and their own books, whose names are known to the letter. */
const isOwnTool = oncePerText((tool: string): boolean => {
  const isOwn =
    isOfKind(tool, "@shell") || isOfKind(tool, "@write") || isOfKind(tool, "@read") || OWN_TOOLS().test(tool);
  return isOwn;
});

const NO_EFFECTS: readonly Effect[] = [];
const OWN_TOOLS = () =>
  /^(?:Todo\w*|todo_?\w*|write_todos|update_todo_list|Task\w*|task|Agent|agent|Skill|skill|AskUserQuestion|ask_\w+|attempt_completion|\w*PlanMode|\w*plan_mode\w*|update_plan|create_plan|ToolSearch|BashOutput|KillShell|KillBash|think|thinking|sequentialthinking|SendMessage|finish|NotebookRead|memory|save_memory)$/;
/** Words of a tool that only carries what another does. */
const CARRYING = words("command action tool execute run call invoke composio zapier");
const OPERATION_KEY = () =>
  /^(?:action|mode|actionname|actionid|toolslug|slug|operation|op|method|verb|subcommand|command|api|apiname|function|functionname|endpoint|event|operationname|mutation|toolname|service)$/;
/** A name, and no method of HTTP. */
const OPERATION = /^(?!(?:DELETE|POST|PUT|PATCH|GET|HEAD|OPTIONS)$)[A-Za-z][\w.:/ -]{2,60}$/;
const OBJECT_KEY = () =>
  /name|^id$|id$|^(?:to|channel|repo|owner|bucket|database|collection|index|branch|email|amount|recipient|subject|project|domain|user|key|title|resource\w*|kind|namespace|cluster)$/;
const ADDRESS_KEY = () =>
  /url|uri|href|endpoint|address|^(?:link|src|location|target|source|page|site|webhook|host|base)$/;
/** Schemes by which a fetch reaches other services than pages. */
const INNER_SCHEMES = /^(?:gopher|dict|ldaps?|tftp|netdoc):$/;
/** Gemini names the addresses in the prompt. */
const FETCHES_BY_PROMPT = /^web_fetch$/;
const CODE_KEY = /^(?:function|script|code|expression|javascript|js)$/;
const UPLOADS = words("upload attach send share submit transfer publish");
const PUBLISHED = () => /(?:^|\/)(?:public|static|www|htdocs|dist|assets|docs|wwwroot)\/|\.(?:txt|md|html?|json|log)$/;
const SERVICE_CODE = () =>
  /\bboto3\b|@aws-sdk|aws-sdk|google\.cloud|googleapiclient|@google-cloud|azure\.(?:mgmt|storage|identity)|@azure\/|\bstripe\b|\btwilio\b|octokit|PyGithub|smtplib|slack_sdk/;
const CLOUDS = words("aws gcp azure cloud gcloud");
const DESTROYS = /^(?:delete|destroy|terminate|purge)$/;
const REMOTE_PATH_KEY = /^(?:remotepath|remotefile|destinationpath|destination|dest)$/;
const JOBS = words("cron crontab job schedule scheduler timer launchd task");
const MAKES = words("create add set schedule register update install");
const LOCAL_FILE_KEY = () =>
  /^(?:file|files|path|paths|filepath|filepaths|localpath|attachment|attachments|source|src|filename|localfile|attachmentpath|attachmentpaths|mediapath)$/;
const CONTENT_KEY = () =>
  /content|^(?:oldstring|oldstr|newstring|newstr|filetext|text|newtext|newsource|code|codeedit|replacement|replace|inserttext|value|body|data)$/;
const MAX_CODE_LENGTH = 20_000;

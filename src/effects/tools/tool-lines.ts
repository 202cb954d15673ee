import { byEachName } from "../../event/each-name.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { unpacked } from "../../event/packed.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { shellWord } from "../parse/value.ts";
import { programNamed } from "../programs/program-name.ts";
import { wordsOf } from "./tool-call.ts";
import { words } from "./verbs.ts";

/**
 * The command line of a tool that is named after a program, or that runs code of a language:
 * `kubectl_delete`, `git_push`, `aws_cli`, `run_python`. Such a call is judged as the line would be.
 */
export function toolLine(event: EventFacts): string | undefined {
  const { toolName = "" } = event;
  if (!MAY_RUN().test(toolName) || isKnownKind(toolName)) return undefined;
  const args = unpacked(dataField(event, "tool_args"));
  if (typeof args !== "object" || args === null) return undefined;
  const input = args as Readonly<Record<string, unknown>>;
  const own = toolName.replace(/^mcp__.*?__|^mcp_[^_]+_|^.*:/s, "");
  const name = wordsOf(own);
  const all = wordsOf(toolName);
  return (
    moduleLine(all, input) ??
    programLine(name, input) ??
    serverLine(toolName, own, name, input) ??
    typedLine(input, all) ??
    codeLine(name, input, all)
  );
}

function isKnownKind(tool: string): boolean {
  return isOfKind(tool, "@shell") || isOfKind(tool, "@write") || isOfKind(tool, "@read") || isOfKind(tool, "@network");
}

type Input = Readonly<Record<string, unknown>>;

/** A module of Ansible with its arguments, on the hosts that are named. */
function moduleLine(all: readonly string[], input: Input): string | undefined {
  if (!all.includes("ansible")) return undefined;
  const module = textOf(MODULE_KEYS.map((key) => input[key]).find((value) => value !== undefined));
  if (module === undefined) return undefined;
  const [given] = ARGUMENT_KEYS.map((key) => input[key]).filter((value) => value !== undefined);
  const args =
    typeof given === "object" && given !== null
      ? Object.entries(given).map(([key, value]) => (key === "_raw_params" ? String(value) : `${key}=${String(value)}`))
      : [textOf(given) ?? ""];
  const hosts = textOf(HOST_KEYS.map((key) => input[key]).find((value) => typeof value === "string")) ?? "all";
  const inventory = textOf(input.inventory ?? input.inventory_path ?? input.inventoryPath);
  const rest = inventory === undefined ? [] : ["-i", shellWord(inventory)];
  const become = input.become === true || input.sudo === true ? ["--become"] : [];
  return [
    "ansible",
    shellWord(hosts),
    ...rest,
    ...become,
    "-m",
    shellWord(module),
    "-a",
    shellWord(args.join(" ")),
  ].join(" ");
}

const MODULE_KEYS = ["module", "module_name", "moduleName"];
const ARGUMENT_KEYS = ["args", "module_args", "moduleArgs", "arguments", "params", "parameters", "command"];
const HOST_KEYS = ["hosts", "pattern", "host", "host_pattern", "hostPattern", "target", "targets", "limit", "group"];

function programLine(name: readonly string[], input: Input): string | undefined {
  const at = name.findIndex((word) => PROGRAMS.has(word));
  const program = name[at];
  if (program === undefined) return undefined;
  const line = lineIn(input);
  const verb = name.slice(at + 1).filter((word) => !FILLERS.has(word));
  if (typeof line === "string" && line.trim() !== "") {
    const [first = ""] = line.trim().split(/\s+/, 1);
    if (first === program || first.includes("/") || !/^[a-z-]/.test(first) || SHELL_WORDS.has(first)) return line;
    return [program, ...verb, line, ...operandsOf(input)].join(" ");
  }
  // `git_push` acts; a tool that is called `kubectl` and is given nothing does not.
  if (at !== 0 || verb.length === 0 || !NAMED_PROGRAMS.has(program)) return undefined;
  const folder = program === "git" ? textOf(input.repo_path ?? input.repoPath ?? input.cwd) : undefined;
  return [program, ...(folder === undefined ? [] : ["-C", shellWord(folder)]), ...verb, ...operandsOf(input)].join(" ");
}

/** A tool that only runs, of a server that is named after a program, is given arguments for that program. */
function serverLine(tool: string, own: string, name: readonly string[], input: Input): string | undefined {
  if (!name.every((word) => FILLERS.has(word) || RUNS.has(word))) return undefined;
  const server = tool
    .slice(0, tool.length - own.length)
    .replaceAll(/^(?:mcp|MCP)[_:]+|[_:]+$/g, "")
    .toLowerCase();
  const program = OF_SERVERS[server] ?? server;
  const line = lineIn(input);
  if (line === undefined || !hasWords(input) || programNamed(program) === undefined) return undefined;
  return line.split(/\s/, 1)[0] === program ? line : `${program} ${line}`;
}

function hasWords(input: Input): boolean {
  return WORD_KEYS.some((key) => Array.isArray(input[key]));
}

/** What a tool is given to run: a line or arguments, with the arguments next to it. */
function lineIn(input: Input): string | undefined {
  const key = COMMAND_KEYS.find((each) => input[each] !== undefined);
  const given = key === undefined ? undefined : input[key];
  const first = Array.isArray(given) ? quoted(given) : given;
  if (typeof first !== "string") return undefined;
  const more = WORD_KEYS.flatMap((each) => (each !== key && Array.isArray(input[each]) ? [quoted(input[each])] : []));
  return [first, ...more].join(" ");
}

function quoted(words: readonly unknown[]): string {
  return words.map((word) => shellWord(String(word))).join(" ");
}

/** What is typed on a keyboard that is not a page's, where it looks like a line for a shell. */
function typedLine(input: Input, all: readonly string[]): string | undefined {
  if (!all.some((word) => KEYBOARDS.has(word)) || all.some((word) => IN_PAGES.has(word))) return undefined;
  const action = textOf(input.action) ?? "type";
  const text = textOf(input.text ?? input.keys ?? input.value)?.replace(
    /(?:\s(?:Enter|C-m|<CR>)|\{ENTER\}|\[Enter\]|\r)\s*$/i,
    "\n",
  );
  return text !== undefined && /^(?:type|write|paste|typewrite|type_text)$/.test(action) && LIKE_LINE().test(text)
    ? text
    : undefined;
}

/** What else an input holds: switches that are on, settings, and the things that are named. */
function operandsOf(input: Input): string[] {
  const flags = Object.entries(input).flatMap(([key, value]) => {
    const flag = key
      .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
      .replaceAll("_", "-")
      .toLowerCase();
    if (value === true) return [`--${flag}`];
    if (typeof value === "number") return [`--${flag}=${value}`];
    if (typeof value !== "string" || value === "") return [];
    if (key === "mode" && /^[a-z]+$/.test(value)) return [`--${value}`];
    return SETTINGS.has(flag) ? [`--${flag}`, shellWord(value)] : [];
  });
  const things = OPERAND_KEYS.flatMap((key) => input[key]).filter((value) => typeof value === "string" && value !== "");
  return [...things.map((value) => shellWord(String(value))), ...flags];
}

function codeLine(name: readonly string[], input: Input, all: readonly string[]): string | undefined {
  if (all.some((word) => IN_PAGES.has(word) || SHELLS.has(word)) || !name.some((word) => RUNS.has(word)))
    return undefined;
  const stated = textOf(input.language ?? input.lang ?? input.runtime ?? input.interpreter)?.toLowerCase();
  const named = stated ?? all.find((word) => Object.hasOwn(INTERPRETERS, word));
  const code = textOf(CODE_KEYS.map((key) => input[key]).find((value) => value !== undefined));
  // A script may be one of a shell, if nothing shows which language it is in.
  const text = code ?? (named === undefined ? undefined : textOf(input.script));
  if (text === undefined) return undefined;
  const cell = cellLines(text);
  if (cell !== undefined) return cell;
  if (named === undefined && isLine(text)) return text;
  const language = named ?? (LIKE_SCRIPT.test(text) ? "javascript" : "python");
  const interpreter = INTERPRETERS[language.replace(/[\d.]+$/, "")];
  return interpreter === undefined ? undefined : `${interpreter} ${shellWord(text)}`;
}

/** Whether code begins as a line of a shell does, with the name of a program and not with a word of another language. */
function isLine(text: string): boolean {
  const [, first = "", rest = ""] = /^\s*([a-z][\w.-]*)(?:\s+(\S)|\s*$)/.exec(text) ?? [];
  return !OF_LANGUAGES.test(first) && !/[=(:.,;]/.test(rest) && programNamed(first) !== undefined;
}

const OF_LANGUAGES =
  /^(?:import|from|print|def|class|for|if|while|with|const|let|var|function|async|await|return|try|use|require|puts|echo|my|local|export|type|test|time|set|select|exec|eval)$/;

/** `!rm x` and `%%bash` of a notebook are lines of a shell. */
function cellLines(text: string): string | undefined {
  const [, script] = /^\s*%%(?:bash|sh|script\s+(?:ba|z)?sh)\b[^\n]*\n([\s\S]*)$/.exec(text) ?? [];
  if (script !== undefined) return script;
  const lines = [...text.matchAll(/^[^\S\n]*(?:!{1,2}|%sx\s|%system\s)\s*(.+)$/gm)].map(([, line = ""]) => line);
  return lines.length === 0 ? undefined : lines.join("\n");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const INTERPRETERS: Readonly<Record<string, string>> = byEachName({
  "python py ipython jupyter": "python3 -c",
  "javascript js node nodejs typescript ts deno bun": "node -e",
  ruby: "ruby -e",
  perl: "perl -e",
  php: "php -r",
  r: "Rscript -e",
  "bash shell sh": "bash -c",
  zsh: "zsh -c",
  lua: "lua -e",
  "applescript osascript": "osascript -e",
});
const MAY_RUN = () =>
  /kubectl|aws|gcloud|az(?:ure)?[_-]?cli|(?:^|[_-])(?:az|gh|glab|git|oc|fly|npm)(?:[_-]|$)|docker|podman|helm|terraform|tofu|pulumi|psql|heroku|doctl|wrangler|ansible|script|run|exec|eval|python|node|code|repl|interpreter|applescript|osascript|tmux|iterm|screen|terminal|pty|desktop|keys|computer|keyboard|keystroke|(?:^|[_-])type/i;
const PROGRAMS = words(
  "kubectl aws gcloud az gh glab docker podman helm terraform tofu pulumi psql mysql git heroku flyctl vercel netlify wrangler oc doctl eksctl kops argocd vault redis-cli mongosh npm",
);
/** Programs whose tools are named after their commands. */
const NAMED_PROGRAMS = words("kubectl git helm terraform tofu pulumi");
const FILLERS = words("command cmd cli run execute exec tool generic call query invoke spawn raw");
const SHELL_WORDS = words("sudo bash sh zsh env cd export echo cat eval exec time nohup timeout");
const COMMAND_KEYS =
  "command cmd cli_command cliCommand subcommand subCommand args arguments argv operation action".split(" ");
const WORD_KEYS = ["args", "arguments", "argv", "flags", "options", "params", "extra_args", "extraArgs"];
/** Servers that have another name than their program. */
const OF_SERVERS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  k8s: "kubectl",
  kubernetes: "kubectl",
  opentofu: "tofu",
  azure: "az",
  digitalocean: "doctl",
  hetzner: "hcloud",
  fly: "flyctl",
  cloudflare: "wrangler",
  systemd: "systemctl",
  github: "gh",
  gitlab: "glab",
};
const OPERAND_KEYS =
  "resourceType resource_type resource kind remote branch branch_name branchName name target ref revision commit files paths release".split(
    " ",
  );
const CODE_KEYS =
  "code source python_code cell_source cellSource code_snippet codeSnippet snippet js javascript typescript python py ruby".split(
    " ",
  );
/** Settings of programs that have values. */
const SETTINGS = words(
  "output namespace stack env environment context profile region project workspace cluster inventory",
);
const RUNS = words(
  "script run execute exec eval evaluate repl interpreter python python3 node javascript code ipython jupyter sandbox",
);
/** Code of a page is not run by a program of this machine. */
const IN_PAGES = words(
  "browser playwright puppeteer page chrome devtool devtools figma webdriver selenium sql query review",
);
/** Tools that are given lines of a shell are read as such. */
const KEYBOARDS = words("computer keyboard desktop type keystroke xdotool tmux iterm screen terminal pty");
const LIKE_LINE = () =>
  /^\s*[a-z][\w./-]*\s+\S.*(?:\n\s*$|[|;&<>`])|^\s*(?:sudo|rm|curl|wget|dd|mkfs\S*|chmod|git|kubectl|terraform|docker)\s+\S/;
const SHELLS = words("shell bash terminal command ssh console zsh process cmd powershell");
const LIKE_SCRIPT = /\b(?:require\(|const |let |=>|await |import .+ from ["'])/;

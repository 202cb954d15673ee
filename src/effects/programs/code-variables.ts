import { byEachName } from "../../event/each-name.ts";
import type { Role } from "../effect.ts";
import type { Word } from "../parse/command.ts";
import { known } from "./call.ts";
import { runsValue } from "./git-remote.ts";
import { LOADING, loadedBySettings, loadedByText, pathsIn } from "./loaded-code.ts";
import { isUsualRegistry } from "./package-sources.ts";
import type { Inner, Invocation, Language, Loading } from "./program.ts";
import { opensDebugger } from "./servers.ts";

/** What the values of these variables make a program run. */
export function codeInVariables(
  assignments: Readonly<Record<string, Word>>,
  program: string | undefined,
  file: Invocation["file"],
): Inner[] {
  const found: Inner[] = [];
  for (const name in assignments) {
    const value = assignments[name];
    const row =
      CODE_VARIABLES[name] ??
      (name.startsWith("NPM_CONFIG_") ? CODE_VARIABLES[name.toLowerCase()] : undefined) ??
      (NAMES_COMMAND.test(name) ? HOLDS_COMMAND : undefined);
    if (value === undefined || row === undefined || value.text === "") continue;
    if (row.of !== undefined && program !== undefined && !row.of.includes(program)) continue;
    if (row.holds === "prompt") {
      if (/\$\(|`/.test(value.text))
        found.push({ runs: "shell", text: { ...value, text: `: "${value.text}"` }, via: name });
      continue;
    }
    const run = { name, file, assignments };
    const { language } = row;
    if (row.holds === "options") found.push(...loadedByText(row.options ?? LOADING.node, value, run));
    else if (row.holds === "settings") found.push(...loadedBySettings(value.text, undefined, run));
    else if (row.holds === "folder")
      for (const path of pathsIn(value).flatMap((folder) => FIRST_MODULES.map((one) => known(`${folder}/${one}`))))
        if (file(path) !== undefined) found.push({ runs: "file", path, language: "python", via: name });
    if (row.holds === "code" && language !== undefined)
      found.push(
        value.text.startsWith("@")
          ? { runs: "file", path: { ...value, text: value.text.slice(1) }, language, via: name }
          : { runs: "code", language, text: value, via: name },
      );
    // The shell expands the value first.
    if (row.holds === "text" || (row.holds === "file" && /\$\(|`/.test(value.text)))
      found.push({ runs: "shell", text: withoutPipe(value), via: name });
    else if (row.holds === "file") found.push({ runs: "file", path: value, via: name, ...(language && { language }) });
  }
  return found;
}

/** `|command` and `||command`: the output of the command is used. */
function withoutPipe(value: Word): Word {
  return value.text.startsWith("|") ? { ...value, text: value.text.replace(/^[|\s-]+/, "") } : value;
}

interface CodeVariable {
  /** A prompt is not a command, but its substitutions are run. */
  readonly holds: "text" | "file" | "prompt" | "options" | "settings" | "folder" | "code";
  /** Only these programs use it. */
  readonly of?: readonly string[];
  /** The options that it may contain; those of node if left out. */
  readonly options?: Loading;
  readonly language?: Language;
}

const SHELLS = ["sh", "bash", "dash", "ksh", "zsh", "env"];

/** Variables whose value is run. */
const CODE_VARIABLES: Readonly<Record<string, CodeVariable>> = byEachName({
  "BASH_ENV ENV": { holds: "file", of: SHELLS },
  PROMPT_COMMAND: { holds: "text", of: SHELLS },
  "PS0 PS1 PS2 PS4": { holds: "prompt" },
  "GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR PAGER MANPAGER EDITOR VISUAL BROWSER FCEDIT LESSOPEN LESSCLOSE RSYNC_RSH CVS_RSH TAR_RSH CC CXX RUSTC_WRAPPER MAKESHELL SYSTEMD_PAGER npm_config_script_shell":
    { holds: "text" },
  SHELL: { holds: "text", of: ["vim", "vi", "nvim", "ex", "script", "tmux", "screen", "make", "less", "man"] },
  "npm_config_node_options NODE_OPTIONS": { holds: "options" },
  "npm_config_userconfig npm_config_globalconfig": { holds: "settings" },
  TAR_OPTIONS: { holds: "options", options: LOADING.tar },
  ZIPOPT: { holds: "options", options: LOADING.zip },
  PERL5OPT: { holds: "options", options: LOADING.perl },
  PERL5DB: { holds: "code", language: "perl" },
  RUBYOPT: { holds: "options", options: LOADING.ruby },
  "MAKEFLAGS GNUMAKEFLAGS": { holds: "options", options: LOADING.make },
  MAKEFILES: { holds: "file", language: "make" },
  LUA_INIT: { holds: "code", language: "lua" },
  PYTHONPATH: { holds: "folder" },
  PYTHONSTARTUP: { holds: "file", language: "python" },
  PYTEST_ADDOPTS: { holds: "options", options: LOADING.python },
});

/** Names of variables of other programs that contain a command line: `RESTIC_PASSWORD_COMMAND`. */
const NAMES_COMMAND = /(?:^|_)(?:PAGER|EDITOR|ASKPASS|RSH)$|_COMMAND$/;
const HOLDS_COMMAND: CodeVariable = { holds: "text" };

/** Modules that Python loads without an import. */
const FIRST_MODULES = ["sitecustomize.py", "usercustomize.py"];

/**
 * What setting a variable does: it may load code into programs, turn off the check of certificates, change the source of
 * packages, or stop the shell from keeping its history.
 */
export function roleOfVariable(name: string, value: string, isLasting: boolean): Role | undefined {
  if (LOADS_CODE[name]?.test(value) || (GIT_SETTING.test(name) && runsValue(`${value}=?`))) return "run-code";
  if (UNVERIFIED[name]?.test(value)) return "unverified";
  // No plan is shown before the change.
  if (name.startsWith("TF_CLI_ARGS") && /-auto-approve\b/.test(value)) return "outage";
  if (/_O(?:PTION|PT)S$/.test(name) && opensDebugger(value)) return "expose";
  if (REGISTRIES().test(name) && /^[a-z+]+:\/\//i.test(value) && !isUsualRegistry(known(value)))
    return "foreign-source";
  return isLasting && /^HIST(?:FILE|SIZE|FILESIZE)$/.test(name) && /^(?:0|\/dev\/null)?$/.test(value)
    ? "trace-removal"
    : undefined;
}

/** Variables that turn off the check of certificates or checksums, and the values that do so. */
const UNVERIFIED: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  NODE_TLS_REJECT_UNAUTHORIZED: /^0$/,
  GIT_SSL_NO_VERIFY: /^(?!(?:0|false|no)?$)/,
  PYTHONHTTPSVERIFY: /^0$/,
  GOSUMDB: /^off$/,
  GONOSUMDB: /^\*$/,
  GONOSUMCHECK: /^(?!(?:0|false)?$)/,
  GOINSECURE: /./,
  GOFLAGS: /-insecure\b/,
  npm_config_strict_ssl: /^(?:false|0)$/,
  NPM_CONFIG_STRICT_SSL: /^(?:false|0)$/,
  PIP_TRUSTED_HOST: /./,
  UV_INSECURE_HOST: /./,
  CARGO_HTTP_CHECK_REVOKE: /^false$/,
  HOMEBREW_NO_VERIFY_ATTESTATIONS: /^1$/,
  SSL_VERIFY: /^(?:false|0|none)$/i,
  KUBE_INSECURE_SKIP_TLS_VERIFY: /^true$/,
  VAULT_SKIP_VERIFY: /^(?:true|1)$/,
  AZURE_CLI_DISABLE_CONNECTION_VERIFICATION: /^(?:true|1)$/,
  CURL_INSECURE: /^1$/,
  GIT_SSH_COMMAND: /StrictHostKeyChecking=no/i,
};
/** Variables that contain the source of packages. */
const REGISTRIES = () =>
  /^(?:npm_config_registry|NPM_CONFIG_REGISTRY|YARN_(?:NPM_REGISTRY_SERVER|REGISTRY)|PIP_(?:EXTRA_)?INDEX_URL|UV_(?:EXTRA_)?(?:DEFAULT_)?INDEX(?:_URL)?|GOPROXY|CARGO_REGISTRIES_\w+_INDEX|BUNDLE_MIRROR\w*|GEM_SOURCE)$/;

/** Settings of git in the environment, one variable for each name. */
const GIT_SETTING = /^GIT_CONFIG_KEY_\d+$/;

/** The current folder, or one that every user can write to, before others. */
const SHADOWING_PATH = /(?:^|:)\.?(?::|$)|^(?:\/tmp|\/var\/tmp|\/dev\/shm)(?:\/[^:]*)?:/;
const IN_TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)\//;
const LOADS_FILE =
  /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)(?:\s+|=)["']?(?:[./~\\$]|\w:|(?:https?|data|file):|\uFFFC)/;
const OTHER_THAN_SHOWING = /^(?!(?:cat|less|more|true|echo|:|vi|vim|nano|code|)(?:\s|$))/;

/** Variables that make programs load or run something, and the values that do so. */
const LOADS_CODE: Readonly<Record<string, RegExp>> = byEachName({
  "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV PROMPT_COMMAND PYTHONSTARTUP PERL5OPT GIT_SSH GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND":
    /./,
  ENV: /\//,
  // A package of the project is loaded by its name, other code by its path.
  NODE_OPTIONS: LOADS_FILE,
  RUBYOPT: /-r/,
  JAVA_TOOL_OPTIONS: /-(?:javaagent|agent)/,
  // Programs in folders that anyone may write to.
  "CC CXX RUSTC RUSTC_WRAPPER LD_LIBRARY_PATH SSH_ASKPASS": IN_TEMPORARY,
  GIT_SSH_COMMAND: /^(?!ssh(?:\s|$))|(?:Proxy|Local)Command/i,
  "GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR PAGER GIT_ASKPASS": OTHER_THAN_SHOWING,
  // An entry of the path that is the current folder.
  PATH: SHADOWING_PATH,
});

/** Whether variables make a program load or run additional code. */
export function loadsCode(assignments: Readonly<Record<string, { readonly text: string }>> = {}): boolean {
  return Object.entries(assignments).some(([name, { text }]) => {
    if (name === "PATH") return SHADOWING_PATH.test(text);
    if (name.startsWith("GIT_CONFIG_KEY_") || (name === "ENV" && text.includes("/"))) return true;
    if (name === "RUBYOPT") return text.includes("-r");
    if (name === "NODE_OPTIONS") return LOADS_FILE.test(text);
    if (name === "GIT_PAGER" || name === "GIT_EDITOR") return false;
    if (name === "JAVA_TOOL_OPTIONS" || (IN_TEMPORARY.test(text) && name !== "GIT_SSH"))
      return LOADS_CODE[name]?.test(text) ?? false;
    if (name === "GIT_SSH_COMMAND") return !OWN_SSH().test(text) || /(?:Proxy|Local|KnownHosts)Command/i.test(text);
    return /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PERL5OPT|PYTHONSTARTUP|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_SSH)$/.test(
      name,
    );
  });
}

/** Whether an argument is an option that names a program to run: `core.fsmonitor=x`, `--to-command=x`; a usual pager is not. */
export function namesProgram(args: readonly string[]): boolean {
  return args.some((arg, at) => isHook(/^-\w{1,2}$/.test(arg) ? `${arg}=${args[at + 1] ?? ""}` : arg));
}

function isHook(arg: string): boolean {
  const [, name, value = ""] = /^(-{0,2}[\w.-]+)=(.*)$/s.exec(arg) ?? [arg, arg, arg];
  if (
    name === undefined ||
    /^(?:cat|less|more|true|false|:|vi|vim|nano|(?:un)?(?:p|l|pb|lb|pl)?(?:gzip|igz|zip2?|xz|zstd|zst|lz4|lzip|lzop|lzma|brotli|compress|pigz|bzip2|bzip3)(?: -[\w=-]+)*|ssh(?: -[\w= ./~-]+)?|\/dev\/null|)$/.test(
      value,
    )
  )
    return false;
  return HOOK_LETTER.test(name) || HOOK_NAME().test(name) || (arg.includes("=") && SETTING.test(name));
}

const HOOK_LETTER = /^-(?:TT|e|F|I|S|u)$/;
const HOOK_NAME = () =>
  /^(?:script-shell|onload-script|node-options|--exec-path|--(?:template|to|rsh|info-script|use-comp|checkpoint-action|upload-pack|receive-pack|rsync-path|unzip-command|use-askpass|config-env)[\w-]*)$/i;
/** A setting of git, with its value. */
const SETTING = /^[a-z]+\.[\w.-]+$/i;
/** A command for connections that is ssh, or that is known only at run time. */
const OWN_SSH = () => /^["']?(?:\S*\/)?(?:ssh|sshpass|autossh|plink|tsh)(?:\.exe)?["']?(?:\s|$)|^(?:\uFFFC|$)/i;

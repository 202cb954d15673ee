import { once } from "../../event/once.ts";
import { reverseShell } from "../code/code-dangers.ts";
import { known } from "../programs/call.ts";
import { isUsualRegistry } from "../programs/package-sources.ts";
import { type HarmIn, harmfulLine } from "./automated-lines.ts";
import type { ToolAct } from "./tool-call.ts";

/** What files do that are written where programs run them by themselves: pipelines, editors, containers, package managers. */
export function automationActs(paths: readonly string[], texts: () => readonly string[], isHarm: HarmIn): ToolAct[] {
  const rows = ROWS().filter(({ path }) => paths.some((written) => path.test(written)));
  const text = texts().join("\n").slice(0, MAX_TEXT_LENGTH);
  const acts = actsOfRows(rows, text);
  if (acts.length > 0) return acts;
  const line = paths.map((path) => harmfulLine(path, text, isHarm)).find((found) => found !== undefined);
  return line === undefined ? [] : [{ kind: "auto-run", text: line.slice(0, MAX_LENGTH) }];
}

function actsOfRows(rows: readonly AutomationRow[], text: string): ToolAct[] {
  return rows.flatMap(({ kind, does }) => {
    const found = does(text);
    return found === undefined ? [] : [{ kind, text: found.replaceAll(/\s+/g, " ").trim().slice(0, MAX_LENGTH) }];
  });
}

/** Whether a path may be one of those files: asked for every file that is written. */
export function mayAutomate(path: string): boolean {
  return NAMES().test(path);
}

interface AutomationRow {
  readonly kind: ToolAct["kind"];
  readonly path: RegExp;
  /** The part of the text that does it. */
  readonly does: (text: string) => string | undefined;
}

const PIPELINE = () =>
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|\.gitlab\/|\.circleci\/|Jenkinsfile|azure-pipelines|bitbucket-pipelines|\.travis\.yml$|\.drone\.yml$|\.buildkite\/|\.woodpecker|\.forgejo\/workflows\/|\.gitea\/workflows\/|cloudbuild\.ya?ml$|buildspec\.ya?ml$|appveyor\.yml$|action\.ya?ml$)/;

const PACKAGE_SETTINGS = () =>
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|pip\.ini|\.pypirc|\.pydistutils\.cfg|bunfig\.toml|uv\.toml|\.condarc|\.cargo\/config(?:\.toml)?|\.bundle\/config|\.gemrc|settings\.xml|nuget\.config|\.Rprofile|auth\.json|[._]curlrc|\.wgetrc)$/i;
/** Files that name the packages of a project. */
const PACKAGE_LIST = () =>
  /(?:^|\/)(?:package\.json|[\w-]*requirements[\w.-]*\.txt|constraints\.txt|Gemfile|gems\.rb|Pipfile|pyproject\.toml|Cargo\.toml)$/;

/** Files that configure which programs editors run, by themselves or when the user presses a key. */
const EDITOR_FILES = () =>
  /(?:^|\/)(?:\.vscode\/(?:tasks|launch|settings|extensions)\.json|\.zed\/(?:tasks|settings|debug)\.json|\.fleet\/run\.json|\.idea\/(?:runConfigurations\/[^/]+\.xml|workspace\.xml|externalDependencies\.xml)|\.run\/[^/]+\.run\.xml|\.nova\/[\w/-]+\.json|\.vimrc|\.nvim\.lua|\.exrc|\.dir-locals\.el)$|\.(?:code-workspace|sublime-project)$/;

const ROWS = once((): readonly AutomationRow[] => [
  { kind: "auto-run", path: AGENT_SETTINGS(), does: (text) => FREES_AGENT().exec(text)?.[0] },
  { kind: "auto-run", path: AGENT_MEMORY(), does: orderIn },
  { kind: "package-source", path: PACKAGE_SETTINGS(), does: foreignRegistry },
  { kind: "package-source", path: PACKAGE_LIST(), does: foreignPackage },
  { kind: "package-check", path: PACKAGE_SETTINGS(), does: (text) => UNCHECKED().exec(text)?.[0] },
  { kind: "ci-secret", path: PIPELINE(), does: givesSecrets },
  {
    kind: "auto-run",
    path: /(?:^|\/)\.vscode\/tasks\.json$|\.code-workspace$/,
    does: (text) => /"runOn"\s*:\s*"(folderOpen)"/.exec(text)?.[1],
  },
  { kind: "auto-run", path: EDITOR_FILES(), does: (text) => harmfulIn(text) ?? STRANGE_PROGRAM().exec(text)?.[0] },
  {
    kind: "auto-run",
    path: /(?:^|\/)\.(?:claude|codex|gemini|cursor|qwen|factory|kiro|windsurf)\/[\w.-]*(?:settings|hooks|config)[\w.-]*$/,
    does: (text) => (/\bhooks\b/.test(text) ? (AGENT_HOOK.exec(text)?.[1] ?? harmfulIn(text)) : undefined),
  },
  {
    kind: "auto-run",
    path: /(?:^|\/)(?:\.devcontainer\/|\.?devcontainer\.json$)/,
    does: (text) =>
      /"initializeCommand"\s*:\s*[^\n]{0,200}/.exec(text)?.[0] ??
      /"(?:onCreate|updateContent|postCreate|postStart|postAttach)Command"\s*:\s*[^\n]{0,400}?\b(?:curl|wget|nc|base64)\b[^\n]{0,100}/.exec(
        text,
      )?.[0],
  },
  {
    kind: "auto-run",
    path: /(?:^|\/)(?:\.mcp\.json|mcp\.json|mcp_config\.json|claude_desktop_config\.json|cline_mcp_settings\.json|mcp_settings\.json)$/,
    does: (text) => /"(?:command|url|serverUrl)"\s*:\s*"([^"]{0,200})"/.exec(text)?.[1],
  },
  {
    kind: "auto-run",
    path: /(?:^|\/)package\.json$/,
    does: (text) =>
      /"(?:pre|post)?(?:install|prepare|prepublish|pack)"\s*:\s*"(?:[^"\\]|\\.){0,300}?(?:curl|wget|nc |base64|https?:\/\/|\beval\b|\$\(|(?<![\w-])(?:print)?env\s{0,4}[|>])(?:[^"\\]|\\.){0,200}/.exec(
        text,
      )?.[0],
  },
  {
    kind: "auto-run",
    path: /\.ipynb$/,
    does: (text) => FETCHED_AND_RUN.exec(text)?.[0] ?? SENT_AWAY.exec(text)?.[0] ?? REMOVING_CELL().exec(text)?.[0],
  },
  {
    kind: "auto-run",
    path: /(?:^|\/)(?:firestore|storage|database)\.rules(?:\.json)?$/,
    does: (text) =>
      /allow\s+(?:[\w, ]*\b(?:write|create|update|delete)[\w, ]*)(?:;|:\s*if\s+true\b)|"\.write"\s*:\s*(?:true|"true")/.exec(
        text,
      )?.[0],
  },
  { kind: "harmful-code", path: CODE(), does: givesAway },
  {
    kind: "auto-run",
    path: /(?:^|\/)(?:\.husky\/|\.envrc$|lefthook\.ya?ml$|\.pre-commit-config\.yaml$|conftest\.py$|setup\.py$|\.gitattributes$)/,
    does: harmfulIn,
  },
]);

/** Where agents keep what they may do without a question. */
const AGENT_SETTINGS = () =>
  /(?:^|\/)(?:\.(?:claude|codex|gemini|cursor|qwen|factory|opencode|kiro|windsurf|cline|roo|goose|amp|crush|copilot|continue|augment|trae|junie|zed|warp|aider|droid|iflow|kilocode)\/(?:[\w.-]+\/)*[\w.-]*(?:settings|config|permissions|hooks|policy|policies|allow|rules|mcp|opencode|agent)[\w.-]*|\.config\/(?:opencode|goose|amp|crush|zed|github-copilot|gemini|claude|codex)\/[\w./-]+|opencode\.jsonc?|\.?crush\.json|\.aider\.conf\.yml|cli-config\.json|\.roomodes|\.vscode\/settings\.json)$/;
/** Permission for everything, no questions, no box, no hooks, in the words of any agent. */
const FREES_AGENT = () =>
  /bypassPermissions|"allow"\s*:\s*\[\s*"\*"|"hooks"\s*:\s*\{\s*\}|"deny"\s*:\s*\[\s*\]|"(?:Bash|Shell|Write|Edit|shell|run_shell_command|terminal)\((?:\*\*?|:\*)\)"|"\w*[aA]llow\w*"\s*:\s*\[\s*"(?:\*|\*:\*|\.\*|Bash|Shell|shell|run_shell_command|ShellTool)"|"(?:bash|edit|shell|write|webfetch|\*)"\s*:\s*"allow"|"permission"\s*:\s*"allow"|"(?:auto\w*(?:[aA]pprove|[aA]ccept|[rR]un|[cC]onfirm)\w*|alwaysAllow\w*|skip\w*(?:[pP]ermission|[cC]onfirm|[pP]rompt)\w*|dangerously\w*|trust\w*[aA]ll\w*|trust|yolo\w*)"\s*:\s*(?:true|\[\s*"\*"|"(?:all|always|on)")|"[\w.]*(?:autoApprove|auto_?[aA]pprove)"\s*:\s*true|"sandbox\w*"\s*:\s*(?:false|"?(?:none|off|disabled))|"(?:approval\w*|defaultMode|permissionMode|mode)"\s*:\s*"(?:yolo|never|auto[-_]?edit|full[-_]?auto|auto|bypass\w*|always\w*|dontAsk|none|off|unrestricted)"|approval_policy\s*=\s*"never"|danger-full-access|sandbox_mode\s*=\s*"(?:danger|none|off)|disableAllHooks|"(?:Pre|Post)ToolUse\w+"|^\s*(?:yes-always|auto-accept)\s*:\s*true|GOOSE_MODE\s*[:=]\s*["']?auto/m;
/** What an agent reads at the start of every session. */
const AGENT_MEMORY = () =>
  /(?:^|\/)(?:(?:CLAUDE|AGENTS|GEMINI|QWEN|WARP|CRUSH|CONVENTIONS)(?:\.local)?\.md|\.(?:cursorrules|clinerules|windsurfrules|goosehints|roorules)|copilot-instructions\.md|\.(?:claude|cursor|windsurf|clinerules|roo|kiro|gemini|qwen|amazonq|continue)\/(?:[\w-]+\/)*[\w.-]+\.mdc?)$/;

/** The part of a text by which an agent is to act without a question, or to keep something from its user. */
export function orderIn(text: string): string | undefined {
  for (const found of text.slice(0, MAX_TEXT_LENGTH).matchAll(ORDERS())) {
    const line = text.slice(text.lastIndexOf("\n", found.index) + 1, found.index);
    // "Never deploy without asking" is the opposite of such an order.
    if (!/\b(?:never|not|don't|must|no|avoid|instead of|unless)\b/i.test(line)) return found[0];
  }
  return undefined;
}

const ORDERS = () =>
  /\b(?:never|do not|don't|no need to)\s+(?:ask|confirm|prompt|wait|require|request)\b[^\n.]{0,40}\b(?:before|permission|confirmation|approval|first|again|user|me|questions?)\b|\bwithout\s+(?:any\s+)?(?:asking|confirm\w*|prompt\w*|approval|permission|questions?)\b|\b(?:do not|don't|never)\s+(?:report|tell|mention|inform|notify|reveal)\b[^\n.]{0,40}\b(?:user|owner|developer|human|team|anyone|actions?)\b|\b(?:always|automatically|auto)[- ]?(?:approve|accept|allow|confirm)\b[^\n]{0,60}|\b(?:allows?|permits?|approves?|trusts?)\s+(?:every|all|any)\s+(?:commands?|tools?|actions?|calls?|requests?)\b|\b(?:ignore|disregard|override|bypass)\s+(?:all\s+|any\s+|the\s+)?(?:previous|prior|safety|security|guards?|permissions?|approvals?|confirmations?|restrictions?)\b[^\n]{0,40}|\b(?:send|post|upload|forward)\b[^\n]{0,60}(?:\.env\b|secrets?\b|tokens?\b|credentials?\b|passwords?\b)[^\n]{0,60}(?:@|https?:)|\b(?:use|with|run|pass|start|add)\b[^\n]{0,40}--(?:no-verify|dangerously-\w+|yolo|full-auto)\b|\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:ba|z)?sh\b/gi;

/** Scripts and sources, other than those of tests, of examples and of documents. */
const CODE = () =>
  /^(?!.*(?:^|\/)(?:tests?|__tests__|spec|fixtures?|examples?|docs?|testdata|e2e)\/)(?!.*[._](?:test|spec)\.).*\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|go|rs|sh|bash|zsh|ps1|bat|cmd|csproj|vbproj|targets|props)$/i;

/** Code that gives a shell, keys or the whole environment to another machine, or runs what its visitors send. */
function givesAway(text: string): string | undefined {
  if (!MAY_GIVE_AWAY().test(text)) return undefined;
  const socket = SHELL_TO_OTHERS().exec(text)?.[0] ?? (reverseShell(text) && text.slice(0, 80));
  if (socket !== undefined) return socket;
  const [found] = GIVEN_AWAY().exec(text) ?? [];
  if (found !== undefined) return found;
  const [key] = KEY_FILE().exec(text) ?? [];
  return key !== undefined && SENDING().test(text) ? key : undefined;
}

/** Most code contains none of these. */
const MAY_GIVE_AWAY = () =>
  /\/dev\/tcp\/|Socket|socket|TCPClient|-w(?:indowstyle)?\s+hidden|[~/]\.(?:ssh|aws|netrc|kube)\b|process\.env\)|os\.environ\)|\$_(?:GET|POST|REQUEST)\[/;
const SHELL_TO_OTHERS = () =>
  /\/dev\/tcp\/[\w.-]+\/\d+\s+0>&1|TCPSocket\.(?:new|open)\([\s\S]{0,300}\b(?:popen|exec|system|spawn)\b|Sockets\.TCPClient[\s\S]{0,300}\b(?:iex|Invoke-Expression)\b/i;
const GIVEN_AWAY = () =>
  /\b(?:fetch|axios\.post|requests\.post|sendBeacon)\s?\([^;]{0,300}(?:JSON\.stringify\(\s?process\.env\s?\)|dict\(os\.environ\))|\b(?:Response\.json|res\.(?:json|send)|json)\(\s?process\.env\s?\)|\b(?:system|exec|shell_exec|passthru|eval|popen)\s?\(\s?\$_(?:GET|POST|REQUEST)\[|-w(?:indowstyle)?\s+hidden\b[^"\n]{0,120}(?:iex|irm|iwr|DownloadString)/;
const KEY_FILE = () => /[~/]\.(?:ssh\/id_\w*\*?|ssh\/\*|aws\/credentials|netrc|kube\/config)/;
const SENDING = () =>
  /\b(?:requests|httpx|axios)\.(?:post|put)\(|\bfetch\(\s?["'`]https?:|\b(?:curl|wget|nc)\s[^\n]{0,200}(?:--data|--post|-d|-F|-T|@-|\|)|http\.Post\(|urlopen\(|Net::HTTP\.post|XMLHttpRequest/;

/** A command in a file of an editor that no build needs: what it does is harm, whenever it is run. */
function harmfulIn(text: string): string | undefined {
  // The words of a list, and what XML writes for quotes, are one line.
  const line = text
    .replaceAll(/["']\s*,\s*["']/g, " ")
    .replaceAll(/&(?:quot|apos);/g, '"')
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  for (const harm of HARMS) {
    const [found] = harm.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A registry in the settings of a package manager that is not one of the usual ones. */
function foreignRegistry(text: string): string | undefined {
  return foreignIn(text, REGISTRY_SETTING) ?? foreignIn(text, ONLY_ADDRESS);
}

/** The first address that a pattern finds and that is not a usual registry. */
function foreignIn(text: string, pattern: RegExp): string | undefined {
  for (const found of text.matchAll(pattern)) if (!isUsualRegistry(known(found[1] ?? ""))) return found[0];
  return undefined;
}

/** What takes the place of another address. */
const ONLY_ADDRESS = /^[^\S\n]*["']?((?:https?|ftp):\/\/[^\s"'<>]{1,300})["']?\s*$/gim;

const REGISTRY_SETTING =
  /(?:registry|npmRegistryServer|index-url|index|repository|mirror|url|value|source|channel_alias|repos|CRAN)\b["'>\s:=(@]{1,12}(?:sparse\+|git\+)?((?:https?|ftp):\/\/[^\s"'<>,)\\]{1,300})/gi;

/** Packages that are taken from an address, and lists that name another registry. */
function foreignPackage(text: string): string | undefined {
  return foreignIn(text, LISTED_SOURCE) ?? foreignIn(text, ONLY_ADDRESS) ?? LISTED_ADDRESS().exec(text)?.[0];
}

/** `--index-url https://…` of Python, `source "https://…"` of Ruby, `url = "https://…"` of an index. */
const LISTED_SOURCE =
  /^[^\S\n]*(?:--(?:extra-)?index-url|--find-links|-i|-f|source|git_source)[\s=(]+["']?((?:https?|ftp):\/\/[^\s"')]{1,300})/gim;
/** A package whose place is an address that is not encrypted, an archive, or a repository elsewhere than at the usual hosts. */
const LISTED_ADDRESS = () =>
  /(?:^|[\s"'@])(?:git\+)?(?:http|git|ftp|https(?=[^\s"']{1,200}\.(?:tgz|tar\.gz|zip|whl)\b)):\/\/(?!(?:[\w.-]+\.)?(?:github|gitlab|bitbucket|npmjs|pythonhosted|pypi)\.(?:com|org)\/|localhost|127\.)[^\s"']{1,200}\.(?:git|tgz|tar\.gz|zip|whl)\b/im;
const UNCHECKED = () =>
  /^[^\S\n]*["']?(?:strict-ssl|enableStrictSsl|ssl_verify|secure-http|http\.check-revoke|check-revoke)["']?\s*[=: ]\s*["']?(?:false|no|off|0)\b|^[^\S\n]*trusted-host\s*=\s*\S+|^[^\S\n]*:?ssl_verify_mode:?\s*[=:]?\s*(?:0|none)\b|^[^\S\n]*unsafeHttpWhitelist:|allowInsecureConnections\s*=\s*["']true|^[^\S\n]*(?:-k|(?:--)?insecure)\s*(?:$|=\s*true)|^[^\S\n]*check_?certificate\s*=\s*(?:off|no)/im;

/** A step of a pipeline in which secrets leave it, or in which code of strangers meets them. */
function givesSecrets(text: string): string | undefined {
  const [trigger] = /\bpull_request_target\b|\bworkflow_run\b/.exec(text) ?? [];
  const [head] =
    /github\.event\.(?:pull_request\.head\.(?:sha|ref|repo)|workflow_run\.head_\w+)|github\.head_ref|refs\/pull\//.exec(
      text,
    ) ?? [];
  if (
    trigger !== undefined &&
    head !== undefined &&
    /actions\/checkout|git (?:fetch|checkout|clone)|gh pr checkout/.test(text)
  )
    return `${trigger} … ${head}`;
  const [strangers] = STRANGERS().exec(text) ?? [];
  if (strangers !== undefined) return strangers;
  const [, old, other] = REPLACED_ACTION.exec(text) ?? [];
  if (old !== undefined && other !== undefined) return other;
  const [miner] = /\bxmrig\b|stratum\+tcp:|\bminerd\b/.exec(text) ?? [];
  if (miner !== undefined) return miner;
  for (const step of text.split(
    /\n(?=\s*-\s+(?:name|run|uses|env|id|if|script|task|bash|sh)\b)|\n(?=\s*(?:\w[\w-]*:\s*$|stage\())/m,
  )) {
    const joined = step.replaceAll(/\\\n\s*/g, " ");
    const found = joined
      .split("\n")
      .map(sentIn)
      .find((line) => line !== undefined);
    if (found !== undefined) return found;
    const names = [
      ...joined.matchAll(
        /\b([A-Za-z_]\w{0,60})\s{0,4}:\s{0,4}["']?\$\{\{\s{0,4}secrets\b|\b\w{0,20}[vV]ariable\s{0,4}:\s{0,4}["'](\w{1,60})["']/g,
      ),
    ].map(([, name, variable]) => name ?? variable ?? "");
    if (names.length === 0) continue;
    const run = FETCHED_AND_RUN.exec(joined)?.[0];
    if (run !== undefined) return run;
    const sent = joined
      .split("\n")
      .find(
        (line) =>
          SENDER().test(line) &&
          names.some((name) => isData(line, `\\$\\{?${name}\\b|env:${name}\\b|environ\\W{1,3}${name}\\b`)),
      );
    if (sent !== undefined) return sent;
  }
  return undefined;
}

/** A line that sends secrets, all of the environment, or prints secrets so that they are not masked any more. */
function sentIn(line: string): string | undefined {
  if (ALL_SECRETS.test(line) && !/^\s*#/.test(line)) return line;
  if (SENT_AWAY.test(line)) return line;
  if (UNMASKED().test(line) && !/base64\s+(?:-d|-D|--decode)|>/.test(line)) return line;
  return SENDER().test(line) && isData(line, SECRET) ? line : undefined;
}

/** Whether a line that sends has a secret in what it sends; in a header that logs in, or as the whole address, it belongs there. */
function isData(line: string, secret: string): boolean {
  if (!new RegExp(secret).test(line)) return false;
  if (CATCHERS().test(line)) return true;
  const rest = line
    .replaceAll(/(?:-H|--header)[ =]*(["'])[^"']{0,40}(?:auth|token|key|accept)[^"']{0,200}\1/gi, " ")
    .replaceAll(/(?:-u|--user)[ =]+(?:"[^"]*"|'[^']*'|\S+)/g, " ")
    .replaceAll(
      /(?<=\s)(["']?)(?:\$\{\{\s*secrets\.\w+\s*\}\}|\$\{?\w+\}?)\1(?=\s|$)/g,
      (whole, _quote, offset: number, all: string) =>
        /(?:-d|--data\S*|-F|--form\S*|=)\s*$/.test(all.slice(0, offset)) ? whole : " ",
    );
  return new RegExp(secret).test(rest);
}

const SECRET =
  "\\$\\{\\{[^}]{0,80}secrets\\b|\\$\\{?(?:CI_JOB_TOKEN|\\w*(?:SECRET|PASSWORD|PRIVATE_KEY|ACCESS_KEY|API_KEY)\\w*|\\w*_TOKEN)\\b|\\$\\((?:System\\.AccessToken|\\w*(?:[Ss]ecret|[Tt]oken|[Pp]assword|[Kk]ey)\\w*)\\)";
const ALL_SECRETS = /toJSON\(\s*secrets\s*\)/i;
const SENDER = () =>
  /\b(?:curl|wget|nc|ncat|Invoke-(?:WebRequest|RestMethod)|iwr|socat|openssl s_client|dig|nslookup|requests\.(?:post|get|put)|fetch\(|urlopen)\b/;
const SENT_AWAY =
  /(?:\b(?:env|printenv|export -p|set)\b|\/proc\/self\/environ)[^|\n;&]{0,60}\|[^\n]{0,120}\b(?:curl|wget|nc|ncat|openssl)\b|\b(?:curl|wget)\b[^\n]{0,200}@?\/proc\/(?:self|\d+)\/environ|\b(?:curl|wget)\b[^\n]{0,300}\$\((?:env|printenv|cat\s+(?:~\/\.|\/proc\/|\.env))/;
/** Another alphabet is not masked in a log. */
const UNMASKED = () =>
  /\b(?:echo|printf|cat)\b[^|\n]{0,200}(?:secrets\.\w+|\$\{?\w*(?:SECRET|TOKEN|PASSWORD|KEY)\w*)[^|\n]{0,80}\|\s*(?:base64|xxd|rev|od|hexdump|tr|sed|fold)\b/;
const FETCHED_AND_RUN =
  /\b(?:curl|wget)\b[^|\n]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:ba|z)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(?:curl|wget)\b[^\n]{0,200}/;
/** What is fetched and run, what leaves the machine, a shell for another one, hidden text that is run, a home that goes. */
const HARMS = [
  FETCHED_AND_RUN,
  SENT_AWAY,
  /\/dev\/(?:tcp|udp)\/[\w.-]+\/\d+|\b(?:nc|ncat|netcat)\s[^"\n]{0,80}-\w{0,9}e\s{0,4}\/?\w/,
  /\bbase64\s+(?:-d|-D|--decode)\b[^"\n]{0,80}\|\s*(?:ba|z|da)?sh\b|-(?:enc|EncodedCommand)\s+[A-Za-z0-9+/=]{8,}/,
  /\brm\s{1,4}-\w{0,9}r\w{0,9}\s{1,4}(?:-\w{1,9}\s{1,4}){0,4}["'\\]*(?:~|\$\{?HOME|\/(?:home|etc|usr|var|Users)?(?:["'\s/]|$))[^"\n]{0,80}/,
  /\b(?:curl|wget|nc|scp)\b[^"\n]{0,200}(?:\.ssh\/|\.aws\/|\.env\b|id_rsa|\.netrc)[^"\n]{0,80}/,
];
/** A program of an editor in a folder that everyone may write to, or checks of the editor that are switched off. */
const STRANGE_PROGRAM = () =>
  /"[\w.-]*(?:[pP]ath|[eE]xecutable|[iI]nterpreter|[rR]untime|command|shell)"\s*:\s*"(?:\/(?:var\/)?tmp\/|\/dev\/shm\/|\\\\\\\\)[^"]{1,200}"|"security\.workspace\.trust\.enabled"\s*:\s*false|"task\.allowAutomaticTasks"\s*:\s*"on"/;
/** What an agent runs by itself. */
const AGENT_HOOK = /"command"\s*:\s*"((?:[^"\\]|\\.){1,300})"/;
/** A cell of a notebook that removes a home or more by a line of a shell. */
const REMOVING_CELL = () =>
  /^\s*(?:!+\s*|%%(?:bash|sh|script\s+\w+)\b[^\n]*\n(?:[^\n]*\n){0,20}?\s*)(?:sudo\s+)?rm\s{1,4}-\w{0,9}r\w{0,9}\s{1,4}["']?(?:~|\/|\$HOME)[^\n]{0,200}/m;
/** What a stranger has written is run as it is. */
const STRANGERS = () =>
  /\brun:\s*(?:\|\s*\n\s*)?(?:eval\s+|bash -c\s+|sh -c\s+)?["']?\$\{\{\s*github\.event\.(?:comment|issue|pull_request|review|discussion)\.(?:body|title)[^\n]{0,80}/;
/** An action of the service itself gives way to one of the same name by another owner. */
const REPLACED_ACTION = /\bactions\/([\w-]+)@[\s\S]{0,400}?((?!actions\/)\b[\w-]+\/\1@[\w.-]+)/;
/** Places that show what they were sent. */
const CATCHERS = () =>
  /webhook\.site|requestbin|pipedream\.net|ngrok|burpcollaborator|oast\.|interact\.sh|transfer\.sh|pastebin|0x0\.st|file\.io|requestcatcher|beeceptor|https?:\/\/\d+\.\d+\.\d+\.\d+/i;
const NAMES = () =>
  /(?:^|\/)(?:[\w.-]*[Dd]ockerfile|Containerfile|[Mm]akefile|Podfile|Fastfile|Rakefile|Vagrantfile|Procfile|justfile|Tiltfile|Brewfile|gradlew|configure|WORKSPACE|compose\.ya?ml|composer\.json|vercel\.json|fly\.toml|pom\.xml)|\.(?:mk|gradle|kts|nix|podspec|gemspec|sbt|exs)$|CMakeLists|docker-compose|\.githooks\/|\.git\/hooks\/|mise\.toml$|Taskfile|opencode|\.roo|\.mdc?$|cursorrules|clinerules|windsurfrules|goosehints|roorules|cline|\.kiro|\.windsurf|\.aider|permissions|\.github\/|gitlab|\.circleci\/|Jenkinsfile|pipelines|\.travis|\.drone|\.buildkite\/|\.woodpecker|\.forgejo\/|\.gitea\/|cloudbuild|buildspec|appveyor|action\.ya?ml$|\.vscode\/|\.zed\/|\.fleet\/|\.idea\/|\.run\/|\.nova\/|\.vimrc$|\.nvim\.lua$|\.exrc$|dir-locals|sublime-project$|\.code-workspace$|devcontainer|mcp|claude_desktop_config|\.cursor\/|package\.json$|\.husky\/|\.envrc$|lefthook|\.pre-commit|conftest\.py$|setup\.py$|\.gitattributes$|\.npmrc$|yarnrc|pip\.|\.pypirc$|bunfig|uv\.toml$|\.cargo\/|\.bundle\/|\.rules(?:\.json)?$|\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|go|rs|sh|bash|zsh|ps1|bat|cmd|csproj|vbproj|targets|props)$|settings|nuget\.config$|\.condarc$|\.gemrc$|\.Rprofile$|requirements|constraints\.txt$|Gemfile$|gems\.rb$|Pipfile$|pyproject\.toml$|Cargo\.toml$|pydistutils|config\.toml$|curlrc$|\.wgetrc$|hooks\.json$|\.ipynb$/i;
const MAX_TEXT_LENGTH = 200_000;
const MAX_LENGTH = 2000;

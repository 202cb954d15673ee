import { GAP } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { EQUIVALENTS } from "../programs/equivalents.ts";
import type { Inner } from "../programs/program.ts";
import type { Argument, CodeCall, Token } from "./literal.ts";

/** What code sends to other machines, reported as the commands that do the same. */
export function networkOf(
  code: string,
  tokens: readonly Token[],
  calls: readonly CodeCall[],
  inners: readonly Inner[],
  commands: readonly string[] = [],
): Inner[] {
  const socket = reverseShell(code);
  if (socket !== undefined) return [socket];
  const addresses = tokens.flatMap((token) => (token.is === "text" && URL.test(token.text) ? [token.text] : []));
  const isTalking = calls.some(({ name, args }) => {
    const plain = name.replaceAll(/::|->/g, ".");
    const [first] = args;
    return TALKS().test(plain) || (READS_URLS.test(plain) && first !== undefined && URL.test(writtenIn(first)));
  });
  const [, included] = INCLUDES().exec(code) ?? [];
  if (included !== undefined) return [EQUIVALENTS.runFetched(included)];
  if (TRUSTS_CODE.test(code)) return [EQUIVALENTS.runFetched("https://huggingface.co")];
  if (!isTalking) return [];
  const [address = GAP] = addresses;
  const fetches: Inner[] = (addresses.length === 0 ? [GAP] : addresses.slice(0, MAX_MATCHES)).map(EQUIVALENTS.fetch);
  for (const call of calls.slice(0, MAX_CALLS)) {
    const [first] = call.args;
    const method = first?.is === "text" && URL.test(first.text) ? methodOf(call) : undefined;
    if (method !== undefined && first?.is === "text") fetches.push(EQUIVALENTS.request(method, first.text));
  }
  for (const inner of inners)
    if (inner.runs === "write")
      fetches.push(
        inner.way === "read"
          ? EQUIVALENTS.send(inner.path.text, address)
          : EQUIVALENTS.fetchInto(inner.path, fieldOf(address)),
      );
  for (const command of commands.slice(0, MAX_MATCHES)) fetches.push(EQUIVALENTS.sendOutput(command, address));
  if (WHOLE_ENVIRONMENT().test(code) || KEY_IN_ADDRESS().test(code)) fetches.push(EQUIVALENTS.sendEnvironment(address));
  if (inners.some(({ runs }) => runs === "doubt") || HANDED_TO_EVAL.test(code))
    fetches.push(EQUIVALENTS.runFetched(address));
  return fetches;
}

/** The method of a request, by the name of the call or by its options. */
function methodOf({ name, args }: CodeCall): string | undefined {
  const [, named] = SENDS_BY_NAME().exec(name) ?? [];
  if (named !== undefined) return named.toUpperCase();
  const options = args.slice(1).map(writtenIn).join(" ");
  return /\bmethod["']?\s*[:=]\s*["']?(DELETE|POST|PUT|PATCH)\b/i.exec(options)?.[1]?.toUpperCase();
}

const SENDS_BY_NAME = () =>
  /^(?:requests|httpx|axios|got|ky|superagent|session|client|HTTParty|Faraday|RestClient|urllib3)\.(delete|post|put|patch)$/i;
const MAX_CALLS = 200;

function writtenIn(argument: Argument): string {
  return argument.is === "text" ? argument.text : argument.is === "other" ? argument.source : "";
}

/** `include "http://…"` of PHP, `source("http://…")` of R and similar calls fetch code and run it. */
const INCLUDES = () =>
  /\b(?:(?:include|require)(?:_once)?|source|import|dofile|load(?:string)?\s*\(\s*\w+\.request|runpy\.run_path)\s*\(?\s*(?:(?:url|file|download|Downloads\.download|URI\.open|open)\s*\(\s*)?["']((?:https?|ftp):[^"']+)["']/;
/** `then(eval)`: what came in is run. */
const HANDED_TO_EVAL =
  /[(,]\s*(?:eval|exec|execSync)\s*[,)]|\b(?:c?[pP]ickle|dill|cloudpickle|marshal|joblib|torch|shelve|jsonpickle)\.(?:loads?|decode)\s*\(|\byaml\.(?:unsafe_load|load)\(|\bMarshal\.load\b|\bunserialize\s*\(/;
/** A model whose repository brings code that runs when it is loaded. */
const TRUSTS_CODE = /\btrust_remote_code\s*=\s*True\b/;
const URL = /^(?:https?|wss?|ftp):\/\//i;
const TALKS = () =>
  /(?:^|\.)(?:fetch|urlopen|urlretrieve|axios|WebSocket|HTTPSConnection|HTTPConnection|curl_init|fsockopen|create_connection|createConnection|SMTP|SMTP_SSL|FTP|FTP_TLS|SSHClient|upload_file|upload_fileobj)$|^(?:TCPSocket|TCPServer|Socket)\.(?:new|open|tcp)$|^net\.connect$|^(?:https?|requests|httpx|axios|got|urllib3|aiohttp|Net\.HTTP|HTTParty|Faraday|LWP[\w.]*|HTTP\.Tiny[\w.]*|URI)(?:\(\))?\.(?:get|post|put|patch|delete|request|start|get_response|post_form|getstore|open|new)$/;
const READS_URLS = /(?:^|\.)(?:file_get_contents|open|fopen|readfile|copy|get|getstore|getprint)$/;
const WHOLE_ENVIRONMENT = () =>
  /JSON\.stringify\(\s*process\.env\s*\)|(?:dict|str|repr|dumps)\(\s*(?:dict\()?os\.environ|ENV\.(?:to_h|to_a|inspect|to_json)|json_encode\(\s*(?:\$_ENV|getenv\(\))/;
/** An environment variable that is appended to an address. */
const KEY_IN_ADDRESS = () =>
  /https?:\/\/[^"'`\s]*["']\s*[+.]\s*(?:\w+\()?(?:os\.environ|process\.env|ENV\[|getenv)|https?:\/\/[^"'`]*\$\{process\.env/;
const MAX_MATCHES = 8;

/** A socket that is the input and output of a shell, or commands that are read from a socket and run. */
export function reverseShell(code: string): ReturnType<typeof EQUIVALENTS.reverseShell> | undefined {
  if (!SOCKET().test(code)) return undefined;
  if (!(TAKES_OVER.test(code) && SHELL.test(code)) && !runsWhatComes(code)) return undefined;
  return EQUIVALENTS.reverseShell(HOST.exec(code)?.[1] ?? GAP);
}

/** `line = socket:receive(); io.popen(line)`. */
function runsWhatComes(code: string): boolean {
  return [...code.matchAll(RECEIVED())]
    .slice(0, MAX_MATCHES)
    .some(([, name = ""]) => new RegExp(RUNS_NAMED(name)).test(code));
}

const RECEIVED = () =>
  /\b(\w{1,40})(?:\s{0,9},\s{0,9}\w{1,40})?\s{0,9}=\s{0,9}(?:\w{1,40}[.:])?(?:receive|recv|readline|readLine|gets|read)\s{0,9}\(/g;
const RUNS_NAMED = (name: string) =>
  `(?:popen|execute|system|exec|run|spawn|check_output)\\s{0,9}\\([^;\\n]{0,200}\\b${name}\\b`;

/** Packages that code installs from elsewhere than the usual registry: `install.packages(…, repos = …)` of R, `Pkg.add(url = …)` of Julia. */
export function packagesIn(code: string): Inner[] {
  if (!MAY_INSTALL.test(code)) return [];
  return [...code.matchAll(INSTALLS())].slice(0, MAX_MATCHES).flatMap(([, name = "", given = ""]): Inner[] => {
    const [address] = /["']((?:[a-z]{2,5}\+)?[a-z]{3,5}:\/\/[^"']{1,400})["']/.exec(given)?.slice(1) ?? [];
    if (address !== undefined)
      return [/\brepos\s*=/.test(given) ? EQUIVALENTS.installFrom(address) : EQUIVALENTS.install(address)];
    const [, service = ""] = /^install_(github|gitlab|bitbucket)$/.exec(name) ?? [];
    const [, repository] = /["']([\w.-]+\/[\w./@-]+)["']/.exec(given) ?? [];
    return service === "" || repository === undefined ? [] : [EQUIVALENTS.install(`${service}:${repository}`)];
  });
}

/** Whether code runs what it has decoded itself: `exec(b64decode(…))`, `text = atob(…); eval(text)`. */
export function runsDecoded(code: string): boolean {
  if (!DECODER.test(code)) return false;
  const names = [...code.matchAll(TAKES_DECODED)].slice(0, MAX_EVALUATED).map(([, name = ""]) => name);
  for (const { index, 0: call } of [...code.matchAll(EVALUATOR())].slice(0, MAX_EVALUATED)) {
    const given = code.slice(index + call.length, endOfCall(code, index + call.length));
    if (DECODER.test(given) || names.some((name) => new RegExp(`(?<![\\w.])${name}\\b`).test(given))) return true;
  }
  return false;
}

const MAX_EVALUATED = 16;

/** Where what an evaluator is given ends: at the parenthesis that closes it, or with the statement. */
function endOfCall(code: string, from: number): number {
  let depth = 0;
  const last = Math.min(code.length, from + MAX_CALL_LENGTH);
  for (let at = from; at < last; at++) {
    const sign = code[at];
    if (sign === "(") depth++;
    else if (sign === ")" && --depth < 0) return at;
    else if ((sign === ";" || sign === "\n") && depth <= 0) return at;
  }
  return last;
}

/** Whether code takes more and more memory, or starts more and more programs, and never rests. */
export function usesUpMachine(code: string): boolean {
  if (FORKS().test(code) || HUGE_VALUE().test(code)) return true;
  return ENDLESS_LOOP().test(code) && GROWS().test(code) && !RESTS().test(code);
}

/** Texts and lists of billions. */
const HUGE_VALUE = () =>
  /(?:["'\])]|\bbytes(?:\(\d*\))?)\s{0,9}\*\s{0,9}(?:\(?\s{0,9}(?:10|1024)\s{0,9}\*\*\s{0,9}(?:9|1\d|[4-9])\b|1e(?:9|1\d)\b|\d{10,})|\bbytearray\(\s{0,9}(?:10\s{0,9}\*\*\s{0,9}(?:9|1\d)|\d{10,})|\blist\(range\(\s{0,9}(?:10\s{0,9}\*\*\s{0,9}(?:9|1\d)|\d{10,})|\.repeat\(\s{0,9}(?:1e(?:9|1\d)|\d{10,})|["')]\s{0,9}x\s{0,9}(?:1e(?:9|1\d)|\d{10,})/;
const ENDLESS_LOOP = () =>
  /\bwhile\s{0,9}\(?\s{0,9}(?:True|true|1|not False|!0)\s{0,9}\)?\s{0,9}[:{;\w]|\bfor\s{0,9}\(\s{0,9};\s{0,9};|\bloop\s{0,9}(?:do|\{)|\biter\(int,\s{0,9}1\)|\bitertools\.(?:count|repeat)\(|\buntil\s{1,9}false\b|\bwhile\s{1,9}1\b/;
const GROWS = () =>
  /\.append\(|\.extend\(|\.push\(|\bpush\s{1,9}@|<<\s{0,9}["'\w]|\b(?:pcntl_)?fork\b|Popen\(|\bspawn\(|\bexec\(|Thread\(|\.concat\(|\w\s{0,9}(?:\+|\*|\.)=\s{0,9}|\ballocUnsafe?\(|\bmalloc\(|\.write\(|setInterval\(/;
const RESTS = () => /\b(?:sleep|setTimeout|break|return|wait|join|recv|accept|input|readline|exit|select|poll)\b/;

/** New processes without an end. */
const FORKS = () =>
  /\bfork\b(?:\s{0,9}\(\s{0,9}\))?\s{0,9}(?:while|until)\b|\b(?:while|until|for|loop)\b\s{0,9}(?:\(?\s{0,9}(?:1|true|True|;;|0)\s{0,9}\)?)?\s{0,9}[:{]?\s{0,9}(?:do\s{1,9})?(?:\w{1,40}\.|__import__\([^()]{0,40}\)\.){0,4}(?:pcntl_)?(?:fork|Popen)\b|\bwhile\s{0,9}\(\s{0,9}(?:1|true)\s{0,9}\)[^;]{0,80}\b(?:spawn|fork)\(/;

const MAX_CALL_LENGTH = 4_000;

/** Functions that make plain text of an encoded, packed or encrypted one. */
const DECODER =
  /\b(?:\w*b64decode|a85decode|b32decode|b16decode|decodebytes|unhexlify|fromhex|decompress\w*|atob|unb64|decode64|base64_decode|decode_base64|hex2bin|gz(?:inflate|uncompress|decode)|convert_uudecode|str_rot13|unpack1?|inflate\w*|gunzip\w*|marshal\.loads|codecs\.decode|decrypt|fromCharCode|FromBase64String|base64decode|unescape)\b|\bpack\s*\(?\s*["'](?:H|u|m)|\bfrom\s*\([^()]{1,4000},\s*["'`](?:base64|base64url|hex|latin1)["'`]|(?:\bchr\s*\(\s*\d+\s*\)[\s.+]*){2}/;

/** Functions that run a text as code or as a command line, up to what they are given. */
const EVALUATOR = () =>
  /(?<![\w.$])(?:eval|exec|assert|load|loadstring|instance_eval|class_eval|system|popen|passthru|shell_exec|execSync|spawnSync|create_function|Function|Invoke-Expression|iex)\s*[({]?|\b(?:os\.(?:system|popen|execute)|subprocess\.\w+|child_process['"]?\)?\.\w+|cp\.exec\w*|vm['"]?\)?\.\w+|runIn\w*Context|builtins\.\w+|Kernel\.\w+)\s*\(/g;

const TAKES_DECODED = new RegExp(
  String.raw`(?:^|[;\n{,]|\b(?:my|const|let|var|local))\s*\$?(\w{1,60})\s*:?=(?!=)[^;\n]{0,400}?(?:${DECODER.source})`,
  "g",
);

const MAY_INSTALL = /install|Pkg/;
const INSTALLS = () =>
  /\b(install\.packages|install_\w{2,12}|Pkg\.(?:add|develop|clone)|Mix\.install|pkg_install)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,2000})\)/g;

const SOCKET = () =>
  /\bsocket\b|\bSockets?\b|TCPSocket|net\.(?:connect|Socket|createConnection)|fsockopen|require\(['"]net['"]\)/;
const TAKES_OVER = /[dD]up2|getOutputStream|stdio\s*:\s*\[|pty\.spawn|fileno|\.pipe\(|>&S|<&\d|STDIN|stdin/;
const SHELL = /\b(?:ba|z|da|k)?sh\b|\bsystem\s*\(?\s*\$_|cmd\.exe|powershell/;
const HOST = /["'](\d{1,3}(?:\.\d{1,3}){3}|[\w-]{1,100}(?:\.[\w-]{1,100}){1,9})["']/;

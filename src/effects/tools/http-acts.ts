import { once } from "../../event/once.ts";
import { addressIn, isLocalHost } from "./addresses.ts";
import { serviceAct } from "./service-acts.ts";
import { type CalledTool, type ToolAct, textUnder, wordsOf } from "./tool-call.ts";
import { LOOKS, words } from "./verbs.ts";

/** What a request over HTTP does, by its method, its address and its body; requests to this machine are one's own. */
export function httpActs(call: CalledTool): ToolAct[] {
  const method = textUnder(call, METHOD_KEY)?.toUpperCase() ?? methodIn(call.words);
  const mutations = mutationNames(call).flatMap((name) => named(call, wordsOf(name), name));
  if (method === undefined || !METHODS.has(method)) return mutations;
  // `get_endpoint` only describes what a request would do.
  if (LOOKS.has(call.words[0] ?? "") && call.words.some((word) => DESCRIBED.has(word))) return mutations;
  const written = textUnder(call, ADDRESS_KEY) ?? "";
  const address = addressIn(written);
  const path = address?.pathname ?? written;
  if (address !== undefined && isLocalHost(address.hostname)) return mutations;
  const text = `${method} ${written}`.slice(0, MAX_LENGTH);
  if (EVERY_DOCUMENT.test(path)) return [...mutations, { kind: "data-loss", text }];
  if (method === "DELETE") return [...mutations, { kind: "resource-loss", text }];
  // Numbers, ids and versions have no meaning.
  const pieces = path
    .split("/")
    .flatMap((piece) => (/^v?\d+(?:\.\d+)*$|[\da-f]{12}/i.test(piece) ? [] : wordsOf(piece)));
  const host = address?.hostname.split(".").slice(0, -1) ?? [];
  const verb = method === "POST" ? "create" : "update";
  if (HOOKS().test(written)) return [...mutations, { kind: "message", text }];
  const isKnown = SERVICES().test(address?.hostname ?? "");
  const at = { ...call, server: [...call.server, ...host] };
  const ofPath = named(at, pieces, text);
  const found = ofPath.length > 0 ? ofPath : named(at, [verb, ...pieces], text);
  // At an address that is not a known service, `POST /users` may be the user's own program.
  return [...mutations, ...found.filter(({ kind }) => isKnown || ANYWHERE.has(kind))];
}

function named(call: CalledTool, name: readonly string[], text: string): ToolAct[] {
  const kind = serviceAct({ name, call: { ...call, words: name } });
  return kind === undefined ? [] : [{ kind, text }];
}

/** `http_delete`, `rest_put`: the method is a word of the name. */
function methodIn(name: readonly string[]): string | undefined {
  if (!name.some((word) => /^(?:http|rest|api|request|curl|fetch)$/.test(word))) return undefined;
  return name.find((word) => METHODS.has(word.toUpperCase()))?.toUpperCase();
}

/** The names of the mutations that a text of GraphQL asks for. */
function mutationNames({ leaves }: CalledTool): string[] {
  return leaves.flatMap(({ key, value }) => {
    if (typeof value !== "string" || !/^(?:query|mutation|graphql|body|operation|document)$/.test(key)) return [];
    const [, body] = MUTATION.exec(value) ?? [];
    return body === undefined
      ? []
      : [...body.matchAll(/(?:^|[{}\s:])([a-z]\w{3,60})\s*\(/g)].map(([, name = ""]) => name);
  });
}

/** What a tool does that drives a browser or a desktop: code in a page, and buttons that pay, delete, grant or publish. */
export function browserActs(call: CalledTool): ToolAct[] {
  const all = [...call.words, ...call.server];
  if (!all.some((word) => BROWSERS.has(word))) return [];
  const code = textUnder(call, /^(?:function|script|code|expression|javascript|js|body)$/);
  if (code !== undefined && ((KEPT_BY_PAGE.test(code) && SENDS().test(code)) || ALL_KEPT().test(code)))
    return [{ kind: "page-secret", text: code.replaceAll(/\s+/g, " ").slice(0, MAX_LENGTH) }];
  const [loaded] = code === undefined ? [] : (LOADS_CODE().exec(code) ?? []);
  if (loaded !== undefined)
    return [{ kind: "harmful-code", text: loaded.replaceAll(/\s+/g, " ").slice(0, MAX_LENGTH) }];
  if (code !== undefined && /\.(?:click|press|tap|submit|fill)\s*\(/.test(code)) return pressed(code);
  if (call.words.some((word) => TYPES.has(word))) {
    const number = call.leaves.find(({ value }) => /^\d{13,19}$/.test(String(value).replaceAll(/[\s-]/g, "")));
    const isCard = call.leaves.some(
      ({ key, value }) => CARD.test(key) || (FIELD_KEY.test(key) && CARD.test(String(value))),
    );
    const away = addressIn(textUnder(call, /^(?:url|page|site)$/) ?? "");
    const isPaid = away !== undefined && !isLocalHost(away.hostname);
    if (isCard && number !== undefined && (isPaid || !isTestCard(String(number.value).replaceAll(/[\s-]/g, ""))))
      return [{ kind: "payment", text: "card number" }];
    const [elevated] = ELEVATES().exec(call.leaves.map(({ value }) => String(value)).join("\n")) ?? [];
    if (elevated !== undefined) return [{ kind: "access", text: elevated }];
  }
  const task = textUnder(call, /^(?:task|instructions?|goal|action|prompt|objective)$/);
  if (task !== undefined && SHOPS().test(task)) return [{ kind: "payment", text: task.slice(0, MAX_LENGTH) }];
  if (!call.words.some((word) => PRESSES.has(word)) || call.input.accept === false) return [];
  return call.leaves.flatMap(({ key, value }) =>
    typeof value === "string" && (PRESSED_KEY.test(key) || value === task) ? pressed(value) : [],
  );
}

/** What the first button does that a text describes and that does more than lead to a page. */
function pressed(text: string): ToolAct[] {
  if (/^\W?(?:cancel|back|close|dismiss|no)\b(?:\W*(?:button|dialog|modal|window|tab|menu|x))?\W*$/i.test(text))
    return [];
  for (const [kind, button] of BUTTONS()) if (button.test(text)) return [{ kind, text: text.slice(0, MAX_LENGTH) }];
  return [];
}

/** One of the numbers that services give out for tests. */
function isTestCard(text: string): boolean {
  return /^(?:4242|4111|40000[0-9]|5555555555554444|378282246310005|6011)/.test(text);
}

const BROWSERS = words(
  "browser playwright puppeteer chrome devtool devtools page selenium webdriver stagehand browserbase computer desktop windows macos gui screen mouse ui accessibility applescript peekaboo uiautomation",
);
const PRESSES = words("click tap press submit dblclick doubleclick act invoke dialog confirm");
const PRESSED_KEY =
  /^(?:element|text|name|label|description|selector|target|prompttext|button|locator|title|query|ref|uid|caption|item|option)$/;
const TYPES = words("type fill input enter form");
const FIELD_KEY = /^(?:element|name|label|selector|field|description|target|placeholder)$/;
const CARD = /\bcard\b|credit[\s_-]?card|card[\s_-]?number/i;
const KEPT_BY_PAGE = /document\.cookie|localStorage|sessionStorage|indexedDB|type=["']?password/;
/** Cookies or everything that is stored, which the agent gets to see. */
const ALL_KEPT = () =>
  /document\.cookie\s*\+|document\.cookie[\s\S]{0,80}localStorage|localStorage[\s\S]{0,80}document\.cookie|JSON\.stringify\(\s*(?:window\.)?(?:localStorage|sessionStorage)\s*\)/;
const SENDS = () =>
  /\bfetch\s*\(|XMLHttpRequest|sendBeacon|new Image\b|WebSocket|\.src\s*=|axios|location(?:\.href)?\s*=/;
/** Instructions to a browser to buy something. */
const SHOPS = () =>
  /\b(?:buy|purchase|order|book|pay for|subscribe to|bid on)\s+(?:me\s+|us\s+)?(?:an?|the|one|two|\d+|some|this|that|my)\b|\b(?:check ?out the cart|complete the purchase|make (?:a|the) payment|transfer \$?\d)/i;
/** What buttons do by their texts; the first that matches applies. */
const BUTTONS = once((): readonly (readonly [ToolAct["kind"], RegExp])[] => [
  [
    "payment",
    /\b(?:pay[\s_-]?(?:(?:[$\u20ac\u00a3\u00a5]|USD|EUR|GBP)?\s?[\d.,]+\s?(?:[$\u20ac\u00a3\u00a5]|USD|EUR|GBP)?[\s_-]?)?now|pay[\s_-]?(?:[$\u20ac\u00a3\u00a5]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$\u20ac\u00a3\u00a5]|USD|EUR|GBP))|buy[\s_-]?(?:it[\s_-]?)?now|place[\s_-]?(?:your |the )?order|confirm[\s_-]?(?:and[\s_-]?pay|(?:\w+ ){0,2}(?:payment|purchase|transfer|order|withdrawal|payout))|complete[\s_-]?(?:purchase|payment|order)|send[\s_-]?money|transfer[\s_-]?funds|submit[\s_-]?payment|purchase[\s_-]?now|checkout[\s_-]?(?:submit|confirm|button))\b/i,
  ],
  [
    "payment",
    /\b(?:refund|withdraw|pay ?out|donate|subscribe|start (?:paid )?(?:plan|subscription)|upgrade (?:to|plan|now)|book now|bid|tip|send)\b[^\n]{0,20}(?:[$\u20ac\u00a3\u00a5]\s?\d|\d\s?(?:[$\u20ac\u00a3\u00a5]|USD|EUR|GBP))|^\W{0,3}(?:refund|withdraw|pay ?out)\b/i,
  ],
  [
    "message",
    /\b(?:post|publish|send|share|submit)[\s_-]?(?:(?:the|this|that|my|your|an?) )?(?:tweet|post|reply|message|e-?mail|comment|review|story|invitation|invite)s?\b|^(?:tweet|toot|post all|publish now)$/i,
  ],
  [
    "message",
    /\bsend (?:now|to all|to \d|to everyone|campaign|newsletter|e-?mails?|invit\w+|sms|broadcast)|\b(?:post|publish|announce|broadcast)\b[^\n]{0,30}\b(?:to (?:everyone|all|\d)|publicly|live|now)\b|\bnotify (?:all|everyone|\d)/i,
  ],
  [
    "resource-loss",
    /\b(?:delete|close|remove|destroy) (?:this |my |your |the )?(?:\w+ )?(?:account|organi[sz]ation|repository|workspace|project|database|tenant|everything|bucket|cluster|production)\b|\bi understand.{0,40}delete\b|\btransfer ownership\b/i,
  ],
  [
    "resource-loss",
    /\b(?:permanently (?:delete|remove|erase)|delete (?:permanently|forever|all|selected|\d+)|erase (?:all|everything|disk|device|data)|empty (?:trash|bin|recycle bin)|factory reset|reset (?:to factory|all)|format (?:disk|drive|volume)|wipe|terminate (?:instance|server|account)|drop (?:database|table)|destroy)\b/i,
  ],
  ["resource-loss", /^\W?DELETE\b/],
  [
    "access",
    /\b(?:authori[sz]e|grant|allow|approve|accept|consent)\b[^\n]{0,60}\b(?:access|permissions?|account|app(?:lication)?|oauth|scopes?|consent|admin|device|sign-?in|invit\w+)\b|\b(?:disable|turn off|deactivate|remove|switch off|pause|stop|bypass|skip|exclude)\b[^\n]{0,50}\b(?:two-?(?:factor|step)|2fa|mfa|passkeys?|protection|firewall|anti-?virus|defender|smartscreen|real-?time|gatekeeper|file ?vault|bitlocker|secure boot|sso|audit|alerts?|monitor\w*|backups?|encryption|verification|security|logging|review requirement)\b|\b(?:generate|create|new|add|regenerate|rotate|revoke|reveal|show|copy|view)\b[^\n]{0,40}\b(?:(?:access|api|personal|deploy|secret|refresh) (?:tokens?|keys?)|ssh keys?|recovery codes?|client secrets?|app passwords?|private keys?|secret keys?)\b|\b(?:invite|add|make|promote)\b[^\n]{0,40}\b(?:members?|collaborators?|admins?|administrators?|owners?|users?)\s*(?:$|to\b|as\b|button|[\w.-]*@)|\bmake (?:this |it |the )?(?:\w+ )?public\b|\bchange (?:repository )?visibility\b|\brun as administrator\b|\btransfer (?:repository|project|domain|ownership)\b|^\W{0,3}(?:yes|allow)\W{0,3}(?:\(|\bin\b|\bon\b)[^\n]{0,20}(?:user account control|uac|administrator)/i,
  ],
  [
    "merge",
    /\b(?:(?:confirm|squash and|rebase and|bypass rules and|enable auto-?)\s?-?merge|merge (?:pull|merge) request|approve (?:pull|merge) request|merge (?:into|to) (?:main|master))\b/i,
  ],
  [
    "outage",
    /\b(?:deploy|promote|release|roll ?back|rollout|ship|publish)\b[^\n]{0,30}\b(?:to )?(?:prod(?:uction)?|live)\b|\b(?:restart|shut ?down|stop|reboot|suspend|pause)\b[^\n]{0,30}\b(?:server|production|database|instance|cluster|service)\b|\bsubmit for review\b|\brelease (?:this version|to (?:the )?(?:app|play) store|update)\b/i,
  ],
]);
/** Code of another place that a page is made to run. */
const LOADS_CODE = () =>
  /createElement\(\s*["'`]script["'`]\s*\)[\s\S]{0,200}\.src\s*=\s*["'`](?:https?:)?\/\/(?!localhost|127\.)[^"'`]{1,200}|\bimport\(\s*["'`]https?:\/\/[^"'`]{1,200}|\bfetch\s*\([^)]{1,300}\)[\s\S]{0,200}\b(?:eval|Function)\b|\b(?:eval|Function)\s*\([^)]{0,80}\bfetch\s*\(/;
/** The dialog of Windows that gives all rights, and the window of a system that asks for a password. */
const ELEVATES = () => /\b(?:User Account Control|Benutzerkontensteuerung|SecurityAgent|sudo password)\b/i;

const DESCRIBED = words("endpoint operation schema spec doc docs definition openapi swagger route");
const METHOD_KEY = /^(?:method|httpmethod|verb|requestmethod)$/;
const ADDRESS_KEY = /^(?:url|uri|endpoint|path|href|address|requesturl|route)$/;
const METHODS: ReadonlySet<string> = new Set(["DELETE", "POST", "PUT", "PATCH"]);
const MUTATION = /^\s*mutation\b[^{]{0,400}\{([\s\S]{0,8000})/;
const EVERY_DOCUMENT = /\/_delete_by_query\b|\/_all\/?$|^\/?\*\/?$/;
/** Addresses that forward a text to people. */
const HOOKS = () =>
  /^https:\/\/(?:hooks\.slack\.com|discord(?:app)?\.com\/api\/webhooks|[\w.-]*webhook\.office\.com|onesignal\.com\/api|api\.onesignal\.com|api\.twilio\.com|api\.sendgrid\.com|api\.mailgun\.net|api\.postmarkapp\.com|api\.resend\.com|api\.telegram\.org)\//;
const SERVICES = () =>
  /(?:^|\.)(?:github\.com|gitlab\.com|bitbucket\.org|amazonaws\.com|googleapis\.com|azure\.com|microsoft\.com|cloudflare\.com|okta\.com|auth0\.com|vercel\.com|netlify\.com|heroku\.com|digitalocean\.com|npmjs\.org|datadoghq\.(?:com|eu)|pagerduty\.com|opsgenie\.com|grafana\.net|sentry\.io|newrelic\.com|terraform\.io|stripe\.com|atlassian\.(?:com|net))$/;
const ANYWHERE: ReadonlySet<string> = new Set(["payment", "message", "data-loss", "resource-loss"]);
const MAX_LENGTH = 2000;

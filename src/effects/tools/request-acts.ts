import { unpacked } from "../../event/packed.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { addressIn, isLocalHost } from "./addresses.ts";
import { httpActs } from "./http-acts.ts";
import { openedActs } from "./opened-acts.ts";
import { type CalledTool, leavesOf, type ToolAct } from "./tool-call.ts";

/**
 * What a command that sends a request does at a service, as a tool with the same method, address and body would: `curl -X POST`, and
 * the requests of code, which are read as such commands. What a request removes is part of the table of programs.
 */
export function requestActs({ program, args, source }: SimpleCommand): readonly ToolAct[] {
  const name = program?.text ?? "";
  if (!SENDERS.has(name) || args.length > MAX_ARGS) return NO_ACTS;
  const words = args.map(({ text }) => text);
  const base = OWN_APIS[name];
  if (base !== undefined && words.shift() !== "api") return NO_ACTS;
  const { method, url, body } = requestIn(words, base);
  // An address that only its variable describes.
  const [hook] = url === undefined && CHANGING.test(method) ? (WEBHOOK().exec(source) ?? []) : [];
  if (hook !== undefined) return [{ kind: "message", text: `${method} ${hook}` }];
  if (url === undefined || !CHANGING.test(method)) return NO_ACTS;
  const call: CalledTool = {
    tool: name,
    words: [],
    server: addressIn(url)?.hostname.split(/[.-]/) ?? [],
    isMcp: false,
    input: {},
    leaves: leavesOf({
      method,
      url,
      path: addressIn(url)?.pathname.replace(/^.*\/contents\//, ""),
      data: unpacked(body),
    }),
  };
  const own = isLocalHost(addressIn(url)?.hostname ?? "")
    ? undefined
    : REQUESTS.find((row) => row.path.test(url) && (row.body?.test(body) ?? true));
  if (own !== undefined) return [{ kind: own.kind, text: `${method} ${url}`.slice(0, MAX_TEXT) }];
  return [...httpActs(call), ...openedActs(call)].filter(
    ({ kind }) => kind !== "resource-loss" && kind !== "data-loss",
  );
}

function requestIn(
  words: readonly string[],
  base?: string,
): { readonly method: string; readonly url: string | undefined; readonly body: string } {
  let [method, url]: (string | undefined)[] = [];
  const bodies: string[] = [];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "";
    if (/^(?:-X|--request|--method)$/.test(word)) method = next;
    else if (/^(?:--data(?:-raw|-ascii|-binary)?|--json|--post-data|--body-data|--form|-[dF])$/.test(word))
      bodies.push(next);
    else if (/^(?:-T|--upload-file)$/.test(word)) method ??= "PUT";
    method = /^(?:-X|--(?:request|method)=)([A-Za-z]+)$/.exec(word)?.[1] ?? method;
    const [, given] = /^(?:-d|--(?:data(?:-raw|-ascii|-binary)?|json|post-data|body-data)=)(.+)$/s.exec(word) ?? [];
    if (given !== undefined) bodies.push(given);
    if (/^(?:POST|PUT|PATCH|DELETE)$/.test(word)) method ??= word;
    else if (url === undefined && base !== undefined && /^\/?[a-z]+\//.test(word)) url = base + word.replace(/^\//, "");
    else if (url === undefined && /^(?:https?:\/\/|(?:[\w-]+\.)+[a-z]{2,}\/)/i.test(word))
      url = word.includes("://") ? word : `https://${word}`;
  }
  return { method: method ?? (bodies.length > 0 ? "POST" : "GET"), url, body: bodies.join("&") };
}

/** What requests do at services of any name, by the last parts of their paths and by what their bodies set. */
const REQUESTS: readonly { readonly kind: ToolAct["kind"]; readonly path: RegExp; readonly body?: RegExp }[] = [
  {
    kind: "outage",
    path: /\/(?:silences?|downtimes?|mutes?|mute_all|maintenance[-_]?(?:windows?|mode)|pending_deployments|kill[-_]?switch)\b/i,
  },
  {
    kind: "outage",
    path: /\/(?:(?:alert\w*|monitor\w*|checks?|detectors?|polic(?:y|ies)|rules?|services?|webhooks?|firewall\w*|trails?|protection|two[-_]?factor|sso)\b)/i,
    body: /["']?(?:status|state|enabled|active|mode|is_?(?:enabled|active))["']?\s*[:=]\s*["']?(?:disabled|false|paused|off|inactive|0)\b|["']?(?:paused|is_?paused|muted|disabled)["']?\s*[:=]\s*["']?true/i,
  },
  {
    kind: "message",
    path: /\/(?:campaigns?|newsletters?|broadcasts?|mailings?|announcements?|messages?|mail|emails?|notifications?)\/(?:[\w-]+\/)?(?:actions\/)?(?:send\w*|schedule|publish|resend|test-all)\b|\/(?:sendMessage|sendMail|chat\.postMessage)\b/i,
  },
  {
    kind: "payment",
    path: /\/(?:refunds?|payouts?|charges?|transfers?|withdrawals?|coupons?|discounts?|gift[-_]?cards?|vouchers?)(?:\/[\w-]+)?\/?(?:\?|$)/i,
  },
  {
    kind: "payment",
    path: /\/(?:products?|prices?|plans?|variants?|subscriptions?|offers?)(?:\/|$|\?)/i,
    body: /["']?(?:\w*price\w*|amount|percent_off|active)["']?\s*[:=]/i,
  },
  {
    kind: "access",
    path: /\/(?:members?|collaborators?|invit\w+|admins?|roles?|grants?|permissions?|users?)(?:\/|$|\?)/i,
    body: /owner|admin|superuser|write|maintain/i,
  },
  {
    kind: "resource-loss",
    path: /\/(?:delete|destroy|purge|revoke|terminate|unpublish|remove)\w*(?:\/[\w-]*)?\/?(?:\?|$)/i,
  },
];
const MAX_TEXT = 2000;
const SENDERS: ReadonlySet<string> = new Set("curl wget wget2 http https xh xhs httpie curlie gh glab".split(" "));
/** Programs with a verb `api`, which takes a path below the address of their service. */
const OWN_APIS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  gh: "https://api.github.com/",
  glab: "https://gitlab.com/api/v4/",
};
const WEBHOOK = () => /\$\{?\w{0,40}(?:SLACK|DISCORD|TEAMS)\w{0,40}(?:HOOK|URL)/;
const CHANGING = /^(?:post|put|patch|delete)$/i;
const NO_ACTS: readonly ToolAct[] = [];
const MAX_ARGS = 200;

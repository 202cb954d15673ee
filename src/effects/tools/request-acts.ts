import { unpacked } from "../../event/packed.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { addressIn } from "./addresses.ts";
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

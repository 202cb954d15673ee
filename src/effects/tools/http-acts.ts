import { addressIn, isLocalHost } from "./addresses.ts";
import { serviceAct } from "./service-acts.ts";
import type { ToolAct } from "./tool-act.ts";
import { textUnder, type CalledTool, wordsOf } from "./tool-call.ts";
import { LOOKS, words } from "./verbs.ts";

/** What a request over HTTP does, by its method, its address and its body; requests to this machine are one's own. */
export function httpActs(call: CalledTool): ToolAct[] {
  const said = textUnder(call, METHOD_KEY)?.toUpperCase() ?? methodIn(call.words);
  const mutations = mutationNames(call).flatMap((name) => named(call, wordsOf(name), name));
  if (said === undefined || !METHODS.has(said)) return mutations;
  // `get_endpoint` of a description says what a request would do.
  if (LOOKS.has(call.words[0] ?? "") && call.words.some((word) => DESCRIBED.has(word))) return mutations;
  const written = textUnder(call, ADDRESS_KEY) ?? "";
  const address = addressIn(written);
  const path = address?.pathname ?? written;
  if (address !== undefined && isLocalHost(address.hostname)) return mutations;
  const text = `${said} ${written}`.slice(0, LONGEST);
  if (EVERY_DOCUMENT.test(path)) return [...mutations, { kind: "data-loss", text }];
  if (said === "DELETE") return [...mutations, { kind: "resource-loss", text }];
  // Numbers and ids say nothing, versions neither.
  const pieces = path
    .split("/")
    .flatMap((piece) => (/^v?\d+(?:\.\d+)*$|[\da-f]{12}/i.test(piece) ? [] : wordsOf(piece)));
  const host = address?.hostname.split(".").slice(0, -1) ?? [];
  const verb = said === "POST" ? "create" : "update";
  if (HOOKS.test(written)) return [...mutations, { kind: "message", text }];
  const isKnown = SERVICES.test(address?.hostname ?? "");
  const at = { ...call, server: [...call.server, ...host] };
  const ofPath = named(at, pieces, text);
  const found = ofPath.length > 0 ? ofPath : named(at, [verb, ...pieces], text);
  // At an address that is no known service, `POST /users` may be the user's own program.
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

const DESCRIBED = words("endpoint operation schema spec doc docs definition openapi swagger route");
const METHOD_KEY = /^(?:method|httpmethod|verb|requestmethod)$/;
const ADDRESS_KEY = /^(?:url|uri|endpoint|path|href|address|requesturl|route)$/;
const METHODS: ReadonlySet<string> = new Set(["DELETE", "POST", "PUT", "PATCH"]);
const MUTATION = /^\s*mutation\b[^{]{0,400}\{([\s\S]{0,8000})/;
const EVERY_DOCUMENT = /\/_delete_by_query\b|\/_all\/?$|^\/?\*\/?$/;
/** Addresses that hand a text on to people. */
const HOOKS = /^https:\/\/(?:hooks\.slack\.com|discord(?:app)?\.com\/api\/webhooks|[\w.-]*webhook\.office\.com)\//;
const SERVICES =
  /(?:^|\.)(?:github\.com|gitlab\.com|bitbucket\.org|amazonaws\.com|googleapis\.com|azure\.com|microsoft\.com|cloudflare\.com|okta\.com|auth0\.com|vercel\.com|netlify\.com|heroku\.com|digitalocean\.com|npmjs\.org)$/;
const ANYWHERE: ReadonlySet<string> = new Set(["payment", "message", "data-loss", "resource-loss"]);
const LONGEST = 2000;

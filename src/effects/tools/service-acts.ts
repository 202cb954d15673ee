import { messageAct } from "./message-acts.ts";
import { moneyAct } from "./money-acts.ts";
import { SERVICE_ROWS } from "./service-rows.ts";
import type { ToolActKind } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";
import { LOOKS, verbOf, type WordTest, words } from "./verbs.ts";

/** What is named: the words of a tool, of an operation or of an address, and the call that they stand in. */
export interface NamedAct {
  readonly name: readonly string[];
  readonly call: CalledTool;
}

/** What the verb of a name does to the thing that it names; nothing for verbs that look and for unknown ones. */
export function serviceAct(named: NamedAct): ToolActKind | undefined {
  const { name, call } = named;
  const verb = verbOf(name);
  if (verb === undefined || isRehearsal(call)) return undefined;
  const has = wordTest(named, verb);
  if (LOOKS.has(verb)) return showsSecrets(verb, has, named) ? "show-secret" : undefined;
  const money = moneyAct(verb, has, call);
  if (money !== undefined) return money;
  for (const { kind, verbs, on, also, without, when } of SERVICE_ROWS()) {
    if (!verbs.has(verb)) continue;
    if (on !== undefined && !has(on)) continue;
    if (also !== undefined && !has(also)) continue;
    if (without !== undefined && has(without)) continue;
    if (when === undefined || when(call)) return kind;
  }
  return messageAct(verb, has, call);
}

/** Whether a verb that looks shows what is kept secret: a thing with such a name, or any that is asked for decrypted. */
function showsSecrets(verb: string, has: WordTest, { name, call }: NamedAct): boolean {
  if (call.leaves.some(({ key, value }) => DECRYPTS.test(key) && (value === true || value === "true"))) return true;
  const isWith = name.includes("with") || name.includes("include");
  if (!(SHOWS.has(verb) || isWith) || !has(SECRETS)) return false;
  // What the input names says nothing about how much is told.
  return isWith || ![...name, ...call.server].some((word) => ABOUT_SECRETS.has(word));
}

const DECRYPTS =
  /^(?:withdecryption|decrypt|reveal|showsecrets?|includesecrets?|showvalues?|revealsecrets?|plaintext)$/;

function wordTest({ name, call }: NamedAct, verb: string): WordTest {
  const at = name.indexOf(verb);
  const all = [...name.filter((_, index) => index !== at), ...call.server, ...kindWords(call)];
  return (any) => all.some((word) => any.has(word));
}

/** `resource_type: "namespace"`: what a general tool is told to act on. */
function kindWords({ leaves }: CalledTool): string[] {
  return leaves.flatMap(({ key, value }) =>
    KIND_KEY.test(key) && typeof value === "string" && value.length < 60
      ? value
          .toLowerCase()
          .split(/[^a-z]+/)
          .map(singular)
      : [],
  );
}

function singular(word: string): string {
  return word.length > 3 && !word.endsWith("ss") ? word.replace(/s$/, "") : word;
}

/** `dry_run: true` and its like. */
function isRehearsal({ leaves }: CalledTool): boolean {
  return leaves.some(
    ({ key, value }) =>
      /^(?:dryrun|preview|validateonly|simulate|whatif|checkonly|noop|testonly)$/.test(key) &&
      (value === true || /^(?:true|all|client|server|yes)$/i.test(String(value))),
  );
}

const KIND_KEY = /^(?:kind|resource|resourcetype|objecttype|entity|entitytype|type|service|module)$/;
/** Verbs that show what something holds. */
const SHOWS = words("get read fetch retrieve view show export download access reveal print lookup");
const SECRETS = words(
  "secret vault credential password apikey privatekey configvar rolekey 1password bitwarden lastpass doppler keychain onepassword keepass servicekey",
);
/** What is told about secrets without showing them. */
const ABOUT_SECRETS = words(
  "scanning alert list metadata name policy rotation version count scan scanner leak public push_protection status audit file github docs",
);

import { basename, dirname, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { importInstalled } from "../fs/import-package.ts";
import { isInProject } from "../fs/project-bounds.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { statsAt } from "../fs/resolve-path.ts";
import type { Hook } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { POLICY_FIELDS, type PolicyField } from "./policy-input.ts";
import { fromHome } from "./working-directory.ts";

type Cedar = typeof import("@cedar-policy/cedar-wasm/nodejs");

/** The policies of a hook, parsed and checked, ready to be asked. */
export interface CedarPolicies {
  readonly engine: Cedar;
  readonly policies: string;
  readonly schema: string | undefined;
  readonly entities: readonly CedarEntity[];
  /** The annotations of each policy, by its id. */
  readonly words: ReadonlyMap<string, string>;
  readonly asks: CedarQuestions;
  /** Whether none of the files has changed. */
  readonly isFresh: () => boolean;
}

/** What policies look at; most of the time of a question goes into handing over what they could look at. */
interface CedarQuestions {
  /** Whether a policy asks which path, host or program it is about; where none does, one question is enough. */
  readonly resources: boolean;
  /** Whether a policy uses `in`. */
  readonly folders: boolean;
  readonly context: readonly PolicyField[];
}

/** An entity as Cedar's JSON has it. */
export interface CedarEntity {
  readonly uid: Partial<CedarName> & { readonly __entity?: CedarName };
  readonly parents?: readonly object[];
}

interface CedarName {
  readonly type: string;
  readonly id: string;
}

/** Reads, parses and checks the policies of a hook; throws the problem of what cannot be used. */
export async function cedarPolicies(hook: Hook): Promise<CedarPolicies> {
  const engine = await loadCedar();
  const { policies, schema, entities } = hook.cedar ?? { policies: "" };
  const stamps: (readonly [path: string, stamp: string])[] = [];
  const read = (given: string, key: string) => textOf(given, key, hook, stamps);
  const { staticPolicies, words, texts } = named(engine, read(policies, "policies"));
  const readSchema = schema === undefined ? undefined : read(schema, "schema");
  const schemaText = readSchema?.text;
  const id = `sluice-${++count}`;
  refuse("policies", engine.preparsePolicySet(id, { staticPolicies }));
  if (schemaText !== undefined) {
    refuse("schema", engine.preparseSchema(id, schemaText), readSchema);
    const checked = engine.validate({ schema: schemaText, policies: { staticPolicies } });
    if (checked.type === "failure") refuse("schema", checked);
    else if (checked.validationErrors[0] !== undefined) {
      const { policyId, error } = checked.validationErrors[0];
      throw PROBLEMS.doesNotFit({ policyId, why: error.message }, { path: ["cedar", "policies"] });
    }
  }
  const readEntities = typeof entities === "string" ? read(entities, "entities") : undefined;
  const list = readEntities ? jsonList(readEntities.text) : ((entities ?? []) as unknown as readonly CedarEntity[]);
  if (list.length > 0)
    refuse(
      "entities",
      engine.checkParseEntities({ entities: list as never, ...(schemaText !== undefined && { schema: schemaText }) }),
      readEntities,
    );
  return {
    engine,
    policies: id,
    schema: schemaText === undefined ? undefined : id,
    entities: list,
    words,
    asks: { ...questionsIn(texts), ...(schemaText !== undefined && EVERYTHING) },
    isFresh: () => stamps.every(([path, stamp]) => stampOf(path) === stamp),
  };
}

let count = 0;

async function loadCedar(): Promise<Cedar> {
  // V8 of Node 20 ends the process when it undoes the optimization of a function into which it has put such a call.
  setFlagsFromString("--no-turbo-inline-js-wasm-calls");
  try {
    const loaded = (await importInstalled("@cedar-policy/cedar-wasm/nodejs")) as Cedar & { readonly default?: Cedar };
    return loaded.default ?? loaded;
  } catch (error) {
    throw PROBLEMS.noCedar(undefined, { cause: error });
  }
}

interface NamedPolicies extends Pick<CedarPolicies, "words"> {
  readonly staticPolicies: Record<string, string>;
  /** The conditions of each on resources and the context, as JSON. */
  readonly texts: readonly string[];
}

/** Policies under their `@id`, and the reason of a denial: `@reason`, else their id. */
function named(engine: Cedar, { text, file }: CedarText): NamedPolicies {
  const parts = engine.policySetTextToParts(text);
  if (parts.type === "failure") throw wrong("policies", parts.errors, { text, file });
  const staticPolicies: Record<string, string> = {};
  const words = new Map<string, string>();
  const texts: string[] = [];
  for (const [index, policy] of parts.policies.entries()) {
    const json = engine.policyToJson(policy);
    if (json.type === "failure") throw wrong("policies", json.errors);
    const { annotations, resource, conditions } = json.json;
    texts.push(JSON.stringify([resource, conditions]), resource.op === "All" ? "" : ASKS_RESOURCE);
    const { id: stated, reason } = annotations ?? {};
    const id = stated !== undefined && stated !== "" && !(stated in staticPolicies) ? stated : `policy${index}`;
    staticPolicies[id] = policy;
    words.set(id, reason ? `${reason} (policy ${id})` : `Forbidden by the policy ${id}.`);
  }
  return { staticPolicies, words, texts };
}

interface CedarText {
  readonly text: string;
  /** The file that contains it, if it is not written in the configuration. */
  readonly file?: string | undefined;
}

/** With a schema everything is passed, because Cedar checks whether it fits. */
const EVERYTHING: Omit<CedarQuestions, "resources"> = {
  folders: true,
  context: POLICY_FIELDS.filter((field) => field !== "agent" && field !== "event"),
};

function questionsIn(texts: readonly string[]): CedarQuestions {
  const text = texts.join("\n");
  const named = [...text.matchAll(CONTEXT_FIELD)].map(([, field]) => field);
  // A policy that compares the context as a whole, or hands it on, sees everything.
  const isWhole = named.length < text.split(ASKS_CONTEXT).length - 1;
  return {
    resources: text.includes(ASKS_RESOURCE),
    folders: ASKS_FOLDER.some((part) => text.includes(part)),
    context: isWhole ? EVERYTHING.context : EVERYTHING.context.filter((field) => named.includes(field)),
  };
}

const ASKS_RESOURCE = '"Var":"resource"';
const ASKS_FOLDER = ['"in":{', ':"in"'];
const ASKS_CONTEXT = '{"Var":"context"}';
const CONTEXT_FIELD = /\{"Var":"context"\},"\w+":\[?"(\w+)"/g;

/** A text, or the content of a file; relative paths start at the folder of the hook's configuration. */
function textOf(given: string, key: string, hook: Hook, stamps: (readonly [string, string])[]): CedarText {
  if (!FILE.test(given.trim())) return { text: given };
  const { origin } = hook;
  const path = resolve(origin === undefined ? "." : dirname(origin.place.file), fromHome(given.trim()));
  if (origin !== undefined && isOutside(origin, path)) throw PROBLEMS.cedarOutside({ key }, { path: ["cedar", key] });
  try {
    stamps.push([path, stampOf(path)]);
    return { text: readRegularFile(path).toString(), file: path };
  } catch (error) {
    throw PROBLEMS.noCedarFile({ path }, { path: ["cedar", key], cause: error });
  }
}

/** Whether a hook of a project names a file that is not in the project. */
function isOutside({ layer, place: { file } }: NonNullable<Hook["origin"]>, path: string): boolean {
  if (layer !== "project" && layer !== "local") return false;
  const folder = dirname(file);
  return !isInProject(basename(folder).startsWith(".") ? dirname(folder) : folder, path);
}

function stampOf(path: string): string {
  const found = statsAt(path);
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

function jsonList(text: string): readonly CedarEntity[] {
  try {
    const read: unknown = JSON.parse(text);
    if (Array.isArray(read)) return read as CedarEntity[];
  } catch {}
  throw PROBLEMS.badCedar({ key: "entities", why: "it is not a list in JSON" }, { path: ["cedar", "entities"] });
}

interface Answered {
  readonly type: string;
  readonly errors?: readonly {
    readonly message: string;
    readonly help: string | null;
    readonly sourceLocations?: readonly { readonly start: number }[];
  }[];
}

function refuse(key: string, answer: Answered, text?: CedarText): void {
  if (answer.type === "failure") throw wrong(key, answer.errors ?? [], text);
}

/** The problem of a text at the line that Cedar names, in the file that the text came from or inside the hook. */
function wrong(key: string, errors: NonNullable<Answered["errors"]>, given?: CedarText): Problem {
  const [first] = errors;
  // Cedar quotes what it could not read, and a file may be any file.
  const why =
    given?.file === undefined
      ? [first?.message ?? "it cannot be read", first?.help].filter(Boolean).join("; ")
      : "the file has not the form that Cedar reads";
  const start = first?.sourceLocations?.[0]?.start;
  const before = start === undefined || given === undefined ? undefined : linesBefore(given.text, start);
  const position = before === undefined ? [] : [before.length, (before.at(-1)?.length ?? 0) + 1];
  const [line, column] = position;
  const place = given?.file === undefined ? undefined : { file: given.file, ...(line && column && { line, column }) };
  return PROBLEMS.badCedar({ key, why }, { path: ["cedar", key, ...position], place });
}

/** Cedar counts bytes. */
function linesBefore(text: string, bytes: number): string[] {
  return Buffer.from(text).subarray(0, bytes).toString().split("\n");
}

const FILE = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)?[^\n;(){}]+\.(?:cedar|cedarschema|json)$/;

const PROBLEMS = problems("policy", {
  noCedar: () => ({
    what: "The package `@cedar-policy/cedar-wasm` is not installed; hooks with `cedar` need it.",
    fix: "Run `npm install @cedar-policy/cedar-wasm` beside Sluice.",
  }),
  badCedar: ({ key, why }: { key: string; why: string }) => ({
    what: `\`cedar.${key}\` cannot be read: ${why}.`,
    fix: "Correct it; `sluice check` reads it again.",
  }),
  doesNotFit: ({ policyId, why }: { policyId: string; why: string }) => ({
    what: `The policy ${policyId} does not fit its schema: ${why.replace(/\.$/, "")}.`,
    fix: "Correct the policy or the schema; docs/policy-engines.md has the schema of what policies are asked with.",
  }),
  cedarOutside: ({ key }: { key: string }) => ({
    what: `\`cedar.${key}\` names a file outside of the project, so it is not read.`,
    fix: "Put the file into the project.",
  }),
  noCedarFile: ({ path }: { path: string }) => ({
    what: `${path} cannot be read.`,
    fix: "Correct the path; it is seen from the folder of this configuration.",
  }),
});

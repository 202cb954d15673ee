import { eventNamed, eventSpellings } from "../event/catalogue.ts";
import { FIELD_SPELLINGS } from "../event/field.ts";
import { alternatives } from "../event/pattern.ts";
import type { Hook } from "../hook/hook.ts";
import { type PatternKind, unknownSign } from "../pattern/unknown-signs.ts";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { CALL_FIELDS, callFieldNamed, isCommandField, isPathInInput } from "./call-fields.ts";
import { CORE_FIELDS, EVENT_NAME_FIELDS } from "./field.ts";
import { implies } from "./implies.ts";
import { type NamedOperator, operatorNamed } from "./operator-words.ts";
import { deadPath, type PathView, type ProjectPlace } from "./path-shape.ts";
import { problemOf, type WrittenRule } from "./read.ts";
import { SESSION_MINUTES } from "./recent.ts";
import { type Comparison, comparisonsIn } from "./rule.ts";
import { ruleText } from "./text.ts";

/** What in a rule can be read and does not mean what it says: it could never match, or always would. */
export function lintRule({ rule, path, label, line, source = "" }: WrittenRule, place: ProjectPlace): Problem[] {
  const { modify } = rule;
  const target = modify && misnamed(modify.field, meantTarget);
  const found: Found[] = [
    ...comparisonsIn(rule.when).flatMap((comparison) => lintComparison(comparison, place)),
    ...(target === undefined ? [] : [{ on: "modify_field" as const, text: modify?.field ?? "", problem: target }]),
  ];
  return found.map(({ on, text, problem }) => {
    const column = Math.max(source.indexOf(text), 0) + 1;
    return problemOf(label, problem, line === undefined ? [...path, on] : [...path, line, column]);
  });
}

/** Rules that stand behind a wider one of the same hook: the first that matches decides. */
export function lintOrder(written: readonly WrittenRule[]): Problem[] {
  return written.flatMap(({ rule, path, label, line }, index) => {
    const first = written.slice(0, index).find((earlier) => implies(rule.when, earlier.rule.when));
    if (first === undefined) return [];
    const problem = PROBLEMS.neverReached({ first: ruleText(first.rule) });
    return [problemOf(label, problem, line === undefined ? path : [...path, line, 1])];
  });
}

/** The same of what a hook matches: the patterns of its event and of its matcher. */
export function lintMatcher({ name, eventPattern, matcher = {} }: Hook, place: ProjectPlace): Problem[] {
  const label = `hook "${name}"`;
  const entries = Object.entries(MATCHED).flatMap(([key, kind]) =>
    patternsIn(matcher, key).map(([spelled, index, text]) => ({ text, kind, path: ["matcher", spelled, index] })),
  );
  const tools =
    matcher.events === undefined ? alternatives(eventPattern).map((one) => one.split(":").at(-1) ?? "") : [];
  return [...entries, ...tools.map((text) => ({ text, kind: "tools" as const, path: ["event"] }))].flatMap(
    ({ text, kind, path }) => {
      const found = kind === "files" ? pathPatternProblem(text, place) : patternProblem(text, kind);
      return found === undefined ? [] : [problemOf(label, found, path)];
    },
  );
}

/** What the patterns of a matcher are compared with. */
const MATCHED = {
  tools: "tools",
  path_patterns: "files",
  command_patterns: "texts",
  model_patterns: "texts",
} as const satisfies Record<string, PatternKind>;

function patternsIn(matcher: object, key: string): [key: string, index: number, text: string][] {
  const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.entries(matcher).flatMap(([spelled, list]) =>
    (spelled === key || spelled === camel) && Array.isArray(list)
      ? list.flatMap((text: unknown, index): [string, number, string][] =>
          typeof text === "string" ? [[spelled, index, text]] : [],
        )
      : [],
  );
}

interface Found {
  /** The key of a rule in a list. */
  readonly on: "field" | "operator" | "value" | "modify_field";
  /** What it is about, as it is written in a line. */
  readonly text: string;
  readonly problem: Problem;
}

function lintComparison(comparison: Comparison, place: ProjectPlace): Found[] {
  const { field, operator, value } = comparison;
  const named = operatorNamed(operator);
  if (named === undefined) return [];
  const wrongField = misnamed(field);
  if (wrongField !== undefined) return [{ on: "field", text: field, problem: wrongField }];
  const senseless = senselessPair(field, operator, named);
  if (senseless !== undefined) return [{ on: "operator", text: operator, problem: senseless }];
  return texts(value).flatMap((text): Found[] => {
    const problem =
      patternProblem(text, kindOf(field, named)) ??
      pathProblem(text, field, named, place) ??
      (EVENT_NAME_FIELDS.has(field) && NAMING.has(named.name) && eventNamed(text) === undefined
        ? PROBLEMS.unknownEvent({ text })
        : undefined) ??
      (isToolField(field) && EXACT.has(named.name) && text.includes("*")
        ? PROBLEMS.noStar({ text, operator })
        : undefined);
    return problem === undefined ? [] : [{ on: "value", text, problem }];
  });
}

function isToolField(field: string): boolean {
  return field === "tool" || field === "tool_name";
}

const NAMING: ReadonlySet<string> = new Set(["equals", "in"]);
const EXACT: ReadonlySet<string> = new Set(["equals", "in", "starts_with", "ends_with", "contains"]);

function misnamed(field: string, meantBy = meantField): Problem | undefined {
  const meant = meantBy(field);
  return meant === undefined ? undefined : PROBLEMS.nearField({ field, meant });
}

function patternProblem(text: string, kind: PatternKind | undefined): Problem | undefined {
  const found = kind && unknownSign(text, kind);
  return found && PROBLEMS.unknownPattern({ pattern: text, ...found });
}

function pathPatternProblem(text: string, place: ProjectPlace): Problem | undefined {
  const dead = deadPath(text, { view: "pattern", operator: "glob" }, place);
  return patternProblem(text, "files") ?? (dead && PROBLEMS.deadPath({ path: text, ...dead }));
}

function kindOf(field: string, { name, row }: NamedOperator): PatternKind | undefined {
  if (row.patterns !== undefined) return row.patterns;
  if (name !== "glob") return undefined;
  return callFieldNamed(field)?.holds === "paths" ? "files" : "texts";
}

function pathProblem(text: string, field: string, { name, row }: NamedOperator, place: ProjectPlace) {
  const view = viewOf(field, row.patterns);
  if (view === undefined || name === "matches") return undefined;
  // A folder can be deleted as a whole.
  const word = view !== "pattern" ? name : name.endsWith("deletes") ? "deletes" : "glob";
  const dead = deadPath(text, { view, operator: word }, place);
  return dead && PROBLEMS.deadPath({ path: text, ...dead });
}

function viewOf(field: string, patterns: PatternKind | undefined): PathView | undefined {
  if (patterns !== undefined) return patterns === "files" ? "pattern" : undefined;
  // The input's own key also has its value as it is written, which may be anything.
  if (callFieldNamed(field)?.holds !== "paths" || isPathInInput(field)) return undefined;
  return field === "path_absolute" ? "absolute" : "path";
}

/** An operator that says nothing about what the field holds. */
function senselessPair(field: string, operator: string, { name, row }: NamedOperator): Problem | undefined {
  const { holds } = callFieldNamed(field) ?? {};
  if (row.onAct !== undefined) {
    const [first = ""] = field.split(".");
    const isNoLine = holds === "paths" || holds === "text" || (!isCommandField(field) && NO_LINES.has(first));
    return isNoLine ? PROBLEMS.noLine({ field, operator }) : undefined;
  }
  if (name === "exists") return undefined;
  if (holds === "act") return PROBLEMS.noText({ operator });
  const isNumber = field === "timestamp" || field === SESSION_MINUTES || field.startsWith("recent.");
  if (isNumber && TEXT_OPERATORS.has(name)) return PROBLEMS.noNumber({ field, operator });
  const isText = holds !== undefined || (CORE_FIELDS.includes(field) && field !== "timestamp" && field !== "data");
  return isText && NUMBER_OPERATORS.has(name) ? PROBLEMS.noCount({ field, operator }) : undefined;
}

const NO_LINES: ReadonlySet<string> = new Set([...CORE_FIELDS, "recent"].filter((name) => name !== "data"));
const TEXT_OPERATORS: ReadonlySet<string> = new Set(["contains", "glob", "matches", "starts_with", "ends_with"]);
const NUMBER_OPERATORS: ReadonlySet<string> = new Set(["gt", "lt", "gte", "lte"]);

function texts(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}

/**
 * The field that was most likely meant: one letter away from a name that events and tools are known to have, at any depth,
 * or a part of the input that is written without `args`. Nothing for a name that may be a tool's own.
 */
function meantField(field: string): string | undefined {
  const parts = field.split(".");
  const [first = "", ...rest] = parts;
  if (!EVENT_FIELDS.has(first)) {
    const meant = nearest(first, EVENT_FIELDS, 1);
    if (meant !== undefined) return [meant, ...rest].join(".");
    return INPUT_ONLY.has(first) ? ["args", ...parts].join(".") : undefined;
  }
  const known = INSIDE.find(([roots]) => roots.includes(first))?.[1];
  if (known === undefined) return undefined;
  const at = rest.findIndex((part) => part !== "*" && !/^\d+$/.test(part) && !known.has(part));
  const wrong = rest[at];
  const meant = wrong === undefined || wrong.length < SHORTEST ? undefined : nearest(wrong, known, 1);
  return meant === undefined ? undefined : [first, ...rest.with(at, meant)].join(".");
}

/** The same for a field that is changed, which may name a part of the input without `args`. */
function meantTarget(field: string): string | undefined {
  const [first = "", ...rest] = field.split(".");
  if (EVENT_FIELDS.has(first)) return meantField(field);
  const meant = INPUT_KEYS.has(first) || first.length < SHORTEST ? undefined : nearest(first, INPUT_KEYS, 1);
  return meant === undefined ? undefined : [meant, ...rest].join(".");
}

/** Shorter names are too easily one letter away from another. */
const SHORTEST = 4;

/** What events are known to have at the top of their data. */
const EVENT_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(FIELD_SPELLINGS).flat(),
  ...CORE_FIELDS,
  ...Object.keys(CALL_FIELDS),
  ...words(`file_path recent session_minutes content duration_ms event_type profile config exit_reason message title error_type stack_trace severity
    checkpoint_id checkpoint_type message_count duration_since_last_ms storage_path old_model reason triggered_by
    update_type content_size previous_hash new_hash perm_rule role source transcript_path permission_mode agent_id
    agent_type agent_name tool_use_id turn_id prompt_id trigger custom_instructions stop_hook_active last_assistant_message
    session_type notification_type raw text name names id ids status state state_path root worktree branch task task_id tasks
    description output input summary attachments mode model_id provider parent_session permission_suggestions version
    subagent_type reasoning edits files`),
]);

/** What tools are known to be given; also words that are close to them, and are other words. */
const INPUT_KEYS: ReadonlySet<string> = new Set(
  words(`command commands cmd script code line lines cwd workdir working_dir workdirectory description timeout timeout_ms
    run_in_background background is_background path paths file files file_path file_paths filePath filePaths filename
    filenames absolute_path notebook_path cell_id cell_type edit_mode new_source target target_file target_path dest destination
    source src from to new_path old_path content contents file_text file_content text texts old_string new_string
    oldString newString old_str new_str replace_all replaceAll edits edit changes patch patches diff input inputs
    instruction instructions explanation pattern patterns regex include exclude glob globs query queries search url urls
    uri uris prompt prompts headers header method body data date dates id ids key keys value values name names title titles
    type types kind kinds mode model models node nodes root roots host hosts port ports user users owner repo branch
    branches state status label labels tag tags comment comments issue issues limit offset page pages size sizes count
    index item items list lists link links field fields filter filters format form folder folders dir dirs directory
    directories depth recursive recurse force option options output outputs result results message messages task tasks
    todo todos test tests time times token tokens tool tools tool_name server args argv arguments param params context
    language languages level levels match matches batch watch part parts note notes order orders row rows table tables
    sql statement database schema version versions view_range insert_line insert_text start_line end_line start end
    selector ref refs action actions event events subject email sheet range ranges color colour width height length`),
);

/** Where only the input of a tool has such a part. */
const INPUT_ONLY: ReadonlySet<string> = new Set(words("command cmd old_string new_string url pattern query"));

const RESULT_KEYS: ReadonlySet<string> = new Set(
  words(`stdout stderr output outputs error errors exitCode exit_code exit code codes status success ok interrupted isImage content contents text
    texts result results filePath file_path type types message messages metadata title data date llmContent returnDisplay duration
    durationMs duration_ms bytes url id ids name names lines line files file path paths count`),
);

const INSIDE: readonly (readonly [roots: readonly string[], known: ReadonlySet<string>])[] = [
  [FIELD_SPELLINGS.tool_args, INPUT_KEYS],
  [FIELD_SPELLINGS.tool_result, RESULT_KEYS],
];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const PROBLEMS = problems("rule", {
  neverReached: ({ first }: { first: string }) => ({
    what: `this rule is never reached: where it matches, \`${first}\` has decided before it.`,
    fix: "Put the narrower rule first, or remove it.",
  }),
  nearField: ({ field, meant }: { field: string; meant: string }) => ({
    what: `no event is known to have the field ${field}; without it the rule never matches.`,
    fix: `Did you mean "${meant}"?`,
  }),
  unknownEvent: ({ text }: { text: string }) => ({
    what: `"${text}" is not an event that Sluice knows.`,
    fix: `${didYouMean(text, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
  unknownPattern: ({ pattern, what, fix }: { pattern: string; what: string; fix: string }) => ({
    what: `the pattern "${pattern}" ${what}; patterns know *, **, ?, […] and {a,b}.`,
    fix,
  }),
  deadPath: ({ path, what, fix }: { path: string; what: string; fix: string }) => ({
    what: `"${path}" ${what}; no file of a call would ever fit it.`,
    fix,
  }),
  noStar: ({ text, operator }: { text: string; operator: string }) => ({
    what: `\`${operator}\` takes the \`*\` of "${text}" as it is, and no tool has one in its name.`,
    fix: `Write \`tool glob "${text}"\`.`,
  }),
  noLine: ({ field, operator }: { field: string; operator: string }) => ({
    what: `\`${operator}\` asks what a call does, and ${field} holds no command line.`,
    fix: `Write \`call ${operator} …\`.`,
  }),
  noText: ({ operator }: { operator: string }) => ({
    what: `\`call\` is what a call does, and \`${operator}\` compares text.`,
    fix: `Write \`call runs "git push"\` or \`call writes "src/**"\`; for the text of a command, \`args.command ${operator} …\`.`,
  }),
  noNumber: ({ field, operator }: { field: string; operator: string }) => ({
    what: `${field} is a number, and \`${operator}\` compares text.`,
    fix: `Write \`${field} gte 3\`, for example.`,
  }),
  noCount: ({ field, operator }: { field: string; operator: string }) => ({
    what: `${field} is text, and \`${operator}\` compares numbers.`,
    fix: `Write \`${field} equals …\` or \`${field} glob …\`.`,
  }),
});

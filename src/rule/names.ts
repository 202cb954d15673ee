import { agentNames } from "../event/agent-names.ts";
import { eventNamed, eventSpellings } from "../event/catalogue.ts";
import { FIELD_SPELLINGS } from "../event/field.ts";
import { isToolKind, TOOL_KINDS, toolMeantBy } from "../event/tool-kinds.ts";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { CALL_FIELDS } from "./call-fields.ts";
import { CORE_FIELDS, EVENT_NAME_FIELDS } from "./field.ts";
import { operatorNamed } from "./operator-words.ts";
import { problemOf, type WrittenRule } from "./read.ts";
import { type Comparison, comparisonsIn } from "./rule.ts";

/** A problem of one comparison, and the part of it that is wrong. */
export interface RuleFinding {
  /** The key of a rule in a list. */
  readonly on: "field" | "operator" | "value" | "modify_field";
  /** What is wrong, as it is written in a line. */
  readonly text: string;
  readonly problem: Problem;
}

/** Names in a rule that do not exist: fields, events, agents, tools. A rule with one of them does not compile. */
export function unknownNames(written: WrittenRule): Problem[] {
  const { modify, when } = written.rule;
  const target = modify && misnamed(modify.field, meantTarget);
  return placedIn(written, [
    ...comparisonsIn(when).flatMap(unknownName),
    ...(target === undefined ? [] : [{ on: "modify_field" as const, text: modify?.field ?? "", problem: target }]),
  ]);
}

/** The problems of a rule at their places. */
export function placedIn({ path, label, line, source = "" }: WrittenRule, found: readonly RuleFinding[]): Problem[] {
  return found.map(({ on, text, problem }) => {
    const column = Math.max(source.indexOf(text), 0) + 1;
    return problemOf(label, problem, line === undefined ? [...path, on] : [...path, line, column]);
  });
}

/** The names in one comparison that do not exist. */
export function unknownName({ field, operator, value }: Comparison): RuleFinding[] {
  const wrongField = misnamed(field, meantField);
  if (wrongField !== undefined) return [{ on: "field", text: field, problem: wrongField }];
  const { name = "" } = operatorNamed(operator) ?? {};
  if (!NAMING.has(name)) return [];
  const check = EVENT_NAME_FIELDS.has(field) ? unknownEvent : SETS[field];
  return [value].flat().flatMap((text: unknown): RuleFinding[] => {
    const problem = typeof text === "string" ? check?.(text) : undefined;
    return problem === undefined ? [] : [{ on: "value", text: String(text), problem }];
  });
}

const NAMING: ReadonlySet<string> = new Set(["equals", "in"]);

/** What the fields may be that have a known set of values. */
const SETS: Readonly<Record<string, (text: string) => Problem | undefined>> = {
  agent: (text) => {
    const known = agentNames();
    return known.length === 0 || known.includes(text) ? undefined : PROBLEMS.unknownAgent({ text, known });
  },
  tool: unknownTool,
  tool_name: unknownTool,
};

function unknownEvent(text: string): Problem | undefined {
  return eventNamed(text) === undefined ? PROBLEMS.unknownEvent({ text }) : undefined;
}

function unknownTool(text: string): Problem | undefined {
  if (text.startsWith("@"))
    return isToolKind(text) ? PROBLEMS.kindInRule({ kind: text }) : PROBLEMS.unknownKind({ kind: text });
  const near = toolMeantBy(text);
  return near === undefined || near === text ? undefined : PROBLEMS.nearTool({ tool: text, near });
}

function misnamed(field: string, meantBy: (field: string) => string | undefined): Problem | undefined {
  const meant = meantBy(field);
  return meant === undefined ? undefined : PROBLEMS.nearField({ field, meant });
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
    const input = INPUT_KEYS.has(first) || first.length < SHORTEST ? first : nearest(first, INPUT_ONLY, 1);
    return input !== undefined && INPUT_ONLY.has(input) ? ["args", input, ...rest].join(".") : undefined;
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
  ...words(`file_path recent session session_minutes content duration_ms event_type profile config exit_reason message title error_type stack_trace severity
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
  nearField: ({ field, meant }: { field: string; meant: string }) => ({
    what: `no event is known to have the field ${field}; without it the rule never matches.`,
    fix: `Did you mean "${meant}"?`,
  }),
  unknownEvent: ({ text }: { text: string }) => ({
    what: `"${text}" is not an event of Sluice.`,
    fix: `${didYouMean(text, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
  unknownAgent: ({ text, known }: { text: string; known: readonly string[] }) => ({
    what: `"${text}" is not an agent that Sluice knows; the rule never matches.`,
    fix: agentMeantBy(text, known) ?? `There are ${known.join(", ")}.`,
  }),
  unknownKind: ({ kind }: { kind: string }) => ({
    what: `"${kind}" is not a tool kind; the rule never matches.`,
    fix: didYouMean(kind, Object.keys(TOOL_KINDS)) || `There are ${Object.keys(TOOL_KINDS).join(", ")}.`,
  }),
  kindInRule: ({ kind }: { kind: string }) => ({
    what: `"${kind}" is a tool kind, and \`tool\` is the name of one tool; the rule never matches.`,
    fix: `Write \`event: tool:pre_execute:${kind}\` for the hook.`,
  }),
  nearTool: ({ tool, near }: { tool: string; near: string }) => ({
    what: `no agent is known to have the tool ${tool}; names of tools compare exactly.`,
    fix: `Did you mean "${near}"?`,
  }),
});

/** An agent that is named like this, or whose name begins or ends so: `claude` for `claude-code`. */
function agentMeantBy(text: string, known: readonly string[]): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[^a-z]/g, "");
  const meant = nearest(text, known) ?? known.find((name) => plain !== "" && name.replaceAll("-", "").includes(plain));
  return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}

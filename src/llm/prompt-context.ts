import { dataField, type EventFacts, FIELD_SPELLINGS, type FieldName } from "../event/field.ts";

/** Everything a prompt may name. */
export type PromptContext = Readonly<Record<string, unknown>>;

/** What a prompt may name for one event: its data in every spelling; what the event itself knows wins. */
export function promptContext(event: EventFacts): PromptContext {
  const names = Object.keys(FIELD_SPELLINGS) as FieldName[];
  const spelled = names.flatMap((name) => {
    const value = dataField(event, name);
    return FIELD_SPELLINGS[name].map((spelling): [string, unknown] => [spelling, value]);
  });
  const own = {
    event: event.type,
    type: event.type,
    tool: event.toolName,
    tool_name: event.toolName,
    session_id: event.sessionId,
    sessionId: event.sessionId,
    cwd: event.cwd,
    agent: event.agent,
    timestamp: event.timestamp,
  };
  const known = [...spelled, ...Object.entries(own)].filter(([, value]) => value !== undefined);
  return Object.fromEntries([["data", event.data], ...Object.entries(event.data), ...known]);
}

/** The value under a path such as `args.command`; where it is not there, under its other spellings. */
export function lookUp(context: PromptContext, path: readonly string[]): unknown {
  for (const spelling of [path, ...otherSpellings(path)]) {
    const value = descend(context, spelling);
    if (value !== undefined) return value;
  }
  return undefined;
}

function descend(context: PromptContext, path: readonly string[]): unknown {
  return path.reduce<unknown>((holder, key) => (isHolder(holder, key) ? readKey(holder, key) : undefined), context);
}

function isHolder(value: unknown, key: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

/** A program's own objects may throw when they are read. */
function readKey(holder: Record<string, unknown>, key: string): unknown {
  try {
    return holder[key];
  } catch {
    return undefined;
  }
}

function otherSpellings(path: readonly string[]): readonly (readonly string[])[] {
  const [first = "", ...rest] = path;
  const group = GROUPS.find((spellings) => spellings.includes(first)) ?? [];
  const homes = PATH_HOMES.some((home) => home.join(".") === path.join(".")) ? PATH_HOMES : [];
  return [...group.map((spelling) => [spelling, ...rest]), ...homes];
}

const GROUPS: readonly (readonly string[])[] = Object.values(FIELD_SPELLINGS);

/** Where a file's path may lie; asking for one asks for all. */
const PATH_HOMES: readonly (readonly string[])[] = [
  ["path"],
  ["file_path"],
  ...FIELD_SPELLINGS.tool_args.flatMap((args) => [
    [args, "path"],
    [args, "file_path"],
  ]),
];

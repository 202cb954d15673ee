import type { CallFile } from "../effects/call-files.ts";
import { effectText } from "../effects/effect.ts";
import { type EventFacts, FIELD_SPELLINGS } from "../event/field.ts";
import type { Tools } from "./operators.ts";

/** A field that is worked out of a call, the same for every agent and tool. */
export interface CallField {
  readonly means: string;
  /** What kind of values it has; operators are read by it. */
  readonly holds: "paths" | "text" | "act" | "repository";
  readonly values: (event: EventFacts, tools: Tools) => readonly unknown[];
}

/** The fields besides the payload's own. */
export const CALL_FIELDS = {
  path: {
    means:
      "the file of the call: what it changes, else what it reads; from the project's folder, absolute outside of it",
    holds: "paths",
    values: (event, { files }) => pathsOf(changedOrRead(files(event))),
  },
  paths: {
    means: "every file of the call, changed or read",
    holds: "paths",
    values: (event, { files }) => {
      const { written, deleted, read } = files(event);
      return pathsOf([...written, ...deleted, ...read]);
    },
  },
  path_absolute: {
    means: "the file of the call, from the root of the disk",
    holds: "paths",
    values: (event, { files }) => changedOrRead(files(event)).map(({ absolute }) => absolute),
  },
  content: {
    means:
      "the text that would be written: by tools for files, edits, patches, notebook cells, here-documents, redirections",
    holds: "text",
    values: (event, { contents }) => {
      const { content } = event.data;
      return event.toolName === undefined && content !== undefined ? [content] : contents(event);
    },
  },
  branch: {
    means: "the branch of git that is checked out in the folder of the event",
    holds: "text",
    values: (event, { repository }) => {
      const branch = repository(event)?.branch();
      return branch === undefined ? [] : [branch];
    },
  },
  repo: {
    means: "the repository of git in which the event happens; `repo dirty` asks about it",
    holds: "repository",
    values: (event, { repository }) => (repository(event) === undefined ? [] : ["repository"]),
  },
  call: {
    means: "the act itself, whichever tool does it; the words about what a call does ask about it",
    holds: "act",
    values: (event, { act }) => {
      const done = event.toolName === undefined ? undefined : act(event);
      return done === undefined ? [] : [done.effects.map(effectText).filter((text) => text !== "")];
    },
  },
} as const satisfies Record<string, CallField>;

/** The field of that name; a file's path has several spellings. */
export function callFieldNamed(name: string): CallField | undefined {
  if (Object.hasOwn(CALL_FIELDS, name)) return CALL_FIELDS[name as keyof typeof CALL_FIELDS];
  return name === "file_path" || PATHS_IN_INPUT.includes(name) ? CALL_FIELDS.path : undefined;
}

/** Whether a field is worked out of the call. */
export function isCallField(name: string): boolean {
  return callFieldNamed(name) !== undefined;
}

/** Whether a field is the command line of a call, in any spelling. */
export function isCommandField(name: string): boolean {
  return FIELD_SPELLINGS.tool_args.some((args) => name === `${args}.command`);
}

/** Whether a field names a key of the input itself, which also has its value as it is written. */
export function isPathInInput(name: string): boolean {
  return PATHS_IN_INPUT.includes(name);
}

const PATHS_IN_INPUT: readonly string[] = FIELD_SPELLINGS.tool_args.flatMap((args) => [
  `${args}.path`,
  `${args}.file_path`,
]);

function changedOrRead({ written, deleted, read }: ReturnType<Tools["files"]>): readonly CallFile[] {
  return written.length + deleted.length > 0 ? [...written, ...deleted] : read;
}

function pathsOf(files: readonly CallFile[]): string[] {
  return [...new Set(files.map(({ path }) => path))];
}

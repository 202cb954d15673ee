import { changeFile } from "../config/change-file.ts";
import { type ConfigDocument, parseDocument, readDocument } from "../config/document.ts";
import { append, edit, withException } from "../config/edit.ts";
import { findHookList, type HookData } from "../config/hook-list.ts";
import { configFolder, presentConfig } from "../config/locate.ts";
import { noteOwnWrite } from "../fs/own-writes.ts";
import { writeAtomic } from "../fs/write-atomic.ts";
import type { Hook } from "../hook/hook.ts";
import type { NarrowException } from "../policies/guards/narrow.ts";
import { problems } from "../problem/problem.ts";

/** What becomes of a file of configuration. */
export interface ConfigEdit {
  readonly path: string;
  /** The byte order mark of the file, if it has one. */
  readonly mark: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** An exception as it is written. */
export interface WrittenException extends NarrowException {
  readonly until?: string;
  readonly reason: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The user's own configuration with these exceptions. */
export function exceptionEdit(exceptions: readonly WrittenException[], context: { readonly env: Env }): ConfigEdit {
  return ownFileEdit(context, (document) =>
    exceptions.reduce((text, exception) => withException(again(document.path, text), exception), document.text),
  );
}

/** The user's own configuration with one more hook. */
export function addedHookEdit(hook: HookData, context: { readonly env: Env }): ConfigEdit {
  return ownFileEdit(context, (document) => {
    const { path = ["hooks"] } = findHookList(document);
    return append(document, path, [hook]);
  });
}

/** The file of a hook with other values of it; undefined if it is in no file that can be changed. */
export function changedHookEdit(hook: Hook, set: HookData, remove: readonly string[] = []): ConfigEdit | undefined {
  const file = hook.origin?.place.file;
  const read = file === undefined ? undefined : readDocument(file);
  if (file === undefined || read?.state !== "read") return undefined;
  const { document } = read;
  const { path, entries } = findHookList(document);
  if (path === undefined) return undefined;
  const steps = entries.map(({ index }) =>
    index === hook.origin?.index ? { kind: "change" as const, index, set, remove } : { kind: "keep" as const, index },
  );
  return { path: file, mark: document.mark, before: document.text, after: edit(document, path, steps) };
}

function ownFileEdit(context: { readonly env: Env }, change: (document: ConfigDocument) => string): ConfigEdit {
  const folder = configFolder("user", "", context);
  const path = presentConfig(folder) ?? `${folder}/hooks.yaml`;
  const read = readDocument(path);
  if (read.state !== "read" && read.state !== "missing") throw PROBLEMS.unreadable({ path }, { place: { file: path } });
  const { mark, text: before } = read.state === "read" ? read.document : { mark: "", text: undefined };
  return { path, mark, before, after: change(again(path, before ?? EMPTY)) };
}

function again(path: string, text: string): ConfigDocument {
  const read = parseDocument(path, text);
  if (read.state !== "read") throw PROBLEMS.unreadable({ path }, { place: { file: path } });
  return read.document;
}

const EMPTY = "# Your own hooks and guards: they apply in all your projects, whatever a project configures.\n";

/** Writes an edit, unless the file has changed since it was made. */
export function writeEdit({ path, mark, before, after }: ConfigEdit): void {
  changeFile(path, () => {
    const read = readDocument(path);
    const now = read.state === "read" ? read.document.text : undefined;
    if (now !== before) throw PROBLEMS.changedSince({ path }, { place: { file: path } });
    noteOwnWrite(path, mark + after);
    writeAtomic(path, mark + after);
  });
}

const PROBLEMS = problems("guard", {
  unreadable: ({ path }: { path: string }) => ({
    what: `${path} cannot be read, so nothing was written.`,
    fix: "`sluice check` reports what is wrong with it.",
  }),
  changedSince: ({ path }: { path: string }) => ({
    what: `${path} has changed while the question was asked. Nothing was written.`,
    fix: "Run the command again.",
  }),
});

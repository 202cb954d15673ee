import { type Intent, isActive } from "../intent/intent.ts";
import { columns } from "./columns.ts";
import type { Io } from "./io.ts";
import { oneLine, paintFor, visible } from "./paint.ts";

/** The intents, one a line. */
export function listLines(intents: readonly Intent[], io: Io): string[] {
  const paint = paintFor(io);
  const rows = intents.map((intent) => [
    paint.name(oneLine(intent.id, 30)),
    isActive(intent) ? paint.good(intent.status) : paint.dim(oneLine(intent.status, 20)),
    oneLine(intent.name, 50),
    paint.dim(oneLine(intent.ownedScope.join(", "), 60)),
  ]);
  return columns(rows);
}

/** One intent with everything that it demands. */
export function intentLines(intent: Intent, io: Io): string[] {
  const paint = paintFor(io);
  const part = (title: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [paint.strong(title), ...texts.map((text) => `  ${visible(text)}`)];
  const { id, status, name, ownedScope, constraints, acceptanceCriteria } = intent;
  return [
    `${paint.name(visible(id))}  ${isActive(intent) ? paint.good(status) : visible(status)}  ${visible(name)}`,
    ...part("owns", ownedScope.length === 0 ? ["nothing"] : ownedScope),
    ...part("keeps to", constraints),
    ...part("is done when", acceptanceCriteria),
  ];
}

/** The same for programs, in the words of the file. */
export function intentJson({ id, name, status, ownedScope, constraints, acceptanceCriteria }: Intent): object {
  return { id, name, status, owned_scope: ownedScope, constraints, acceptance_criteria: acceptanceCriteria };
}

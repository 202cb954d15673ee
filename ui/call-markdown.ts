import type { CallDetail } from "../src/ui-server/wire.ts";
import { msText, pathText, plain } from "./format.ts";

/** A call as Markdown, for a ticket or a message. What agents wrote is put into code, where it cannot become markup. */
export function markdownOf(call: CallDetail): string {
  const { id, at, agent, tool, event, action, ms, reasons, results } = call;
  const facts = [new Date(at).toISOString(), agent, tool, event, `decided in ${msText(ms)}`, `decision ${id}`];
  const input = call.input === undefined ? undefined : textOf(call.input);
  const telling = results.filter((result) => result.action !== "continue" || result.failure !== undefined);
  return [
    `**${action}**: ${facts
      .filter((fact) => fact !== undefined)
      .map((fact) => inline(fact))
      .join(", ")}`,
    ...(input === undefined ? [] : [fenced(input)]),
    ...reasons.map((reason) => fenced(reason)),
    ...telling.map(
      ({ hook, action: said, file, line, failure }) =>
        `- ${inline(hook)}: ${failure === undefined ? said : `broke (${failure})`}${file === undefined ? "" : `, ${inline(`${pathText(file)}${line === undefined ? "" : `:${line}`}`)}`}`,
    ),
    "",
  ].join("\n\n");
}

function textOf(input: unknown): string {
  const { command } = Object(input) as { readonly command?: unknown };
  if (typeof input === "string") return input;
  return typeof command === "string" ? command : JSON.stringify(input, null, 2);
}

/** Code between so many backticks that none of the text can end it. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${plain(text)}\n${fence}`;
}

function inline(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const shown = plain(text).replaceAll(/\s+/g, " ");
  return shown.startsWith("`") || shown.endsWith("`") ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

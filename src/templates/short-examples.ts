import type { ExamplesSpec } from "../hook/example.ts";
import type { Hook } from "../hook/hook.ts";
import type { TemplateExample } from "./template-example.ts";

/** The examples that come along when a template is copied: a few shell commands, where no folder has to be prepared for any. */
export function shortExamples(hook: Hook, examples: readonly TemplateExample[]): ExamplesSpec | undefined {
  const isBare = examples.every(({ files, programs, before, after }) => !(files ?? programs ?? before ?? after));
  const tool = ["Bash", "bash"].find((name) => hook.hears("tool:pre_execute", name));
  if (!isBare || tool === undefined) return undefined;
  const commands = (action: TemplateExample["expect"]) =>
    examples.flatMap((example) => (example.expect === action ? commandOf(example, tool) : [])).slice(0, MOST);
  const [deny, allow] = [commands("deny"), commands("continue")];
  return deny.length > 0 && allow.length > 0 ? { deny, allow } : undefined;
}

function commandOf({ event, tool, args, data }: TemplateExample, heard: string): string[] {
  const { command, ...others } = Object(args) as Record<string, unknown>;
  const isPlain =
    event === "tool:pre_execute" && tool === heard && data === undefined && Object.keys(others).length === 0;
  return isPlain && typeof command === "string" && !command.includes("\n") && command.length <= LONGEST
    ? [command]
    : [];
}

const MOST = 3;
const LONGEST = 60;

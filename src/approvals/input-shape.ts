import { callEffects } from "../effects/call-effects.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField, namedPaths } from "../event/field.ts";

/** What calls have in common that only differ in names: programs with their verbs and options, or a tool and the kind of file. */
export function inputShape(event: HookEvent): string {
  const tool = event.toolName ?? event.type;
  const commands = event.type === "tool:pre_execute" ? (callEffects(event)?.commands ?? []) : [];
  if (commands.length > 0) return commands.slice(0, MAX_COMMANDS).map(commandShape).join(" ; ");
  const [path] = namedPaths(event);
  if (path !== undefined) return `${tool} ${fileShape(path)}`;
  const args = dataField(event, "tool_args");
  const keys = typeof args === "object" && args !== null ? Object.keys(args).sort() : [];
  return keys.length === 0 ? tool : `${tool} {${keys.slice(0, MAX_KEYS).join(", ")}}`;
}

interface ShapedCommand {
  readonly program?: { readonly text: string } | undefined;
  readonly args: readonly { readonly text: string }[];
  readonly redirects: readonly unknown[];
}

function commandShape({ program, args, redirects }: ShapedCommand): string {
  const words = args.map(({ text }) => text);
  const [verb = ""] = words;
  const options = words.filter((word) => /^--?[a-zA-Z]/.test(word)).map((word) => word.replace(/=.*/s, "="));
  const isVerb = /^[a-z][a-z-]{1,20}$/.test(verb);
  const name = (program?.text ?? "").split("/").at(-1) ?? "";
  return [name, ...(isVerb ? [verb] : []), ...[...new Set(options)].sort(), ...(redirects.length > 0 ? [">"] : [])]
    .join(" ")
    .slice(0, LONGEST);
}

function fileShape(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `*${name.slice(dot)}` : name;
}

const MAX_COMMANDS = 6;
const MAX_KEYS = 8;
const LONGEST = 120;

import { COMMAND_GROUPS, COMMAND_PAIRS, COMMON_OPTIONS, type Command, type Option } from "../command.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { columns, type Paint, textWidth } from "./terminal-text.ts";

/** The output of `sluice` and `sluice --help`. */
export function overview(commands: readonly Command[], { paint, width }: Shown): string {
  const groups = Object.entries(COMMAND_GROUPS).flatMap(([group, title]) => {
    const own = commands.filter((command) => command.group === group && command.aliasOf === undefined);
    const rows = own.map(({ name, summary }) => [`  ${paint.name(name)}`, summary] as const);
    return own.length === 0 ? [] : ["", paint.strong(title), ...described(rows, { paint, width })];
  });
  return [
    `${paint.strong("sluice")}  the hooks engine for AI coding agents`,
    ...groups,
    "",
    paint.strong("Which one?"),
    ...COMMAND_PAIRS.map((text) => `  ${text.replaceAll(/`([^`]+)`/g, (_, name: string) => paint.name(name))}`),
    `  Older names: ${commands.flatMap(({ name, aliasOf }) => (aliasOf === undefined ? [] : [`${name} is ${aliasOf}`])).join(", ")}.`,
    "",
    `Start with ${paint.name("sluice setup")}. ${paint.name("sluice <command> --help")} describes one command.`,
  ].join("\n");
}

/** Where help is shown. */
interface Shown {
  readonly paint: Paint;
  readonly width: number;
}

/** Names with what they mean beside them; what is wider than the terminal continues below, not under the name. */
function described(rows: readonly (readonly [name: string, text: string])[], { width }: Shown): string[] {
  const indent = Math.max(NAME_WIDTH, ...rows.map(([name]) => textWidth(name))) + 2;
  return rows.flatMap(([name, text]) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const line = lines.at(-1) ?? "";
      if (line === "") lines[lines.length - 1] = word;
      else if (indent + line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
      else lines.push(word);
    }
    return lines.map((line, at) =>
      at === 0 ? name + " ".repeat(indent - textWidth(name)) + line : " ".repeat(indent) + line,
    );
  });
}

/** The groups are aligned with each other. */
const NAME_WIDTH = "  completion".length;

/** The output of `sluice <command> --help`. */
export function commandHelp(command: Command, shown: Shown): string {
  const { paint } = shown;
  const options = Object.entries<Option>({ ...command.options, ...COMMON_OPTIONS });
  return [
    `${paint.strong(`sluice ${command.name}`)} ${command.usage}`,
    command.summary,
    ...(command.aliasOf === undefined ? [] : [`The same as \`sluice ${command.aliasOf}\`.`]),
    "",
    ...described(
      options.map(([name, { value, means }]) => [`  --${name}${value ? ` <${value}>` : ""}`, means]),
      shown,
    ),
    "",
    "Exit codes:",
    ...columns(Object.values(EXIT_CODES).map(({ code, means }) => [`  ${code}`, means])),
  ].join("\n");
}

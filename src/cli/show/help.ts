import { COMMON_OPTIONS, type Command, type Option } from "../command.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { columns, type Paint } from "./terminal-text.ts";

/** The output of `sluice` and `sluice --help`. */
export function overview(commands: readonly Command[], paint: Paint): string {
  return [
    `${paint.strong("sluice")}  the hooks engine for AI coding agents`,
    "",
    ...columns(commands.map(({ name, summary }) => [`  ${paint.name(name)}`, summary])),
    "",
    `Start with ${paint.name("sluice init")}. ${paint.name("sluice <command> --help")} describes one command.`,
  ].join("\n");
}

/** The output of `sluice <command> --help`. */
export function commandHelp(command: Command, paint: Paint): string {
  const options = Object.entries<Option>({ ...command.options, ...COMMON_OPTIONS });
  return [
    `${paint.strong(`sluice ${command.name}`)} ${command.usage}`,
    command.summary,
    "",
    ...columns(options.map(([name, { value, means }]) => [`  --${name}${value ? ` <${value}>` : ""}`, means])),
    "",
    "Exit codes:",
    ...columns(Object.values(EXIT_CODES).map(({ code, means }) => [`  ${code}`, means])),
  ].join("\n");
}

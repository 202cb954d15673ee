import { eventSpellings } from "../../event/catalogue.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { COMMON_OPTIONS, type Command, type CommandInput } from "../command.ts";
import type { Exit } from "../exit-codes.ts";

/** Prints a completion script, made from the tables of commands and events. */
export function run({ words, io, commands, has }: CommandInput): Exit {
  const [shell = ""] = words;
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (write === undefined) throw PROBLEMS.unknownShell({ shell });
  const script = write(commands);
  io.out(has("json") ? JSON.stringify({ shell, script }, null, 2) : script);
  return "done";
}

type Writer = (commands: readonly Command[]) => string;

const SHELLS: Readonly<Record<string, Writer>> = { bash, zsh, fish };

function bash(commands: readonly Command[]): string {
  const cases = commands.map(
    (command) => `    ${command.name}) words=${quoted([...optionsOf(command), ...argumentsOf(command)])} ;;`,
  );
  return `# bash completion for sluice: put \`eval "$(sluice completion bash)"\` into ~/.bashrc
_sluice() {
  local words index prefix current=\${COMP_LINE:0:COMP_POINT}
  current=\${current##* }
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
    *) words=${quoted(commands.map(({ name }) => name))} ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words=${quoted(commands.map(({ name }) => name))}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Where a colon breaks words, bash replaces only what stands behind it.
  case $COMP_WORDBREAKS in
    *:*)
      prefix=\${current%"\${current##*:}"}
      for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=\${COMPREPLY[index]#"$prefix"}; done ;;
  esac
}
complete -F _sluice sluice`;
}

function zsh(commands: readonly Command[]): string {
  const verbs = commands.map(({ name, summary }) => `    ${single(`${name}:${summary}`)}`);
  const cases = commands.map((command) => {
    const words = [...optionsOf(command), ...argumentsOf(command)].map((word) => single(word)).join(" ");
    return `    ${command.name}) compadd -- ${words} ;;`;
  });
  return `#compdef sluice
# zsh completion for sluice: put \`source <(sluice completion zsh)\` into ~/.zshrc
_sluice() {
  local -a verbs=(
${verbs.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command verbs; return; fi
  case $words[2] in
${cases.join("\n")}
  esac
}
compdef _sluice sluice`;
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    const options = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
      ([name, { type, means }]) =>
        `complete -c sluice -n '${seen}' -l ${name}${type === "string" ? " -r" : ""} -d ${single(means)}`,
    );
    const words = argumentsOf(command);
    return [
      `complete -c sluice -n __fish_use_subcommand -a ${command.name} -d ${single(command.summary)}`,
      ...options,
      ...(words.length > 0 ? [`complete -c sluice -n '${seen}' -a ${single(words.join(" "))}`] : []),
    ];
  });
  return `# fish completion for sluice: sluice completion fish > ~/.config/fish/completions/sluice.fish
complete -c sluice -f
${lines.join("\n")}`;
}

function optionsOf(command: Command): string[] {
  return Object.keys({ ...command.options, ...COMMON_OPTIONS }).map((name) => `--${name}`);
}

function argumentsOf({ completes }: Command): readonly string[] {
  return completes === "events" ? eventSpellings() : (completes ?? []);
}

function quoted(words: readonly string[]): string {
  return single(words.join(" "));
}

function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const PROBLEMS = problems("usage", {
  unknownShell: ({ shell }: { shell: string }) => ({
    what: shell === "" ? "`sluice completion` needs the name of a shell." : `There is no completion for "${shell}".`,
    fix: `${didYouMean(shell, Object.keys(SHELLS))} It knows ${Object.keys(SHELLS).join(", ")}.`.trim(),
  }),
});

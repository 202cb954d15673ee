import { ADAPTERS } from "../../adapters/index.ts";
import { knownNames } from "../../check/agent-facts.ts";
import { loadLayers } from "../../config/load.ts";
import { eventSpellings } from "../../event/catalogue.ts";
import { readIntents } from "../../policies/intent/intents-file.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { HOOK_TEMPLATES } from "../../templates/index.ts";
import { COMMON_OPTIONS, type Command, type CommandInput, type CompletionSource, type Option } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";

/** Prints a completion script, made from the tables of commands; or the completions that such a script asks for. */
export function run(input: CommandInput): Exit {
  const { words, io, commands, has } = input;
  const asked = input.text("words");
  if (asked !== undefined) {
    const found = wordsFrom(asked, input);
    if (has("json")) io.out(JSON.stringify(found));
    else for (const word of found) io.out(word);
    return "done";
  }
  const [shell = ""] = words;
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (write === undefined) throw PROBLEMS.unknownShell({ shell });
  const script = write(commands);
  io.out(has("json") ? JSON.stringify({ shell, script }, null, 2) : script);
  return "done";
}

/** The current completions of a source; a name with blanks cannot be completed. */
function wordsFrom(source: string, input: CommandInput): readonly string[] {
  if (!Object.hasOwn(SOURCES, source)) throw PROBLEMS.unknownSource({ source });
  return [...new Set(SOURCES[source as CompletionSource](input))].filter((word) => !/\s/.test(word));
}

/** What `fixed` sources give is written into the script; all others are asked for at every completion. */
const FIXED: ReadonlySet<CompletionSource> = new Set(["events", "agents", "templates"]);

const SOURCES: Readonly<Record<CompletionSource, (input?: CommandInput) => readonly string[]>> = {
  events: () => eventSpellings(),
  agents: () => ADAPTERS.map(({ id }) => id),
  templates: () => Object.keys(HOOK_TEMPLATES),
  tools: (input) => (input === undefined ? [] : knownNames(rootOf(input)).tools),
  hooks: (input) => (input === undefined ? [] : loadLayers(rootOf(input)).hooks.map(({ name }) => name)),
  intents: (input) => {
    const file = input === undefined ? undefined : readIntents(rootOf(input));
    return file?.state === "read" ? file.intents.map(({ id }) => id) : [];
  },
};

type Writer = (commands: readonly Command[]) => string;

const SHELLS: Readonly<Record<string, Writer>> = { bash, zsh, fish };

function bash(commands: readonly Command[]): string {
  const listed = (words: readonly string[], source: CompletionSource | undefined) =>
    quoted([...words, ...fixedWords(source)]) + (isAsked(source) ? `" $(_sluice_words ${source})"` : "");
  const cases = commands.map(
    (command) =>
      `      ${command.name}) words=${listed([...optionsOf(command), ...(command.completes ?? [])], command.completesFrom)} ;;`,
  );
  const values = valuedOptions(commands).map(([name, source]) => `    --${name}) words=${listed([], source)} ;;`);
  return `# bash completion for sluice: put \`eval "$(sluice completion bash)"\` into ~/.bashrc
_sluice_words() {
  "\${COMP_WORDS[0]}" completion --words "$1" 2>/dev/null
}
_sluice() {
  local words index prefix current=\${COMP_LINE:0:COMP_POINT}
  current=\${current##* }
  case \${COMP_WORDS[COMP_CWORD-1]} in
${values.join("\n")}
    *) case \${COMP_WORDS[1]} in
${cases.join("\n")}
      *) words=${quoted(commands.map(({ name }) => name))} ;;
    esac ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words=${quoted(commands.map(({ name }) => name))}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Where a colon breaks words, bash replaces only the text after it.
  case $COMP_WORDBREAKS in
    *:*)
      prefix=\${current%"\${current##*:}"}
      for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=\${COMPREPLY[index]#"$prefix"}; done ;;
  esac
}
complete -F _sluice sluice`;
}

function zsh(commands: readonly Command[]): string {
  const asked = (source: CompletionSource | undefined) =>
    isAsked(source) ? ` \${(f)"$($words[1] completion --words ${source} 2>/dev/null)"}` : "";
  const verbs = commands.map(({ name, summary }) => `    ${single(`${name}:${summary}`)}`);
  const cases = commands.map((command) => {
    const words = [...optionsOf(command), ...(command.completes ?? []), ...fixedWords(command.completesFrom)];
    return `    ${command.name}) compadd -- ${words.map(single).join(" ")}${asked(command.completesFrom)} ;;`;
  });
  const values = valuedOptions(commands).map(
    ([name, source]) =>
      `    --${name}) compadd -- ${fixedWords(source).map(single).join(" ")}${asked(source)}; return ;;`,
  );
  return `#compdef sluice
# zsh completion for sluice: put \`source <(sluice completion zsh)\` into ~/.zshrc
_sluice() {
  local -a verbs=(
${verbs.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command verbs; return; fi
  case $words[CURRENT-1] in
${values.join("\n")}
  esac
  case $words[2] in
${cases.join("\n")}
  esac
}
compdef _sluice sluice`;
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    const listed = (words: readonly string[], source: CompletionSource | undefined) => [
      ...words,
      ...fixedWords(source),
      ...(isAsked(source) ? [`(sluice completion --words ${source} 2>/dev/null)`] : []),
    ];
    const options = Object.entries<Option>({ ...command.options, ...COMMON_OPTIONS }).map(
      ([name, { type, means, completesFrom }]) => {
        const values = completesFrom ? ` -a ${single(listed([], completesFrom).join(" "))}` : "";
        return `complete -c sluice -n '${seen}' -l ${name}${type === "string" ? " -r" : ""}${values} -d ${single(means)}`;
      },
    );
    const words = listed(command.completes ?? [], command.completesFrom);
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

function fixedWords(source: CompletionSource | undefined): readonly string[] {
  return source !== undefined && FIXED.has(source) ? SOURCES[source]() : [];
}

function isAsked(source: CompletionSource | undefined): boolean {
  return source !== undefined && !FIXED.has(source);
}

/** Options whose value can be completed; the same name means the same in every command. */
function valuedOptions(commands: readonly Command[]): readonly (readonly [string, CompletionSource])[] {
  const all = commands.flatMap(({ options }) =>
    Object.entries<Option>(options).flatMap(([name, { completesFrom }]) =>
      completesFrom === undefined ? [] : [[name, completesFrom] as const],
    ),
  );
  return [...new Map(all)];
}

function quoted(words: readonly string[]): string {
  return single(words.join(" "));
}

function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const PROBLEMS = problems("usage", {
  unknownSource: ({ source }: { source: string }) => ({
    what: `--words ${source}: unknown kind of completions.`,
    fix: `${didYouMean(source, Object.keys(SOURCES))} It knows ${Object.keys(SOURCES).join(", ")}.`.trim(),
  }),
  unknownShell: ({ shell }: { shell: string }) => ({
    what: shell === "" ? "`sluice completion` needs the name of a shell." : `There is no completion for "${shell}".`,
    fix: `${didYouMean(shell, Object.keys(SHELLS))} It knows ${Object.keys(SHELLS).join(", ")}.`.trim(),
  }),
});

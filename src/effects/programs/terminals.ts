import { byEachName } from "../../event/each-name.ts";
/** A program that hosts terminals which other programs of the user can reach. */
export interface TerminalHost {
  /** Its description in messages. */
  readonly is: string;
  /** The variable that it sets for the programs in it. */
  readonly variable?: string;
  /** Whether other programs can type into its terminals, or only read their output. */
  readonly shares: "input" | "output";
  /** Whether it records its output, by its arguments; always if left out. */
  readonly keeps?: (args: readonly string[]) => boolean;
}

/** Programs whose terminals other programs can reach, by the names of their processes. */
export const TERMINAL_HOSTS: Readonly<Record<string, TerminalHost>> = {
  tmux: { is: "a terminal of tmux", variable: "TMUX", shares: "input" },
  screen: { is: "a terminal of screen", variable: "STY", shares: "input" },
  zellij: { is: "a terminal of zellij", variable: "ZELLIJ", shares: "input" },
  kitty: { is: "a terminal of kitty with remote control", variable: "KITTY_LISTEN_ON", shares: "input" },
  wezterm: { is: "a terminal of wezterm", variable: "WEZTERM_UNIX_SOCKET", shares: "input" },
  nvim: { is: "a terminal of Neovim", variable: "NVIM", shares: "input" },
  dtach: { is: "a terminal of dtach", shares: "input" },
  abduco: { is: "a terminal of abduco", shares: "input" },
  tmate: { is: "a terminal of tmate", shares: "input" },
  ttyd: { is: "a terminal of ttyd", shares: "input" },
  gotty: { is: "a terminal of gotty", shares: "input" },
  reptyr: { is: "a terminal that reptyr holds", shares: "input" },
  script: { is: "recorded by script", shares: "output", keeps: keepsTypescript },
  asciinema: { is: "recorded by asciinema", variable: "ASCIINEMA_REC", shares: "output" },
  ttyrec: { is: "recorded by ttyrec", shares: "output" },
  termtosvg: { is: "recorded by termtosvg", shares: "output" },
};

/** Processes of these names host a terminal only for their children; the terminal in which they were started belongs to their user. */
export const HOSTS_BY_PROCESS: ReadonlySet<string> = new Set([
  ...["tmux", "screen", "dtach", "abduco", "tmate", "ttyd", "gotty", "reptyr"],
  ...["script", "asciinema", "ttyrec", "termtosvg"],
]);

/** `script` records the output in a file, by default `typescript`; with `/dev/null` it records nothing. */
function keepsTypescript(args: readonly string[]): boolean {
  const logs = args.flatMap((word, at) => {
    const [, attached] = /^--log-(?:in|out|io|timing)=(.*)$/s.exec(word) ?? [];
    if (attached !== undefined) return [attached];
    return /^(?:-[IOBT]|--log-(?:in|out|io|timing))$/.test(word) ? [args[at + 1] ?? ""] : [];
  });
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (/^(?:-[a-zA-Z]*[cIOBTEmo]|--(?:command|log-\w+|echo|logging-format|output-limit))$/.test(word)) at++;
    else if (!word.startsWith("-")) operands.push(word);
  }
  const files = [...logs, ...(operands.length > 0 ? operands.slice(0, 1) : logs.length > 0 ? [] : ["typescript"])];
  return files.some((file) => file !== "/dev/null");
}

/** How a command types into other terminals, or reads their output. */
export interface TerminalReach {
  /** Matches the subcommand or the arguments that do it; tested with each argument. */
  readonly acts: RegExp;
  /** The arguments that open another terminal. */
  readonly opens?: RegExp;
  /** The options that name a session: the one that is opened, and the one that is reached. */
  readonly named?: { readonly opened: RegExp; readonly reached: RegExp };
}

/** Programs that reach other terminals, by name. Unambiguous beginnings of a tmux command are that command. */
export const TERMINAL_REACH: Readonly<Record<string, TerminalReach>> = byEachName({
  tmux: {
    acts: /^(?:sen(?:d(?:-k(?:e(?:ys?)?)?|-p(?:r(?:e(?:f(?:ix?)?)?)?)?)?)?|cap(?:t(?:u(?:r(?:e(?:-(?:p(?:a(?:ne?)?)?)?)?)?)?)?|turep)?|capturep|pip(?:e(?:p|-(?:p(?:a(?:ne?)?)?)?)?)?|past(?:e(?:b|-(?:b\w*)?)?)?|attach(?:-\w*)?|a|at|respawn-?p\w*|respawnp|link-?w\w*|join-?p\w*|swap-?p\w*|pipep|-C{1,2}|source(?:-\w*)?|copy-m\w*|confirm\w*|command-p\w*|(?:set|show|save)-b\w*|(?:show|save)b|bind(?:-\w*)?)$/,
    opens: /^(?:new(?:-s(?:e(?:s(?:s(?:i(?:on?)?)?)?)?)?)?)$/,
    named: { opened: /^-s(.*)$/s, reached: /^-t(.*)$/s },
  },
  screen: {
    acts: /^-(?:[a-zA-Z]*X|r|R|RR|x|d|D|[a-zA-Z]*[rRx][a-zA-Z]*)$/,
    opens: /^-[dD]m[A-Za-z]*$|^-[A-Za-z]*dm[A-Za-z]*$/,
    named: { opened: /^-[A-Za-z]*S(.*)$/s, reached: /^-[A-Za-z]*S(.*)$/s },
  },
  "kitty kitten": { acts: /^(?:@|@\S+)$/ },
  wezterm: { acts: /^cli$/ },
  zellij: { acts: /^(?:action|ac|run|attach|a|pipe|edit)$/ },
  "tmate emacsclient xdotool ydotool wtype xte cliclick ttyecho reptyr peekfd": { acts: /./ },
  nvim: { acts: /^--(?:remote|server)/ },
  vim: { acts: /^--(?:remote|servername)/ },
  "dotool conspy": { acts: /^/ },
  osascript: {
    acts: /keystroke|key\s*code|do\s+script|write\s+text|System\s+Events|contents\s+of|history\s+of|\.scpt$|^-$/i,
  },
  dtach: { acts: /^-[apr]$/ },
  abduco: { acts: /^-[aA]$/ },
  strace: { acts: /^(?:-[a-zA-Z]*p.*|--attach.*)$/ },
  ltrace: { acts: /^-[a-zA-Z]*p.*$/ },
});

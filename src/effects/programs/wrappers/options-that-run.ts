import { type Field, fieldOf } from "../../parse/value.ts";
import { type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

/** Options whose value is a command line, of programs that do something else. */
const RUNNING_OPTIONS: Readonly<Record<string, { readonly options: string; readonly example: string }>> = {
  rsync: { options: "-e --rsh --rsync-path", example: "rsync -e 'rm x' a b:c" },
  man: { options: "-P --pager -H --html", example: "man -P 'rm x' ls" },
  zip: { options: "-TT --unzip-command", example: "zip a.zip b -T -TT 'rm x'" },
  script: { options: "-c --command", example: "script -qec 'rm x' /dev/null" },
  sort: { options: "--compress-program", example: "sort --compress-program='rm x' a" },
  split: { options: "--filter", example: "split --filter='rm x' a" },
  tcpdump: { options: "-z", example: "tcpdump -G 1 -w a -z 'rm x'" },
  socat: { options: "-nothing-", example: "socat - EXEC:'rm x'" },
  nc: { options: "-e -c --exec --sh-exec", example: "nc -e 'rm x' host 1" },
  ncat: { options: "-e -c --exec --sh-exec", example: "ncat --sh-exec 'rm x' host 1" },
  wget: { options: "--use-askpass", example: "wget --use-askpass='rm x' a" },
  scp: { options: "-S", example: "scp -S 'rm x' a b:c" },
  sftp: { options: "-S", example: "sftp -S 'rm x' a" },
  lftp: { options: "-nothing-", example: "lftp -c '!rm x'" },
  tmux: { options: "-nothing-", example: "tmux new-session -d 'rm x'" },
  screen: { options: "-nothing-", example: "screen -dm rm x" },
  xterm: { options: "-nothing-", example: "xterm -e rm x" },
  go: { options: "-exec -toolexec", example: "go test -exec 'rm x' ./..." },
  rg: { options: "--pre", example: "rg --pre 'rm x' a" },
  "nix-shell": { options: "--run --command", example: "nix-shell --run 'rm x'" },
  nodemon: { options: "-x --exec", example: "nodemon --exec 'rm x'" },
  aria2c: { options: "--on-download-complete --on-download-start", example: "aria2c --on-download-complete='rm x' a" },
  gcc: { options: "-nothing-", example: "gcc -wrapper rm,x a.c" },
  nix: { options: "-nothing-", example: "nix develop -c rm x" },
  bwrap: { options: "-nothing-", example: "bwrap --bind / / --dev /dev rm x" },
  "start-stop-daemon": { options: "-nothing-", example: "start-stop-daemon --start --exec /bin/rm -- x" },
  ansible: { options: "-nothing-", example: "ansible all -m shell -a 'rm x'" },
  cpulimit: { options: "-nothing-", example: "cpulimit -l 5 -- rm x" },
};

/** Where the command of these stands in words of its own. */
const OWN_WAYS: Readonly<Record<string, (args: readonly Field[]) => Inner[]>> = {
  socat: (args) =>
    args.flatMap(({ text, isKnown }): Inner[] => {
      const [, code] = /^(?:EXEC|SYSTEM|SHELL):([^,]+)/i.exec(text) ?? [];
      return code === undefined ? [] : [{ runs: "shell", text: { text: code, isKnown, isGlob: false }, via: "socat" }];
    }),
  lftp: (args) =>
    optionsOf(args, ["-c", "-e"])
      .values("-c", "-e")
      .flatMap(({ text }): Inner[] =>
        text
          .split(";")
          .flatMap((piece) =>
            piece.trim().startsWith("!")
              ? [{ runs: "shell" as const, text: fieldOf(piece.trim().slice(1)), via: "lftp" }]
              : [],
          ),
      ),
  tmux: (args) => {
    const { operands } = optionsOf(args, ["-L", "-S", "-f"]);
    const [action, ...rest] = operands;
    if (
      !/^(?:new|new-session|new-window|neww|split-window|splitw|run|run-shell|respawn-pane|if-shell|send-keys|send)$/.test(
        action?.text ?? "",
      )
    )
      return [];
    const words = optionsOf(rest, ["-s", "-n", "-t", "-c", "-x", "-y", "-e", "-F"]).operands.filter(
      ({ text }) => !/^(?:Enter|C-m)$/.test(text),
    );
    return words.length === 0
      ? []
      : [{ runs: "shell", text: fieldOf(words.map(({ text }) => text).join(" ")), via: "tmux" }];
  },
  gcc: (args) =>
    optionsOf(args, ["-wrapper"])
      .values("-wrapper")
      .map(({ text }) => ({
        runs: "words",
        words: text.split(",").map(fieldOf),
        via: "gcc -wrapper",
        isProgram: true,
      })),
  nix: (args) => {
    const at = args.findIndex(({ text }) => text === "-c" || text === "--command");
    return at < 0 ? [] : [{ runs: "words", words: args.slice(at + 1), via: "nix", isProgram: true }];
  },
  bwrap: (args) => {
    let at = 0;
    while (args[at]?.text.startsWith("--")) at += 1 + (PLACES_OF_BWRAP[args[at]?.text ?? ""] ?? 0);
    return at >= args.length ? [] : [{ runs: "words", words: args.slice(at), via: "bwrap", isProgram: true }];
  },
  "start-stop-daemon": (args) => {
    const options = optionsOf(args, "-x -a -p -u -n -c -d --exec --startas --pidfile --user --name --chdir".split(" "));
    const program = options.value("--startas", "-a") ?? options.value("--exec", "-x");
    if (program === undefined || options.has("-K", "--stop")) return [];
    return [{ runs: "words", words: [program, ...options.operands], via: "start-stop-daemon", isProgram: true }];
  },
  ansible: (args) => {
    const options = optionsOf(args, "-m -a -i -u -l -e -f --module-name --args --inventory --limit".split(" "), true);
    const line = options.value("-a", "--args");
    const isShell = /^(?:shell|command|raw|ansible\.builtin\.(?:shell|command|raw)|)$/.test(
      options.value("-m", "--module-name")?.text ?? "",
    );
    return isShell && line !== undefined ? [{ runs: "shell", text: line, via: "ansible" }] : [];
  },
  screen: (args) => {
    const at = args.findIndex(({ text }) => text === "-X");
    if (at >= 0) {
      const [verb, ...typed] = args.slice(at + 1);
      if (verb?.text !== "stuff" && verb?.text !== "exec") return [];
      const line = typed.map(({ text }) => text.replaceAll(/\\n|\^M|\\015/g, "\n")).join(" ");
      return [{ runs: "shell", text: fieldOf(line), via: "screen" }];
    }
    const { operands } = optionsOf(args, ["-S", "-t", "-c", "-T", "-h"]);
    return operands.length === 0 ? [] : [{ runs: "words", words: operands, via: "screen", isProgram: true }];
  },
  xterm: (args) => {
    const at = args.findIndex(({ text }) => text === "-e" || text === "-x" || text === "--");
    return at < 0 ? [] : [{ runs: "words", words: args.slice(at + 1), via: "xterm", isProgram: true }];
  },
  cpulimit: (args) => {
    const at = args.findIndex(({ text }) => text === "--");
    return at < 0 ? [] : [{ runs: "words", words: args.slice(at + 1), via: "cpulimit", isProgram: true }];
  },
};

/** How many words follow an option of `bwrap`; the others stand alone. */
const PLACES_OF_BWRAP: Readonly<Record<string, number>> = {
  __proto__: null as never,
  ...Object.fromEntries(
    "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try symlink setenv file bind-data ro-bind-data chmod"
      .split(" ")
      .map((name) => [`--${name}`, 2]),
  ),
  ...Object.fromEntries(
    "dev proc tmpfs dir chdir unsetenv hostname uid gid cap-add cap-drop mqueue lock-file remount-ro seccomp args perms size"
      .split(" ")
      .map((name) => [`--${name}`, 1]),
  ),
};

const tar: Wrapper = {
  examples: [
    ["tar cf a b --checkpoint=1 --checkpoint-action=exec='rm x'", "rm x"],
    ["tar xf a --to-command='rm x'", "rm x"],
    ["tar -I 'rm x' -xf a", "rm x"],
    ["tar cf a b --use-compress-program='rm x'", "rm x"],
  ],
  unwrap: ({ name, args }) => {
    const options = optionsOf(
      args,
      "-I -f -C -T -X -b -g --to-command --use-compress-program --checkpoint-action --rsh-command --info-script --new-volume-script -F".split(
        " ",
      ),
      true,
    );
    const run = (text: Field): Inner => ({ runs: "shell", text, via: name });
    return [
      ...options
        .values(
          "-I",
          "--use-compress-program",
          "--to-command",
          "--rsh-command",
          "--info-script",
          "--new-volume-script",
          "-F",
        )
        .map(run),
      ...options
        .values("--checkpoint-action")
        .flatMap((value) =>
          value.text.startsWith("exec=") ? [run({ ...value, text: value.text.slice("exec=".length) })] : [],
        ),
    ];
  },
};

/** Programs that have an option to run something. */
export const OPTION_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  tar,
  gtar: { ...tar, examples: [["gtar xf a --to-command='rm x'", "rm x"]] },
  bsdtar: { ...tar, examples: [["bsdtar xf a --use-compress-program='rm x'", "rm x"]] },
  ...Object.fromEntries(
    Object.entries(RUNNING_OPTIONS)
      .filter(([name]) => name !== "bindfs")
      .map(([name, { options, example }]): [string, Wrapper] => [
        name,
        {
          examples: [[example, "rm x"]],
          unwrap: ({ args }) => {
            const own = OWN_WAYS[name];
            if (own !== undefined) return own(args);
            const names = options.split(" ");
            return optionsOf(args, names, true)
              .values(...names)
              .map((text) => ({ runs: "shell", text, via: `${name} ${names[0]}` }));
          },
        },
      ]),
  ),
};

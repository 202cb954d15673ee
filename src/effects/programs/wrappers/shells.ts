import { optionsOf, type Wrapper } from "./wrapper.ts";

const unwrap: Wrapper["unwrap"] = ({ name, args, stdin }) => {
  const plain = args.filter(({ text }) => !/^\+[a-zA-Z]+$/.test(text));
  const options = optionsOf(plain, ["-o", "-O", "--rcfile", "--init-file", "--command"]);
  const start = options.value("--rcfile", "--init-file");
  const first = start === undefined ? [] : [{ runs: "file", path: start, via: `${name} --rcfile` } as const];
  const [operand, ...rest] = options.operands;
  const long = options.value("--command");
  if (long !== undefined) return [...first, { runs: "shell", text: long, via: `${name} -c` }];
  if (options.has("-c")) {
    if (operand === undefined) return first;
    return [...first, { runs: "shell", text: operand, via: `${name} -c`, args: rest.slice(1), zero: rest[0] }];
  }
  if (options.has("--version", "--help")) return first;
  const isInput = operand === undefined || options.has("-s") || operand.text === "-" || operand.text === "/dev/stdin";
  if (!isInput) return [...first, { runs: "file", path: operand, via: name, args: rest }];
  if (stdin.input.from === "nothing" && stdin.text === "") return first;
  return [...first, { runs: "input", via: name, args: options.has("-s") ? options.operands : rest }];
};

const SHELL_NAMES = ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash", "posh"];

/** Shells: a text, a file, or their input. */
export const SHELL_WRAPPERS: Readonly<Record<string, Wrapper>> = Object.fromEntries(
  SHELL_NAMES.map((name): [string, Wrapper] => [
    name,
    {
      unwrap,
      examples: [
        [`${name} -c 'rm x'`, "rm x"],
        [`${name} -c '$0 $1' rm x`, "rm x"],
        [`${name} -xec 'rm "$1"' me x`, "rm x"],
        [`echo 'rm x' | ${name}`, "rm x"],
        [`${name} -s <<< 'rm x'`, "rm x"],
        [`echo 'rm x' > s.sh; ${name} s.sh`, "rm x"],
        [`${name} <<E\nrm x\nE`, "rm x"],
      ],
    },
  ]),
);

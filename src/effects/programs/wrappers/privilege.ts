import type { Word } from "../../parse/command.ts";
import type { Field } from "../../parse/value.ts";
import { type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

const sudo: Wrapper = {
  examples: [
    ["sudo rm x", "rm x"],
    ["sudo -u root -E rm x", "rm x"],
    ["sudo -nEu root A=1 rm x", "rm x"],
    ["sudo -s rm x", "rm x"],
    ["sudo -- rm x", "rm x"],
  ],
  unwrap: ({ name, args }) => {
    const { operands } = optionsOf(args, [
      ..."-u -g -h -p -C -r -t -T -U -D -R -a -c".split(" "),
      ..."--user --group --host --prompt --chdir --chroot --close-from --role --type".split(" "),
    ]);
    const words: Field[] = [...operands];
    const assignments: Record<string, Word> = {};
    while (words[0] !== undefined) {
      const [, variable, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(words[0].text) ?? [];
      if (variable === undefined || value === undefined) break;
      assignments[variable] = { ...words[0], text: value };
      words.shift();
    }
    return words.length === 0 ? [] : [{ runs: "words", words, via: name, assignments, isProgram: true }];
  },
};

const asUser: Wrapper = {
  examples: [
    ["su -c 'rm x'", "rm x"],
    ["su root -c 'rm x'", "rm x"],
    ["su - root --command='rm x'", "rm x"],
  ],
  unwrap: ({ name, args, stdin }) => {
    const options = optionsOf(args, ["-c", "--command", "-s", "--shell", "-g", "-G", "-w", "-u", "--user"], true);
    const lines = options.values("-c", "--command", "--session-command");
    if (lines.length > 0) return lines.map((text): Inner => ({ runs: "shell", text, via: `${name} -c` }));
    if (name === "runuser" && options.has("-u", "--user") && options.operands.length > 0)
      return [{ runs: "words", words: options.operands, via: name, isProgram: true }];
    return stdin.input.from === "nothing" ? [] : [{ runs: "input", via: name }];
  },
};

/** Programs that run others as somebody else. */
export const PRIVILEGE_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo,
  "sudo-rs": { ...sudo, examples: [["sudo-rs rm x", "rm x"]] },
  gksudo: { ...sudo, examples: [["gksudo rm x", "rm x"]] },
  kdesudo: { ...sudo, examples: [["kdesudo rm x", "rm x"]] },
  dzdo: { ...sudo, examples: [["dzdo rm x", "rm x"]] },
  pfexec: { ...sudo, examples: [["pfexec rm x", "rm x"]] },
  doas: { ...sudo, examples: [["doas -u root rm x", "rm x"]] },
  pkexec: { ...sudo, examples: [["pkexec --user root rm x", "rm x"]] },
  gosu: {
    examples: [["gosu root rm x", "rm x"]],
    unwrap: ({ args }) =>
      args.length < 2 ? [] : [{ runs: "words", words: args.slice(1), via: "gosu", isProgram: true }],
  },
  su: asUser,
  runuser: {
    ...asUser,
    examples: [
      ["runuser -u root -- rm x", "rm x"],
      ["runuser root -c 'rm x'", "rm x"],
    ],
  },
};

import { GAP } from "../../parse/command.ts";
import { LIMITS } from "../../parse/limits.ts";
import { type Field, fieldOf } from "../../parse/value.ts";
import { splitWords } from "./environment.ts";
import { type Call, type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

const VALUED =
  "-I -i -n -P -L -l -d -a -s -E -J -R --replace --max-args --max-procs --max-lines --delimiter --arg-file --eof --max-chars --process-slot-var".split(
    " ",
  );

const xargs: Wrapper = {
  examples: [
    ["echo x | xargs rm", "rm x"],
    ["echo x | xargs -I{} rm {}", "rm x"],
    ["printf 'x\\0' | xargs -0 -n1 rm", "rm x"],
    ["xargs rm <<< x", "rm x"],
    ["echo x > list; xargs -a list rm", "rm x"],
    ["echo x | xargs -I{} sh -c 'rm {}'", "rm x"],
    ["ls | xargs rm", "rm *"],
    ["find src -type f | xargs rm", "rm src/**"],
    ["find . -name '*.ts' -print0 | xargs -0 rm -f", "rm -f ./**/*.ts"],
    ["git ls-files -z | xargs -0 rm", "rm **"],
    ["git ls-files src | sort | xargs rm", "rm src/**"],
    ["rg -l x src | xargs -I{} rm {}", "rm src/**"],
    ["grep -l x *.ts | xargs rm", "rm *.ts"],
    ["fd -e ts . src | xargs rm", "rm src/**/*.ts"],
    ["frobnicate | xargs rm", `rm ${GAP}`],
  ],
  unwrap: (call) => {
    const options = optionsOf(
      call.args,
      VALUED.filter((name) => name !== "-i" && name !== "-l"),
    );
    const words = options.operands.length === 0 ? [fieldOf("echo")] : options.operands;
    const text = given(call, options.value("-a", "--arg-file"));
    const replaced =
      options.value("-I", "-J", "--replace")?.text ?? (options.has("-i", "--replace") ? "{}" : undefined);
    const delimiter = options.has("-0", "--null")
      ? "\0"
      : options.value("-d", "--delimiter")?.text.replace("\\n", "\n").replace("\\0", "\0");
    const written = itemsOf(text, replaced === undefined ? delimiter : (delimiter ?? "\n"));
    const items = written.some(({ isKnown }) => !isKnown) ? (call.stdin.listed ?? written.map(many)) : written;
    if (replaced === undefined) return [inner([...words, ...items])];
    return items.slice(0, LIMITS.turns).map((item) => inner(words.map((word) => filled(word, replaced, item))));
  },
};

const inner = (words: readonly Field[]): Inner => ({
  runs: "words",
  words,
  via: "xargs",
  isProgram: true,
  hasNoInput: true,
});

function given({ stdin, file }: Call, list: Field | undefined): string {
  if (list !== undefined) return file(list) ?? GAP;
  const text = stdin.text.slice(stdin.at);
  stdin.at = stdin.text.length;
  return text === "" && stdin.input.from === "nothing" ? GAP : text;
}

/** Nobody knows how many words it is. */
function many(item: Field): Field {
  return item.text === GAP ? { ...item, isGlob: true } : item;
}

function itemsOf(text: string, delimiter: string | undefined): Field[] {
  const all =
    delimiter === undefined
      ? splitWords(fieldOf(text))
      : text.split(delimiter).map((item) => fieldOf(item.trimStart()));
  return all
    .map((field) => ({ ...field, isKnown: !field.text.includes(GAP) }))
    .filter(({ text: item }) => item !== "")
    .slice(0, LIMITS.fields);
}

/** The word with what stands for the item replaced by it. */
export function filled(word: Field, sign: string, item: Field): Field {
  if (sign === "" || !word.text.includes(sign)) return word;
  const text = word.text.replaceAll(sign, () => item.text);
  return text === item.text ? item : { text, isKnown: word.isKnown && item.isKnown, isGlob: item.isGlob };
}

const parallel: Wrapper = {
  examples: [
    ["parallel rm ::: x", "rm x"],
    ["echo x | parallel rm {}", "rm x"],
    ["parallel 'rm {}' ::: x y", "rm y"],
  ],
  unwrap: (call) => {
    const { operands } = optionsOf(call.args, [
      "-j",
      "-P",
      "-n",
      "-N",
      "-S",
      "-a",
      "--jobs",
      "--colsep",
      "-C",
      "--delay",
      "--timeout",
    ]);
    const at = operands.findIndex(({ text }) => text.startsWith(":::"));
    const words = at < 0 ? operands : operands.slice(0, at);
    const items = at < 0 ? itemsOf(given(call, undefined), "\n") : operands.slice(at + 1);
    return items.slice(0, LIMITS.turns).flatMap((item): Inner[] => {
      const line = words.map((word) => filled(word, "{}", item).text).join(" ");
      const text = words.some((word) => word.text.includes("{}")) ? line : `${line} ${item.text}`;
      return [{ runs: "shell", text: fieldOf(text.trim()), via: "parallel" }];
    });
  },
};

/** Programs that make arguments of their input. */
export const XARGS_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  xargs,
  gxargs: { ...xargs, examples: [["echo x | gxargs rm", "rm x"]] },
  parallel,
  sem: {
    examples: [["sem -j1 rm x", "rm x"]],
    unwrap: ({ args }) => {
      const { operands } = optionsOf(args, ["-j", "--jobs", "--id"]);
      const line = operands.map(({ text }) => text).join(" ");
      return line === "" ? [] : [{ runs: "shell", text: fieldOf(line), via: "sem" }];
    },
  },
};

import { GAP } from "../parse/command.ts";
import { LIMITS } from "../parse/limits.ts";
import { type Field, fieldOf, namesOver } from "../parse/value.ts";
import { option } from "./act.ts";
import { has, value } from "./call.ts";
import type { Inner, Invocation, Programs } from "./program.ts";
import { filled, ITEM, ITEM_NAME, lineOver, restAsLine, splitWords } from "./runs.ts";

/** Programs that make arguments from their input. */
export const XARGS = (): Programs => ({
  xargs: {
    is: { "words-from-input": true, "takes-code": true },
    options:
      "arg-file|a= I= J= R= S= i? replace? max-args|n= max-procs|P= L= l? max-lines? delimiter|d= max-chars|s= E= e? eof? process-slot-var= null|0 no-run-if-empty|r verbose|t interactive|p exit|x open-tty|o show-limits",
    style: "first",
    reads: option("arg-file"),
    runs: (run) => {
      const words = run.operands.length === 0 ? [fieldOf("echo")] : run.operands;
      const text = given(run, value(run, "arg-file"));
      const replaced =
        (value(run, "I") ?? value(run, "J") ?? value(run, "i") ?? value(run, "replace"))?.text ??
        (has(run, "i", "replace") ? "{}" : undefined);
      const delimiter = has(run, "null")
        ? "\0"
        : value(run, "delimiter")?.text.replace("\\n", "\n").replace("\\0", "\0");
      const written = itemsOf(text, replaced === undefined ? delimiter : (delimiter ?? "\n"));
      const items = named(run, written, has(run, "arg-file"));
      if (replaced === undefined)
        return [inner([...words, ...items.slice(0, LIMITS.fields)]), ...leftOut(items, LIMITS.fields)];
      const runs = items.slice(0, LIMITS.turns).map((item) => {
        const isCode = item.isGlob && words.some(({ text }) => /\s/.test(text) && text.includes(replaced));
        if (!isCode) return inner(words.map((word) => filled(word, replaced, item)));
        return { ...inner(words.map((word) => filled(word, replaced, ITEM))), assignments: { [ITEM_NAME]: item } };
      });
      return [...runs, ...leftOut(items, LIMITS.turns)];
    },
    examples: [
      ["xargs -a a echo", "reads a"],
      ["echo x | xargs rm", "runs rm x"],
      ["echo x | xargs -I{} rm {}", "runs rm x"],
      ["echo x | xargs --replace rm {}", "runs rm x"],
      ["echo x | xargs -i% rm %", "runs rm x"],
      ["echo x | xargs --max-lines rm", "runs rm x"],
      ["echo x | xargs -l1 rm", "runs rm x"],
      ["printf 'x\\0' | xargs -0 -n1 rm", "runs rm x"],
      ["xargs rm <<< x", "runs rm x"],
      ["echo x > list; xargs -a list rm", "runs rm x"],
      ["echo x | xargs -I{} sh -c 'rm {}'", "runs rm x"],
      ["ls | xargs rm", "runs rm *"],
      ["find src -type f | xargs rm", "runs rm src/**"],
      ["find . -name '*.ts' -print0 | xargs -0 rm -f", "runs rm -f ./**/*.ts"],
      ["git ls-files -z | xargs -0 rm", "runs rm **"],
      ["git ls-files src | sort | xargs rm", "runs rm src/**"],
      ["rg -l x src | xargs -I{} rm {}", "runs rm src/**"],
      ["grep -l x *.ts | xargs rm", "runs rm *.ts"],
      [
        "find a | grep -E '(__pycache__|\\.pyc|\\.pyo$)' | xargs rm -rf",
        "runs rm -rf a/**/__pycache__ a/**/*.pyc* a/**/*.pyo",
      ],
      ["find a | grep .pyc | xargs rm", "runs rm a/**"],
      ["find a | grep -i '\\.X1$' | xargs rm", "runs rm a/**/*.X1 a/**/*.x1 a/**/*.[Xx]1"],
      ["ls -A | xargs rm", "runs rm * .*"],
      ["find a | grep -v '\\.pyc$' | xargs rm", "runs rm a/**"],
      ["find a | grep -E '\\.pyc$|src' | xargs rm", "runs rm a/**"],
      ["fd -e ts . src | xargs rm", "runs rm src/**/*.ts src/**/*.[tT][sS]"],
      ["frobnicate | xargs rm", `runs rm ${GAP}`],
      ["find a -name x -printf '%h\\n' | xargs rm", `runs rm ${GAP}`],
      ["find a -name x -printf '%f\\n' | xargs rm", "runs rm ./**/x"],
      ["find a -name x -printf 'b\\n' | xargs rm", "runs rm b"],
      ["find a -name x | sed s/a/b/ | xargs rm", `runs rm ${GAP}`],
      ["find a -name x | sed 's/^/b /' | xargs rm", "runs rm b a/**/x"],
      ["find a -name x | sed 's/.*/b/' | xargs rm", "runs rm b"],
      ["find a -name x | sed -n -e '1,5p' | xargs rm", "runs rm a/**/x"],
      ["find a -name x | sed 's/^\\.\\///' | xargs rm", "runs rm a/**/x"],
      ["find a -name x | tr '\\n' '\\0' | xargs -0 rm", "runs rm a/**/x"],
      ["find a -name x | tr a b | xargs rm", `runs rm ${GAP}`],
      ["find a -name x | grep -oE a | xargs rm", `runs rm ${GAP}`],
      ["find a -name x | awk '{print $1}' | xargs rm", "runs rm a/**/x"],
      ["find a -name x | awk -F/ '{print $1}' | xargs rm", `runs rm ${GAP}`],
      ["find a -name x | awk '{print $0, \"b\"}' | xargs rm", "runs rm a/**/x b"],
      ["find a -name x | perl -pe 's/a/b/' | xargs rm", `runs rm ${GAP}`],
      ["echo *.o b | xargs rm", "runs rm *.o b"],
    ],
  },
  parallel: {
    is: { "words-from-input": true },
    options:
      "jobs|j|P= max-args|n= max-replace-args|N= sshlogin|S= arg-file|a= colsep|C= delay= timeout= delimiter|d= replace|I= results= joblog= keep-order|k quote|q null|0 dry-run verbose|t progress bar eta halt= retries= workdir|wd= env= tmpdir= block=",
    style: "first",
    runs: (run) => {
      const at = run.operands.findIndex(({ text }) => text.startsWith(":::"));
      const words = at < 0 ? run.operands : run.operands.slice(0, at);
      const text = at < 0 ? given(run, value(run, "arg-file")) : "";
      const items = at < 0 ? named(run, itemsOf(text, "\n"), has(run, "arg-file")) : run.operands.slice(at + 1);
      const sign = value(run, "replace")?.text ?? "{}";
      if (has(run, "dry-run")) return [];
      const runs = items.slice(0, LIMITS.turns).flatMap((item): Inner[] => {
        const put = item.isGlob ? ITEM : item;
        const line = words.map((word) => filled(word, sign, put).text).join(" ");
        const text = fieldOf((words.some((word) => word.text.includes(sign)) ? line : `${line} ${put.text}`).trim());
        if (!item.isGlob) return [{ runs: "shell", text, via: run.name }];
        return [lineOver(item, text.text, run.name)];
      });
      return [...runs, ...leftOut(items, LIMITS.turns)];
    },
    examples: [
      ["parallel rm ::: x", "runs rm x"],
      ["echo x | parallel rm {}", "runs rm x"],
      ["echo x | parallel -I% --colsep , rm %", "runs rm x"],
      ["echo x > list; parallel -a list rm", "runs rm x"],
      ["parallel 'rm {}' ::: x y", "runs rm y"],
    ],
  },
  sem: {
    options: "jobs|j= id= timeout= fg wait",
    style: "first",
    runs: restAsLine(),
    examples: [["sem -j1 rm x", "runs rm x"]],
  },
});

const inner = (words: readonly Field[]): Inner => ({
  runs: "words",
  words,
  via: "xargs",
  isProgram: true,
  hasNoInput: true,
});

function given({ stdin, file }: Invocation, list: Field | undefined): string {
  if (list !== undefined && list.text !== "-") return file(list) ?? GAP;
  const text = stdin.text.slice(stdin.at);
  stdin.at = stdin.text.length;
  return text === "" && stdin.input.from === "nothing" ? GAP : text;
}

/** The items of the input, and the files whose names it contains. */
function named({ stdin: { listed } }: Invocation, words: readonly Field[], isFile: boolean): readonly Field[] {
  if (listed === undefined || isFile) return words.map(many);
  return words.length === 0 ? listed : words.flatMap((word) => namesOver(word, listed));
}

/** The number of items is known only at run time. */
function many(item: Field): Field {
  return item.text === GAP ? { ...item, isGlob: true } : item;
}

function itemsOf(text: string, delimiter: string | undefined): Field[] {
  const all =
    delimiter === undefined
      ? splitWords(fieldOf(text))
      : text.split(delimiter).map((item) => fieldOf(item.trimStart()));
  return all.map((field) => ({ ...field, isKnown: !field.text.includes(GAP) })).filter(({ text: item }) => item !== "");
}

/** A doubt if there are more items than are analysed. */
function leftOut(items: readonly Field[], most: number): Inner[] {
  return items.length > most ? [{ runs: "doubt", why: "too long", what: `more than ${most} items` }] : [];
}

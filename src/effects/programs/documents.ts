import { has, reads, values, writes } from "./call.ts";
import { readsOperands } from "./operands.ts";
import type { Programs } from "./program.ts";

/** Programs that show files of some format: tables, markup, settings, and the difference between two of them. */
export const DOCUMENTS = (): Programs => ({
  "mlr xsv qsv csvlook csvcut csvgrep csvsort csvstat csvjson csvformat in2csv datamash vd": {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true },
    does: (call) => {
      // Verbs and their words stand among the names of files.
      for (const path of call.command.args) if (/[./]/.test(path.text) && !path.text.startsWith("-")) reads(call, path);
    },
    examples: [
      ["mlr --icsv head -n 4 a.csv", "reads a.csv"],
      ["csvcut -c 1 a.csv", "reads a.csv"],
    ],
  },
  "gron jless fx jc tomlq htmlq pup glow mdcat ccat lolcat pygmentize highlight source-highlight catdoc antiword lnav moar ov pandoc lowdown":
    {
      readOnly: true,
      is: { "prints-files": true, "passes-text-on": true },
      options: "f= t= from= to= o= output= l= style= O=",
      does: (call) => {
        if (!has(call, "o", "output")) readsOperands()(call);
        for (const path of values(call, "o", "output")) writes(call, path);
      },
      examples: [
        ["gron a.json", "reads a.json"],
        ["pandoc a.md -o b.html", "writes b.html"],
      ],
    },
  "m4 cpp envsubst ptx colrm col unvis uuencode aspell hunspell": {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true },
    options: "D= I= U= o= c= w= u=",
    does: readsOperands(),
    examples: [["m4 -D x=1 a.m4", "reads a.m4"]],
  },
  "wdiff dwdiff icdiff ydiff difft delta gvimdiff nvimdiff": {
    is: { "prints-files": true },
    options: "w= width= o= c= s",
    does: readsOperands(),
    examples: [["icdiff a b", "reads a", "reads b"]],
  },
});

import { allValues, operand, operands, option } from "./act.ts";
import { has } from "./call.ts";
import type { Programs } from "./program.ts";

const SHOWS = { readOnly: true, is: { "prints-files": true, "passes-text-on": true } } as const;

/** Programs that print the bytes of files in another encoding. */
export const DUMPS = (): Programs => ({
  xxd: {
    ...SHOWS,
    prints: "hex",
    options: "cols|c= len|l= seek|s= groupsize|g= offset|o= revert|r plain|ps|p bits|b include|i upper|u name|n=",
    does: [
      { when: "revert", gives: "text" },
      { reads: operand(0), writes: operand(1) },
    ],
    examples: [
      ["xxd -p key", "reads key"],
      ["xxd -r hex out", "reads hex", "writes out"],
    ],
  },
  "od hexdump hd hexyl": {
    ...SHOWS,
    options:
      "format|t|e= address-radix|A= read-bytes|N|n= skip-bytes|j|s= format-file|f= strings|S? width|w? c b d o x C v",
    reads: operands,
    examples: [["od -c key", "reads key"]],
  },
  strings: {
    ...SHOWS,
    options: "bytes|n= radix|t= encoding|e= target|T= output-separator|s= all|a print-file-name|f",
    reads: operands,
    examples: [["strings -n 8 a", "reads a"]],
  },
  "base32 basenc uudecode": {
    prints: { base32: "base32" },
    readOnly: true,
    is: { "prints-files": "base32 basenc", "passes-text-on": "base32 basenc" },
    options: "decode|d wrap|w= ignore-garbage|i output-file|o= base64 base64url base32 base32hex base16 base2msbf z85",
    does: [
      { when: (call) => has(call, "decode") || call.report.program === "uudecode", gives: "text" },
      { reads: operands, writes: option("output-file") },
    ],
    examples: [["base32 -d a", "reads a"]],
  },
  base64: {
    prints: "base64",
    readOnly: true,
    is: { "hands-all-on": true, "prints-files": true, "passes-text-on": true },
    options: "decode|d|D wrap|w= ignore-garbage|i? input= output|o= break|b=",
    does: [
      { when: "decode", gives: "text" },
      { reads: allValues("input") },
      { reads: operands, writes: option("output") },
    ],
    examples: [["base64 -w 0 key.pem", "reads key.pem"]],
  },
});

/** Programs that print files of some format: tables, markup, settings, and the difference between two of them. */
export const DOCUMENTS = (): Programs => ({
  "mlr xsv qsv csvlook csvcut csvgrep csvsort csvstat csvjson csvformat in2csv datamash vd": {
    ...SHOWS,
    // Verbs and their arguments are among the names of files.
    reads: ({ command }) => command.args.filter(({ text }) => /^[^-].*[./]|^[./]/s.test(text)),
    examples: [
      ["mlr --icsv head -n 4 a.csv", "reads a.csv"],
      ["csvcut -c 1 a.csv", "reads a.csv"],
    ],
  },
  "gron jless fx jc tomlq htmlq pup glow mdcat ccat lolcat pygmentize highlight source-highlight catdoc antiword lnav moar ov pandoc lowdown":
    {
      ...SHOWS,
      options: "f= t= from= to= o= output= l= style= O=",
      does: [{ unless: "o output", reads: operands }, { writes: allValues("o output") }],
      examples: [
        ["gron a.json", "reads a.json"],
        ["pandoc a.md -o b.html", "writes b.html"],
      ],
    },
  "m4 cpp envsubst ptx colrm col unvis uuencode aspell hunspell": {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true, "inserts-variables": "envsubst" },
    options: "D= I= U= o= c= w= u=",
    reads: operands,
    examples: [["m4 -D x=1 a.m4", "reads a.m4"]],
  },
  "wdiff dwdiff icdiff ydiff difft delta gvimdiff nvimdiff": {
    is: { "prints-files": true },
    options: "w= width= o= c= s",
    reads: operands,
    examples: [["icdiff a b", "reads a", "reads b"]],
  },
});

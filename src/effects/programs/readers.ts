import { insertedKeys, isKeyName } from "../key-shapes.ts";
import { GAP } from "../parse/command.ts";
import { isEndless } from "../paths.ts";
import {
  allValues,
  anyOperand,
  argumentsUnlike,
  each,
  either,
  hasOperands,
  operand,
  operandIs,
  operands,
  operandsFrom,
  operandsUnlike,
  option,
  paths,
  programIs,
} from "./act.ts";
import { has, isHuge, known, operandText, plays, reads, reveals, valueText, writes } from "./call.ts";
import { namesIn, search } from "./listings.ts";
import type { Programs } from "./program.ts";
import { linesIn, optionsAsLines } from "./runs.ts";

/** Rows of filters: they print text that comes from their files or their standard input, and change nothing. */
const FILTER = { readOnly: true, is: { "prints-files": true, "passes-text-on": true } } as const;

/** Programs that print the content of files, or facts about it. */
export const READERS = (): Programs => ({
  tac: {
    ...FILTER,
    prints: "reversed-lines",
    is: { ...FILTER.is, "keeps-lines": true, "keeps-all": true, "shows-every-line": true },
    options: "before|b regex|r separator|s=",
    reads: operands,
    examples: [["tac -s , a", "reads a"]],
  },
  cat: {
    ...FILTER,
    is: { ...FILTER.is, "often-shadowed": true, "keeps-lines": true, "shows-every-line": true, "hands-all-on": true },
    prints: "files",
    options: "number-nonblank|b number|n squeeze-blank|s show-ends|E show-tabs|T e t v u show-all|A",
    reads: operands,
    examples: [["cat a b", "reads a", "reads b"], ["cat -n - /dev/stdin"], ["cat -t a", "reads a"]],
  },
  "zcat bzcat xzcat zless": {
    prints: { zcat: "unpacked" },
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": "zcat bzcat xzcat" },
    reads: operands,
    does: [{ names: "zcat bzcat xzcat", gives: "text" }],
    examples: [["zcat a.gz", "reads a.gz"]],
  },
  "bat batcat": {
    readOnly: true,
    is: { "prints-files": true },
    options:
      "language|l= line-range|r= highlight-line|H= file-name= diff-context= tabs= wrap= color= italic-text= decorations= paging= map-syntax|m= theme= style= terminal-width= number|n plain|p show-all|A",
    reads: operands,
    examples: [["bat -l ts a", "reads a"]],
  },
  "less more most": {
    ...FILTER,
    options:
      "pattern|p= tag|t= tag-file|T= buffers|b= jump-target|j= lesskey-file|k= log-file|o= LOG-FILE|O= prompt|P? shift|# tabs|x= max-forw-scroll|y= window|z= lines|n",
    reads: operandsUnlike(/^\+/),
    writes: allValues("log-file LOG-FILE"),
    runs: ({ name, args }) => linesIn(args, /^\+{1,2}[!|]\s*([\s\S]+)$/, name),
    examples: [
      ["less /etc/hosts", "reads /etc/hosts"],
      ["less '+!rm x' a", "runs rm x"],
      ["more '+!rm x' a", "runs rm x"],
    ],
  },
  nl: {
    ...FILTER,
    options:
      "body-numbering|b= section-delimiter|d= footer-numbering|f= header-numbering|h= line-increment|i= join-blank-lines|l= number-format|n= number-separator|s= starting-line-number|v= number-width|w=",
    reads: operands,
    examples: [["nl -b a x", "reads x"]],
  },
  "fold fmt": {
    ...FILTER,
    options: "width|w= prefix|p= goal|g= bytes|b spaces|s tagged-paragraph|t",
    reads: operands,
    examples: [["fold -w 80 -s a", "reads a"]],
  },
  column: {
    ...FILTER,
    is: { ...FILTER.is, "shows-every-line": true },
    options: "separator|s= output-separator|o= output-width|c= table-columns|N= table-right|R= table|t json|J",
    reads: operands,
    examples: [["column -t -s , a", "reads a"]],
  },
  "pr expand unexpand": {
    ...FILTER,
    options: "header|h= length|l= indent|o= page-width|W= width|w= columns= tabs|t? initial|i all|a",
    reads: operands,
    examples: [["pr -l 60 a", "reads a"]],
  },
  "rev paste": {
    prints: { rev: "reversed" },
    readOnly: true,
    is: { "shows-every-line": "rev", "prints-files": true, "passes-text-on": true },
    options: "delimiters|d= serial|s zero-terminated|z",
    reads: operands,
    examples: [
      ["paste -d , a b", "reads a", "reads b"],
      ["rev a", "reads a"],
    ],
  },
  "head tail": {
    prints: { head: "first-lines" },
    readOnly: true,
    is: { "keeps-lines": true, "prints-files": true, "passes-text-on": true },
    options: "lines|n= bytes|c= quiet|q verbose|v follow? f F zero-terminated|z retry sleep-interval|s= pid=",
    reads: operands,
    does: [
      {
        when: [
          (call) => call.operands.some(({ text }) => isEndless(text)),
          either(programIs(/tail$/), (call) => isHuge(valueText(call, "bytes"))),
        ],
        roles: ["exhaust"],
      },
    ],
    examples: [
      ["head -c 10M /dev/zero"],
      ["head -c 500G /dev/zero", "exhaust"],
      ["tail -n 20 -f app.log", "reads app.log"],
      ["tail -f /dev/zero", "exhaust"],
      ["head -20 a", "reads a"],
    ],
  },
  "grep egrep fgrep zgrep": {
    lists: search,
    readOnly: true,
    is: {
      "often-shadowed": "grep",
      "keeps-lines": "grep egrep fgrep",
      "file-finder": true,
      "prints-files": true,
      "text-search": true,
      "passes-text-on": true,
    },
    options:
      "regexp|e= file|f= recursive|r|R dereference-recursive include= exclude= exclude-dir= after-context|A= before-context|B= context|C= max-count|m= color|colour? ignore-case|i invert-match|v count|c files-with-matches|l label= directories|d=",
    reads: allValues("file"),
    does: [
      { reads: operandsFrom(1, "regexp file"), tree: "recursive dereference-recursive" },
      {
        when: "recursive dereference-recursive",
        does: [
          { unless: (call) => call.operands.length > 1, reads: paths("."), tree: true },
          { reads: allValues("include") },
        ],
      },
    ],
    examples: [
      ["grep -n rm a", "reads a"],
      ["grep -e x -e y a", "reads a"],
      ["grep -ri todo", "reads . tree"],
    ],
  },
  "rg ag ack ugrep ug": {
    lists: search,
    readOnly: true,
    is: {
      "keeps-lines": "rg",
      "file-finder": true,
      "prints-files": true,
      "text-search": true,
      "passes-hidden": "rg ag ugrep ug",
      "passes-ignored": "rg",
      "passes-text-on": true,
    },
    runs: optionsAsLines("pre"),
    options:
      "regexp|e= file|f= glob|g= type|t= type-not|T= after-context|A= before-context|B= context|C= max-count|m= max-depth|d= replace|r= threads|j= iglob= sort= color= pre= ignore-file= files files-with-matches|l hidden",
    does: (call) => {
      if (has(call, "pre")) plays(call, "run-code");
      const paths = has(call, "regexp", "file", "files") ? call.operands : call.operands.slice(1);
      for (const path of paths) reads(call, path, { isTree: true });
      if (paths.length === 0 && call.command.input.from === "nothing") reads(call, known("."), { isTree: true });
    },
    examples: [
      ["rg -g *.ts todo src", "reads src tree"],
      ["rg todo", "reads . tree"],
      ["rg --pre 'rm x' a", "runs rm x"],
    ],
  },
  "ls dir": {
    lists: namesIn,
    readOnly: true,
    is: { "often-shadowed": "ls", "uses-keys": true, "looks-at-files": true, "file-finder": true },
    options:
      "ignore|I= width|w= tabsize|T= hide= color? format= indicator-style= quoting-style= sort= time= time-style= block-size= hyperlink? classify|F?",
    reads: operands,
    examples: [["ls -la /etc", "reads /etc"]],
  },
  "exa eza lsd": {
    readOnly: true,
    options: "level|L= ignore-glob|I= sort|s= time|t= color|colour? depth= theme= icons? classify|F? time-style=",
    reads: operands,
    examples: [["eza -L 2 src", "reads src"]],
  },
  du: {
    readOnly: true,
    is: { "file-finder": true },
    options:
      "max-depth|d= threshold|t= exclude= exclude-from|X= block-size|B= time? time-style= files0-from= depth= I=",
    reads: each(allValues("exclude-from"), operands),
    examples: [["du -d 1 src", "reads src"]],
  },
  "stat readlink realpath": {
    readOnly: true,
    is: { "uses-keys": true, "looks-at-files": true },
    options: "format|c= printf= f relative-to= relative-base= t L",
    reads: operands,
    silent: true,
    examples: [["stat -c %s a", "reads a"]],
  },
  file: {
    readOnly: true,
    options: "files-from|f= magic-file|m= parameter|P= separator|F= exclude|e= brief|b mime|i",
    reads: each(option("files-from"), operands),
    silent: true,
    examples: [["file -b a", "reads a"]],
  },
  wc: {
    readOnly: true,
    options: "bytes|c chars|m lines|l words|w max-line-length|L files0-from= total=",
    reads: operands,
    silent: true,
    examples: [["wc -c a", "reads a"]],
  },
  "cksum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum sum": {
    readOnly: true,
    options: "algorithm|a= check|c binary|b text|t length|l= tag status quiet strict warn|w zero|z",
    reads: operands,
    silent: true,
    examples: [["sha256sum -c sums", "reads sums"]],
  },
  cut: {
    ...FILTER,
    is: { ...FILTER.is, "shows-every-line": true },
    options: "bytes|b= characters|c= delimiter|d= fields|f= output-delimiter= complement only-delimited|s n z",
    reads: operands,
    examples: [["cut -d: -f1 /etc/passwd", "reads /etc/passwd"]],
  },
  sort: {
    ...FILTER,
    is: { ...FILTER.is, "keeps-lines": true, "keeps-all": true, "shows-every-line": true },
    options:
      "key|k= field-separator|t= output|o= buffer-size|S= temporary-directory|T= parallel= batch-size= compress-program= random-source= files0-from= sort= check|c ignore-leading-blanks|b dictionary-order|d ignore-case|f numeric-sort|n reverse|r unique|u merge|m stable|s zero-terminated|z",
    reads: each(allValues("files0-from"), operands),
    writes: option("output"),
    does: [{ when: ["output", hasOperands], unless: anyOperand(/^(?!\/dev\/null$)/), roles: ["overwrite"] }],
    runs: optionsAsLines("compress-program"),
    examples: [
      ["sort -u -o out in", "reads in", "writes out"],
      ["sort -c a", "reads a"],
      ["sort -bdf a", "reads a"],
      ["sort /dev/null -o out", "overwrite", "writes out"],
      ["sort --compress-program='rm x' a", "runs rm x"],
    ],
  },
  tr: {
    prints: "translated",
    readOnly: true,
    is: { "keeps-lines": true, "shows-every-line": true, "hands-all-on": true, "passes-text-on": true },
    examples: [["tr a b"]],
  },
  uniq: {
    ...FILTER,
    is: { ...FILTER.is, "keeps-lines": true, "shows-every-line": true },
    options:
      "skip-fields|f= skip-chars|s= check-chars|w= count|c repeated|d ignore-case|i unique|u zero-terminated|z all-repeated|D? group?",
    reads: operand(0),
    writes: operand(1),
    examples: [
      ["uniq a b", "reads a", "writes b"],
      ["uniq -c a b", "reads a", "writes b"],
      ["uniq -f 1 a b", "reads a", "writes b"],
    ],
  },
  "comm join tsort nkf look": {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": "comm join nkf" },
    options: "a= v= e= o= t= j= 1= 2= output-delimiter= i",
    // The columns that `comm` leaves out are numbers, not options with values.
    reads: (call) => (call.report.program === "join" ? call.operands : argumentsUnlike(/^-/)(call)),
    examples: [
      ["comm -12 a b", "reads a", "reads b"],
      ["join -t , -1 2 a b", "reads a", "reads b"],
    ],
  },
  shuf: {
    ...FILTER,
    is: { ...FILTER.is, "keeps-lines": true },
    options: "echo|e head-count|n= input-range|i= output|o= random-source= repeat|r zero-terminated|z",
    does: [{ unless: "echo", reads: operands }, { writes: option("output") }],
    examples: [["shuf -o b a", "reads a", "writes b"]],
  },
  "jq yq gojq xq dasel": {
    ...FILTER,
    options:
      "from-file|f= arg== argjson== slurpfile== rawfile== indent= raw-output|r null-input|n in-place|i inplace compact-output|c slurp|s exit-status|e",
    does: (call) => {
      // `yq eval '.a' file`: the verb precedes the expression.
      const after = /^(?:e|ea|eval|eval-all|select|query)$/.test(operandText(call)) ? 2 : 1;
      const isInPlace = has(call, "in-place", "inplace");
      const expression = operandText(call, after - 1);
      for (const path of each(allValues("from-file"), operandsFrom(after, "from-file"))(call)) reads(call, path);
      if (isInPlace) for (const path of call.operands.slice(after)) writes(call, path);
      // `env` and `$ENV` are all variables; `.env` is a field.
      const asked = ENVIRONMENT().exec(expression);
      if (asked !== null && (asked[1] === undefined || isKeyName(asked[1]))) reveals(call);
      else if (!isInPlace && insertsKey(expression)) reveals(call);
    },
    examples: [
      ["jq -n env", "reveal"],
      ["jq -n '$ENV.API_TOKEN'", "reveal"],
      ["yq -n 'env(API_TOKEN)'", "reveal"],
      ["yq -n 'strenv(API_TOKEN)'", "reveal"],
      ["yq -n 'env(HOME)'"],
      [`yq -n '"$API_TOKEN" | envsubst'`, "reveal"],
      ["yq -i '.a = env(API_TOKEN)' c.yaml", "reads c.yaml", "writes c.yaml"],
      ["jq -n env.HOME"],
      ["jq -n 'env|keys'"],
      ["yq .env a.yml", "reads a.yml"],
      ["jq -r .name package.json", "reads package.json"],
      ["jq --arg a b .name package.json", "reads package.json"],
      ["yq -i .a=1 c.yaml", "reads c.yaml", "writes c.yaml"],
    ],
  },
  "diff cmp sdiff colordiff vimdiff diff3": {
    readOnly: true,
    is: { "prints-files": "diff sdiff colordiff diff3 vimdiff" },
    options: "unified|u U= context|c? C= recursive|r brief|q exclude|x= label= side-by-side|y width|W=",
    reads: operands,
    tree: "recursive",
    examples: [["diff -ru a b", "reads a tree", "reads b tree"]],
  },
  pv: {
    ...FILTER,
    is: { ...FILTER.is, "hands-all-on": true },
    options: "size|s= name|N= rate-limit|L= buffer-size|B= interval|i= width|w= height|H= remote|R= watchfd|d=",
    reads: operands,
    examples: [["pv -s 1g a", "reads a"]],
  },
  "source .": {
    readOnly: true,
    is: { "takes-code": true, "uses-keys": true },
    reads: operand(0),
    scripts: operand(0),
    does: [{ when: operandIs(0, new RegExp(`${GAP}|^/dev/(?:stdin|fd/)`)), input: "run" }],
    examples: [[". ./.env", "reads .env", "unknown: ./.env"]],
  },
});

/** Whether an expression of `yq` inserts a variable that contains a key. */
function insertsKey(expression: string): boolean {
  const named = [...expression.matchAll(/\b(?:str)?env\(\s*(\w+)/g)].map(([, name = ""]) => name);
  return named.some(isKeyName) || (/\benvsubst\b/.test(expression) && insertedKeys(expression).length > 0);
}

const ENVIRONMENT = () =>
  /(?<![.\w$"'/{,-]\s{0,2})(?:\$ENV|env)\b(?!\s*(?:[:(\w-]|\|\s*(?:keys|length|has)))(?:(?:\s*\.\s*"?|\s*\[")(\w+))?/;

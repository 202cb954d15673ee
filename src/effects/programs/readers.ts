import { insertedKeys, isKeyName } from "../key-shapes.ts";
import { GAP } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { isEndless } from "../paths.ts";
import { operand, operands, option } from "./act.ts";
import { operandText, valueText } from "./arguments.ts";
import { type Call, has, isHuge, known, plays, reads, readsOperands, reveals, value, values, writes } from "./call.ts";
import { namesIn, search } from "./listings.ts";
import type { Inner, Programs } from "./program.ts";
import { optionsAsLines } from "./runs.ts";

/** Programs that show what files hold. */
export const READERS = (): Programs => ({
  tac: {
    prints: "reversed-lines",
    readOnly: true,
    is: {
      "keeps-lines": true,
      "keeps-all": true,
      "shows-every-line": true,
      "prints-files": true,
      "passes-text-on": true,
    },
    options: "before|b regex|r separator|s=",
    reads: operands,
    examples: [["tac -s , a", "reads a"]],
  },
  cat: {
    readOnly: true,
    is: {
      "often-shadowed": true,
      "keeps-lines": true,
      "shows-every-line": true,
      "hands-all-on": true,
      "prints-files": true,
      "passes-text-on": true,
    },
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
    does: [{ when: (call) => call.report.program !== "zless", gives: "text" }],
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
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true },
    options:
      "pattern|p= tag|t= tag-file|T= buffers|b= jump-target|j= lesskey-file|k= log-file|o= LOG-FILE|O= prompt|P? shift|# tabs|x= max-forw-scroll|y= window|z= lines|n",
    does: (call) => {
      for (const path of call.operands) if (!path.text.startsWith("+")) reads(call, path);
      for (const path of values(call, "log-file", "LOG-FILE")) writes(call, path);
    },
    runs: ({ name, args }) =>
      args.flatMap(({ text }): Inner[] => {
        const [, code] = /^\+{1,2}[!|]\s*([\s\S]+)$/.exec(text) ?? [];
        return code === undefined ? [] : [{ runs: "shell", text: fieldOf(code), via: name }];
      }),
    examples: [
      ["less /etc/hosts", "reads /etc/hosts"],
      ["less '+!rm x' a", "runs rm x"],
      ["more '+!rm x' a", "runs rm x"],
    ],
  },
  nl: {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true },
    options:
      "body-numbering|b= section-delimiter|d= footer-numbering|f= header-numbering|h= line-increment|i= join-blank-lines|l= number-format|n= number-separator|s= starting-line-number|v= number-width|w=",
    reads: operands,
    examples: [["nl -b a x", "reads x"]],
  },
  "fold fmt": {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true },
    options: "width|w= prefix|p= goal|g= bytes|b spaces|s tagged-paragraph|t",
    reads: operands,
    examples: [["fold -w 80 -s a", "reads a"]],
  },
  column: {
    readOnly: true,
    is: { "shows-every-line": true, "prints-files": true, "passes-text-on": true },
    options: "separator|s= output-separator|o= output-width|c= table-columns|N= table-right|R= table|t json|J",
    reads: operands,
    examples: [["column -t -s , a", "reads a"]],
  },
  "pr expand unexpand": {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true },
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
    does: (call) => {
      readsOperands()(call);
      const isEndlessRead = call.operands.some(({ text }) => isEndless(text));
      const size = valueText(call, "bytes");
      if (isEndlessRead && (isHuge(size) || /tail$/.test(call.report.program))) plays(call, "exhaust");
    },
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
    does: (call) => {
      const isTree = has(call, "recursive", "dereference-recursive");
      readsOperands({ after: 1, unless: ["regexp", "file"], also: ["file"], isTree })(call);
      if (isTree && call.operands.length < 2) reads(call, known("."), { isTree });
      for (const path of values(call, "include")) if (isTree) reads(call, path);
    },
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
    is: { "often-shadowed": "ls", "uses-keys": true, "file-finder": true },
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
    does: readsOperands({ also: ["exclude-from"] }),
    examples: [["du -d 1 src", "reads src"]],
  },
  "stat readlink realpath": {
    readOnly: true,
    is: { "uses-keys": true },
    options: "format|c= printf= f relative-to= relative-base= t L",
    does: readsSilently,
    examples: [["stat -c %s a", "reads a"]],
  },
  file: {
    readOnly: true,
    options: "files-from|f= magic-file|m= parameter|P= separator|F= exclude|e= brief|b mime|i",
    does: (call) => {
      reads(call, value(call, "files-from"));
      readsSilently(call);
    },
    examples: [["file -b a", "reads a"]],
  },
  wc: {
    readOnly: true,
    options: "bytes|c chars|m lines|l words|w max-line-length|L files0-from= total=",
    does: readsSilently,
    examples: [["wc -c a", "reads a"]],
  },
  "cksum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum sum": {
    readOnly: true,
    options: "algorithm|a= check|c binary|b text|t length|l= tag status quiet strict warn|w zero|z",
    does: readsSilently,
    examples: [["sha256sum -c sums", "reads sums"]],
  },
  cut: {
    readOnly: true,
    is: { "shows-every-line": true, "prints-files": true, "passes-text-on": true },
    options: "bytes|b= characters|c= delimiter|d= fields|f= output-delimiter= complement only-delimited|s n z",
    reads: operands,
    examples: [["cut -d: -f1 /etc/passwd", "reads /etc/passwd"]],
  },
  sort: {
    readOnly: true,
    is: {
      "keeps-lines": true,
      "keeps-all": true,
      "shows-every-line": true,
      "prints-files": true,
      "passes-text-on": true,
    },
    options:
      "key|k= field-separator|t= output|o= buffer-size|S= temporary-directory|T= parallel= batch-size= compress-program= random-source= files0-from= sort= check|c ignore-leading-blanks|b dictionary-order|d ignore-case|f numeric-sort|n reverse|r unique|u merge|m stable|s zero-terminated|z",
    does: (call) => {
      readsOperands({ also: ["files0-from"] })(call);
      writes(call, value(call, "output"));
      const isNothing = call.operands.length > 0 && call.operands.every(({ text }) => text === "/dev/null");
      if (isNothing && has(call, "output")) plays(call, "overwrite");
    },
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
    readOnly: true,
    is: { "keeps-lines": true, "shows-every-line": true, "prints-files": true, "passes-text-on": true },
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
    does: (call) => {
      // The columns that `comm` leaves out are numbers, and no options with values.
      if (call.report.program === "join") return readsOperands()(call);
      for (const path of call.command.args) if (!path.text.startsWith("-")) reads(call, path);
    },
    examples: [
      ["comm -12 a b", "reads a", "reads b"],
      ["join -t , -1 2 a b", "reads a", "reads b"],
    ],
  },
  shuf: {
    is: { "keeps-lines": true, "prints-files": true, "passes-text-on": true },
    readOnly: true,
    options: "echo|e head-count|n= input-range|i= output|o= random-source= repeat|r zero-terminated|z",
    does: [{ unless: "echo", reads: operands }, { writes: option("output") }],
    examples: [["shuf -o b a", "reads a", "writes b"]],
  },
  "jq yq gojq xq dasel": {
    readOnly: true,
    is: { "prints-files": true, "passes-text-on": true },
    options:
      "from-file|f= arg== argjson== slurpfile== rawfile== indent= raw-output|r null-input|n in-place|i inplace compact-output|c slurp|s exit-status|e",
    does: (call) => {
      // `yq eval '.a' file`: the verb stands in front of the expression.
      const after = /^(?:e|ea|eval|eval-all|select|query)$/.test(operandText(call)) ? 2 : 1;
      readsOperands({ after, unless: ["from-file"], also: ["from-file"] })(call);
      if (has(call, "in-place", "inplace")) for (const path of call.operands.slice(after)) writes(call, path);
      // `env` and `$ENV` are all variables; `.env` is a field.
      const asked = ENVIRONMENT().exec(call.operands[after - 1]?.text ?? "");
      if (asked !== null && (asked[1] === undefined || isKeyName(asked[1]))) reveals(call);
      else if (!has(call, "in-place", "inplace") && insertsKey(call.operands[after - 1]?.text ?? "")) reveals(call);
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
    does: (call) => readsOperands({ isTree: has(call, "recursive") })(call),
    examples: [["diff -ru a b", "reads a tree", "reads b tree"]],
  },
  pv: {
    readOnly: true,
    is: { "hands-all-on": true, "prints-files": true, "passes-text-on": true },
    options: "size|s= name|N= rate-limit|L= buffer-size|B= interval|i= width|w= height|H= remote|R= watchfd|d=",
    reads: operands,
    examples: [["pv -s 1g a", "reads a"]],
  },
  "source .": {
    readOnly: true,
    is: { "takes-code": true, "uses-keys": true },
    does: (call) => {
      reads(call, call.operands[0]);
      if (call.operands[0] !== undefined) call.report.scripts.push(call.operands[0]);
      if (call.operands[0]?.text.includes(GAP) || /^\/dev\/(?:stdin|fd\/)/.test(operandText(call)))
        call.report.input = "run";
    },
    examples: [[". ./.env", "reads .env", "unknown: ./.env"]],
  },
});

/** Only numbers about the files are shown. */
function readsSilently(call: Call): void {
  readsOperands()(call);
  call.report.isSilent = true;
}

/** Whether an expression of `yq` inserts a variable that holds a key. */
function insertsKey(expression: string): boolean {
  const named = [...expression.matchAll(/\b(?:str)?env\(\s*(\w+)/g)].map(([, name = ""]) => name);
  return named.some(isKeyName) || (/\benvsubst\b/.test(expression) && insertedKeys(expression).length > 0);
}

const ENVIRONMENT = () =>
  /(?<![.\w$"'/{,-]\s{0,2})(?:\$ENV|env)\b(?!\s*(?:[:(\w-]|\|\s*(?:keys|length|has)))(?:(?:\s*\.\s*"?|\s*\[")(\w+))?/;

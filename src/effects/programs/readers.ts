import { has, known, plays, reads, value, writes } from "./call.ts";
import { GAP } from "../parse/command.ts";
import { isEndless } from "../devices.ts";
import type { Programs } from "./program.ts";
import { isHuge } from "../parse/sizes.ts";
import { readsOperands } from "./operands.ts";

/** Programs that show what files hold. */
export const READERS: Programs = {
  "cat gcat tac nl bat batcat less more most view zcat bzcat xzcat zless fold rev pr column fmt expand unexpand paste":
    {
      options: "n N b e t s T E v u A from-code|f= to-code|t= language= l= style= width|w=",
      does: (call) => {
        readsOperands()(call);
        if (/^(?:z|bz|xz)cat$/.test(call.told.program)) call.told.gives = "text";
      },
      examples: [["cat a b", "reads a", "reads b"], ["cat -n - /dev/stdin"], ["less /etc/hosts", "reads /etc/hosts"]],
    },
  "head tail ghead gtail": {
    options: "lines|n= bytes|c= quiet|q verbose|v follow? f F zero-terminated|z retry sleep-interval|s= pid=",
    does: (call) => {
      readsOperands()(call);
      const isEndlessRead = call.operands.some(({ text }) => isEndless(text));
      const size = value(call, "bytes")?.text ?? "";
      if (isEndlessRead && (isHuge(size) || (/tail$/.test(call.told.program) && !has(call, "follow", "f"))))
        plays(call, "exhaust");
    },
    examples: [
      ["head -c 10M /dev/zero"],
      ["head -c 500G /dev/zero", "exhaust"],
      ["tail -n 20 -f app.log", "reads app.log"],
      ["head -20 a", "reads a"],
    ],
  },
  "grep egrep fgrep zgrep ggrep": {
    options:
      "regexp|e= file|f= recursive|r|R dereference-recursive include= exclude= exclude-dir= after-context|A= before-context|B= context|C= max-count|m= color|colour? ignore-case|i invert-match|v count|c files-with-matches|l label= directories|d=",
    does: (call) => {
      const isTree = has(call, "recursive", "dereference-recursive");
      readsOperands({ after: 1, unless: ["regexp", "file"], also: ["file"], isTree })(call);
      if (isTree && call.operands.length < 2) reads(call, known("."), { isTree });
    },
    examples: [
      ["grep -n rm a", "reads a"],
      ["grep -e x -e y a", "reads a"],
      ["grep -ri todo", "reads . tree"],
    ],
  },
  "rg ag ack": {
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
    ],
  },
  "find gfind": {
    style: "whole",
    does: (call) => {
      const { args } = call.command;
      const start = args.findIndex(({ text }) => /^(?:-(?![HLPO]\d?$)|[(!]$)/.test(text));
      const roots = (start < 0 ? args : args.slice(0, start)).filter(({ text }) => !/^-[HLPO]\d?$/.test(text));
      const tops = roots.length === 0 ? [known(".")] : roots;
      for (const top of tops) reads(call, top, { isTree: true });
    },
    examples: [
      ["find . -name x", "reads . tree"],
      ["find build -delete", "reads build tree", "delete", "deletes build tree forced"],
      ["find src -type f -name *.pyc -delete", "reads src tree", "delete", "deletes src/**/*.pyc forced"],
    ],
  },
  "fd fdfind ls dir exa eza lsd du gls": {
    options: "extension|e= type|t= exclude|E= I= L= max-depth|d= ignore= level= color? sort= time= block-size=",
    does: (call) => {
      if (/^fd/.test(call.told.program)) for (const path of call.operands.slice(1)) reads(call, path, { isTree: true });
      else readsOperands()(call);
    },
    examples: [
      ["ls -la /etc", "reads /etc"],
      ["fd -e ts x src", "reads src tree"],
    ],
  },
  "stat file readlink realpath wc cksum md5 md5sum sha1sum sha256sum sha512sum shasum b2sum sum": {
    options: "format|c= printf= f= a= algorithm= check= e=",
    does: (call) => {
      readsOperands()(call);
      call.told.isSilent = true;
    },
    examples: [["wc -l a", "reads a"]],
  },
  "cut sort gsort uniq comm join tsort shuf nkf": {
    options:
      "key|k= field-separator|t= output|o= delimiter|d= fields|f= characters|c= bytes|b= buffer-size|S= temporary-directory|T= parallel=",
    does: (call) => {
      const isUniq = call.told.program === "uniq";
      for (const path of isUniq ? call.operands.slice(0, 1) : call.operands) reads(call, path);
      writes(call, isUniq ? call.operands[1] : value(call, "output"));
      const isNothing = call.operands.length > 0 && call.operands.every(({ text }) => text === "/dev/null");
      if (isNothing && has(call, "output")) plays(call, "overwrite");
    },
    examples: [
      ["sort -u -o out in", "reads in", "writes out"],
      ["sort /dev/null -o out", "overwrite", "writes out"],
      ["cut -d: -f1 /etc/passwd", "reads /etc/passwd"],
      ["uniq a b", "reads a", "writes b"],
    ],
  },
  "jq yq gojq xq dasel": {
    options:
      "from-file|f= arg= argjson= slurpfile= rawfile= indent= raw-output|r null-input|n in-place|i inplace compact-output|c slurp|s exit-status|e",
    does: (call) => {
      readsOperands({ after: 1, unless: ["from-file"], also: ["from-file"] })(call);
      if (has(call, "in-place", "inplace")) for (const path of call.operands.slice(1)) writes(call, path);
    },
    examples: [
      ["jq -r .name package.json", "reads package.json"],
      ["yq -i .a=1 c.yaml", "reads c.yaml", "writes c.yaml"],
    ],
  },
  "xxd od hexdump hd strings base32 uudecode": {
    options: "cols|c= len|l= seek|s= format|t= address-radix|A= read-bytes|N= bytes|n= r revert p plain decode|d D e=",
    does: (call) => {
      if (has(call, "r", "revert", "decode", "D")) call.told.gives = "text";
      const isDump = call.told.program === "xxd";
      for (const path of isDump ? call.operands.slice(0, 1) : call.operands) reads(call, path);
      if (isDump) writes(call, call.operands[1]);
    },
    examples: [
      ["xxd -p key", "reads key"],
      ["xxd -r hex out", "reads hex", "writes out"],
    ],
  },
  "base64 gbase64": {
    options: "decode|d|D wrap|w= ignore-garbage|i? input= output|o= break|b=",
    does: (call) => {
      if (has(call, "decode")) call.told.gives = "text";
      readsOperands({ also: ["input"] })(call);
      writes(call, value(call, "output"));
    },
    examples: [["base64 -w 0 key.pem", "reads key.pem"]],
  },
  "diff cmp sdiff colordiff vimdiff diff3": {
    options: "unified|u U= context|c? C= recursive|r brief|q exclude|x= label= side-by-side|y width|W=",
    does: (call) => readsOperands({ isTree: has(call, "recursive") })(call),
    examples: [["diff -ru a b", "reads a tree", "reads b tree"]],
  },
  "source .": {
    does: (call) => {
      reads(call, call.operands[0]);
      if (call.operands[0] !== undefined) call.told.scripts.push(call.operands[0]);
      if (call.operands[0]?.text.includes(GAP) || /^\/dev\/(?:stdin|fd\/)/.test(call.operands[0]?.text ?? ""))
        call.told.input = "run";
    },
    examples: [[". ./.env", "reads .env", "unknown: ./.env"]],
  },
};

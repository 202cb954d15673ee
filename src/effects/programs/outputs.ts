import { has, known, pieceOf, reads, value, values, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that leave what they make in a file: compilers, and those that record what others do. */
export const OUTPUTS: Programs = {
  "gcc cc g++ c++ clang clang++ rustc ld": {
    options: "o= c S E I= L= l= D= x= O? g? W? f? m? std= out-dir= crate-type=",
    style: "whole",
    does: (call) => {
      for (const path of call.operands) reads(call, path);
      for (const path of values(call, "o", "out-dir")) writes(call, path);
    },
    examples: [["gcc -o a a.c", "reads a.c", "writes a"]],
  },
  tsc: {
    options: "noEmit outDir= outFile= project|p= build|b watch|w version|v help|h init showConfig listFilesOnly",
    does: (call) => {
      if (has(call, "noEmit", "version", "help", "showConfig", "listFilesOnly")) return;
      const to = value(call, "outDir") ?? value(call, "outFile");
      writes(call, to ?? known("."), { isTree: value(call, "outFile") === undefined });
    },
    examples: [["tsc", "writes . tree"], ["tsc --noEmit"], ["tsc --outDir lib", "writes lib tree"]],
  },
  "strace ltrace": {
    options: "o|output= e= p= s= P= u= E= a= O= S= b= X= I= f c",
    style: "first",
    does: (call) => writes(call, value(call, "o")),
    examples: [["strace -o log ls", "writes log"]],
  },
  time: {
    options: "output|o= append|a format|f= verbose|v portability|p quiet|q",
    style: "first",
    does: (call) => writes(call, value(call, "output")),
    examples: [["time ls"]],
  },
  "qemu-img ddrescue dcfldd dc3dd": {
    options: "f= O= o= s= b= n r= d force",
    does: (call) => {
      const of = call.operands.find(({ text }) => text.startsWith("of="));
      if (of !== undefined) return writes(call, pieceOf(of, of.text.slice(3)), { isForced: true });
      const plain = call.command.args.filter(({ text }) => !text.startsWith("-"));
      if (call.told.program !== "qemu-img") return writes(call, plain[1], { isForced: true });
      const [verb, ...rest] = call.operands;
      if (/^(?:convert|create|resize|dd)$/.test(verb?.text ?? ""))
        writes(call, rest[verb?.text === "convert" ? rest.length - 1 : 0]);
    },
    examples: [
      ["qemu-img convert -O raw a.qcow2 /dev/sda", "disk overwrite", "writes /dev/sda"],
      ["qemu-img info a.qcow2"],
      ["ddrescue -f a.img /dev/sda", "disk overwrite", "writes /dev/sda forced"],
    ],
  },
  flock: {
    options: "w|timeout|wait= E= n s x u c=",
    style: "first",
    does: (call) => writes(call, call.operands[0]),
    examples: [["flock a.lock ls", "writes a.lock"]],
  },
  script: {
    options: "c|command= a e f q return flush quiet append",
    does: (call) => writes(call, call.operands[0] ?? known("typescript")),
    examples: [["script a", "writes a"], ["script -qec ls /dev/null"]],
  },
  "xargs gxargs": {
    options:
      "arg-file|a= I= n= P= L= d= s= E= replace= max-args= max-procs= delimiter= null|0 no-run-if-empty|r verbose|t",
    style: "first",
    does: (call) => reads(call, value(call, "arg-file")),
    examples: [["xargs -a a echo", "reads a"]],
  },
  tree: {
    options: "o= L= I= P= a d f",
    does: (call) => {
      for (const path of call.operands) reads(call, path, { isTree: true });
      writes(call, value(call, "o"));
    },
    examples: [["tree -o a src", "reads src tree", "writes a"]],
  },
  iconv: {
    options: "from-code|f= to-code|t= output|o= c s list|l",
    does: (call) => {
      for (const path of call.operands) reads(call, path);
      writes(call, value(call, "output"));
    },
    examples: [["iconv -f latin1 -t utf8 -o b a", "reads a", "writes b"]],
  },
};

import { reads, values } from "./call.ts";
import type { Programs } from "./program.ts";

/** Languages whose code is not read: what a run of them does, only the run tells. */
export const LANGUAGES: Programs = {
  "clisp ecl ccl scheme chez gsi mit-scheme janet fennel": {
    code: "unread",
    options: "c= e= eval= load= l= script= r= require= s=",
    does: (call) => {
      for (const path of values(call, "load", "l", "script", "r", "require", "s")) reads(call, path);
    },
    examples: [["clisp -c '(display 1)'"], ["clisp --load a.lisp", "reads a.lisp"]],
  },
  "erl escript elixirc": {
    code: "unread",
    style: "whole",
    options: "eval= s= run= noshell pa= pz=",
    examples: [["erl -noshell -eval 'halt().'"]],
  },
  "scala-cli groovysh clojure clj bb lein": {
    code: "unread",
    style: "whole",
    options: "e= M X A cp= classpath=",
    examples: [["bb -e '(+ 1 2)'"]],
  },
  "ghc ghci runghc runhaskell ocaml ocamlrun dune utop swipl gprolog raku octave irb bpython": {
    code: "unread",
    options: "e= eval= c= g=",
    examples: [["ghc -e 1"], ["ocaml -e 1"]],
  },
};

import { tellCode } from "./interpreters.ts";
import type { Example, Interpreter, Program, Programs } from "./program.ts";

/** Interpreters of languages without an analyser of their own: their code is analysed by the names of its functions. */
export const OTHER_LANGUAGES = (): Programs => ({
  guile: interpreter({ code: ["c"], file: "s" }, "c= s= l= e= L= C= x= q ds version|v help|h debug no-debug", [
    ["guile a.scm", "reads a.scm", "unknown: a.scm"],
    [`guile -c '(delete-file "x")'`, "runs rm -f x"],
    [`guile -c '(system "rm x")'`, "runs rm x"],
    [`guile -c '(system* "rm" "-rf" "x")'`, "runs rm -rf x"],
    [`guile -c '(delete-file p)'`, "delete", "deletes … forced", "unknown: delete-file"],
    [`guile -c '(call-with-output-file "x" (lambda (p) (display 1 p)))'`, "writes x"],
  ]),
  racket: interpreter(
    { code: ["e"], file: "f" },
    "e|eval= f|load= r|script= t|require= l|lib= p= u|require-script= k== m|main? i n version|v help|h",
    [
      [`racket -e '(delete-directory/files "x")'`, "runs rm -rf x"],
      [`racket -e '(delete-file (string->path "x"))'`, "runs rm -f x"],
      [`racket -e '(rename-file-or-directory "a" "b")'`, "runs mv a b"],
    ],
  ),
  sbcl: interpreter(
    { code: ["eval"], file: "script" },
    "eval= script|load= core= dynamic-space-size= control-stack-size= noinform non-interactive no-sysinit no-userinit disable-debugger end-runtime-options version help",
    [
      [`sbcl --non-interactive --eval '(delete-file "x")'`, "runs rm -f x"],
      [`sbcl --eval '(sb-ext:delete-directory "x" :recursive t)'`, "runs rm -rf x"],
      [`sbcl --eval '(sb-ext:run-program "/bin/rm" (list "-rf" "x"))'`, "runs rm -rf x"],
      [`sbcl --eval '(uiop:delete-directory-tree #p"x/" :validate t)'`, "runs rm -rf x/"],
    ],
  ),
  "clisp ecl ccl abcl gosh csi gsi scheme chez chibi-scheme mit-scheme": interpreter(
    { code: ["x"], file: "load" },
    "x|e|eval= load|l|i= script|s= q quiet batch version help",
    [[`clisp -x '(delete-file "x")'`, "runs rm -f x"]],
    "whole first",
  ),
  "janet fennel hy": interpreter({ code: ["e"] }, "e|eval|c= l= version|v help|h", [
    [`janet -e '(os/shell "rm x")'`, "runs rm x"],
  ]),
  "clojure clj": interpreter(
    { code: ["e"], file: "i" },
    "e|eval= i|init= m|main= Sdeps= report= version help",
    [
      [`clojure -M -e '(clojure.java.io/delete-file "x")'`, "runs rm -f x"],
      [`clojure -e '(.delete (java.io.File. "x"))'`, "runs rm -f x"],
      [`clj -e '(spit "x" "")'`, "writes x"],
      [`clojure -e '(clojure.java.shell/sh "rm" "x")'`, "runs rm x"],
    ],
    "whole",
  ),
  bb: interpreter({ code: ["e"], file: "f" }, "e|eval= f|file= m|main= x= i o I O version help", [
    [`bb -e '(babashka.fs/delete-tree "x")'`, "runs rm -rf x"],
  ]),
  erl: interpreter(
    { code: ["eval"], script: /^$/ },
    "eval= run= boot= pa= pz= config= name= sname= setcookie= args_file= noshell noinput",
    [
      [`erl -noshell -eval 'file:delete("x"), halt().'`, "runs rm -f x"],
      [`erl -noshell -eval 'file:del_dir_r("x").'`, "runs rm -rf x"],
      [`erl -noshell -eval 'file:delete(<<"x">>).'`, "runs rm -f x"],
      [`erl -eval 'os:cmd("rm x").'`, "runs rm x"],
      [`erl -eval 'file:write_file("x", <<>>).'`, "writes x"],
    ],
    "whole",
  ),
  escript: interpreter({}, "c d i n s", [[`echo 'main(_) -> file:delete("x").' > a; escript a`, "runs rm -f x"]]),
  "ghc ghci runghc runhaskell": interpreter({ code: ["e"], script: /\.hs$/ }, "e= i? package= o= O? X? f= ghc-arg=", [
    [`ghc -e 'System.Directory.removeFile "x"'`, "runs rm -f x"],
    [`ghc -e 'System.Process.callCommand "rm x"'`, "runs rm x"],
  ]),
  "ocaml utop": interpreter({ code: ["e"] }, "e= I= open= init= stdin noinit version", [
    [`ocaml -e 'Sys.remove "x"'`, "runs rm -f x"],
    [`ocaml -e 'ignore (Sys.command "rm x")'`, "runs rm x"],
  ]),
  "swipl prolog gprolog": interpreter({ code: ["g", "t"], file: "s" }, "g= t= s|f|l= q x= version", [
    [`swipl -g "delete_file('x')" -t halt`, "runs rm -f x"],
  ]),
  "octave octave-cli matlab": interpreter(
    { code: ["eval", "batch"] },
    "eval= batch|r= path|p= q quiet nodisplay nosplash nodesktop version help",
    [[`octave --eval 'system("rm x")'`, "runs rm x"]],
    "whole first",
  ),
  "lein dune ocamlrun elixirc swift-run": { code: "unread", examples: [["lein run"]] },
});

function interpreter(
  how: Omit<Interpreter, "language">,
  options: string,
  examples: readonly Example[],
  style: NonNullable<Program["style"]> = "first",
): Program {
  const of: Interpreter = { ...how, language: "other" };
  return { options, style, interpreter: of, ...(how.script === undefined && { does: tellCode(of) }), examples };
}

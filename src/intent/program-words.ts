/** Programs and words of the shell that only print, test or set something for the shell itself. */
export const HARMLESS: ReadonlySet<string> = words(`
  : [ [[ alias arch basename bg break builtin cal cd clear command comm continue cut date declare df dirname dirs disown
  echo env exec exit expr export false fg free getopts groups hash help hostname id jobs join kill killall let local locale
  logname man mapfile nproc pgrep pkill printenv printf ps pushd popd pwd read readarray readonly return rev seq set shift
  shopt sleep test time times tput tr trap true tty type typeset ulimit umask unalias uname unset uptime users w wait
  whereis which who whoami yes`);

/** Programs that run code, whose doings only a run could tell. */
export const INTERPRETERS =
  /^(?:(?:python|pypy|perl|ruby|php|lua)[\d.]*|node|nodejs|deno|bun|luajit|Rscript|julia|tclsh|osascript|ts-node|tsx|groovy|guile|racket|sbcl|elixir|irb|java|jshell|scala|erl|ghci)$/;

/** Programs that write a file of their own while they run others. */
export const TRACERS: ReadonlySet<string> = words("dtrace flock gdb lldb ltrace perf script strace valgrind");

/** Programs that read files and write others that nobody names. */
export const CHANGING_VERBS: ReadonlySet<string> = words(`
  bazel bundle cargo clang cmake composer dotnet esbuild gcc g++ go gradle gradlew javac just make meson mix mvn mvnw ninja
  nox nx rake rollup rustc sbt swift task tox tsc turbo vite webpack`);

/** What git only looks up, sends or keeps in records of its own. */
export const QUIET_GIT: ReadonlySet<string> = words(`
  add annotate blame branch cat-file check-ignore cherry commit count-objects describe diff diff-index diff-tree fetch
  for-each-ref fsck grep help log ls-files ls-remote ls-tree merge-base name-rev push range-diff reflog remote reset
  rev-list rev-parse shortlog show show-ref status symbolic-ref tag var verify-commit version whatchanged`);

/** What of that changes the records. */
export const RECORDING_GIT: ReadonlySet<string> = words("add commit push tag");

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

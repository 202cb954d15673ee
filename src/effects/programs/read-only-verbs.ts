/** Programs and words of the shell that only print, test or set something for the shell itself. */
export const HARMLESS: ReadonlySet<string> = words(`
  : [ [[ alias arch basename bc bg break builtin cal cd clear command comm continue cut date dc declare df dirname dirs
  disown dmesg echo env exec exit expr export false fg findmnt free getconf getent getopts groups hash help hostname
  hostnamectl id ifconfig iostat ip jobs join kill killall let local locale logname lsattr lsblk lscpu lshw lsmem lsmod lsns
  lsof lspci lsusb man mapfile mpstat netstat nproc pgrep pidof pkill pmap printenv printf ps pstree pushd popd pwd read
  readarray readonly return rev seq set shift shopt sleep ss sw_vers test time times top tput tr trap true tty type typeset
  ulimit umask unalias uname unset uptime users vmstat w wait whereis which who whoami yes zipinfo`);

/** Programs that only look, unless they are told otherwise. */
export const LOOKS_UNLESS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  history: /^-[a-z]*[acdnrw]/,
  journalctl: /^--(?:vacuum|rotate|flush|sync|setup-keys|cursor-file)/,
  tree: /^-o/,
};

/** How a part of git is asked to look. */
interface Looks {
  readonly asks: RegExp;
  /** It looks without any word, too. */
  readonly bare?: true;
  /** What asks may stand behind other words. */
  readonly anywhere?: true;
  /** Options that change it into something else. */
  readonly unless?: RegExp;
  /** Options that may stand before what asks, by themselves and with a value. */
  readonly skips?: RegExp;
  readonly takes?: RegExp;
}

/** Parts of git that look where they are asked so: the words of which one has to follow, or the options; alone, too. */
export const LOOKS_IN_GIT: Readonly<Record<string, Looks>> = {
  __proto__: null as never,
  branch: {
    asks: /^(?:-a|--all|-r|--remotes|-vv?|--verbose|-l|--list|-i|--show-current|--(?:no-)?(?:contains|merged)|--points-at|--(?:sort|format|column|color|abbrev).*|--no-c\w+)$/,
    unless:
      /^(?:-[a-zA-Z]*[dDmMcCfut]|--(?:delete|move|copy|force|set-upstream.*|unset-upstream|edit-description|track.*))$/,
    bare: true,
  },
  bisect: { asks: /^(?:log|view|visualize|terms)$/ },
  // What stands behind `-e` is a pattern, also where it looks like an option.
  clean: { asks: /^(?:-[dfqxX]*n[dfnqxX]*|--dry-run)$/, anywhere: true, unless: /^(?:-[a-zA-Z]*e|--exclude)$/ },
  config: {
    asks: /^(?:--get(?:-\w+)?|--list|-l|get|list)$/,
    skips:
      /^(?:--(?:global|local|system|worktree|null|show-origin|show-scope|name-only|includes|no-includes|bool|int|path|type=.*|default=.*|file=.*)|-z)$/,
    takes: /^(?:--file|-f|--default|--type|--blob)$/,
  },
  notes: { asks: /^(?:list|show)$/, bare: true },
  "sparse-checkout": { asks: /^list$/ },
  stash: { asks: /^(?:list|show)$/ },
  submodule: { asks: /^(?:status|summary)$/, bare: true },
  tag: {
    asks: /^(?:-l|--list|-n\d*|--contains|--no-contains|--merged|--no-merged|--points-at|--(?:sort|format|column|color).*|-v|--verify)$/,
    bare: true,
  },
  worktree: { asks: /^list$/ },
};

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
export const RECORDING_GIT: ReadonlySet<string> = words("add branch commit push tag");

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Calls that grow: every construct of a shell, of code, of SQL, of patches and of JSON, in any number. */
export interface GrowingCall {
  readonly name: string;
  readonly tool: string;
  readonly input: (count: number) => Readonly<Record<string, unknown>>;
}

/** Text made of a beginning, many middles and an end. */
interface Construct {
  readonly begin?: string;
  readonly middle: string | ((index: number) => string);
  readonly end?: string;
}

function grown({ begin = "", middle, end = "" }: Construct, count: number): string {
  const pieces =
    typeof middle === "string" ? middle.repeat(count) : Array.from({ length: count }, (_, at) => middle(at)).join("");
  return `${begin}${pieces}${end}`;
}

const SHELL: Readonly<Record<string, Construct>> = {
  "plain words": { begin: "echo ", middle: "word " },
  "one long word": { begin: "echo ", middle: "x" },
  "single quotes": { begin: "echo ", middle: "'a' " },
  "an open single quote": { begin: "echo '", middle: "a" },
  "double quotes": { begin: "echo ", middle: '"a" ' },
  "quotes in quotes": { begin: "echo ", middle: `"'" '"' ` },
  backslashes: { begin: "echo ", middle: "\\" },
  "line ends": { begin: "echo a", middle: "\n" },
  "carriage returns": { begin: "echo a", middle: "\r\n" },
  digits: { begin: "echo ", middle: "1" },
  pipes: { begin: "cat a", middle: " | cat" },
  ands: { begin: "true", middle: " && true" },
  ors: { begin: "true", middle: " || true" },
  semicolons: { middle: "true; " },
  ampersands: { middle: "sleep 1 & " },
  subshells: { middle: "(", end: "true" },
  "closed subshells": { middle: "(true); " },
  braces: { middle: "{ ", end: "true" },
  substitutions: { begin: "echo ", middle: "$(echo ", end: "a" },
  "closed substitutions": { begin: "echo ", middle: "$(true) " },
  backticks: { begin: "echo ", middle: "`true` " },
  "open backticks": { begin: "echo ", middle: "`" },
  "process substitutions": { begin: "cat ", middle: "<(true) " },
  arithmetic: { begin: "echo $((1", middle: "+1", end: "))" },
  "nested arithmetic": { begin: "echo ", middle: "$((", end: "1" },
  variables: { begin: "echo ", middle: "$a " },
  "variables of variables": { middle: (at) => `v${at}=$v${at - 1}$v${at - 1}; `, end: "rm -rf $v40" },
  defaults: { begin: "echo ", middle: "${a:-", end: "b" },
  "brace lists": { begin: "rm ", middle: "{a,b}" },
  ranges: { begin: "rm ", middle: (at) => `{1..${10 ** Math.min(9, at)}} ` },
  globs: { begin: "rm ", middle: "*" },
  "globs and parts": { begin: "rm ", middle: "*/" },
  "double stars": { begin: "rm -rf ", middle: "**/" },
  "character classes": { begin: "rm ", middle: "[a-z]" },
  "extended globs": { begin: "rm ", middle: "@(a|" },
  tildes: { begin: "ls ", middle: "~/" },
  "parent folders": { begin: "rm -rf ", middle: "../" },
  "here-documents": { middle: (at) => `cat <<E${at}\na\nE${at}\n` },
  "an open here-document": { begin: "cat <<E\n", middle: "line of it\n" },
  "here-strings": { begin: "cat ", middle: "<<< a " },
  redirections: { begin: "echo ", middle: "> a " },
  descriptors: { begin: "echo ", middle: (at) => `${(at % 90) + 3}>&1 ` },
  functions: { middle: (at) => `f${at}() { f${at - 1}; }; `, end: "f3" },
  "recursive functions": { middle: "f() { f; f; }; ", end: "f" },
  loops: { middle: "for i in 1; do ", end: "true" },
  "closed loops": { middle: "for i in 1 2 3; do true; done; " },
  "nested loops": { middle: (at) => `for i${at} in 1 2 3; do `, end: "rm $i0" },
  conditions: { middle: "if true; then ", end: "true" },
  cases: { begin: "case $a in ", middle: "x) true ;; ", end: "esac" },
  assignments: { middle: (at) => `a${at}=1 ` },
  "the same assignment": { middle: "a=$a$a; ", end: "echo $a" },
  evals: { middle: "eval ", end: "true" },
  "evals of texts": { middle: 'eval "', end: "true" },
  wrappers: { middle: "env sudo nice ", end: "true" },
  "xargs in xargs": { begin: "ls | ", middle: "xargs ", end: "rm" },
  "shells in shells": { middle: "sh -c '", end: "true" },
  "paths with links": { begin: "cat ", middle: "/proc/self/cwd" },
  options: { begin: "git ", middle: "-c a.b=c ", end: "status" },
  "long options": { begin: "curl ", middle: "--header 'a: b' ", end: "https://example.com" },
  addresses: { begin: "curl ", middle: "https://example.com/a " },
  "one long address": { begin: "curl https://example.com/?", middle: "a=b&" },
  "user info": { begin: "curl https://", middle: "a@", end: "example.com" },
  base64: { begin: "echo ", middle: "cm0gLXJmIC8K", end: " | base64 -d | sh" },
  "sed scripts": { begin: "sed -e '", middle: "s/a/b/;", end: "' a" },
  "awk programs": { begin: "awk '", middle: "{print $1} ", end: "' a" },
  "find expressions": { begin: "find . ", middle: "-name a -o " },
  "find commands": { begin: "find . ", middle: "-exec rm {} \\; " },
  comments: { middle: "# a\n" },
  blanks: { begin: "echo", middle: " " },
  tabs: { begin: "echo", middle: "\t" },
  "zero bytes": { begin: "echo ", middle: "\0" },
  "bidi controls": { begin: "echo ", middle: "\u202e" },
  "combining letters": { begin: "echo ", middle: "a\u0301" },
  emoji: { begin: "echo ", middle: "\u{1f600}" },
  "halves of letters": { begin: "echo ", middle: "\ud800" },
  "cyrillic hosts": { begin: "curl https://", middle: "\u0430", end: ".com" },
  "python, lines": { begin: "python3 -c '", middle: "x = 1\n", end: "'" },
  "python, line ends": { begin: "python3 -c '", middle: "\n", end: "'" },
  "python, digits": { begin: "python3 -c '", middle: "1", end: "'" },
  "python, calls": { begin: "python3 -c '", middle: "f(", end: "'" },
  "python, texts": { begin: "python3 -c 'x = ", middle: '"a" + ', end: '"b"\'' },
  "python, typed line ends": { begin: "python3 - <<E\nprint(os.environ", middle: "\n", end: "\nE" },
  "python, typed imports": { begin: "python3 - <<E\nenviron\n", middle: "from os import ", end: "\nE" },
  "a here-document with variables": { begin: "cat <<E\n", middle: "${A:-", end: "\nE" },
  "variables with keys, copied and shown": { begin: "a=$API_KEY", middle: "; b=$a; echo $b > x" },
  "commands that are shown as they run": { begin: "set -x", middle: "; set -x; a $b" },
  "an edit after blanks": { begin: "sed -i '", middle: " ", end: "x' f" },
  "a folder with many slashes": { begin: "find ", middle: "/", end: "x -delete" },
  "what is sent after empty lines": { begin: "nc host 6379 <<E\n", middle: "\n", end: "\nE" },
  "refs after empty lines": { begin: "git update-ref --stdin <<< '", middle: "\n", end: "x'" },
  "an edit that does not end": { begin: "echo a | sed 's/a/", middle: "\\", end: "x' | sh" },
  "an edit of listed files that does not end": { begin: "grep -rl a . | xargs sed -i 's/a/", middle: "\\", end: "x'" },
  "an edit around every line that does not end": { begin: "ls | sed 's/^/", middle: "\\", end: "x' | xargs rm" },
  "python, a long name printed often": {
    begin: `python3 - <<E\nimport os\na = os.environ["${"A".repeat(20_000)}"]\nprint(`,
    middle: "a,",
    end: ")\nE",
  },
  "python, typed names": { begin: "python3 - <<E\n", middle: "x = os.environ; print(x)\n", end: "\nE" },
  "node, a long word without certificates": { begin: "NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js ", middle: "a" },
  "node, parentheses": { begin: "node -e '", middle: "(", end: "'" },
  "node, templates": { begin: "node -e '", middle: "`${", end: "'" },
  "node, comments": { begin: "node -e '", middle: "/*", end: "'" },
  "perl, regular expressions": { begin: "perl -e '", middle: "/a/ and ", end: "1'" },
  "ruby, blocks": { begin: "ruby -e '", middle: "1.times { ", end: "'" },
  "php, dollars": { begin: "php -r '", middle: "$a.", end: "'" },
  "powershell, pipes": { begin: 'powershell -Command "ls', middle: " | ls", end: '"' },
  sql: { begin: 'psql -c "', middle: "select 1; ", end: '"' },
  "sql, comments": { begin: 'psql -c "', middle: "/* ", end: '"' },
  "git revisions": { begin: "git log ", middle: "HEAD^" },
  refspecs: { begin: "git push origin ", middle: (at) => `a${at}:b${at} ` },
  "docker mounts": { begin: "docker run ", middle: "-v /a:/a ", end: "x" },
  "ssh in ssh": { middle: "ssh a ", end: "true" },
  "make targets": { begin: "make ", middle: (at) => `t${at} ` },
  "tar names": { begin: "tar xf a.tar ", middle: "a/b " },
};

const TEXTS: Readonly<Record<string, Construct>> = {
  lines: { middle: "const a = 1;\n" },
  "one line": { middle: "a" },
  "line ends": { middle: "\n" },
  "names of secrets": { middle: "password: " },
  "values of secrets": { middle: (at) => `API_KEY_${at}=abcdef${at}\n` },
  quotes: { middle: '"' },
  "escaped quotes": { middle: '\\"' },
  "percent escapes": { middle: "%41" },
  base64: { middle: "cGFzc3dvcmQ9aHVudGVyMg" },
  addresses: { middle: "https://a:b@" },
  brackets: { middle: "[" },
  "patch headers": { begin: "*** Begin Patch\n", middle: (at) => `*** Add File: a${at}\n+a\n`, end: "*** End Patch" },
  "patch deletions": { begin: "*** Begin Patch\n", middle: (at) => `*** Delete File: a${at}\n`, end: "*** End Patch" },
  "one long name in a patch": { begin: "*** Begin Patch\n*** Delete File: a", middle: " ***", end: "\n*** End Patch" },
  xml: { middle: "<a>" },
  "yaml anchors": { begin: "a0: &a0 [x]\n", middle: (at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n` },
};

const SQL: Readonly<Record<string, Construct>> = {
  statements: { middle: "select 1; " },
  strings: { begin: "select ", middle: "'a'||" },
  "open strings": { begin: "select '", middle: "''" },
  comments: { middle: "-- a\n" },
  parentheses: { begin: "select ", middle: "(" },
  "dollar quotes": { begin: "select ", middle: "$a$ " },
  joins: { begin: "select 1 from a", middle: " join a on true" },
  "common tables": { begin: "with ", middle: (at) => `t${at} as (select 1), `, end: "z as (select 1) select 1" },
};

/** Every construct in every tool that carries such a text. */
export function growingCalls(): GrowingCall[] {
  const calls: GrowingCall[] = [];
  for (const [name, construct] of Object.entries(SHELL)) {
    calls.push({ name: `a command: ${name}`, tool: "Bash", input: (count) => ({ command: grown(construct, count) }) });
    calls.push({
      name: `an MCP command: ${name}`,
      tool: "mcp__box__run",
      input: (count) => ({ command: grown(construct, count) }),
    });
  }
  for (const [name, construct] of Object.entries({ ...TEXTS, ...SHELL })) {
    calls.push({
      name: `content: ${name}`,
      tool: "Write",
      input: (count) => ({ file_path: "run.sh", content: grown(construct, count) }),
    });
  }
  for (const [name, construct] of Object.entries(TEXTS)) {
    calls.push({
      name: `an edit: ${name}`,
      tool: "Edit",
      input: (count) => ({ file_path: "a.ts", old_string: "a", new_string: grown(construct, count) }),
    });
    calls.push({
      name: `a patch: ${name}`,
      tool: "apply_patch",
      input: (count) => ({ command: grown(construct, count) }),
    });
    calls.push({
      name: `an address: ${name}`,
      tool: "WebFetch",
      input: (count) => ({ url: `https://example.com/${grown(construct, count)}` }),
    });
    calls.push({ name: `a path: ${name}`, tool: "Read", input: (count) => ({ file_path: grown(construct, count) }) });
  }
  for (const [name, construct] of Object.entries(SQL))
    calls.push({
      name: `a query: ${name}`,
      tool: "mcp__db__query",
      input: (count) => ({ sql: grown(construct, count) }),
    });
  calls.push(
    {
      name: "keys",
      tool: "mcp__x__y",
      input: (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])),
    },
    {
      name: "a list of texts",
      tool: "mcp__x__y",
      input: (count) => ({ list: Array.from({ length: count }, () => "rm -rf /") }),
    },
    { name: "depth", tool: "mcp__x__y", input: (count) => deep(Math.min(count, 5000)) },
    {
      name: "edits",
      tool: "MultiEdit",
      input: (count) => ({
        file_path: "a.ts",
        edits: Array.from({ length: count }, () => ({ old_string: "a", new_string: "b" })),
      }),
    },
    {
      name: "files",
      tool: "read_many_files",
      input: (count) => ({ paths: Array.from({ length: count }, (_, at) => `src/${at}.ts`) }),
    },
    {
      name: "commands",
      tool: "run_commands",
      input: (count) => ({ commands: Array.from({ length: count }, () => "true") }),
    },
  );
  return calls;
}

function deep(count: number): Readonly<Record<string, unknown>> {
  let value: Record<string, unknown> = {};
  for (let at = 0; at < count; at++) value = { a: value };
  return value;
}

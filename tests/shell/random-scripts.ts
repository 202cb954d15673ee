import { type Next, pick, randomNumbers } from "./random.ts";

/** Scripts with words in all the ways that a shell knows, the same ones for the same seed; each ends in a call of `show`. */
export function randomScripts(count: number, seed: number): string[] {
  const next = randomNumbers(seed);
  return Array.from({ length: count }, () => script(next));
}

function times(next: Next, most: number, make: () => string, between = ""): string {
  return Array.from({ length: 1 + next(most) }, make).join(between);
}

function script(next: Next): string {
  const lines = [
    `A=${value(next)}`,
    `B=${value(next)}`,
    `X=${next(20)}`,
    `L=(${times(next, 3, () => word(next), " ")})`,
  ];
  if (next(5) === 0) lines.push(pick(next, ["IFS=,", "IFS=' ,'", "IFS=", "IFS=:"]));
  if (next(4) === 0) lines.push(`set -- ${times(next, 3, () => word(next), " ")}`);
  if (next(6) === 0)
    lines.push(
      pick(next, [
        "A+=x",
        "L+=(q 'r s')",
        "X+=1",
        "unset B",
        "export A",
        "N=A",
        "read -r A <<< 'p q  r '",
        "printf -v B '%s-%d' z 3",
        "L[1]=w",
      ]),
    );
  if (next(8) === 0)
    lines.push(
      pick(next, [
        "if true; then B=1; else B=2; fi",
        "for A in 1 2; do X=$A; done",
        "true && A=y",
        "f() { B=$1; }; f 'k l'",
        "case $X in 1*) A=one;; *) A=other;; esac",
      ]),
    );
  return [...lines, `show ${times(next, 4, () => word(next), " ")}`].join("\n");
}

function value(next: Next): string {
  return pick(next, [
    "abc",
    "'a b'",
    "' a  b '",
    '""',
    "'a,b,,c'",
    "'*'",
    "'a:b:'",
    "'x*y'",
    "aXbXc",
    "$'p\\tq'",
    "'{a,b}'",
    "'\\\\'",
    "'~'",
    "a'b'\"c\"",
    "'-n'",
  ]);
}

function word(next: Next): string {
  return times(next, 4, () => piece(next, false));
}

function piece(next: Next, isQuoted: boolean): string {
  const kinds = isQuoted ? QUOTED : PLAIN;
  return pick(next, kinds)(next);
}

type Kind = (next: Next) => string;

const letters: Kind = (next) =>
  times(next, 3, () => pick(next, ["a", "b", "c", "X", "-", ".", "_", "1", ":", "=", ",", "é", "%", "@", "+"]));
const escaped: Kind = (next) =>
  `\\${pick(next, ["a", " ", "$", '"', "'", "\\", "*", "{", "}", ",", "~", "#", ";", "\n", "é"])}`;
const single: Kind = (next) =>
  `'${times(next, 3, () => pick(next, ["a", " ", "$A", '"', "\\", "*", "{x,y}", "\n", "~"]))}'`;
const double: Kind = (next) => `"${times(next, 3, () => piece(next, true))}"`;
const ansi: Kind = (next) =>
  `$'${times(next, 3, () => pick(next, ["a", "\\n", "\\x41", "\\101", "\\u0042", "\\'", "\\\\", " ", "\\e", '"', "\\q"]))}'`;
const variable: Kind = (next) =>
  pick(next, [
    "$A",
    "$B",
    "${A}",
    "${B}",
    "$X",
    "${L[0]}",
    "${L[1]}",
    "${L[@]}",
    "${L[*]}",
    "$L",
    "$@",
    "$*",
    "$1",
    "$#",
    "${#A}",
    "${#L[@]}",
    "${L[-1]}",
    "${L[X-X]}",
    "${@:2}",
    "${L[@]:1}",
    "${!N}",
  ]);
const operation: Kind = (next) =>
  `\${${pick(next, ["A", "B", "1", "X", "L[0]"])}${pick(next, [":-d", "-d", ":-x y", ":+e", "+e", ":-$B", ':-"q r"', ":-'s t'", ":1", ":1:2", ": -2", "#a", "##*b", "%c", "%%b*", "%?", "/a/z", "//b/", "//[a-b]/_", "/#a/S", "/%c/E", "^^", "^", ",,", "//X/ ", "#*,", "%%,*", "//,/ "])}}`;
const arithmetic: Kind = (next) =>
  `$((${pick(next, ["1+2", "X*2", "$X-1", "(X+3)%4", "X>5", "X<5?1:2", "0x10", "010", "2**5", "-X", "!X", "X==3||0", "1<<3", "7/2", "~5", "3,4"])}))`;
const output: Kind = (next) =>
  pick(next, [
    "$(echo a b)",
    "`echo c`",
    "$(printf '%s,' 1 2)",
    "$(echo -n x)",
    '$(echo "$A")',
    "$(echo $B)",
    "$(printf 'a\\n\\n')",
    "$(echo -e 'a\\tb')",
    "$(cat <<< q)",
    "$(echo cm0= | base64 -d)",
    "$(echo abc | rev)",
    "$(echo abc | tr a-c A-C)",
    "$(true)",
  ]);
const braces: Kind = (next) =>
  pick(next, [
    "{a,b}",
    "{1..3}",
    "{a..c}",
    "{a,{b,c}}",
    "{,x}",
    "{a}",
    "{a,b",
    "a,b}",
    "{1..10..4}",
    "{03..1}",
    "{$A,b}",
    "{'a,b',c}",
    "{a,b}{1,2}",
    "{}",
    "{c..a..2}",
    '{"x y",z}',
    "{-1..1}",
  ]);
const tilde: Kind = (next) => pick(next, ["~", "~/a", "~+/b"]);
const plainQuoted: Kind = (next) =>
  times(next, 3, () => pick(next, ["a", " ", "b", "\\$", '\\"', "\\\\", "\\a", "*", "{a,b}", "'", "~", "\\\n", "\t"]));

const PLAIN: readonly Kind[] = [
  letters,
  letters,
  letters,
  escaped,
  single,
  double,
  double,
  ansi,
  variable,
  variable,
  operation,
  arithmetic,
  output,
  braces,
  tilde,
];
const QUOTED: readonly Kind[] = [plainQuoted, plainQuoted, variable, operation, arithmetic, output];

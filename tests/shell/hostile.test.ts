import { describe, expect, it } from "vitest";
import { effectsOf } from "../../src/effects/effects.ts";
import { readCommandLine } from "../../src/effects/parse/read-command-line.ts";
import { everyNth } from "../cases.ts";

const SIZE = 100_000;
/** Each takes far less than 200 ms of an idle machine; the bound only tells that from growth without end. */
const MAX_MS = 2_000;

const again = (text: string) => text.repeat(Math.ceil(SIZE / text.length));
const numbered = (make: (index: number) => string) => Array.from({ length: 4_000 }, (_, index) => make(index)).join("");

/** Signs, words and openings, over and over. */
const REPEATED =
  "a|a |`|`a` |`\\`|$x|${x}|${x:-|${x:=$(|'|\"|'\"|$(|$(a) |$((|$[|$'|$|{ |{|{a,|{a,b}|{1..9}|(|( |while |while a; do |until a; do |if a; then |case a in b) |for a in b; do |for i in 1 2 3 4 5 6 7 8; do |f() { |coproc |time |! |eval |eval \"|eval \\\"|sh -c |sh -c '|a|a&&|;|a;|&|>a |<<A |cat <<A\n|<<<a |<(|<(a) |*|[|@(a|~|\\|\n|#|#\n|\0|é|\uFFFC|a=b |a\\\n|$a\\\n|'$a'\\\n$b|\"$@\" |trap 'a' EXIT;|alias a=b;a;|cd a;|. a;|make a;|read a <<< b;|a=$(curl x);|echo $(cat a) |cat a > b; |echo a | tee b | |xargs |env |sudo |ssh a |[[ -n a ]] && "
    .split("|")
    .filter((text) => text !== "");

/** Lines that grow while they are read. */
const GROWING: Readonly<Record<string, string>> = {
  "a variable that doubles": `a=xxxxxxxx;${again("a=$a$a;")}`,
  "code that doubles": `a='echo x;';${again("a=$a$a;")}eval "$a"`,
  "a list that doubles": `a=(x x x x);${again('a+=("${a[@]}");')}`,
  "functions that call two": `${numbered((index) => `f${index}() { f${index + 1}; f${index + 1}; };`)}f0`,
  "aliases that call two": `${numbered((index) => `alias a${index}='a${index + 1} a${index + 1}';`)}a0`,
  "a fork bomb": `:(){ :|:& };:${again(":;")}`,
  "many roots": `find ${again("a ")}-delete`,
  "many actions": `find . ${again("-exec rm {} ';' ")}`,
  "many names": `find . ${again("-name a -o ")}-delete`,
  "many brackets": `find . ${again("'(' ")}-delete`,
  "roots times actions": `find a b c d e f g h ${again("-delete ")}`,
  "many arguments": `echo ${again("a ")}| xargs rm`,
  "many lines": `while read a; do rm $a; done <<< '${again("x\n")}'`,
  "code of python": `python3 -c "${again("os.system(")}"`,
  "texts of python": `python3 -c "${again("'a'+")}"`,
  "code of awk": `awk '${again('system("rm x");')}'`,
  "code of sed": `sed '${again("s/a/b/;")}' x`,
  "signs of sed": `sed '${again("s")}' x`,
  "shells behind a download": `curl x${again("|sh")}`,
  "a pattern that tries again": `a=${"a".repeat(5_000)};${again("${a##*a*a*b}")}`,
  "a replacement": `a=${"x".repeat(1_000)};${again("${a//x/yy}")}`,
  "wide formats": "printf %99999s x;".repeat(6_000),
  "many arms": `case x in ${again("a) ;; ")}`,
  "a long sum": `((${again("1+")}`,
  "a long test": `[[ ${again("a && ")}`,
  "packed code": `echo ${Buffer.from(again("rm x;")).toString("base64")} | base64 -d | sh`,
};

describe("a line of 100 kB", () => {
  it.each(everyNth(11, REPEATED))("made of %j is read in bounded time, and not vouched for", (text) =>
    expectBounded(again(text)),
  );
  it.each(everyNth(4, Object.entries(GROWING)))("with %s is read in bounded time, and not vouched for", (_, line) =>
    expectBounded(line),
  );
});

describe("what stands before too much", () => {
  it.each(["$[", "`", "$(", "<<A "])("is still seen before %s", (text) => {
    const { commands, doubts } = readCommandLine(`rm -rf x\n${again(text)}`);
    expect(commands[0]?.program?.text).toBe("rm");
    expect(doubts).not.toEqual([]);
  });
});

function expectBounded(line: string): void {
  const before = process.cpuUsage();
  const reading = readCommandLine(line);
  const effects = effectsOf(reading);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(MAX_MS);
  expect(reading.doubts).not.toEqual([]);
  expect(effects.some(({ does }) => does === "unknown")).toBe(true);
}

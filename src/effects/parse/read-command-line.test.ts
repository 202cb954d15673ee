import { describe, expect, it } from "vitest";
import { type Doubt, GAP, type Lookups, type Reading, type SimpleCommand } from "./command.ts";
import { readCommandLine } from "./read-command-line.ts";

/** Commands as a person would tell them: who runs it, its words, its files. */
function told(line: string, around?: Lookups): string[] {
  return readCommandLine(line, around).commands.map(tell);
}

function tell({ program, args, redirects, via }: SimpleCommand): string {
  const words = [program, ...args].flatMap((word) => (word === undefined ? [] : [word.text]));
  const files = redirects.map(({ way, target }) => `${{ read: "<", write: ">", append: ">>" }[way]} ${target.text}`);
  return `${via.map((name) => `[${name}] `).join("")}${[...words, ...files].join(" ")}`;
}

function whyNot({ doubts }: Reading): Doubt["why"][] {
  return doubts.map(({ why }) => why);
}

describe("what a line runs", () => {
  it.each([
    ["quotes and escapes", `r""m 'a b' "c d" e\\ f`, ["rm a b c d e f"]],
    ["continued lines", "rm \\\n  -r\\\nf x", ["rm -rf x"]],
    ["ANSI-C texts", "$'\\x72\\u006d' $'a\\tb'", ["rm a\tb"]],
    ["texts to be translated", 'rm $"x"', ["rm x"]],
    ["a carriage return is a sign like others", "ls\rx", ["ls\rx"]],
    ["so is a space that does not break", "rm\u00a0x", ["rm\u00a0x"]],
    ["comments", "ls # rm x\nrm y", ["ls", "rm y"]],
    ["separators", "a; b && c || d & e | f |& g\nh", ["a", "b", "c", "d", "e", "f", "g", "h"]],
    ["groups and subshells", "{ a; }; (b; (c))", ["a", "b", "c"]],
    ["conditions", "if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["loops over words", "for f in x y; do rm $f; done", ["rm x", "rm y"]],
    [
      "loops over lines",
      "printf 'x\\ny\\n' | while read -r f; do rm $f; done",
      ["printf x\\ny\\n", "read -r f", "rm x", "read -r f", "rm y", "read -r f"],
    ],
    ["every arm that may be taken", "case $1$Q in a) b;; c) d;; esac", ["b", "d"]],
    ["only the arm that is taken", "case a in a) b;; c) d;; esac", ["b"]],
    [
      "substitutions wherever they stand",
      'a $(b) "`c`" $((1+$(d))) ${X:-$(e)} <(f)',
      ["b", "c", "d", "e", "f", `a ${GAP} ${GAP} ${GAP} ${GAP} /dev/fd/63`],
    ],
    ["substitutions in documents", "cat <<E\n$(a)\nE", ["a", "cat"]],
    ["an index that is run", `x='a[$(b)]'; [[ -v $x ]]; ((x))`, ["", "b", "b"]],
    ["functions where they are called", "f() { rm $1; }; f x; g() { never; }", ["rm x"]],
    ["functions with a harmless name", "ls() { command rm x; }; ls", ["command rm x", "[command] rm x"]],
    ["aliases, read both ways", "alias ls='rm x'; ls y", ["alias ls='rm x'", "rm x y", "ls y"]],
    ["traps, at the end", "trap 'rm $T' EXIT; T=x", ["trap rm $T EXIT", "", "rm x"]],
    ["traps of a stage", "echo | { trap 'rm x' EXIT; }", ["echo", "trap rm x EXIT", "rm x"]],
    ["braces in what is substituted", "cat <({rm,x})", ["rm x", "cat /dev/fd/63"]],
    ["a likely value before its stand-in", "[ -d x ] && v=rm; ${v:-y} x", ["[ -d x ]", "", "rm x"]],
    ["coprocesses", "coproc rm x", ["rm x"]],
    [
      "what a coprocess is given",
      "coproc sh; echo rm x >&${COPROC[1]}",
      ["sh", "echo rm x >> /dev/fd/60", "sh", "[sh] rm x"],
    ],
    [
      "what is written to a descriptor",
      "exec 3> >(sh); echo rm x >&3",
      ["exec > /dev/fd/63", "echo rm x >> /dev/fd/63", "sh", "[sh] rm x"],
    ],
    ["a file by the path of its descriptor", "exec {f}< a; cat /dev/fd/$f -", ["exec < a", "cat a -"]],
    ["a descriptor that was closed", "exec 3< a; exec 3<&-; cat /dev/fd/3", ["exec < a", "exec", "cat /dev/fd/3"]],
    ["what is called for each line", "mapfile -t -C 'rm -f' -c 1 m <<< x", ["mapfile -t -C rm -f -c 1 m", "rm -f 0 x"]],
    ["what a coprocess prints", "coproc X { echo rm x; }; sh <&${X[0]}", ["echo rm x", "sh", "[sh] rm x"]],
    ["what is written into a substitution", "echo rm x > >(sh)", ["echo rm x > /dev/fd/63", "sh", "[sh] rm x"]],
    ["by a group too", "{ echo rm x; } > >(sh)", ["> /dev/fd/63", "echo rm x", "sh", "[sh] rm x"]],
    ["by a copy too", "echo rm x | tee >(sh)", ["echo rm x", "tee /dev/fd/63", "sh", "[sh] rm x"]],
    [
      "a descriptor that stays open",
      "exec 3< <(echo rm x); sh <&3",
      ["echo rm x", "exec < /dev/fd/63", "sh", "[sh] rm x"],
    ],
    ["one that the shell numbers", "exec {n}<<< 'rm x'; sh <&$n", ["exec", "sh", "[sh] rm x"]],
    ["one of the same command", "sh 3< <(echo rm x) <&3", ["echo rm x", "sh < /dev/fd/63", "[sh] rm x"]],
    ["one by its path", "bash /dev/fd/3 3< <(echo rm x)", ["echo rm x", "bash /dev/fd/63 < /dev/fd/63", "[bash] rm x"]],
    ["one that is copied", "exec 3<<< 'rm x' 4<&3; sh <&4", ["exec", "sh", "[sh] rm x"]],
    [
      "lines of a descriptor, one after the other",
      "exec 3< <(printf 'x\\ny\\n'); read -u 3 a; read b <&3; rm $a $b",
      ["printf x\\ny\\n", "exec < /dev/fd/63", "read -u 3 a", "read b", "rm x y"],
    ],
    [
      "an input that stays",
      "exec <<< 'rm x'; read a; $a; echo y | sh",
      ["exec", "read a", "rm x", "echo y", "sh", "[sh] y"],
    ],
    [
      "what is inserted into arithmetic, whatever quotes stand around it",
      `: $((a $'$(r"m" x)'))`,
      ["rm x", `: ${GAP}`],
    ],
    [
      "what follows a choice, with what each branch has set",
      "v=ls; if a; then v=rm; fi; $v x",
      ["", "a", "", `${GAP} x`, "ls x", "rm x"],
    ],
    [
      "parameters that may be set",
      'set -- a b; c || set -- rm x; "$@"',
      ["set -- a b", "c", "set -- rm x", GAP, "a b", "rm x"],
    ],
    [
      "what a function keeps to itself, and what it was before",
      "d=src; f() { local d=tmp; rm $d; }; f; rm $d",
      ["", "local d=tmp", "rm tmp", "rm src"],
    ],
    ["declarations, expanded before any is set", "a=x; declare a=y b=$a; rm $a $b", ["", "declare a=y b=$a", "rm y x"]],
    ["exported ones too", "a=x; export a=y b=$a; rm $b", ["", "export a=y b=$a", "rm x"]],
    ["and those of a function", "a=x; f() { local a=y b=$a; rm $b; }; f", ["", "local a=y b=$a", "rm x"]],
    [
      "lists are set while they are expanded",
      "declare -a a=(x y) b=${a[1]}; rm $b",
      ["declare -a a=(x y) b=${a[1]}", "rm y"],
    ],
    ["assignments, one after the other", "a=x b=$a; rm $b", ["", "rm x"]],
    ["what is put before every line", "sed 's/^/rm /' a | sh", ["sed s/^/rm / a", "sh", `[sh] rm ${GAP}`]],
    [
      "aliases with quotes inside",
      `alias z='sh -c "rm x"'\nz`,
      [`alias z='sh -c "rm x"'`, "sh -c rm x", "[sh -c] rm x", "z"],
    ],
    [
      "what runs in the place of a command that is not there",
      "command_not_found_handle() { rm x; }; nowhere",
      ["nowhere", "rm x"],
    ],
    ["code behind two dashes", "eval -- 'rm x'", ["eval -- rm x", "[eval] rm x"]],
    [
      "a program that is looked up",
      "$(command -v rm) x; $(type -P rm) y",
      ["command -v rm", "rm x", "type -P rm", "rm y"],
    ],
    ["a file as a text", "echo 'rm x' > s; eval \"$(< s)\"", ["echo rm x > s", "< s", "eval rm x", "[eval] rm x"]],
    ["a program from a list with a pattern", 'l=(/usr/bin/r[m] x); "${l[@]}"', ["", "rm x"]],
    ["a list that may have been set", '[ -d x ] && l=(rm x); "${l[@]}"', ["[ -d x ]", "", "rm x"]],
    ["parameters that may have been set", 'test -d x && set -- rm x; "$@"', ["test -d x", "set -- rm x", "rm x"]],
    ["what was set on the way", "test -d x && v=rm && $v x", ["test -d x", "", "rm x"]],
    ["continued lines beside quotes", "eval \"$(echo 'rm \\\nx')\"", ["echo rm \\\nx", "eval rm \\\nx", "[eval] rm x"]],
    ["variables", "a=r; b=m; $a$b ${c:-x}", ["", "", "rm x"]],
    ["indirection", "c=rm; v=c; ${!v} x; declare -n z=c; $z y", ["", "", "rm x", "declare -n z=c", "rm y"]],
    ["slices, replacements and case", "s=xRM; s=${s:1}; ${s,,} ${s/R/}", ["", "", "rm M"]],
    ["lists", 'c=(rm -r "x y"); "${c[@]}"; ${c[0]} z', ["", "rm -r x y", "rm z"]],
    ["positional parameters", 'set -- rm x; "$@"; shift; echo $1', ["set -- rm x", "rm x", "shift", "echo x"]],
    ["separators of its own", "IFS=,; c=rm,x; $c", ["", "", "rm x"]],
    ["what is read", 'read -r a b <<< "rm x y"; $a $b', ["read -r a b", "rm x y"]],
    ["what is printed into a variable", "printf -v c %s rm; $c x", ["printf -v c %s rm", "rm x"]],
    ["braces", "{rm,x{1..2}}", ["rm x1 x2"]],
    ["programs by their path", "/bin/../usr//bin/rm x; /opt/x/rm y", ["rm x", "/opt/x/rm y"]],
    ["programs by a pattern", "/b?n/r[m] x", ["rm x"]],
    [
      "programs under another name",
      "cp /bin/rm a; ./a x; ln -s /bin/sh b; ./b -c 'rm y'",
      ["cp /bin/rm a", "rm x", "ln -s /bin/sh b", "sh -c rm y", "[sh -c] rm y"],
    ],
    [
      "scripts that the line writes",
      "echo 'rm x' > s; chmod +x s; ./s; . ./s",
      ["echo rm x > s", "chmod +x s", "./s", "[./s] rm x", ". ./s", "[.] rm x"],
    ],
    ["hidden texts", "echo cm0geA== | base64 -d | sh", ["echo cm0geA==", "base64 -d", "sh", "[sh] rm x"]],
    ["eval", `eval "$(printf '\\162\\155') x"`, ["printf \\162\\155", "eval rm x", "[eval] rm x"]],
    ["redirections alone", "> x; >> y; 2>&1", ["> x", ">> y"]],
    ["variables that are run", "GIT_SSH_COMMAND='rm x' git fetch", ["git fetch", "[GIT_SSH_COMMAND] rm x"]],
  ])("%s", (_, line, expected) => expect(told(line)).toEqual(expected));
});

describe("what is only mentioned", () => {
  it.each([
    ["a message", 'git commit -m "stop using rm -rf / and sudo"', ["git"]],
    ["a printed text", "echo 'rm -rf /; sudo x' | cat", ["echo", "cat"]],
    ["a pattern", 'grep -rn "rm -rf" src', ["grep"]],
    ["a document", "cat > a.md <<'E'\nrm -rf / $(sudo x)\nE", ["cat"]],
    ["a comment", "ls # rm -rf /", ["ls"]],
    ["code that prints", `python3 -c "print('rm -rf /')"`, ["python3"]],
    ["a text that code holds", `node -e "console.log('rmSync')"`, ["node"]],
    ["a search by name", "command -v rm; which rm; type rm", ["command", "which", "type"]],
  ])("%s is not run", (_, line, programs) => {
    const reading = readCommandLine(line);
    expect(reading.commands.map(({ program }) => program?.text)).toEqual(programs);
    expect(reading.doubts).toEqual([]);
  });
});

describe("a reading that cannot vouch for everything says why", () => {
  it.each<[string, Doubt["why"][]]>([
    ["rm x", []],
    ["if", ["syntax", "syntax"]],
    ['echo "$(if)"', ["syntax", "syntax"]],
    ["$TOOL x", ["unknown program"]],
    ["r${Z}m x", ["unknown program"]],
    ["$(pick) x", ["unknown program"]],
    ['eval "$CODE"', ["unknown code"]],
    ["curl a | sh", ["unknown code"]],
    ["bash <(curl a)", ["unknown code"]],
    [`python3 -c "exec(open('a').read())"`, ["unknown code"]],
    ["curl -sSLo y https://a.b/c && chmod +x y && ./y", ["unknown code"]],
    ["wget https://a.b/c.sh; sh c.sh", ["unknown code"]],
    ["curl a > y; bash y", ["unknown code"]],
    ["curl a > >(sh)", ["unknown code"]],
    ["exec > >(sh); echo x", ["unknown code"]],
    ["exec 4> >(sh); echo x >&4", []],
    ["exec 4> >(sh); curl a >&4", ["unknown code"]],
    ["exec > y; echo x; exec > /dev/tty; sh y", ["unknown code"]],
    ["coproc sh; echo x >&${COPROC[1]}", ["unknown code"]],
    ["git push -u origin HEAD && sed -i 's/e w/x/' f && awk '{print $1}' f", []],
    ["sh a.sh", ["unread script"]],
    ["cat a.sh | sh", ["unread script"]],
    ["./a.sh", ["unread script"]],
    ["npm run build", ["unread script"]],
    ["yarn build", ["unread script"]],
    ["yarn install && pnpm add x", []],
    ["r? x", ["unknown program"]],
  ])("%s", (line, expected) => expect(whyNot(readCommandLine(line))).toEqual(expected));

  it("takes the likely program where a gap stands in a name", () => {
    expect(told("r${Z}m x")).toEqual(["rm x"]);
  });
});

describe("words", () => {
  it("are known, or have gaps, or are patterns", () => {
    const [command] = readCommandLine('rm a "$X/b" *.o ~/c').commands;
    expect(command?.args).toEqual([
      { text: "a", isKnown: true, isGlob: false },
      { text: `${GAP}/b`, isKnown: false, isGlob: false },
      { text: "*.o", isKnown: false, isGlob: true, files: "*.o" },
      { text: "~/c", isKnown: false, isGlob: false },
    ]);
  });

  it("use the variables that are known around the line", () => {
    expect(told("rm ~/a $HOME/b $FOO", { variables: { HOME: "/h", FOO: "c" } })).toEqual(["rm /h/a /h/b c"]);
  });

  it("are not known any more where branches disagree", () => {
    expect(told("if a; then X=1; else X=2; fi; rm $X")).toContain(`rm ${GAP}`);
    expect(told("X=0; while a; do rm $X; X=1; done")).toContain(`rm ${GAP}`);
    expect(told("X=1; a || X=2; rm $X")).toContain(`rm ${GAP}`);
    expect(told("X=1; (X=2); rm $X")).toContain("rm 1");
  });
});

describe("folders", () => {
  it.each([
    ["rm x", "."],
    ["cd a/b && cd .. && rm x", "a"],
    ["cd /tmp; rm x", "/tmp"],
    ["pushd a; popd; rm x", "."],
    ["(cd a); rm x", "."],
    ["cd $D; rm x", GAP],
    ["cd; rm x", "~"],
    ["env -C a rm x", "a"],
    ["cd a; bash -c 'cd b; rm x'", "a/b"],
    ["cd a || exit 1; rm x", "a"],
  ])("%s: %s", (line, folder) => {
    const { commands } = readCommandLine(line);
    expect(commands.findLast(({ program }) => program?.text === "rm")?.folder).toBe(folder);
  });
});

describe("input", () => {
  it("comes from commands, texts, files, or nowhere", () => {
    const { commands } = readCommandLine("a | b; c <<< x; d < f; e; (g; h) | i");
    expect(commands.map(({ input }) => input)).toEqual([
      { from: "nothing" },
      { from: "commands", of: [0] },
      { from: "text", text: { text: "x\n", isKnown: true, isGlob: false } },
      { from: "file", path: { text: "f", isKnown: true, isGlob: false } },
      { from: "nothing" },
      { from: "nothing" },
      { from: "nothing" },
      { from: "commands", of: [5, 6] },
    ]);
  });
});

describe("what lies around the line", () => {
  const around: Lookups = {
    script: (path) => ({ "a.sh": 'rm "$1"', "sub/b.py": "import os\nos.remove('x')", ls: "#!/bin/sh\nrm y" })[path],
    task: (runner, name) => (runner === "npm" && name === "clean" ? "rm -rf dist" : undefined),
  };

  it.each([
    ["sh a.sh x", "[sh] rm x"],
    [". ./a.sh x", "[.] rm x"],
    ["sh < a.sh", "[sh] rm "],
    ["exec 9<a.sh; sh <&9", "[sh] rm "],
    ["cd sub; python3 b.py", "[python3] rm -f x"],
    ["BASH_ENV=a.sh bash -c ls", "[BASH_ENV] rm "],
    ["PATH=.:$PATH; ls", "[ls] rm y"],
    ["npm run clean -- --all", "[npm run clean] rm -rf dist --all"],
  ])("%s", (line, expected) => expect(told(line, around)).toContain(expected));
});

describe("a hostile line", () => {
  const LONG = 100_000;
  it.each<[string, string]>([
    ["substitutions in substitutions", "$(".repeat(LONG / 2)],
    ["backticks", "`".repeat(LONG)],
    ["braces in braces", "{a,".repeat(LONG / 3)],
    ["braces beside braces", `echo ${"{a,b}".repeat(40)}`],
    ["many commands", "a;".repeat(LONG / 2)],
    ["loops in loops", `${"for i in 1 2 3 4 5 6 7 8; do ".repeat(12)}rm x;${" done;".repeat(12)}`],
    ["a value that doubles", `a=xxxxxxxx; ${"a=$a$a; ".repeat(200)}echo $a`],
    ["a function that calls itself", "f() { f; f; }; f"],
    ["an alias of itself", "alias a='a a;a'; a"],
    ["evaluation of evaluation", 'x=\'eval "$x"\'; eval "$x"'],
    ["code without an end", `python3 -c '${"f(".repeat(LONG / 4)}'`],
    ["quotes", '"'.repeat(LONG + 1)],
  ])("%s ends soon, without throwing", (_, line) => {
    const began = performance.now();
    const { commands, doubts } = readCommandLine(line);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(commands.length).toBeLessThanOrEqual(2_100);
    if (line.length > 65_536) expect(doubts.map(({ why }) => why)).toContain("too long");
  });

  it("is doubted where the reading stops", () => {
    expect(whyNot(readCommandLine("a;".repeat(3_000)))).toEqual(["too many commands"]);
    expect(whyNot(readCommandLine(`echo ${"$(".repeat(500)}`))).toContain("too deep");
    expect(whyNot(readCommandLine("f() { f; }; f"))).not.toEqual([]);
  });

  it.each(["true; ", 'a="$a$b"; ', "echo '; x' > f\n", "cd a; echo > ../b; ", "\n\n  ls -la\n", "$a $b;"])(
    "of more statements than are run is parsed as far as it is run: %j",
    (statement) => {
      const long = readCommandLine(statement.repeat(8_000));
      const short = readCommandLine(statement.repeat(2_600));
      expect(long.commands).toEqual(short.commands);
      expect(whyNot(long).filter((why) => why !== "too long")).toEqual(whyNot(short));
      expect(whyNot(short)).toContain("too many commands");
    },
  );

  it("is doubted where it calls functions that run nothing", () => {
    const line = `f() { [[ a ]]; }\neval '${"f; ".repeat(1_300)}'`;
    expect(whyNot(readCommandLine(line))).toEqual(["too many commands"]);
  });

  it.each([
    ["quotes", `echo '${"a; ".repeat(9_000)}'`],
    ["double quotes", `echo "${"a; ".repeat(9_000)}"`],
    ["several quotes", "echo 'a; b; c; d; e; f; g; h; i; j' \"k; l\"; ".repeat(900)],
    ["a document", `cat > f <<'E'\n${"a;\n".repeat(9_000)}E`],
    ["blank lines", "\n".repeat(30_000)],
    ["a comment", `: # ${"a; ".repeat(9_000)}`],
    ["a choice that is not made", `if false; then\n${"a=1\n".repeat(300)}fi`],
    ["a function that is not called", `f() {\n${"a; ".repeat(9_000)}\n}`],
  ])("is read behind %s that only looks like many statements", (_, text) => {
    expect(readCommandLine(`${text}\nrm x`).commands.at(-1)?.program?.text).toBe("rm");
  });

  describe("is doubted where names are left out", () => {
    const many = (count: number, between = " ") => Array.from({ length: count }, (_, at) => `a${at}`).join(between);

    it.each<[string, string, string | undefined]>([
      ["more words than are read", `rm ${many(4_097)} x.y`, "too long"],
      ["as many words as are read", `rm ${many(4_096)}`, undefined],
      ["a variable of many words", `X="${many(1_024)} x.y"; rm $X`, "too long"],
      ["braces around many names", `rm {${many(600, ",")}}{a,b}`, "too long"],
      ["a long name before braces", `rm ${"b".repeat(200)}{${many(1_000, ",")}}`, "too long"],
      ["a sequence of numbers", "for i in {1..3000}; do echo $i; done", undefined],
      ["parameters of the shell", `set -- ${many(1_025)}; rm "$@"`, "too long"],
      ["many items of xargs", `echo ${many(1_025)} | xargs rm`, "too long"],
      ["as many items of xargs as are followed", `echo ${many(1_024)} | xargs rm`, undefined],
      ["many runs by xargs", `printf '%s\\n' ${many(65)} | xargs -I{} rm {}`, "too long"],
      ["as many runs by xargs as are followed", `printf '%s\\n' ${many(64)} | xargs -I{} rm {}`, undefined],
      ["many runs by parallel", `parallel rm ::: ${many(65)}`, "too long"],
      ["many turns with names of files", `for x in ${many(64)} x.y; do rm $x; done`, "unknown code"],
      ["many turns with other words", `for x in ${many(65)}; do echo $x; done`, undefined],
      ["many lines that name files", `while read x; do rm $x; done <<E\n${many(64, "\n")}\nx.y\nE`, "unknown code"],
      ["as many lines as are followed", `while read x; do rm $x; done <<E\n${many(63, "\n")}\nx.y\nE`, undefined],
      ["a long list", `X=(${many(257)}); rm "\${X[@]}"`, "unknown code"],
    ])("%s", (_, line, why) => {
      expect(whyNot(readCommandLine(line))).toEqual(why === undefined ? [] : [why]);
    });
  });

  it("shows what stands at its beginning", () => {
    expect(told(`rm x; echo ${"a".repeat(LONG)}`)).toContain("rm x");
  });
});

it("asks about so many targets of a runner and no more, and doubts the others", () => {
  const asked: string[] = [];
  const task = (_runner: string, name: string) => {
    asked.push(name);
    return "true";
  };
  const targets = Array.from({ length: 400 }, (_, at) => `t${at}`);
  const { doubts } = readCommandLine(`make ${targets.join(" ")}`, { task });
  expect(asked).toEqual(targets.slice(0, 256));
  expect(doubts).toEqual([{ why: "unread script", what: "more than 256 targets of make" }]);
});

it("reads a script once that is run again in the same state, where the caller does not ask how often", () => {
  const texts: Record<string, string> = {
    "a.sh": "sh b.sh\nsh b.sh\n. ./c.sh\n. ./c.sh",
    "b.sh": "rm $X $1",
    "c.sh": "rm c",
    "d.sh": "X=$X.; sh b.sh",
  };
  const read = (line: string, readsOnce: boolean) => {
    const asked: string[] = [];
    const script = (path: string) => {
      asked.push(path);
      return texts[path];
    };
    const { commands } = readCommandLine(line, { script, readsOnce, variables: { X: "" } });
    const removed = commands.filter(({ program }) => program?.text === "rm");
    return { asked, removed: removed.map(({ folder, args }) => [folder, ...args.map(({ text }) => text)].join(" ")) };
  };
  expect(read("sh a.sh", false).asked).toEqual(["a.sh", "b.sh", "b.sh", "c.sh", "c.sh"]);
  expect(read("sh a.sh; sh a.sh", true).asked).toEqual(["a.sh", "b.sh", "c.sh"]);
  const other = (line: string) => read(line, true).removed;
  expect(other("sh b.sh 1; sh b.sh 2; sh b.sh 1")).toEqual([". 1", ". 2"]);
  expect(other("X=1 sh b.sh; X=2 sh b.sh; X=1 sh b.sh")).toEqual([". 1", ". 2"]);
  expect(other("sh ./b.sh; sh ./b.sh; cd x; sh ../b.sh; sh ../b.sh")).toEqual([".", "x"]);
  expect(other(". ./d.sh; . ./d.sh")).toEqual([". .", ". .."]);
  expect(other("echo 'rm z' > b.sh; sh b.sh; echo 'rm y' > b.sh; sh b.sh")).toEqual([". z", ". y"]);
});

it("asks on its way whether there is work left, and doubts the rest of the line where there is none", () => {
  const line = "rm a; ".repeat(900);
  let asked = 0;
  const whole = readCommandLine(line, { isSpent: () => ++asked < 0 });
  expect([whole.commands.length, whole.doubts]).toEqual([900, []]);
  const times = asked;
  expect(times).toBeGreaterThan(10);
  const cut = readCommandLine(line, { isSpent: () => ++asked >= times + 3 });
  expect(asked).toBe(times + 3);
  expect(cut.commands.length).toBeLessThan(900 / 3);
  expect(cut.doubts).toEqual([{ why: "too many commands", what: "more work than a call may take" }]);
});

it.each([
  ['set -- a b c; while shift; do rm "$1"; done', ["b", "c"]],
  ['set -- a b c; while [ $# -gt 0 ]; do rm "$1"; shift; done', ["a", "b", "c"]],
  ['set -- a b c; until [ $# -eq 0 ]; do rm "$1"; shift; done', ["a", "b", "c"]],
  ['set -- a b c d; while [ $# -gt 0 ]; do rm "$2"; shift 2; done', ["b", "d"]],
  ['set -- a b; while [ $# -gt 0 ]; do rm "$1"; shift "$X"; done', ["a", GAP]],
  ['f() { while [ -n "$1" ]; do rm "$1"; shift; done; }; f a b', ["a", "b"]],
])("follows a loop through all words that it shifts: %s", (line, removed) => {
  const { commands } = readCommandLine(line);
  const words = commands.filter(({ program }) => program?.text === "rm").flatMap(({ args }) => args);
  expect([...new Set(words.map(({ text }) => text).filter((text) => text !== ""))]).toEqual(removed);
});

it("doubts lines of mapfile that are too many to be followed", () => {
  const lines = Array.from({ length: 80 }, (_, at) => `f${at}`).join("\n");
  const { commands, doubts } = readCommandLine(`mapfile -t -c 1 -C rm all <<E\n${lines}\nE\n`);
  expect(commands.filter(({ program }) => program?.text === "rm")).toHaveLength(64);
  expect(doubts).toEqual([{ why: "unknown code", what: "more than 64 lines of mapfile" }]);
});

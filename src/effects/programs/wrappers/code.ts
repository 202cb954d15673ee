import { fieldOf } from "../../parse/value.ts";
import { type Inner, type Language, optionsOf, type Wrapper } from "./wrapper.ts";

interface Interpreter {
  readonly language: Language;
  /** Options whose value is code. */
  readonly code: string;
  readonly valued?: string;
  readonly examples: Wrapper["examples"];
}

/** Programs that run code of another language: from an option, from a file, or from their input. */
const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: {
    language: "python",
    code: "-c",
    valued: "-W -X -m --check-hash-based-pycs",
    examples: [
      [`python -c "import os; os.system('rm x')"`, "rm x"],
      [`python -c "import shutil; shutil.rmtree('x')"`, "rm -rf x"],
      [`python -c "import subprocess as s; s.run(['rm', 'x'])"`, "rm x"],
      [`python - <<< "import os; os.remove('x')"`, "rm -f x"],
      [`python -c "__import__('os').system('r'+'m x')"`, "rm x"],
      [`python -c "from pathlib import Path; Path('x').unlink()"`, "rm -f x"],
      [`python -c "import os,glob; [os.remove(f) for f in glob.glob('x/*')]"`, "rm -f x/*"],
      [`python -c "import os,base64; os.system(base64.b64decode('cm0geA==').decode())"`, "rm x"],
      [`python -c "p='x'; open(p,'w').write('')"`, "> x"],
      [`python -c "from pathlib import Path; print((Path.home()/'.ssh'/'x').read_text())"`, "< ~/.ssh/x"],
      [`python -c "import os, glob; list(map(os.remove, glob.glob('x/*')))"`, "rm -f x/*"],
    ],
  },
  node: {
    language: "javascript",
    code: "-e --eval -p --print -pe",
    valued: "-r --require --import --loader -C --env-file",
    examples: [
      [`node -e "require('fs').rmSync('x',{recursive:true})"`, "rm -rf x"],
      [`node -e "fs.rmSync(process.env.HOME,{recursive:true})"`, "rm -rf ~"],
      [`node -e "console.log(fs.readFileSync('x','utf8'))"`, "< x"],
      [`node -e "fetch('https://example.com/x')"`, "curl https://example.com/x"],
      [`node -e "require('child_process').execSync('rm x')"`, "rm x"],
      [`node -e "require('child_process').spawn('rm',['x'])"`, "rm x"],
      [`node -e "const {unlinkSync}=require('fs');unlinkSync('x')"`, "rm -f x"],
      [`node -e "const {execSync: e}=require('child_process');e('rm x')"`, "rm x"],
      ["node -e 'await $`rm x`'", "rm x"],
      [`node -e "console.log(fs.readFileSync(require('os').homedir()+'/x','utf8'))"`, "< ~/x"],
      [`echo "require('fs').writeFileSync('x','')" | node`, "> x"],
    ],
  },
  perl: {
    language: "perl",
    code: "-e -E",
    valued: "-I -M -m -x",
    examples: [
      [`perl -e 'system("rm x")'`, "rm x"],
      [`perl -e 'unlink "x"'`, "rm -f x"],
      [`perl -e 'unlink glob "x/*"'`, "rm -f x/*"],
      ["perl -e 'unlink <x/*>'", "rm -f x/*"],
      ["perl -e '`rm x`'", "rm x"],
      [`perl -e 'exec "rm", "x"'`, "rm x"],
      [`perl -MFile::Path -e 'remove_tree("x")'`, "rm -rf x"],
    ],
  },
  ruby: {
    language: "ruby",
    code: "-e",
    valued: "-I -r -C",
    examples: [
      [`ruby -e 'system("rm x")'`, "rm x"],
      [`ruby -rfileutils -e 'FileUtils.rm_rf("x")'`, "rm -rf x"],
      [`ruby -e 'File.delete("x")'`, "rm -f x"],
      [`ruby -e 'Dir.glob("x/*").each { |f| FileUtils.rm_rf(f) }'`, "rm -rf x/*"],
      [`ruby -e 'puts File.read("x")'`, "< x"],
      ["ruby -e '`rm x`'", "rm x"],
      ["ruby -e '%x(rm x)'", "rm x"],
    ],
  },
  php: {
    language: "php",
    code: "-r --run -B -R -E",
    valued: "-d -c -f",
    examples: [
      [`php -r 'system("rm x");'`, "rm x"],
      [`php -r 'unlink("x");'`, "rm -f x"],
      [`php -r 'array_map("unlink", glob("x/*"));'`, "rm -f x/*"],
      [`php -r 'echo file_get_contents("x");'`, "< x"],
    ],
  },
  lua: {
    language: "lua",
    code: "-e",
    valued: "-l",
    examples: [
      [`lua -e 'os.execute("rm x")'`, "rm x"],
      [`lua -e 'os.remove("x")'`, "rm -f x"],
    ],
  },
};

/** More of them, which are read for their plain calls only. */
const OTHERS: Readonly<Record<string, Interpreter>> = {
  R: {
    language: "r",
    code: "-e",
    valued: "-f -g",
    examples: [
      [`R -e 'system("rm x")'`, "rm x"],
      [`R -e 'unlink("x", recursive=TRUE)'`, "rm -rf x"],
    ],
  },
  julia: {
    language: "julia",
    code: "-e -E",
    valued: "-L -p -t -J",
    examples: [
      ["julia -e 'run(`rm x`)'", "rm x"],
      [`julia -e 'rm("x", recursive=true)'`, "rm -rf x"],
    ],
  },
  groovy: { language: "groovy", code: "-e", valued: "-cp -c", examples: [[`groovy -e '"rm x".execute()'`, "rm x"]] },
  tclsh: { language: "tcl", code: "-nothing-", examples: [["tclsh <<< 'exec rm x'", "rm x"]] },
  expect: {
    language: "tcl",
    code: "-c",
    valued: "-f",
    examples: [
      ["expect -c 'spawn rm x; expect eof'", "rm x"],
      ["expect -c 'file delete -force x'", "rm -rf x"],
    ],
  },
  elixir: { language: "ruby", code: "-e --eval", examples: [[`elixir -e 'File.rm_rf!("x")'`, "rm -rf x"]] },
};

const NAMES: Readonly<Record<string, string>> = {
  python: "python",
  python2: "python",
  python3: "python",
  pypy: "python",
  pypy3: "python",
  ipython: "python",
  node: "node",
  nodejs: "node",
  perl: "perl",
  ruby: "ruby",
  php: "php",
  lua: "lua",
  luajit: "lua",
  jruby: "ruby",
  crystal: "ruby",
  tsx: "node",
  zx: "node",
  "ts-node": "node",
  R: "R",
  Rscript: "R",
  julia: "julia",
  groovy: "groovy",
  tclsh: "tclsh",
  wish: "tclsh",
  expect: "expect",
  elixir: "elixir",
};

/** The interpreter with this name, whatever its version. */
export function interpreterFor(name: string): Wrapper | undefined {
  const plain = NAMES[name] ?? NAMES[name.replace(/[\d.]+$/, "")];
  const row = plain === undefined ? undefined : (INTERPRETERS[plain] ?? OTHERS[plain]);
  return row && { examples: row.examples, unwrap: unwrapWith(row) };
}

function unwrapWith({ language, code, valued = "" }: Interpreter): Wrapper["unwrap"] {
  const codes = code.split(" ");
  return ({ name, args, stdin }) => {
    const options = optionsOf(args, [...codes, ...valued.split(" ")]);
    const texts = options.values(...codes);
    const via = `${name} ${codes[0]}`;
    if (texts.length > 0)
      return [
        {
          runs: "code",
          language,
          text: {
            ...fieldOf(texts.map(({ text }) => text).join("\n")),
            isKnown: texts.every(({ isKnown }) => isKnown),
          },
          via,
        },
      ];
    if (options.has("--version", "-V", "--help", "-v", "-h")) return [];
    const module = language === "python" ? options.value("-m") : undefined;
    if (module !== undefined) return [];
    const [file] = options.operands;
    if (file !== undefined && file.text !== "-" && file.text !== "/dev/stdin") {
      const inner: Inner = { runs: "file", path: file, language, via: name };
      return [inner];
    }
    return stdin.input.from === "nothing" && stdin.text === "" ? [] : [{ runs: "input", language, via: name }];
  };
}

const awk: Wrapper = {
  examples: [
    [`awk 'BEGIN{system("rm x")}'`, "rm x"],
    [`awk 'BEGIN{"rm x" | getline}'`, "rm x"],
    [`awk 'BEGIN{print 1 | "rm x"}'`, "rm x"],
    [`awk 'BEGIN{print 1 > "x"}'`, "> x"],
    [`awk -v c='rm x' 'BEGIN{system(c)}'`, "rm x"],
  ],
  unwrap: ({ name, args }) => {
    const options = optionsOf(args, ["-f", "-F", "-v", "-e", "-i", "-l", "--file", "--assign", "--source"]);
    const set = options
      .values("-v", "--assign")
      .map(({ text }) =>
        text.replace(/^(\w+)=([\s\S]*)$/, (_, variable, value) => `${variable} = ${JSON.stringify(value)}\n`),
      );
    const files = options
      .values("-f", "--file")
      .map((path): Inner => ({ runs: "file", path, language: "awk", via: name }));
    const sources = options.values("-e", "--source");
    const texts = sources.length > 0 || files.length > 0 ? sources : options.operands.slice(0, 1);
    return [
      ...files,
      ...texts.map(
        (text): Inner => ({
          runs: "code",
          language: "awk",
          text: { ...text, text: set.join("") + text.text, isGlob: false },
          via: name,
        }),
      ),
    ];
  },
};

const sed: Wrapper = {
  examples: [
    ["echo a | sed '1e rm x'", "rm x"],
    ["echo 'rm x' | sed 's/a/b/;s/.*/&/e'", "rm x"],
    ["sed -n 'w x' a", "> x"],
    ["sed -e '1e rm x' a", "rm x"],
    ["sed -i '' '1e rm x' a", "rm x"],
    ["sed -i .old '1e rm x' a", "rm x"],
  ],
  unwrap: ({ name, args }) => {
    const options = optionsOf(args, ["-e", "-f", "-l", "--expression", "--file", "--line-length"]);
    const texts = options.values("-e", "--expression");
    const files = options
      .values("-f", "--file")
      .map((path): Inner => ({ runs: "file", path, language: "sed", via: name }));
    // The sed of BSD takes the suffix of `-i` as a word of its own, often an empty one.
    const at = options.has("-i") && /^(?:\.\w+|)$/.test(options.operands[0]?.text ?? "s") ? 1 : 0;
    const codes = texts.length > 0 || files.length > 0 ? texts : options.operands.slice(at, at + 1);
    return [
      ...files,
      ...codes.map((text): Inner => ({ runs: "code", language: "sed", text: { ...text, isGlob: false }, via: name })),
    ];
  },
};

/** Programs with a small language of their own. */
export const CODE_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  awk,
  gawk: { ...awk, examples: [[`gawk 'BEGIN{system("rm x")}'`, "rm x"]] },
  mawk: { ...awk, examples: [[`mawk 'BEGIN{system("rm x")}'`, "rm x"]] },
  nawk: { ...awk, examples: [[`nawk 'BEGIN{system("rm x")}'`, "rm x"]] },
  sed,
  gsed: { ...sed, examples: [["gsed '1e rm x' a", "rm x"]] },
  ...Object.fromEntries(
    Object.keys(NAMES).flatMap((name) => {
      const wrapper = interpreterFor(name);
      return wrapper === undefined ? [] : [[name, { ...wrapper, examples: asNamed(name, wrapper) }]];
    }),
  ),
};

function asNamed(name: string, { examples }: Wrapper): Wrapper["examples"] {
  return examples.map(([line, runs]) => [
    line.replace(/\b(?:python|node|perl|ruby|php|lua|R|julia|groovy|tclsh|expect|elixir)(?= )/, name),
    runs,
  ]);
}

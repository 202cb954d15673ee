import { expect, test } from "vitest";
import { effectText } from "../effect.ts";
import { effectsOf } from "../effects.ts";
import { readCommandLine } from "../parse/read-command-line.ts";

function told(language: string, code: string): readonly string[] {
  const line = `${language} - <<'END'\n${code}\nEND`;
  return effectsOf(readCommandLine(line))
    .map(effectText)
    .filter((text) => /^(?:deletes|writes|reads|network|kill|permission|work-loss)/.test(text));
}

test.each([
  ["a name for a list of words", 'cmd = ["rm", "-rf", "a"]\nsubprocess.run(cmd)', ["deletes a tree forced"]],
  ["a name for a line", 'cmd = "rm -rf a"\nsubprocess.call(cmd, shell=True)', ["deletes a tree forced"]],
  ["a line that is split", 'subprocess.run(shlex.split("rm a"))', ["deletes a"]],
  ["a text that is split", 'subprocess.run("rm a".split())', ["deletes a"]],
  [
    "a loop over a list",
    'for d in ("a", "b"):\n    shutil.rmtree(d)',
    ["deletes a tree forced", "deletes b tree forced"],
  ],
  ["a loop over a name", 'ds = ["a"]\nfor d in ds:\n    shutil.rmtree(d)', ["deletes a tree forced"]],
  ["a name behind a question", 'd = "a"\nif os.path.exists(d):\n    shutil.rmtree(d)', ["deletes a tree forced"]],
  ["one of two names", 'd = "a" if x else "b"\nshutil.rmtree(d)', ["deletes a………b tree forced"]],
  ["a folder that was just made", "d = tempfile.mkdtemp()\nshutil.rmtree(d)", ["deletes /tmp/made tree forced"]],
  ["a path that is opened", 'with (Path.home() / ".x").open("a") as f:\n    f.write("y")', ["writes ~/.x"]],
  ["a mode", 'os.chmod("a", 0o777)', ["permission", "writes a"]],
  ["a name of single letters", 'os.remove("".join([".", "a"]))', ["deletes .a forced"]],
  ["a home and names", "d = os.path.expanduser('~/a') + '/b'\nos.remove(d + '/c')", ["deletes ~/a/b/c forced"]],
  ["a letter by its number", "os.remove(chr(46) + 'a')", ["deletes .a forced"]],
  ["a number that is no letter", "os.remove(chr(9999999) + 'a')", ["deletes … forced"]],
  ["another folder", 'os.chdir("d")\nos.remove("a")', ["deletes d/a forced"]],
  ["a file in another folder", 'os.chdir("d")\nopen("a", "w")', ["writes d/a"]],
  ["two folders, one after the other", 'os.chdir("d")\nos.chdir("e")\nos.remove("a")', ["deletes a forced"]],
  [
    "files that are listed, and moved",
    'for f in os.listdir("d"):\n    os.rename(f, "x")',
    ["reads d/*", "deletes d/*", "writes x"],
  ],
  [
    "hidden files that are listed",
    '[os.remove(f) for f in os.listdir(".") if f.startswith(".s")]',
    ["deletes * forced", "deletes .* forced"],
  ],
  [
    "files that are compared with a text",
    '[os.remove(f) for f in os.listdir("d") if "x" in f or f.endswith(".log")]',
    ["deletes d/* forced", "deletes d/.*x* forced", "deletes d/.log* forced"],
  ],
  [
    "files that pathlib finds, hidden ones too",
    '[p.unlink() for p in Path("d").glob("?.abc")]\n[os.remove(f) for f in glob.glob("*.abc")]',
    ["deletes ?.abc forced", "deletes ..abc forced", "deletes *.abc forced"],
  ],
  [
    "files with an ending that are listed",
    '[os.remove(f) for f in os.listdir(".") if f.endswith(".o")]',
    ["deletes * forced"],
  ],
  [
    "files below the home that are listed",
    '[os.remove(f) for f in glob.glob(os.path.expanduser("~/a/*"))]',
    ["deletes ~/a/* forced"],
  ],
  [
    "files of the home that are written",
    '[p.write_text("x") for p in Path.home().glob("*.a")]',
    ["writes ~/*.a", "writes ~/.*.a"],
  ],
  ["every process", "os.kill(-1, 9)", ["kill power"]],
  ["one process", "os.kill(4242, 9)", []],
  ["a library that has git's names", 'Repo(".").git.reset("--hard")', ["work-loss", "writes . tree forced"]],
  ["words that are only printed", 'a = ["rm", "-rf", "a"]\nprint(" ".join(a))', []],
])("python: %s", (_, code, expected) => expect(told("python3", code)).toEqual(expected));

test.each([
  ["a loop over a list", 'for (const d of ["a"]) fs.rmSync(d, { recursive: true })', ["deletes a tree forced"]],
  [
    "what a line prints, run as code",
    'eval(execSync("curl h.test").toString())',
    ["network-in", "network flows to shell"],
  ],
  [
    "what comes in piece by piece, run as code",
    'https.get("https://h.test", r => { let s = ""; r.on("data", d => s += d); r.on("end", () => eval(s)) })',
    ["network-in", "network-in", "network flows to shell"],
  ],
  ["a mode", 'fs.chmodSync("a", 0o777)', ["permission", "writes a"]],
  ["a name of single letters", "fs.rmSync(['.', 'a'].join(''))", ["deletes .a tree forced"]],
  ["letters by their numbers", "fs.rmSync(String.fromCharCode(46, 97))", ["deletes .a tree forced"]],
  ["another folder", "process.chdir('d'); fs.rmSync('a')", ["deletes d/a tree forced"]],
])("node: %s", (_, code, expected) => expect(told("node", code)).toEqual(expected));

test.each([
  ["perl", 'unlink glob "$ENV{HOME}/*"', ["deletes ~/* forced"]],
  ["perl", 'my $d = "/a"; unlink glob("$d/*")', ["deletes …/* forced"]],
  ["perl", 'use File::Path; rmtree("$ENV{HOME}/a")', ["deletes ~/a tree forced"]],
  ["ruby", 'FileUtils.rm_rf("#{ENV["HOME"]}/a")', ["deletes ~/a tree forced"]],
  ["ruby", 'FileUtils.rm_rf("#{a}#{b["x"]}/c")', ["deletes ……/c tree forced"]],
  ["ruby", 'File.delete(*Dir.glob("#{Dir.home}/*"))', ["deletes ~/* forced"]],
  ["ruby", "File.delete(*Dir.glob('{a,b}/*.o'))", ["deletes {a,b}/*.o forced"]],
  ["php", '<?php array_map("unlink", glob("$_SERVER[HOME]/*"));', ["deletes ~/* forced"]],
  ["php", '<?php unlink("{$_ENV["HOME"]}/a");', ["deletes ~/a forced"]],
  ["php", '<?php unlink(getenv("HOME")."/a");', ["deletes ~/a forced"]],
  ["php", '<?php file_put_contents($_SERVER["HOME"] . "/a", "x");', ["writes ~/a"]],
  ["python3", 'import os, shutil\nshutil.rmtree(f"{os.environ["HOME"]}/a")', ["deletes ~/a tree forced"]],
  ["python3", 'import shutil\nshutil.rmtree(f"{x}/a")', ["deletes …/a tree forced"]],
  ["node", "fs.rmSync(`${process.env.HOME}/a`, { recursive: true })", ["deletes ~/a tree forced"]],
  [
    "node",
    "for (const f of fs.readdirSync(`${dir}/a`)) fs.unlinkSync(f)",
    ["deletes …/a/* forced", "deletes …/a/.* forced"],
  ],
])("%s: %s: what is filled into a text is no part of a path's name", (program, code, expected) => {
  expect(told(program, code)).toEqual(expected);
});

test.each([
  ["a name in pieces", 'BEGIN { f = "a" "/b"; print "x" > f }', ["writes a/b"]],
  ["a name that a line prints", 'BEGIN { "echo a" | getline f; system("rm " f) }', ["deletes a"]],
])("awk: %s", (_, code, expected) => {
  expect(effectsOf(readCommandLine(`awk '${code}'`)).map(effectText)).toEqual(expect.arrayContaining(expected));
});

test("a file that is moved is gone from where it was", () => {
  expect(told("ruby", 'FileUtils.mv(File.join(Dir.home, "a"), "/tmp/b")')).toEqual(
    expect.arrayContaining(["deletes ~/a", "writes /tmp/b"]),
  );
});

test("lists of bare words are lists of texts", () => {
  expect(told("ruby", "FileUtils.rm_rf(%w[a b])")).toEqual(["deletes a tree forced", "deletes b tree forced"]);
});

test.each([
  ["python3", "newlines", "\n", ""],
  ["python3", "digits", "1", ""],
  ["node", "newlines", "\n", ""],
  ["node", "digits", "1", ""],
  ["python3", "letters before a decoding", "a", "; base64"],
  ["ruby", "blanks behind eval", " ", "x"],
  ["perl", "searches that are never closed", "find(sub{", ""],
])("%s: 60,000 %s are read in linear time", (program, _, sign, end) => {
  const time = (size: number) => {
    const code = `eval${sign.repeat(size / sign.length)}${end}`;
    const begin = performance.now();
    told(program, code);
    return performance.now() - begin;
  };
  time(6_000);
  // Quadratic time would take seconds, and longer still where other tests run at the same time.
  expect(time(60_000)).toBeLessThan(1_500);
});

import { GAP } from "../command.ts";
import { type Field, fieldOf } from "../value.ts";
import type { Inner } from "../wrappers/wrapper.ts";
import type { Argument, CodeCall } from "./literal.ts";
import { placeIn } from "./places.ts";

type Does = (args: readonly Argument[], call: CodeCall) => readonly Inner[];

/** What a call does, by the end of its name. */
export function effectsOf(call: CodeCall): readonly Inner[] {
  const name = call.name.replaceAll(/::|->/g, ".");
  const last = name.slice(name.lastIndexOf(".") + 1).replace(/!$/, "");
  const row = CALLS[last];
  if (row === undefined || (row.of !== undefined && !row.of.test(name))) return [];
  return row.does(call.args, call);
}

const shell: Does = ([line]) => (line === undefined ? [] : [asLine(line)]);

/** `run(["rm", "x"])`, `spawn("rm", ["x"])`, `system("rm", "x")`, `run("rm x", shell=True)`. */
const program: Does = (args) => {
  const [first, second] = args.filter(({ name }) => name === undefined || name === "args" || name === "cmd");
  if (first === undefined) return [];
  if (first.is === "list") return asWords(first.items);
  if (second?.is === "list") return asWords([first, ...second.items]);
  const texts = args.filter(({ is, name }) => is === "text" && name === undefined);
  if (first.is === "text" && texts.length > 1) return asWords(texts);
  return [asLine(first)];
};

const remove =
  (...flags: readonly string[]): Does =>
  (args, { made, name }) => {
    const paths = args
      .flatMap((argument) => (argument.is === "list" ? argument.items : [argument]))
      .filter((argument) => argument.name === undefined && !isOption(argument));
    const subject = paths.length > 0 ? paths : made;
    // A method of something that was found before: `p.unlink()`.
    if (subject.length === 0)
      return /^\w+\.(?:unlink|rmdir|rmtree|delete)$/.test(name) && !/^(?:os|File|Dir)\./.test(name)
        ? [{ runs: "words", words: [fieldOf("rm"), ...flags.map(fieldOf), fieldOf(GAP)], via: "" }]
        : [];
    return [{ runs: "words", words: [fieldOf("rm"), ...flags.map(fieldOf), ...subject.map(fieldFor)], via: "" }];
  };

/** Options, callbacks and switches stand beside paths. */
function isOption(argument: Argument): boolean {
  return (
    argument.is === "other" &&
    /^[{(]|^(?:function|async)\b|=>|^(?:true|false|null|nil|None|True|False|\d+|undefined)?$/.test(argument.source)
  );
}

const removeWith: Does = (args, call) => remove(args.some(isRecursive) ? "-rf" : "-f")(args, call);

function isRecursive(argument: Argument): boolean {
  return argument.is === "other" && (argument.name === "recursive" || /recursive/.test(argument.source));
}

const read: Does = ([path], { made }) => {
  const source = path ?? made[0];
  if (source === undefined || (source.is === "text" && source.text.includes("://"))) return [];
  return [{ runs: "write", path: fieldFor(source), way: "read", via: "" }];
};

const readMade: Does = (_, { made }) => (made[0] === undefined ? [] : read(made, { name: "", args: made, made: [] }));

const twoPaths =
  (name: string): Does =>
  ([from, to], { made }) => {
    const [source, target] = to === undefined && made[0] !== undefined ? [made[0], from] : [from, to];
    if (source?.is === "text" && target !== undefined && /^(?:https?|ftp):\/\//.test(source.text))
      return [{ runs: "words", words: [fieldOf("curl"), fieldOf("-o"), fieldFor(target), fieldFor(source)], via: "" }];
    return source === undefined || target === undefined
      ? []
      : [{ runs: "words", words: [fieldOf(name), fieldFor(source), fieldFor(target)], via: "" }];
  };

/** A link never comes to lie in a folder of its name; `Path("link").symlink_to("target")` names them the other way round. */
const link =
  (flags: string): Does =>
  ([first, second], { made }) => {
    const isMethod = (second === undefined || second.is !== "text") && made[0] !== undefined;
    const [target, name] = isMethod ? [first, made[0]] : [first, second];
    if (target === undefined || name === undefined) return [];
    return [{ runs: "words", words: [fieldOf("ln"), fieldOf(flags), fieldFor(target), fieldFor(name)], via: "" }];
  };

const write: Does = (args, { made }) => {
  const target = made[0] ?? args[0];
  const written = made[0] === undefined ? args[1] : args[0];
  const isEmptied = written?.is === "text" && written.text === "";
  return target === undefined
    ? []
    : [{ runs: "write", path: fieldFor(target), way: "write", via: "", ...(isEmptied && { isEmptied }) }];
};

const open: Does = ([path, mode, third]) => {
  if (path === undefined) return [];
  const how = mode?.is === "text" ? mode.text : "r";
  if (third?.is === "text" && /[<>]/.test(how))
    return [
      {
        runs: "write",
        path: fieldFor(third),
        way: how.includes(">>") ? "append" : how.includes(">") ? "write" : "read",
        via: "",
      },
    ];
  if (path.is === "text" && /^\s*[|]|[|]\s*$/.test(path.text))
    return [asLine({ is: "text", text: path.text.replaceAll("|", "") })];
  if (path.is === "text" && /^\s*>/.test(path.text))
    return [{ runs: "write", path: fieldOf(path.text.replace(/^[\s>]+/, "")), way: "write", via: "" }];
  if (!/^[rwaxbt+]*$/.test(how)) return [];
  return [
    {
      runs: "write",
      path: fieldFor(path),
      way: /[wx]/.test(how) ? "write" : how.includes("a") ? "append" : "read",
      via: "",
    },
  ];
};

const append: Does = ([path]) =>
  path === undefined ? [] : [{ runs: "write", path: fieldFor(path), way: "append", via: "" }];

const cut: Does = (args, call) =>
  args.length > 0 || call.made.length > 0
    ? write([args[0] ?? { is: "text", text: "" }, { is: "text", text: "" }], { ...call, made: [] })
    : [];

/** Code that is put together while it runs. */
const dynamic: Does = ([code], { name }) => {
  if (code?.is === "text" && !code.text.includes(GAP) && /^(?:.*\.)?(?:eval|exec)$/.test(name))
    return [{ runs: "code", language: "python", text: fieldOf(code.text), via: "" }];
  return [{ runs: "doubt", why: "unknown code", what: name }];
};

interface CallRow {
  /** What the whole name has to look like. */
  readonly of?: RegExp;
  readonly does: Does;
}

const OF_PROCESSES =
  /^(?:subprocess|sp|s|child_process|cp|proc|Deno|Bun|asyncio|Open3|IO|Process|Kernel|pty|commands|os|posix|io|(?:run|call|exec|popen))(?:$|\.)|\.(?:subprocess|child_process)\./;
const OF_FILES =
  /^(?:os|posix|fs|fsp|fsPromises|fs\.promises|shutil|pathlib|File|FileUtils|Dir|Pathname|Deno|Path\(\)|io)\.|^(?:unlink|remove|rename|rm|rmdir|open|chmod)$|promises\./;

/** Functions of several languages, by the last part of their name. */
const CALLS: Readonly<Record<string, CallRow>> = {
  __proto__: null as never,
  system: { does: program },
  popen: { does: shell },
  popen2: { does: shell },
  getoutput: { does: shell },
  getstatusoutput: { does: shell },
  run: { of: OF_PROCESSES, does: program },
  call: { of: OF_PROCESSES, does: program },
  check_call: { does: program },
  check_output: { does: program },
  Popen: { does: program },
  create_subprocess_shell: { does: shell },
  create_subprocess_exec: { does: program },
  execSync: { does: shell },
  execFile: { does: program },
  execFileSync: { does: program },
  spawn: { does: program },
  spawnSync: { does: program },
  execa: { does: program },
  cmd: { of: /^System\./, does: program },
  system2: { does: program },
  execute: { of: /^os\./, does: shell },
  shell_exec: { does: shell },
  passthru: { does: shell },
  proc_open: { does: shell },
  exec: {
    of: /^(?:exec|.*(?:child_process|cp|process|Kernel)\.exec)$/,
    does: (args, call) =>
      args[0]?.is === "text" && !/^\s*(?:import|print|from)\b|[=;(]/.test(args[0].text)
        ? program(args, call)
        : dynamic(args, call),
  },
  capture2: { does: program },
  capture2e: { does: program },
  capture3: { does: program },
  execv: { does: ([, list]) => (list?.is === "list" ? asWords(list.items) : []) },
  execvp: { does: ([, list]) => (list?.is === "list" ? asWords(list.items) : []) },
  execl: { does: (args) => asWords([...args.slice(0, 1), ...args.slice(2)]) },
  execlp: { does: (args) => asWords([...args.slice(0, 1), ...args.slice(2)]) },
  rmtree: { does: remove("-rf") },
  remove_tree: { does: remove("-rf") },
  rm_rf: { does: remove("-rf") },
  rm_r: { does: remove("-r") },
  rm_f: { does: remove("-f") },
  remove_entry_secure: { does: remove("-rf") },
  remove_entry: { does: remove("-rf") },
  remove_dir: { does: remove("-rf") },
  remove_file: { does: remove("-f") },
  rimraf: { does: remove("-rf") },
  rimrafSync: { does: remove("-rf") },
  removeSync: { does: remove("-rf") },
  emptyDirSync: { does: remove("-rf") },
  rmSync: { does: remove("-rf") },
  rm: { of: OF_FILES, does: removeWith },
  rmdirSync: { does: remove("-rf") },
  rmdir: { does: remove("-r") },
  removedirs: { does: remove("-r") },
  unlinkSync: { does: remove("-f") },
  unlink: { does: removeWith },
  remove: { of: OF_FILES, does: removeWith },
  map: {
    of: /^map$/,
    does: ([does, ...lists], call) => {
      const name = does?.is === "other" ? does.source : "";
      if (!/(?:^|\.)(?:remove|unlink|rmtree|rmdir|removedirs)$/.test(name)) return [];
      return remove(/rm|dirs/.test(name) ? "-rf" : "-f")(lists, call);
    },
  },
  array_map: {
    does: ([does, ...lists], call) =>
      does?.is === "text" && /^(?:unlink|rmdir)$/.test(does.text) ? remove("-f")(lists, call) : [],
  },
  readFileSync: { does: read },
  readFile: { does: read },
  readTextFile: { does: read },
  readTextFileSync: { does: read },
  createReadStream: { does: read },
  file_get_contents: { does: read },
  readfile: { does: read },
  read: { of: /^(?:File|IO)\./, does: read },
  readlines: { of: /^(?:File|IO)\./, does: read },
  binread: { does: read },
  foreach: { of: /^(?:File|IO)\./, does: read },
  read_text: { does: readMade },
  read_bytes: { does: readMade },
  delete: { of: /^(?:File|Dir|Pathname|FileUtils)/, does: remove("-f") },
  truncate: { of: /^(?:os|fs|fsp|File)\./, does: cut },
  truncateSync: { does: cut },
  writeFileSync: { does: write },
  writeFile: { does: write },
  writeTextFile: { does: write },
  appendFileSync: { does: append },
  createWriteStream: { does: write },
  file_put_contents: { does: write },
  write_text: { does: write },
  write_bytes: { does: write },
  outputFileSync: { does: write },
  write: { of: /^(?:File|IO|Bun)\./, does: write },
  open: { does: open },
  fopen: { does: open },
  rename: { of: OF_FILES, does: twoPaths("mv") },
  renameSync: { does: twoPaths("mv") },
  replace: { of: /^os\./, does: twoPaths("mv") },
  move: { of: /^shutil\./, does: twoPaths("mv") },
  copyfile: { does: twoPaths("cp") },
  copy: { of: /^(?:copy$|(?:shutil|fs|FileUtils|Deno)\.)/, does: twoPaths("cp") },
  urlretrieve: { does: twoPaths("cp") },
  copyFileSync: { does: twoPaths("cp") },
  copytree: { does: twoPaths("cp") },
  symlink: { does: link("-sT") },
  symlinkSync: { does: link("-sT") },
  symlink_to: { does: link("-sT") },
  make_symlink: { does: link("-sT") },
  ln: { of: /^FileUtils\./, does: link("-f") },
  ln_s: { does: link("-s") },
  ln_sf: { does: link("-sf") },
  link: { of: /^link$|^(?:os|posix|fs|fsp|fsPromises|File|FileUtils|Deno)\.|promises\./, does: link("-T") },
  linkSync: { does: link("-T") },
  hardlink_to: { does: link("-T") },
  make_link: { of: /^(?:File|FileUtils|Pathname)/, does: link("-T") },
  eval: { does: dynamic },
  compile: { of: /^compile$/, does: dynamic },
  Function: { does: dynamic },
  runInThisContext: { does: dynamic },
};

function asLine(line: Argument): Inner {
  if (line.is === "list") return asWords(line.items)[0] ?? { runs: "doubt", why: "unknown code", what: "a list" };
  if (line.is === "other") return { runs: "doubt", why: "unknown code", what: line.source };
  return { runs: "shell", text: fieldOf(line.text), via: "" };
}

function asWords(items: readonly Argument[]): readonly Inner[] {
  return items.length === 0 ? [] : [{ runs: "words", words: items.map(fieldFor), via: "", isProgram: true }];
}

function fieldFor(argument: Argument): Field {
  if (argument.is === "text") return fieldOf(argument.text);
  const place = argument.is === "other" ? placeIn(argument.source) : GAP;
  // Without quotes, names of variables look like names of files.
  return fieldOf(/^(?:[~.]|\/tmp)(?:$|\/)/.test(place) ? place : GAP);
}

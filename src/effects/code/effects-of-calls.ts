import type { Inner } from "../programs/program.ts";
import {
  append,
  asWords,
  calledLikeProgram,
  cut,
  type Does,
  dynamic,
  killAll,
  link,
  mode,
  open,
  program,
  read,
  readMade,
  remove,
  removeWith,
  shell,
  twoPaths,
  unnamed,
  withArgs,
  write,
} from "./call-doings.ts";
import type { CodeCall } from "./literal.ts";

/** What a call does, by the end of its name. */
export function effectsOf(call: CodeCall): readonly Inner[] {
  const name = call.name.replaceAll(/::|->/g, ".");
  const last = name.slice(name.lastIndexOf(".") + 1).replace(/!$/, "");
  const row = CALLS[last];
  if (row === undefined || (row.of !== undefined && !row.of.test(name))) return calledLikeProgram({ ...call, name });
  return row.does(call.args, call);
}

interface CallRow {
  /** What the whole name has to look like. */
  readonly of?: RegExp;
  readonly does: Does;
}

const OF_PROCESSES =
  /^(?:subprocess|sp|s|child_process|cp|proc|Deno|Bun|asyncio|Open3|IO|Process|Kernel|pty|commands|os|posix|io|(?:run|call|exec|popen))(?:$|\.)|\.(?:subprocess|child_process)\./;
const OF_FILES =
  /^(?:os|file|posix|fs|fsp|fsPromises|fs\.promises|shutil|pathlib|File|FileUtils|Dir|Pathname|Deno|Path\(\)|io)\.|^(?:unlink|remove|rename|rm|rmdir|open|chmod)$|promises\./;

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
    of: /^(?:exec|.*(?:child_process|cp|process|Kernel|Runtime|getRuntime\(\))\.exec)$/,
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
  ProcessBuilder: { does: program },
  Command: {
    of: /^(?:exec|Deno)\./,
    does: (args, call) => (/^Deno/.test(call.name) ? withArgs(args, call) : program(args, call)),
  },
  spawnlp: { does: (args) => asWords([...args.slice(1, 2), ...args.slice(3)]) },
  spawnl: { does: (args) => asWords([...args.slice(1, 2), ...args.slice(3)]) },
  spawnvp: { does: ([, , list]) => (list?.is === "list" ? asWords(list.items) : []) },
  chmod: { of: /^(?:chmod$|(?:os|fs|fsp|File|FileUtils|Deno|Path\(\))\.)|promises\./, does: mode },
  chmodSync: { does: mode },
  kill: { of: /^(?:kill$|(?:os|process|Process|Deno)\.kill$)/, does: killAll },
  sync: { of: /^(?:rimraf|del|trash)\.sync$/, does: remove("-rf") },
  upload_file: { does: read },
  put: { of: /sftp/i, does: read },
  args: {
    of: /Command\.new\(\)/,
    does: ([list], { made }) => asWords([...made, ...(list?.is === "list" ? list.items : [])]),
  },
  Start: { of: /Process\.Start$/, does: program },
  RemoveAll: { does: remove("-rf") },
  Remove: { of: /^os\./, does: remove("-f") },
  Truncate: { of: /^os\./, does: cut },
  WriteFile: { of: /^(?:os|ioutil)\./, does: write },
  Delete: {
    of: /(?:^|\.)(?:File|Directory)\.Delete$/,
    does: (args, call) => remove(/Directory/.test(call.name) ? "-rf" : "-f")(args, call),
  },
  all: { of: /^os\.remove\.all$/, does: remove("-rf") },
  writeString: { of: /^Files\./, does: write },
  deleteRecursively: { does: remove("-rf") },
  deleteDirectory: { does: remove("-rf") },
  deleteIfExists: { does: remove("-f") },
  removeItem: { does: (args, call) => remove("-rf")(args.map(unnamed), call) },
  remove_dir_all: { does: remove("-rf") },
  del_dir_r: { does: remove("-rf") },
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
  dotenv_values: { does: read },
  readString: { of: /(?:^|\.)Files\./, does: read },
  readAllLines: { of: /(?:^|\.)Files\./, does: read },
  readAllBytes: { of: /(?:^|\.)Files\./, does: read },
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
  rename: { of: OF_FILES, does: twoPaths("move") },
  renameSync: { does: twoPaths("move") },
  replace: { of: /^os\./, does: twoPaths("move") },
  move: { of: /^shutil\./, does: twoPaths("move") },
  copyfile: { does: twoPaths("copy") },
  copy: { of: /^(?:copy$|(?:shutil|fs|FileUtils|Deno)\.)/, does: twoPaths("copy") },
  urlretrieve: { does: twoPaths("copy") },
  copyFileSync: { does: twoPaths("copy") },
  copytree: { does: twoPaths("copy") },
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

import { byEachName } from "../../event/each-name.ts";
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
  /Connection\(\)\.run$|^(?:subprocess|sp|s|child_process|cp|proc|Deno|Bun|asyncio|Open3|IO|Process|Kernel|pty|commands|os|posix|io|(?:run|call|exec|popen))(?:$|\.)|\.(?:subprocess|child_process)\./;
const OF_FILES =
  /^(?:os|file|posix|fs|fsp|fsPromises|fs\.promises|shutil|pathlib|File|FileUtils|Dir|Pathname|Deno|Path\(\)|io)\.|^(?:unlink|remove|rename|rm|rmdir|open|chmod)$|promises\./;

/** Functions of several languages, by the last part of their name; the names of one row are separated by blanks. */
const CALLS: Readonly<Record<string, CallRow>> = byEachName({
  "system check_call check_output Popen create_subprocess_exec execFile execFileSync spawn spawnSync execa system2 capture2 capture2e capture3 ProcessBuilder":
    { does: program },
  "popen popen2 getoutput getstatusoutput create_subprocess_shell execSync shell_exec passthru proc_open": {
    does: shell,
  },
  "exec_command execCommand": { does: shell },
  chmodSync: { does: mode },
  "upload_file readFileSync dotenv_values readFile readTextFile readTextFileSync createReadStream file_get_contents readfile binread":
    { does: read },
  "RemoveAll deleteRecursively deleteDirectory remove_dir_all del_dir_r rmtree remove_tree rm_rf remove_entry_secure remove_entry remove_dir rimraf rimrafSync removeSync emptyDirSync rmSync rmdirSync":
    { does: remove("-rf") },
  "deleteIfExists rm_f remove_file unlinkSync": { does: remove("-f") },
  "rm_r rmdir removedirs": { does: remove("-r") },
  unlink: { does: removeWith },
  "read_text read_bytes": { does: readMade },
  truncateSync: { does: cut },
  "writeFileSync writeFile writeTextFile createWriteStream file_put_contents write_text write_bytes outputFileSync": {
    does: write,
  },
  appendFileSync: { does: append },
  "open fopen": { does: open },
  renameSync: { does: twoPaths("move") },
  "copyfile urlretrieve getstore copyFileSync copytree copy_tree cpSync copySync cp_r dircopy": {
    does: twoPaths("copy"),
  },
  "symlink symlinkSync symlink_to make_symlink": { does: link("-sT") },
  ln_s: { does: link("-s") },
  ln_sf: { does: link("-sf") },
  "linkSync hardlink_to": { does: link("-T") },
  "eval Function runInThisContext": { does: dynamic },
  run: { of: OF_PROCESSES, does: program },
  call: { of: OF_PROCESSES, does: program },
  cmd: { of: /^System\./, does: program },
  execute: { of: /^os\./, does: shell },
  exec: {
    of: /^(?:exec|.*(?:child_process|cp|process|Kernel|Runtime|getRuntime\(\))\.exec)$/,
    does: (args, call) =>
      args[0]?.is === "text" && !/^\s*(?:import|print|from)\b|[=;(]/.test(args[0].text)
        ? program(args, call)
        : dynamic(args, call),
  },
  execv: { does: ([, list]) => (list?.is === "list" ? asWords(list.items) : []) },
  execvp: { does: ([, list]) => (list?.is === "list" ? asWords(list.items) : []) },
  execl: { does: (args) => asWords([...args.slice(0, 1), ...args.slice(2)]) },
  execlp: { does: (args) => asWords([...args.slice(0, 1), ...args.slice(2)]) },
  Command: {
    of: /^(?:exec|Deno)\./,
    does: (args, call) => (/^Deno/.test(call.name) ? withArgs(args, call) : program(args, call)),
  },
  spawnlp: { does: (args) => asWords([...args.slice(1, 2), ...args.slice(3)]) },
  spawnl: { does: (args) => asWords([...args.slice(1, 2), ...args.slice(3)]) },
  spawnvp: { does: ([, , list]) => (list?.is === "list" ? asWords(list.items) : []) },
  chmod: { of: /^(?:chmod$|(?:os|fs|fsp|File|FileUtils|Deno|Path\(\))\.)|promises\./, does: mode },
  kill: { of: /^(?:kill$|(?:os|process|Process|Deno)\.kill$)/, does: killAll },
  sync: { of: /^(?:rimraf|del|trash)\.sync$/, does: remove("-rf") },
  put: { of: /sftp/i, does: read },
  sudo: { of: /Connection\(\)\.sudo$/, does: shell },
  args: {
    of: /Command\.new\(\)/,
    does: ([list], { made }) => asWords([...made, ...(list?.is === "list" ? list.items : [])]),
  },
  Start: { of: /Process\.Start$/, does: program },
  Remove: { of: /^os\./, does: remove("-f") },
  Truncate: { of: /^os\./, does: cut },
  WriteFile: { of: /^(?:os|ioutil)\./, does: write },
  ReadFile: { of: /^(?:os|ioutil)\./, does: read },
  OpenFile: {
    of: /^os\./,
    does: ([path, flags], call) =>
      (/O_(?:WRONLY|RDWR|APPEND)/.test(JSON.stringify(flags)) ? write : read)(path === undefined ? [] : [path], call),
  },
  copy_stream: { of: /^IO\./, does: twoPaths("copy") },
  Delete: {
    of: /(?:^|\.)(?:File|Directory)\.Delete$/,
    does: (args, call) => remove(/Directory/.test(call.name) ? "-rf" : "-f")(args, call),
  },
  all: { of: /^os\.remove\.all$/, does: remove("-rf") },
  writeString: { of: /^Files\./, does: write },
  removeItem: { does: (args, call) => remove("-rf")(args.map(unnamed), call) },
  rm: { of: OF_FILES, does: removeWith },
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
  readString: { of: /(?:^|\.)Files\./, does: read },
  readAllLines: { of: /(?:^|\.)Files\./, does: read },
  readAllBytes: { of: /(?:^|\.)Files\./, does: read },
  read: { of: /^(?:File|IO)\./, does: read },
  readlines: { of: /^(?:File|IO)\./, does: read },
  foreach: { of: /^(?:File|IO)\./, does: read },
  delete: { of: /^(?:File|Dir|Pathname|FileUtils)/, does: remove("-f") },
  truncate: { of: /^(?:os|fs|fsp|File)\./, does: cut },
  write: { of: /^(?:File|IO|Bun)\./, does: write },
  rename: { of: OF_FILES, does: twoPaths("move") },
  replace: { of: /^os\./, does: twoPaths("move") },
  move: { of: /^(?:shutil|FileUtils)\./, does: twoPaths("move") },
  mv: { of: /^FileUtils\./, does: twoPaths("move") },
  copy: { of: /^(?:copy$|(?:shutil|fs|FileUtils|Deno)\.)/, does: twoPaths("copy") },
  mirror: { of: /^(?:mirror|.*(?:LWP|HTTP\.Tiny|\(\))[\w.]*\.mirror)$/, does: twoPaths("copy") },
  file: { of: /(?:^|\.)download\.file$/, does: twoPaths("copy") },
  download: { of: /^(?:Downloads\.|Base\.)?download$/, does: twoPaths("copy") },
  cp: { of: /^cp$|^(?:fs|fsp|fsPromises|FileUtils)\.cp$|promises\.cp$/, does: twoPaths("copy") },
  ln: { of: /^FileUtils\./, does: link("-f") },
  link: { of: /^link$|^(?:os|posix|fs|fsp|fsPromises|File|FileUtils|Deno)\.|promises\./, does: link("-T") },
  make_link: { of: /^(?:File|FileUtils|Pathname)/, does: link("-T") },
  compile: { of: /^compile$/, does: dynamic },
  runInThisContext: { does: dynamic },
});

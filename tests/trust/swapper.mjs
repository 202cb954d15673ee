// Swaps a file for another one and back, until it is ended: node swapper.mjs <file> <way>, with both contents in the environment.
import { cpSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const [file, way] = process.argv.slice(2);
const contents = [process.env.EVIL, process.env.GOOD];
const pause = new Int32Array(new SharedArrayBuffer(4));
const folder = dirname(file);
if (way === "link") writeFileSync(`${file}.evil`, process.env.EVIL, { mode: 0o755 });
// The hook lies in the folder that is exchanged, unless that is the project itself.
if (way === "folder") {
  cpSync(folder, `${folder}.other`, { recursive: true });
  writeFileSync(file.replace(folder, `${folder}.other`), process.env.EVIL, { mode: 0o755 });
}
const swap = {
  rename: (at) => {
    writeFileSync(`${file}.new`, contents[at % 2], { mode: 0o755 });
    renameSync(`${file}.new`, file);
  },
  write: (at) => writeFileSync(file, contents[at % 2]),
  link: (at) => {
    symlinkSync(at % 2 === 0 ? `${file}.evil` : `${file}.good`, `${file}.link`);
    renameSync(`${file}.link`, file);
  },
  folder: () => {
    renameSync(folder, `${folder}.spare`);
    renameSync(`${folder}.other`, folder);
    renameSync(`${folder}.spare`, `${folder}.other`);
  },
}[way];
for (let at = 0; ; at++) {
  swap(at);
  // The approved content stays long enough to be seen, and the other one comes at any moment of a call.
  Atomics.wait(pause, 0, 0, at % 2 === 0 ? 3 : 20 + (at % 7) * 9);
}

// Breaks a configuration and makes it whole, until it is ended: node config-breaker.mjs <file> <way>, with its content in the environment.
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

const [file, way] = process.argv.slice(2);
const content = process.env.CONTENT ?? "";
const clock = new Int32Array(new SharedArrayBuffer(4));
const pause = (ms) => Atomics.wait(clock, 0, 0, ms);
const folder = dirname(file);
const BREAKS = {
  truncate: () => {
    const handle = openSync(file, "r+");
    ftruncateSync(handle, 0);
    pause(8);
    writeSync(handle, content.slice(0, 60), 0);
    pause(8);
    writeSync(handle, content, 0);
    closeSync(handle);
  },
  pieces: () => {
    const handle = openSync(file, "w");
    for (let at = 0; at < content.length; at += 50) {
      writeSync(handle, content.slice(at, at + 50));
      pause(1);
    }
    closeSync(handle);
  },
  // As editors do that keep the file before under another name.
  backup: () => {
    renameSync(file, `${file}~`);
    pause(8);
    writeFileSync(file, content);
    rmSync(`${file}~`);
  },
  symlink: () => {
    const target = `${file}.${Date.now() % 2}`;
    writeFileSync(target, content);
    rmSync(file, { force: true });
    symlinkSync(target, file);
  },
  rename: () => {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  },
  vanish: () => {
    rmSync(file);
    pause(15);
    writeFileSync(file, content);
  },
  torn: () => {
    writeFileSync(
      file,
      content
        .slice(0, Math.floor(content.length * 0.7))
        .replace(/#.*$/s, "")
        .slice(0, -25),
    );
    pause(15);
    writeFileSync(file, content);
  },
  folder: () => {
    renameSync(folder, `${folder}.away`);
    pause(15);
    rmSync(folder, { recursive: true, force: true });
    renameSync(`${folder}.away`, folder);
  },
};
mkdirSync(folder, { recursive: true });
for (let at = 0; ; at++) {
  try {
    BREAKS[way]();
  } catch {
    // Another process looked at the same moment.
  }
  pause(5 + (at % 5) * 12);
}

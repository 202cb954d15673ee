// The main script of the executable. It writes the bundles that are in the executable to the user's state, once for each build, and
// starts the launcher there. Its own processes are this executable again, with the file to run as the first argument.
const { createHash } = require("node:crypto");
const { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir } = require("node:os");
const { dirname, isAbsolute, join, sep } = require("node:path");
const { getRawAsset } = require("node:sea");
const v8 = require("node:v8");
const { gunzipSync } = require("node:zlib");

const packed = Buffer.from(getRawAsset("files"));
const stated = process.env.XDG_STATE_HOME;
const state = join(stated && isAbsolute(stated) ? stated : join(homedir(), ".local", "state"), "sluice");
const folder = join(state, "executable", createHash("sha256").update(packed).digest("hex").slice(0, 16));
const launcher = join(folder, "dist", "sluice.cjs");
if (!existsSync(launcher)) unpack();

// Processes of Sluice are started as `<executable> [flags of V8] <file> …`.
const rest = process.argv.slice(2);
const flags = [];
while (/^--[a-z][a-z0-9-]*(?:=|$)/.test(rest[0] ?? "") && rest.slice(1).some((word) => word.startsWith(folder + sep))) {
  flags.push(rest.shift());
}
for (const flag of flags) v8.setFlagsFromString(flag);
const file = rest[0]?.startsWith(folder + sep) ? rest.shift() : launcher;
process.argv = [process.execPath, file, ...rest];
createRequire(file)(file);

function unpack() {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const found = lstatSync(dirname(folder));
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) {
    process.stderr.write(`${dirname(folder)} is not a folder of yours alone, so Sluice cannot run from it.\n`);
    process.exit(2);
  }
  for (const [path, text] of Object.entries(JSON.parse(gunzipSync(packed).toString()))) {
    mkdirSync(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(draft, path), Buffer.from(text, "base64"));
  }
  chmodSync(join(draft, "dist", "sluice.cjs"), 0o755);
  try {
    renameSync(draft, folder);
  } catch {
    // Another process was faster.
    rmSync(draft, { recursive: true, force: true });
  }
}

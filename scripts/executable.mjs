// Makes one executable of the built command, for people without Node: Node's own single executable application with the bundles
// in it. Usage: executable.mjs [--out folder] [--twice] [--node file --for linux-arm64]
// It is made for the platform that runs this, with the Node that runs this; or for another platform of Linux or Windows with a Node of
// that platform and of the same version. --twice makes it a second time and compares the bytes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { inject } from "postject";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: flags } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "out/executables") },
    twice: { type: "boolean" },
    node: { type: "string", default: process.execPath },
    for: { type: "string", default: `${process.platform}-${process.arch}` },
  },
});
/** Node looks for this text in itself to know whether an application was put into it. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const [platform] = flags.for.split("-");
if (!readFileSync(flags.node).includes(process.version))
  throw new Error(`${flags.node} is not Node ${process.version}`);

if (!existsSync(join(root, "dist/sluice.cjs"))) throw new Error("Build first: npm run build");
const out = resolve(flags.out);
mkdirSync(out, { recursive: true });
const name = `sluice-${flags.for}${platform === "win32" ? ".exe" : ""}`;
const target = join(out, name);
await make(target);
if (flags.twice) {
  await make(`${target}.again`);
  const isSame = hashOf(target) === hashOf(`${target}.again`);
  rmSync(`${target}.again`);
  if (!isSame) throw new Error("two builds have different bytes");
  console.log("two builds have the same bytes");
}
writeFileSync(`${target}.sha256`, `${hashOf(target)}  ${name}\n`);
console.log(`${target}: ${Math.round(statSync(target).size / 1e6)} MB, Node ${process.version}`);

async function make(file) {
  const work = mkdtempSync(join(tmpdir(), "sluice-executable-"));
  try {
    writeFileSync(join(work, "files.gz"), gzipSync(JSON.stringify(files())));
    writeFileSync(join(work, "main.cjs"), readFileSync(join(root, "scripts/executable-main.cjs")));
    const config = {
      main: "main.cjs",
      output: "app.blob",
      disableExperimentalSEAWarning: true,
      assets: { files: "files.gz" },
    };
    writeFileSync(join(work, "config.json"), JSON.stringify(config));
    execFileSync(process.execPath, ["--experimental-sea-config", "config.json"], { cwd: work, stdio: "pipe" });
    rmSync(file, { force: true });
    copyFileSync(flags.node, file);
    chmodSync(file, 0o755);
    // The signature of Node itself does not fit any more; macOS wants one.
    if (platform === "darwin") execFileSync("codesign", ["--remove-signature", file]);
    const segment = platform === "darwin" ? { machoSegmentName: "NODE_SEA" } : {};
    await inject(file, "NODE_SEA_BLOB", readFileSync(join(work, "app.blob")), { sentinelFuse: FUSE, ...segment });
    if (platform === "darwin") execFileSync("codesign", ["--sign", "-", file]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What the command needs on the disk: its bundles, the pages, the source of the client, and the manifest. */
function files() {
  const dist = join(root, "dist");
  const names = readdirSync(dist, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const wanted = names.filter(
    (path) => /^[^/]+\.cjs$|^(?:ui|native)\//.test(path) && statSync(join(dist, path)).isFile(),
  );
  const read = (path) => readFileSync(path).toString("base64");
  return {
    "package.json": read(join(root, "package.json")),
    ...Object.fromEntries(wanted.sort().map((path) => [`dist/${path}`, read(join(dist, path))])),
  };
}

function hashOf(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

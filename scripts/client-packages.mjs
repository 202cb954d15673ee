// Makes an npm package with the native client for every platform that a compiler of this machine can build for; with
// --release also the tarball of Sluice that names them. Usage: client-packages.mjs [--release] [--no-build] [--out folder]
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadSource } from "./load-source.mjs";

/** For whom clients are made; cross compilers have names of their own for processors. */
const PLATFORMS = [
  { platform: "linux", arch: "x64", triple: "x86_64-linux-gnu" },
  { platform: "linux", arch: "arm64", triple: "aarch64-linux-gnu" },
  { platform: "linux", arch: "arm", triple: "arm-linux-gnueabihf" },
  { platform: "linux", arch: "ppc64", triple: "powerpc64le-linux-gnu" },
  { platform: "linux", arch: "s390x", triple: "s390x-linux-gnu" },
  { platform: "linux", arch: "riscv64", triple: "riscv64-linux-gnu" },
  { platform: "darwin", arch: "x64", options: ["-arch", "x86_64"] },
  { platform: "darwin", arch: "arm64", options: ["-arch", "arm64"] },
];

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: flags } = parseArgs({
  options: {
    release: { type: "boolean" },
    "no-build": { type: "boolean" },
    out: { type: "string", default: join(root, "out") },
  },
});
const out = resolve(flags.out);
const clients = join(out, "clients");
const main = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const source = join(root, "native/client.c");
const sourceId = createHash("sha256").update(readFileSync(source)).digest("hex");
const { buildsFor, isProgramFor, isRunnable, reachesDaemon } = await loadSource(root, [
  "server/clients/client-package.ts",
  "server/clients/make-client.ts",
  "server/clients/try-client.ts",
]);

mkdirSync(clients, { recursive: true });
const ready = [];
for (const target of PLATFORMS) {
  const { how, why } = await makePackage(target);
  if (why === undefined) ready.push(target);
  console.log(`${idOf(target)}: ${why === undefined ? how : `left out, ${why}`}`);
}
console.log("win32: left out, the client asks through a Unix socket");
const staged = flags.release ? [stagedRelease()] : [];
pack([...ready.map((target) => join(clients, idOf(target))), ...staged]);
for (const target of ready) renameSync(join(out, tarballOf(target)), join(clients, tarballOf(target)));
for (const folder of staged) rmSync(folder, { recursive: true });
if (flags.release) {
  const named = ready.map(nameOf).join(", ") || "no client";
  console.log(`${join(out, `${main.name}-${main.version}.tgz`)} names ${named}`);
}

/** Compiles, tries and describes one client; says how, or why there is none. */
async function makePackage(target) {
  const folder = join(clients, idOf(target));
  const draft = `${folder}.draft`;
  try {
    const { compiler, isStatic, why } = compile(target, draft);
    if (why !== undefined)
      return isOfThisSource(folder) ? { how: "kept, made elsewhere from the same source" } : { why };
    const isHere = target.platform === process.platform && target.arch === process.arch;
    if (isHere && !(isRunnable(draft) && (await reachesDaemon(draft))))
      return { why: `what ${compiler} made does not run here` };
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    chmodSync(draft, 0o755);
    renameSync(draft, join(folder, "client"));
    describe(target, folder);
    return { how: `${compiler}, ${isStatic ? "needs no library" : "needs the C library of the machine"}` };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A program that needs no library runs beside every C library. */
function compile(target, draft) {
  const { platform, arch, options = [] } = target;
  const names = compilersFor(target);
  const found = names.filter(isInPath);
  for (const build of platform === "linux" ? buildsFor(platform, arch) : [[]]) {
    for (const compiler of found) {
      const strip = platform === "linux" ? ["-s"] : [];
      const words = ["-O2", ...build, ...strip, ...options, "-o", draft, source];
      const isMade = spawnSync(compiler, words, { stdio: "ignore" }).status === 0;
      if (isMade && isProgramFor(readFileSync(draft), platform, arch)) return { compiler, isStatic: build.length > 0 };
    }
  }
  if (names.length === 0) return { why: `it takes a machine with ${platform}` };
  return { why: found.length > 0 ? `${found.join(", ")} cannot build for it` : `none of ${names.join(", ")} is here` };
}

function compilersFor({ platform, arch, triple }) {
  if (platform === "darwin") return process.platform === "darwin" ? ["clang", "cc"] : [];
  const isHere = platform === process.platform && arch === process.arch;
  const cross = [triple.replace("gnu", "musl"), triple].map((name) => `${name}-gcc`);
  return isHere ? ["musl-gcc", ...cross, "gcc", "cc", "clang"] : cross;
}

function describe({ platform, arch }, folder) {
  const { version, license, engines } = main;
  const name = nameOf({ platform, arch });
  const description = `The native client of Sluice for ${platform} on ${arch}.`;
  const manifest = { name, version, description, license, engines, os: [platform], cpu: [arch], files: ["client"] };
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ ...manifest, sluice: { source: sourceId } }, null, 2)}\n`,
  );
  writeFileSync(
    join(folder, "README.md"),
    `# ${name}\n\n${description} \`sluice install\` takes it from here where its version is that of Sluice; nothing else uses it.\n`,
  );
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

function isOfThisSource(folder) {
  if (!existsSync(join(folder, "package.json")) || !existsSync(join(folder, "client"))) return false;
  const { version, sluice } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return version === main.version && sluice?.source === sourceId;
}

/** Only what is published names the clients: a clone installs without them. */
function stagedRelease() {
  if (!flags["no-build"]) execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
  const folder = join(out, "package");
  rmSync(folder, { recursive: true, force: true });
  for (const path of [...main.files.filter((name) => !name.startsWith("!")), "README.md", "LICENSE"])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  const named = Object.fromEntries(ready.map((target) => [nameOf(target), main.version]));
  const optionalDependencies = { ...main.optionalDependencies, ...named };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...main, optionalDependencies }, null, 2)}\n`);
  return folder;
}

/** Packs all of them at once: npm takes longer to start than to pack a client. */
function pack(folders) {
  if (folders.length === 0) return;
  const quiet = ["--ignore-scripts", "--offline", "--loglevel=error", "--no-update-notifier"];
  execFileSync("npm", ["pack", ...folders, "--pack-destination", out, ...quiet], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function tarballOf(target) {
  return `${nameOf(target)}-${main.version}.tgz`;
}

function isInPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function nameOf(target) {
  return `sluice-client-${idOf(target)}`;
}

function idOf({ platform, arch }) {
  return `${platform}-${arch}`;
}

// Names the packages for other systems in package-lock.json. A registry need not have them, and npm then leaves them
// out of the lock file that it writes, but `npm ci` wants every optional package named. Run it after `npm install`.
import { readFileSync, writeFileSync } from "node:fs";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
/** Without it npm installs what is for musl beside what is for glibc. */
const C_LIBRARIES = { gnu: "glibc", musl: "musl" };
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const added = [];
for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    if (owner === "" || lock.packages[place] || lock.packages[`${owner}/${place}`]) continue;
    lock.packages[place] = entryFor(name, version, dev);
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} packages for other systems were added to package-lock.json`);

function entryFor(name, version, dev) {
  const words = name.replace(/^.*\//, "").split(/[-_]/);
  const cpu = PROCESSORS.filter((word) => words.some((part) => part === word || part.startsWith(`${word}eabi`)));
  const os = SYSTEMS.filter((word) => words.includes(word));
  const libc = Object.keys(C_LIBRARIES)
    .filter((word) => words.includes(word))
    .map((word) => C_LIBRARIES[word]);
  return {
    version: version.replace(/^[\^~]/, ""),
    ...(cpu.length > 0 ? { cpu: cpu.slice(0, 1) } : {}),
    ...(dev ? { dev: true } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}

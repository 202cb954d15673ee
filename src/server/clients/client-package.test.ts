import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isProgramFor, packagedClient } from "./client-package.ts";

const NAME = `sluice-client-${process.platform}-${process.arch}`;
const place = mkdtempSync(join(tmpdir(), "sluice-package-"));
afterEach(() => rmSync(place, { recursive: true, force: true }));

test.each<[string, string, string, boolean]>([
  ["beside Sluice", "app/node_modules/sluice", "app/node_modules", true],
  ["inside Sluice", "lib/node_modules/sluice", "lib/node_modules/sluice/node_modules", true],
  ["beside a package that holds Sluice", "app/node_modules/x/node_modules/sluice", "app/node_modules", true],
  [
    "beside Sluice in a store",
    "app/node_modules/.pnpm/s/node_modules/sluice",
    "app/node_modules/.pnpm/s/node_modules",
    true,
  ],
  ["in a project that has a copy of Sluice", "app/tools/sluice", "app/node_modules", false],
  ["in a package of the project", "app/node_modules/sluice", "app/node_modules/x/node_modules", false],
  ["in a project inside of Sluice", "sluice", "sluice/app/node_modules", false],
])("a package %s is found or not, by where Sluice lies", (_, sluice, modules, isFound) => {
  const launcher = put(join(sluice, "dist/sluice.cjs"), "");
  put(join(modules, NAME, "package.json"), JSON.stringify({ name: NAME, version: "1.2.3" }));
  put(join(modules, NAME, "client"), programHeader());
  const { kind } = packagedClient([process.execPath, launcher], "1.2.3");
  expect(kind).toBe(isFound ? "fit" : "none");
});

test.each<[string, string, string | Buffer, RegExp]>([
  [
    "of another version",
    `{ "name": "${NAME}", "version": "1.2.4" }`,
    programHeader(),
    /its version is 1\.2\.4, and Sluice's is 1\.2\.3/,
  ],
  ["without a version", `{ "name": "${NAME}" }`, programHeader(), /its version is unknown/],
  ["with another name", '{ "name": "sluice-client", "version": "1.2.3" }', programHeader(), /another package's/],
  ["that says nothing", "null", programHeader(), /package\.json cannot be read/],
  ["with a script", `{ "name": "${NAME}", "version": "1.2.3" }`, "#!/bin/sh\nexit 42\n", /is not a program for/],
])("a package %s does not fit, and says why", (_, manifest, client, why) => {
  const launcher = put("node_modules/sluice/dist/sluice.cjs", "");
  put(join("node_modules", NAME, "package.json"), manifest);
  put(join("node_modules", NAME, "client"), client);
  expect(packagedClient([process.execPath, launcher], "1.2.3")).toMatchObject({
    kind: "unfit",
    name: NAME,
    why: expect.stringMatching(why),
  });
});

function put(path: string, content: string | Buffer): string {
  const whole = join(place, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content, { mode: 0o755 });
  return whole;
}

/** As programs of this machine begin. */
function programHeader(): Buffer {
  const [file, bytes] = [openSync(process.execPath, "r"), Buffer.alloc(64)];
  readSync(file, bytes);
  closeSync(file);
  return bytes;
}

test.each<[string, Buffer, string, string, boolean]>([
  ["the program that runs now", beginOf(process.execPath), process.platform, process.arch, true],
  ["a program for another processor", elf(62), "linux", "arm64", false],
  ["a program for this one", elf(183), "linux", "arm64", true],
  ["one whose numbers begin at the other end", elf(22, "big"), "linux", "s390x", true],
  ["a program of another system", macho(0x0100000c), "linux", "arm64", false],
  ["a program of that system", macho(0x0100000c), "darwin", "arm64", true],
  ["half a header", elf(183).subarray(0, 20), "linux", "arm64", false],
  ["nothing", Buffer.alloc(0), "linux", "x64", false],
  ["a script", Buffer.from(`#!/bin/sh\n${"exit 0\n".repeat(20)}`), "linux", "x64", false],
  ["anything on a system without a client", elf(62), "win32", "x64", false],
])("%s is told by how it begins", (_, bytes, platform, arch, is) => {
  expect(isProgramFor(bytes, platform, arch)).toBe(is);
});

function elf(machine: number, end: "little" | "big" = "little"): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("\x7fELF", "latin1");
  bytes[5] = end === "big" ? 2 : 1;
  if (end === "big") bytes.writeUInt16BE(machine, 18);
  else bytes.writeUInt16LE(machine, 18);
  return bytes;
}

function macho(machine: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(machine, 4);
  return bytes;
}

function beginOf(path: string): Buffer {
  const [file, bytes] = [openSync(path, "r"), Buffer.alloc(64)];
  readSync(file, bytes);
  closeSync(file);
  return bytes;
}

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleOf, denying, keyPair } from "./bundle-host.ts";

/** What a test or a campaign has of a machine. */
interface Machine {
  readonly env: Readonly<Record<"XDG_STATE_HOME" | "XDG_CONFIG_HOME", string>>;
}

/** Where a machine keeps its bundles. */
export const bundlesOf = (machine: Machine) => join(machine.env.XDG_STATE_HOME, "sluice/managed");
const filesOf = (machine: Machine) =>
  readdirSync(bundlesOf(machine), { recursive: true, encoding: "utf8" }).map((name) => join(bundlesOf(machine), name));

/** What takes a bundle away, after two of them were taken one after the other. */
export const BUNDLE_VANISHES: Readonly<Record<string, (machine: Machine) => void>> = {
  "its hooks are overwritten": (machine) => overwrite(machine, /files\/hooks\.yaml$/, "hooks: []\n"),
  "its hooks are cut": (machine) => overwrite(machine, /files\/hooks\.yaml$/, denying("one")),
  "its packed bytes are overwritten": (machine) => overwrite(machine, /bundle\.tar\.gz$/, "x"),
  "another key has signed it": (machine) => {
    const forged = bundleOf(denying("none"), { keys: [keyPair().key], version: 2 }).packed;
    overwrite(machine, /bundle\.tar\.gz$/, forged);
    overwrite(machine, /files\/hooks\.yaml$/, denying("none"));
  },
  "its files are deleted": (machine) => {
    for (const name of readdirSync(bundlesOf(machine), { withFileTypes: true }))
      if (name.isDirectory()) rmSync(join(bundlesOf(machine), name.name), { recursive: true });
  },
  "the file that names it is deleted": (machine) => rmSync(join(bundlesOf(machine), "current.json")),
  "the folder of bundles is deleted": (machine) => rmSync(bundlesOf(machine), { recursive: true }),
  "the older bundle is put back": (machine) => {
    rmSync(bundlesOf(machine), { recursive: true });
    cpSync(`${bundlesOf(machine)}-old`, bundlesOf(machine), { recursive: true });
  },
  "the configuration does not name it any more": (machine) =>
    writeFileSync(join(machine.env.XDG_CONFIG_HOME, "sluice/hooks.yaml"), "hooks: []\n"),
  "the user's configuration is deleted": (machine) =>
    rmSync(join(machine.env.XDG_CONFIG_HOME, "sluice"), { recursive: true }),
};

function overwrite(machine: Machine, wanted: RegExp, content: string | Buffer): void {
  const found = filesOf(machine).filter((path) => wanted.test(path));
  if (found.length === 0) throw new Error(`no file of the bundle is like ${wanted}`);
  for (const path of found) if (!readFileSync(path).equals(Buffer.from(content))) writeFileSync(path, content);
}

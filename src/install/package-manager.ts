import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The commands of a package manager that a person needs here. */
export interface PackageManager {
  /** Installs what the project names. */
  readonly installs: string;
  /** Makes Sluice a dependency of the project. */
  readonly adds: string;
}

/** The package manager of a project, told by its lock file. */
export function packageManagerOf(root: string): PackageManager {
  const found = Object.entries(MANAGERS).find(([file]) => existsSync(join(root, file)));
  return found?.[1] ?? NPM;
}

/** Whether a project names Sluice among its dependencies, so that installing them brings it to every clone. */
export function dependsOnSluice(root: string): boolean {
  try {
    const { dependencies, devDependencies } = Object(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    return [dependencies, devDependencies].some((list) => Object.hasOwn(Object(list), "sluice"));
  } catch {
    return false;
  }
}

const NPM: PackageManager = { installs: "npm install", adds: "npm install --save-dev sluice" };

const MANAGERS: Readonly<Record<string, PackageManager>> = {
  "pnpm-lock.yaml": { installs: "pnpm install", adds: "pnpm add --save-dev sluice" },
  "yarn.lock": { installs: "yarn install", adds: "yarn add --dev sluice" },
  "bun.lock": { installs: "bun install", adds: "bun add --dev sluice" },
  "bun.lockb": { installs: "bun install", adds: "bun add --dev sluice" },
};

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { adapterNamed } from "../../src/adapters/index.ts";
import type { Scope } from "../../src/adapters/recipe.ts";
import { apply, restore } from "../../src/install/apply.ts";
import type { InstallContext } from "../../src/install/install-context.ts";
import { planInstall, planUninstall } from "../../src/install/plan.ts";
import type { FileEdit } from "../../src/install/settings-file.ts";
import { Problem } from "../../src/problem/problem.ts";

/** What a command did: the files it wrote, and what it refused. */
interface Done {
  readonly changes: readonly FileEdit[];
  readonly problems: readonly Problem[];
}

/** A home, a project and a folder for state, gone after the test. */
export class Household {
  readonly home = mkdtempSync(join(tmpdir(), "sluice-install-"));
  readonly root = join(this.home, "work", "project");
  readonly state = join(this.home, "state");
  readonly around: InstallContext;
  /** Whether the MCP server is registered too. */
  mcp = true;

  /** A household whose agents get hooks and nothing else. */
  static ofHooks(): Household {
    return Object.assign(new Household(), { mcp: false });
  }

  constructor(sluice: readonly string[] = ["/usr/bin/node", "/opt/sluice/dist/sluice.cjs"]) {
    mkdirSync(this.root, { recursive: true });
    this.around = {
      home: this.home,
      root: this.root,
      env: { HOME: this.home, XDG_STATE_HOME: this.state },
      sluice,
      mcp: [...sluice, "mcp"],
      isMatched: () => false,
    };
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
  }

  write(file: string, text: string | Uint8Array): void {
    mkdirSync(dirname(join(this.home, file)), { recursive: true });
    writeFileSync(join(this.home, file), text);
  }

  read(file: string): string | undefined {
    const path = join(this.home, file);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  /** Everything under the home but the state, so that nothing left behind is missed. */
  everything(folder = this.home): Record<string, string> {
    const found = readdirSync(folder).flatMap((name): [string, string][] => {
      const path = join(folder, name);
      if (path === this.state) return [];
      const stat = lstatSync(path);
      if (stat.isDirectory()) return [[path, "folder"], ...Object.entries(this.everything(path))];
      return [[path, stat.isSymbolicLink() ? "link" : readFileSync(path, "latin1")]];
    });
    return Object.fromEntries(found);
  }

  /** Brings back what was under the home. */
  bring(everything: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(everything))
      if (text === "folder") mkdirSync(path, { recursive: true });
      else writeFileSync(path, text, "latin1");
  }

  forgetBackups(): void {
    rmSync(this.state, { recursive: true, force: true });
  }

  install(agent: string, scope: Scope = "user", around: Partial<InstallContext> = {}): Done {
    const mcp = [...(around.sluice ?? this.around.sluice), "mcp"];
    const all = { ...this.around, mcp, ...around };
    return carriedOut(planInstall(named(agent), scope, all, { mcp: this.mcp }), (change) => {
      if (change.before !== change.after) apply(change, all);
    });
  }

  uninstall(agent: string, scope: Scope = "user"): Done {
    return carriedOut(planUninstall(named(agent), scope, this.around), (change) => restore(change, this.around));
  }
}

function carriedOut(planned: readonly (FileEdit | Problem)[], write: (change: FileEdit) => void): Done {
  const changes = planned.filter((one): one is FileEdit => !(one instanceof Problem));
  for (const change of changes) write(change);
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    problems: planned.filter((one) => one instanceof Problem),
  };
}

function named(agent: string) {
  const adapter = adapterNamed(agent);
  if (adapter === undefined) throw new TypeError(`no agent ${agent}`);
  return adapter;
}

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fastCommand } from "../command-server/fast-command.ts";

/** The folder that holds the package. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What a program left behind. */
export interface Finished {
  readonly exitCode: number | null;
  /** Standard output and standard error as they came, with the home folder as `~`. */
  readonly output: string;
}

/** One page's own home: a project in which `sluice` can be run and imported, and nothing else is known. */
export class Workshop {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-page-")));
  readonly home = join(this.#folder, "home");
  readonly project = join(this.home, "project");
  readonly #bin = join(this.#folder, "bin");
  readonly #end: () => void;

  constructor() {
    for (const folder of [this.project, this.#bin, join(this.#folder, "node_modules")])
      mkdirSync(folder, { recursive: true });
    symlinkSync(ROOT, join(this.#folder, "node_modules/sluice"));
    this.#end = fastCommand(join(this.#bin, "sluice"));
  }

  close(): void {
    this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Writes a file of the project, and says where it is. */
  write(file: string, text: string): string {
    const path = resolve(this.project, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** A folder beside everything that a page can see, empty. */
  emptyFolder(): string {
    return mkdtempSync(join(this.#folder, "empty-"));
  }

  /** Runs a program in the project; it and what it started have ten seconds. */
  run(program: string, args: readonly string[]): Promise<Finished> {
    const child = spawn(program, args, {
      cwd: this.project,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const deadline = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), 60_000);
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    return new Promise((done, fail) => {
      child.on("error", fail);
      child.on("close", (exitCode, signal) => {
        clearTimeout(deadline);
        const said = Buffer.concat(chunks).toString().replaceAll(this.home, "~");
        done({ exitCode, output: signal === null ? said : `${said}\nended by ${signal}` });
      });
    });
  }

  /** The environment of everything that a page runs. */
  get environment(): Record<string, string> {
    return {
      PATH: `${this.#bin}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, ".config"),
      NO_COLOR: "1",
      SLUICE_RESIDENT: "0",
      LANG: "C.UTF-8",
      TZ: "UTC",
    };
  }
}

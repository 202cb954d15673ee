import { spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Runs each command in a folder of its own that holds `victim`, and says which of them removed or emptied it. */
export async function removesVictim(commands: readonly string[]): Promise<boolean[]> {
  const found: boolean[] = [];
  const batches = Array.from({ length: Math.ceil(commands.length / AT_ONCE) }, (_, at) => at * AT_ONCE);
  const work = async () => {
    for (let from = batches.shift(); from !== undefined; from = batches.shift())
      for (const [index, isGone] of (await runBatch(commands.slice(from, from + AT_ONCE))).entries())
        found[from + index] = isGone;
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return found;
}

const AT_ONCE = 100;
const SIDE_BY_SIDE = 4;
/** The user without rights, where there is a choice: what goes wrong here shall reach nothing. */
const NO_RIGHTS = process.getuid?.() === 0 ? 65_534 : undefined;

async function runBatch(commands: readonly string[]): Promise<boolean[]> {
  if (NO_RIGHTS !== undefined) openTheWay();
  const root = mkdtempSync(join(tmpdir(), "victims-"));
  try {
    for (const [index, command] of commands.entries()) prepare(join(root, String(index)), command);
    hand(root);
    const driver = spawn("bash", ["--norc", "-c", DRIVER, "driver", root, String(commands.length)], {
      cwd: root,
      env: { PATH: "/usr/bin:/bin", HOME: root, LC_ALL: "C.UTF-8", USER: "nobody" },
      stdio: "ignore",
      ...(NO_RIGHTS !== undefined && { uid: NO_RIGHTS, gid: NO_RIGHTS }),
    });
    await new Promise((done) => driver.on("close", done));
    return commands.map((_, index) => isGone(join(root, String(index), "victim")));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Folders that the tests have made for themselves are closed to other users. */
function openTheWay(): void {
  for (let at = tmpdir(); basename(at).startsWith("sl-tests-"); at = dirname(at)) chmodSync(at, 0o711);
}

/** What hangs is ended; what writes without end is bounded. */
const DRIVER = `
ulimit -t 2 -f 20000
for ((i = 0; i < $2; i++)); do
  cd "$1/$i" || exit 1
  timeout -k 1 2 bash --norc -c "$(< ../$i.sh)" < /dev/null > /dev/null 2>&1
done`;

function prepare(folder: string, command: string): void {
  const victim = join(folder, "victim");
  mkdirSync(join(victim, "inside"), { recursive: true });
  writeFileSync(join(victim, "f"), "data");
  writeFileSync(`${folder}.sh`, command);
  for (const path of [folder, victim, join(victim, "inside"), join(victim, "f"), `${folder}.sh`]) hand(path);
}

function hand(path: string): void {
  if (NO_RIGHTS !== undefined) chownSync(path, NO_RIGHTS, NO_RIGHTS);
}

function isGone(victim: string): boolean {
  return !existsSync(join(victim, "f"));
}

// Packs through Verdaccio, a real registry: the pack of docs/packs.md is published with npm, added, updated, put back in a clone and
// refused when the registry changes it. It needs Verdaccio installed anywhere: npm run campaign registry -- <path of its program>.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const verdaccio = process.argv[2] ?? "";
if (!existsSync(verdaccio)) throw new Error("Name Verdaccio's program: npm run campaign registry -- <path>");
const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "sluice-registry-"));
const [home, project, maker] = ["home", "project", "maker"].map((name) => join(work, name));
for (const folder of [home, project, maker]) mkdirSync(folder);
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const address = `http://127.0.0.1:${port}/`;
const storage = join(work, "storage");
writeFileSync(
  join(work, "config.yaml"),
  `storage: ${storage}\nauth: { htpasswd: { file: ${join(work, "htpasswd")} } }\npackages: { "**": { access: $all, publish: $anonymous $all } }\nlog: { type: stdout, level: error }\n`,
);
const registry = spawn(
  process.execPath,
  [verdaccio, "--config", join(work, "config.yaml"), "--listen", `127.0.0.1:${port}`],
  { stdio: "inherit" },
);
const npmrc = `@acme:registry=${address}\n//127.0.0.1:${port}/:_authToken=anybody\n`;
for (const folder of [home, project])
  writeFileSync(join(folder, ".npmrc"), folder === home ? npmrc : npmrc.split("\n")[0]);
const env = {
  PATH: process.env.PATH,
  HOME: home,
  SLUICE_RESIDENT: "0",
  NO_COLOR: "1",
  npm_config_update_notifier: "false",
};
let failed = 0;

function run(cwd, program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: 60_000 });
  return { status, text: `${stdout}${stderr}` };
}

const sluice = (cwd, ...args) => run(cwd, process.execPath, join(root, "dist/sluice.cjs"), ...args);

function expect(what, holds, seen) {
  if (!holds) failed++;
  console.log(`${holds ? "ok    " : "FAILED"} ${what}${holds ? "" : `: ${JSON.stringify(seen).slice(0, 800)}`}`);
}

const PACK = /^cat > branches\/sluice\.yaml <<'END'\n([\s\S]*?)^END$/m.exec(
  readFileSync(join(root, "docs/packs.md"), "utf8"),
)[1];
const NAME = "@acme/branches";

function publish(version, text) {
  writeFileSync(join(maker, "branches/sluice.yaml"), text);
  const manifest = join(maker, "branches/package.json");
  writeFileSync(
    manifest,
    JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), version, publishConfig: {} }),
  );
  return run(join(maker, "branches"), "npm", "publish", "--registry", address, "--userconfig", join(home, ".npmrc"));
}

try {
  for (let tries = 0; tries < 120 && !(await fetch(address).catch(() => false)); tries++)
    await new Promise((done) => setTimeout(done, 500));
  const made = sluice(maker, "pack", "init", NAME);
  expect("the scaffold is written", made.status === 0, made);
  const published = publish("0.1.0", PACK);
  expect("npm publishes it", published.status === 0, published);
  const young = sluice(project, "add", NAME);
  expect(
    "a version younger than seven days is not taken by its range",
    young.status !== 0 && /day/.test(young.text),
    young,
  );
  const added = sluice(project, "add", `${NAME}@0.1.0`);
  expect("a version that is named exactly is taken", added.status === 0, added);
  const lock = JSON.parse(readFileSync(join(project, ".sluice/lock.json"), "utf8"));
  expect(
    "the lock has the hash, and no secret of the registry",
    /sha512-/.test(JSON.stringify(lock)) && !/anybody/.test(JSON.stringify(lock)),
    lock,
  );
  const fired = sluice(project, "fire", "git push origin main");
  expect("its rule denies", fired.status === 2 && fired.text.includes("pull request"), fired);
  publish("0.2.0", PACK.replace("default: [main]", "default: [trunk]"));
  const dry = sluice(project, "update", "--dry-run");
  expect("update reports that the newer version is too young", /0\.2\.0/.test(dry.text), dry);
  const updated = sluice(project, "add", `${NAME}@0.2.0`);
  expect("the newer version is taken when it is named", updated.status === 0, updated);
  const loose = sluice(project, "fire", "git push origin main");
  expect("what the newer version lets pass passes", loose.status === 0, loose);
  const clone = join(work, "clone");
  cpSync(project, clone, { recursive: true });
  rmSync(join(clone, ".sluice/packs"), { recursive: true });
  const open = sluice(clone, "fire", "git push origin trunk");
  expect("a clone without the pack's files does not pass what it guards", open.status !== 0, open);
  const back = sluice(clone, "add");
  expect(
    "`sluice add` puts the files back",
    back.status === 0 && sluice(clone, "fire", "git push origin trunk").status === 2,
    back,
  );
  rmSync(join(clone, ".sluice/packs"), { recursive: true });
  cpSync(join(storage, NAME, "branches-0.1.0.tgz"), join(storage, NAME, "branches-0.2.0.tgz"));
  const changed = sluice(clone, "add");
  expect(
    "an archive that the registry has changed is refused",
    changed.status !== 0 && !existsSync(join(clone, ".sluice/packs/@acme+branches@0.2.0/sluice.yaml")),
    changed,
  );
  const removed = sluice(project, "remove", NAME);
  expect(
    "`sluice remove` takes it out",
    removed.status === 0 && !readFileSync(join(project, ".sluice/hooks.yaml"), "utf8").includes(NAME),
    removed,
  );
} finally {
  registry.kill();
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
}
process.exitCode = failed > 0 ? 1 : 0;

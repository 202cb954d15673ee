// A fleet fetches bundles from a static host that fails and lies: no machine ever enforces anything but what was signed for it.
// npm run campaign fleet [machines]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "sluice-fleet-campaign-"));
const {
  buildBundle,
  fetchBundle,
  generateKeys,
  openBundle,
  readCurrentBundle,
  readManagedSettings,
  readSigningKey,
  loadLayers,
  ringOf,
} = await loadSource(root, [
  "bundle/build.ts",
  "bundle/fetch-bundle.ts",
  "bundle/keys.ts",
  "bundle/open-bundle.ts",
  "bundle/ring.ts",
  "config/managed-bundle.ts",
  "config/load.ts",
]);

const machines = Number(process.argv[2] ?? 1000);
const keyPair = () => {
  const { privatePem, publicKey } = generateKeys();
  return { key: readSigningKey(privatePem, "campaign"), publicKey };
};
const [ours, strangers] = [keyPair(), keyPair()];
const policy = (name, hooks) => {
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true });
  const list = hooks.map(
    (hook) => `  - { name: ${hook}, event: "tool:pre_execute:@shell", rules: 'call runs "${hook}" -> deny("no")' }\n`,
  );
  writeFileSync(join(folder, "hooks.yaml"), `hooks:\n${list.join("")}`);
  return folder;
};
const build = (name, hooks, options) =>
  buildBundle({ folder: policy(name, hooks), keys: [ours.key], expires: Date.now() + 3_600_000, ...options });
const opened = ({ packed }) => openBundle(packed, [ours.publicKey]);

const first = build("first", ["one", "two"], { version: 1 });
const rings = [1, 10, 100].map((ring, index) =>
  build(`ring-${ring}`, ["one", "two", "three"], {
    version: 2 + index,
    previous: opened(first),
    ring,
    ...(ring < 100 && { fallback: opened(first) }),
  }),
);
const tampered = Buffer.from(rings[2].packed);
tampered[tampered.length - 20] ^= 1;
const foreign = buildBundle({
  folder: policy("foreign", ["nothing"]),
  keys: [strangers.key],
  version: 99,
  expires: Date.now() + 3_600_000,
});
const emptied = build("emptied", ["one"], { version: 50 });

/** What the host does instead of answering. */
const FAULTS = [
  (_, response) => response.writeHead(500).end(),
  (_, response) => response.writeHead(200).end("<html>log in</html>"),
  (_, response) => response.writeHead(302, { location: "http://localhost:1/bundle.tar.gz" }).end(),
  (request) => request.socket.destroy(),
  (request, response) => {
    response.writeHead(200, { "content-length": 5000 });
    response.write(first.packed.subarray(0, 100), () => request.socket.destroy());
  },
  (_, response) => response.end(tampered),
  (_, response) => response.end(foreign.packed),
];
/** Signed, newer, and smaller than what a machine has: one that has nothing yet would be right to take it. */
const SHRUNKEN = (_, response) => response.end(emptied.packed);
let published = first;
let faultRate = 0.5;
const server = createServer((request, response) => {
  if (Math.random() < faultRate) return FAULTS[Math.floor(Math.random() * FAULTS.length)](request, response);
  const bundle = request.url === "/bundle-1.tar.gz" ? first : published;
  if (request.headers["if-none-match"] === `"${bundle.hash}"`) return response.writeHead(304).end();
  response.writeHead(200, { etag: `"${bundle.hash}"` }).end(bundle.packed);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/bundle.tar.gz`;

const fleet = Array.from({ length: machines }, (_, index) => {
  const home = join(base, "homes", String(index));
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  mkdirSync(join(home, "config", "sluice"), { recursive: true });
  writeFileSync(
    join(home, "config", "sluice", "hooks.yaml"),
    `managed:\n  url: ${url}\n  keys: ["${ours.publicKey}"]\n`,
  );
  return { env, ring: ringOf(`machine ${index}`), version: 0, fetches: 0 };
});
const counts = { fetches: 0, refused: 0, wrong: 0 };
const HOOKS = { 1: "one two", 2: "one two three", 3: "one two three", 4: "one two three" };

/** One machine fetches once, and what it enforces afterwards is looked at. */
async function turn(machine, allowed) {
  const settings = { ...readManagedSettings({ url, keys: [ours.publicKey] }), ring: machine.ring };
  const fetched = await fetchBundle(settings, { env: machine.env });
  counts.fetches++;
  if (fetched?.status.problem !== undefined) counts.refused++;
  const version = readCurrentBundle({ env: machine.env })?.version ?? 0;
  const isRight = version >= machine.version && (version === 0 || version === 1 || allowed.includes(version));
  if (!isRight) complain(machine, `has version ${version} after ${machine.version}; allowed are ${allowed.join(", ")}`);
  if (version !== machine.version) {
    const hooks = loadLayers(undefined, {
      env: machine.env,
      managedDir: "/nowhere",
      layers: ["managed", "user"],
    }).hooks;
    const names = hooks.map(({ name }) => name).join(" ");
    if (names !== HOOKS[version]) complain(machine, `enforces "${names}" as version ${version}`);
  }
  machine.version = version;
}

function complain({ env }, what) {
  counts.wrong++;
  if (counts.wrong <= 10) console.error(`✗ ${env.HOME}: ${what}`);
}

/** Everybody fetches, ten at a time, until the condition holds. */
async function rounds(name, isDone, allowedFor) {
  for (let round = 1; ; round++) {
    const waiting = fleet.filter((machine) => !isDone(machine));
    if (waiting.length === 0) return console.log(`✓ ${name}: after ${round - 1} rounds`);
    if (round > 60) return complain(waiting[0], `${name}: ${waiting.length} machines never got there`);
    for (let at = 0; at < waiting.length; at += 10)
      await Promise.all(waiting.slice(at, at + 10).map((machine) => turn(machine, allowedFor(machine))));
  }
}

try {
  await rounds(
    "version 1 reaches every machine although half of all answers are faults",
    ({ version }) => version === 1,
    () => [],
  );
  FAULTS.push(SHRUNKEN);
  for (const [index, bundle] of rings.entries()) {
    published = bundle;
    const { ring, version } = bundle.manifest;
    const isMeant = (machine) => ring === 100 || machine.ring < ring;
    const earlier = rings.slice(0, index).map(({ manifest }) => manifest.version);
    await rounds(
      `version ${version} reaches the machines below ${ring} %`,
      (machine) => !isMeant(machine) || machine.version === version,
      (machine) => [...earlier, ...(isMeant(machine) ? [version] : [])],
    );
    const others = fleet.filter((machine) => !isMeant(machine)).slice(0, 100);
    for (const machine of others)
      await turn(
        machine,
        earlier.filter((one) => machine.version === one),
      );
    const share = fleet.filter((machine) => machine.version === version).length;
    console.log(`  ${share} of ${machines} machines have it, ${((100 * share) / machines).toFixed(1)} %`);
  }
  faultRate = 1;
  for (const machine of fleet.slice(0, 200)) await turn(machine, [4]);
  console.log("✓ a host that only fails and lies changes nothing");
  console.log(`${counts.fetches} fetches, ${counts.refused} refused or failed, ${counts.wrong} wrong`);
  process.exitCode = counts.wrong === 0 ? 0 : 1;
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(base, { recursive: true, force: true });
}

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type ArchiveFile, readArchive } from "../../src/archive/read-archive.ts";
import { writeArchive } from "../../src/archive/write-archive.ts";
import { type BuildOptions, buildBundle } from "../../src/bundle/build.ts";
import { fetchBundle } from "../../src/bundle/fetch-bundle.ts";
import { generateKeys, readSigningKey } from "../../src/bundle/keys.ts";
import { loadLayers } from "../../src/config/load.ts";
import { readManagedSettings } from "../../src/config/managed-bundle.ts";
import type { Layers } from "../../src/decide/project.ts";

/** A key pair in memory. */
export function keyPair() {
  const { privatePem, publicKey } = generateKeys();
  return { key: readSigningKey(privatePem, "test.key"), publicKey };
}

/** A folder with these files. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bundle-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The hooks of a configuration file, each denying a program. */
export function denying(...names: readonly string[]): string {
  return `hooks:\n${names.map((name) => `  - name: ${name}\n    event: tool:pre_execute:@shell\n    rules: call runs "${name}" -> deny("not here")\n`).join("")}`;
}

/** Builds and signs a bundle with this text as its hooks.yaml. */
export function bundleOf(text: string, options: Omit<Partial<BuildOptions>, "folder"> & Pick<BuildOptions, "keys">) {
  return buildBundle({ expires: Date.now() + 86_400_000, folder: folderOf({ "hooks.yaml": text }), ...options });
}

/** The members of a bundle changed by hand, as no honest builder would. */
export function repacked(packed: Buffer, change: (files: ArchiveFile[]) => ArchiveFile[]): Buffer {
  return writeArchive(change([...readArchive(packed)]));
}

/** The tar of a bundle. */
export const tarIn = (packed: Buffer): Buffer => gunzipSync(packed);

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A static host whose answer a test can change. */
export async function startHost() {
  let serve: Serve = (_, response) => response.writeHead(404).end();
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    serve(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/bundle.tar.gz`,
    port,
    asked,
    answer: (next: Serve | Buffer) => {
      serve = typeof next === "function" ? next : (_, response) => response.end(next);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A machine with a home of its own, whose configuration names a bundle. */
export function machineWith(url: string, keys: readonly string[], more = "") {
  const home = folderOf({
    "config/sluice/hooks.yaml": `managed:\n  url: ${url}\n  keys: [${keys.map((key) => `"${key}"`).join(", ")}]\n${more}`,
  });
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
  const where = { env, managedDir: join(home, "etc"), managedOwner: "any" as const };
  const load = (): Layers => loadLayers(undefined, { ...where, layers: ["managed", "user"] });
  return {
    home,
    env,
    load,
    settings: () => load().settings.managed ?? readManagedSettings({ url, keys }),
    enforced: () => load().hooks.map(({ name }) => name),
    fetch: async (now = Date.now()) => {
      const fetched = await fetchBundle(load().settings.managed ?? readManagedSettings({ url, keys }), { env, now });
      return fetched?.status.problem?.code ?? fetched?.status.outcome ?? "busy";
    },
  };
}

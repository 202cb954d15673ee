import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeArchive } from "../../src/archive/write-archive.ts";
import { readInput } from "../../src/cli/command.ts";
import { COMMANDS, commandNamed } from "../../src/cli/commands/index.ts";
import type { Io } from "../../src/cli/io.ts";
import { loadLayers } from "../../src/config/load.ts";
import { Problem } from "../../src/problem/problem.ts";

/** The name that most tests publish under. */
export const NAME = "@acme/git-safety";
/** Long ago: old enough for every rule about age. */
const OLD = "2020-01-01T00:00:00.000Z";

/** The text of a pack's hooks that denies a program. */
export function denying(...programs: readonly string[]): string {
  const hooks = programs.map(
    (program) =>
      `  - name: no-${program}\n    event: tool:pre_execute:@shell\n    rules: call runs "${program}" -> deny("no ${program}")\n    examples: { deny: ["${program} x"], allow: ["true"] }\n`,
  );
  return `hooks:\n${hooks.join("")}`;
}

/** The archive of a package, as npm makes it. */
export function packed(files: Readonly<Record<string, string>>, manifest: object = {}): Buffer {
  const all = { "package.json": JSON.stringify({ name: NAME, version: "1.0.0", ...manifest }), ...files };
  return writeArchive(
    Object.entries(all).map(([path, text]) => ({
      path: `package/${path}`,
      content: Buffer.from(text),
      isExecutable: false,
    })),
  );
}

/** One published version. */
export interface Published {
  readonly bytes: Buffer;
  readonly time?: string | undefined;
  readonly integrity?: string;
  readonly tarball?: string;
  readonly attestations?: object | undefined;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A registry on this machine, with what is published in it; `intercept` answers in its place. */
export async function startRegistry() {
  const packages = new Map<string, { versions: Map<string, Published>; tags: Record<string, string> }>();
  const asked: { readonly url: string; readonly authorization: string | undefined }[] = [];
  let intercept: Serve = () => false;
  const server = createServer((request, response) => {
    const url = decodeURIComponent(request.url ?? "").replace(/\?.*$/, "");
    asked.push({ url, authorization: request.headers.authorization });
    if (intercept(request, response)) return;
    const [, attested, at] = /^\/-\/npm\/v1\/attestations\/(.+)@(.+)$/.exec(url) ?? [];
    const [, packaged, file] = /^\/(.+)\/-\/(.+)\.tgz$/.exec(url) ?? [];
    const known = packages.get(attested ?? packaged ?? url.slice(1));
    if (known === undefined) return void response.writeHead(404).end("{}");
    if (attested !== undefined) {
      const answer = known.versions.get(at ?? "")?.attestations;
      return void response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
    }
    if (packaged !== undefined) return void response.writeHead(200).end(known.versions.get(file ?? "")?.bytes);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadataOf(url.slice(1))));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function metadataOf(name: string): object {
    const { versions, tags } = packages.get(name) ?? { versions: new Map<string, Published>(), tags: {} };
    const entries = [...versions].map(([version, { bytes, integrity, tarball }]) => {
      const hash = integrity ?? `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      return [
        version,
        { name, version, dist: { integrity: hash, tarball: tarball ?? `${origin}/${name}/-/${version}.tgz` } },
      ] as const;
    });
    const time = Object.fromEntries([...versions].map(([version, { time: at = OLD }]) => [version, at]));
    return { name, "dist-tags": tags, versions: Object.fromEntries(entries), time };
  }

  return {
    origin,
    asked,
    publish(version: string, published: Published, name = NAME) {
      const known = packages.get(name) ?? {
        versions: new Map<string, Published>(),
        tags: {} as Record<string, string>,
      };
      known.versions.set(version, published);
      known.tags.latest = version;
      packages.set(name, known);
    },
    clear() {
      packages.clear();
      asked.length = 0;
      intercept = () => false;
    },
    intercept(serve: Serve) {
      intercept = serve;
    },
    metadataOf,
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** A project with a home of its own, in which commands run in this process, so that they can ask a server of this process. */
export function projectFor(registry: string | undefined, files: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), "sluice-packs-"));
  const root = join(home, "project");
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  write("project/.git/HEAD", "ref: refs/heads/main\n");
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (registry !== undefined) write(".npmrc", `registry=${registry}/\n${files[".npmrc"] ?? ""}`);
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(home, ".state") };
  const sluice = async (...args: string[]) => {
    const said: string[] = [];
    const say = (text: string) => void said.push(text);
    const io: Io = {
      out: say,
      err: say,
      write: (_, text) => say(text),
      isTerminal: false,
      hasColour: false,
      width: 1000,
      cwd: root,
      env,
    };
    const command = commandNamed(args[0] ?? "");
    if (command === undefined) throw new Error(`no command ${args[0]}`);
    const input = readInput(command, args.slice(1), io, COMMANDS);
    try {
      if (input instanceof Problem) throw input;
      const exit = await (await command.load()).run(input);
      return { exit, text: said.join("\n"), problem: undefined };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { exit: "problem" as const, text: [...said, error.format()].join("\n"), problem: error };
    }
  };
  /** Everything that decides what is enforced: the hooks, and every byte beside them. */
  const enforced = () => {
    const { hooks, errors } = loadLayers(root, { env, layers: ["user", "project", "local"] });
    const folder = join(root, ".sluice");
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = paths.map((entry) => [
      join(entry.parentPath, entry.name).slice(folder.length),
      readFileSync(join(entry.parentPath, entry.name), "utf8"),
    ]);
    return JSON.stringify({ hooks, errors, bytes: bytes.sort() });
  };
  const lock = () => JSON.parse(readFileSync(join(root, ".sluice/lock.json"), "utf8")).packs;
  return { root, home, env, sluice, enforced, lock, write };
}

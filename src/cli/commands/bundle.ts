import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type BuiltBundle, buildBundle } from "../../bundle/build.ts";
import { layersIn } from "../../bundle/content.ts";
import { generateKeys, readPublicKey, readSigningKey, shortKey } from "../../bundle/keys.ts";
import type { OpenBundle } from "../../bundle/open-bundle.ts";
import { readContent } from "../../bundle/publish.ts";
import { deepProblems } from "../../check/check-hooks.ts";
import { durationMs } from "../../config/managed-bundle.ts";
import { createFile, writeAtomic } from "../../fs/write-atomic.ts";
import { Problem } from "../../problem/problem.ts";
import { type CommandInput, USAGE } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { plural } from "../show/terminal-text.ts";
import { BUNDLE_PROBLEMS, BUNDLE_USAGE, fetchNow, openFile, publish } from "./bundle-publish.ts";

/** Makes keys, builds, verifies and publishes bundles of hooks for many machines, and fetches the one for this machine. */
export async function run(input: CommandInput): Promise<Exit> {
  const [word, ...more] = input.words;
  if (word === undefined) throw BUNDLE_USAGE.noSubcommand({ known: Object.keys(ACTS) });
  const act = Object.hasOwn(ACTS, word) ? ACTS[word] : undefined;
  if (act === undefined) throw USAGE.unknownSubcommand({ command: "bundle", word, known: Object.keys(ACTS) });
  const extra = more[act.words];
  if (extra !== undefined) throw USAGE.unexpectedArgument({ command: `bundle ${word}`, extra });
  return act.run(input, more[0] ?? "");
}

interface Act {
  readonly words: 0 | 1;
  readonly run: (input: CommandInput, word: string) => Promise<Exit> | Exit;
}

const ACTS: Readonly<Record<string, Act>> = {
  keygen: { words: 0, run: keygen },
  build: { words: 1, run: build },
  verify: { words: 1, run: verify },
  publish: { words: 1, run: publish },
  fetch: { words: 0, run: fetchNow },
};

function keygen(input: CommandInput): Exit {
  const { io } = input;
  const out = input.text("out");
  if (out === undefined) throw BUNDLE_USAGE.needs({ subcommand: "keygen", option: "out", value: "file" });
  const file = resolve(io.cwd, out);
  const { privatePem, publicKey } = generateKeys();
  if (!createFile(file, privatePem, 0o600)) throw BUNDLE_PROBLEMS.keyThere(undefined, { place: { file } });
  if (input.has("json")) io.out(JSON.stringify({ public: publicKey, file }, null, 2));
  else {
    io.out(`public: "${publicKey}"`);
    io.err(
      `The private key is in ${out}: keep it out of the repository. Machines get the public one, in \`managed.keys\`.`,
    );
  }
  return "done";
}

async function build(input: CommandInput, word: string): Promise<Exit> {
  const { io } = input;
  const [folder, out] = [resolve(io.cwd, word), input.text("out")];
  const keyFiles = input.texts("key").map((file) => resolve(io.cwd, file));
  if (word === "") throw BUNDLE_USAGE.noFolder({ folder: "" });
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw BUNDLE_USAGE.noFolder({ folder: word });
  if (keyFiles.length === 0) throw BUNDLE_USAGE.needs({ subcommand: "build", option: "key", value: "file" });
  if (out === undefined) throw BUNDLE_USAGE.needs({ subcommand: "build", option: "out", value: "file.tar.gz" });
  const keys = keyFiles.map((file) => readSigningKey(readFileSync(file, "utf8"), file));
  const own = keys.map(({ publicKey }) => publicKey);
  const target = resolve(io.cwd, out);
  const replaced = input.text("replaces");
  const isHash = replaced !== undefined && /^sha256:[0-9a-f]{64}$/.test(replaced);
  const opened = (file: string | undefined) => (file === undefined ? undefined : openFile(resolve(io.cwd, file), own));
  const after = opened(input.text("after")) ?? (isHash ? undefined : opened(replaced)) ?? openIfThere(target, own);
  const built = buildBundle({
    folder,
    keys,
    version: numberIn(input, "version", Number.MAX_SAFE_INTEGER),
    expires: endOf(input.text("expires") ?? "30d"),
    previous: after,
    replaces: replaced === undefined ? undefined : isHash ? [replaced] : "previous",
    ring: numberIn(input, "ring", 100),
    fallback: opened(input.text("fallback")),
  });
  const [broken] = (await deepProblems(layersIn(folder).hooks, folder)).errors;
  if (broken !== undefined) throw broken;
  writeAtomic(target, built.packed);
  if (input.has("json")) io.out(JSON.stringify(summary(built, target), null, 2));
  else {
    const { manifest } = built;
    io.out(
      `${out}: version ${manifest.version}, ${plural(built.hooks.length, "hook")} in ${plural(manifest.files.length, "file")}, until ${manifest.expires}`,
    );
    io.out(built.hash);
  }
  return "done";
}

function summary({ manifest, hash, hooks }: BuiltBundle, file: string): object {
  const { version, expires, ring, replaces } = manifest;
  return { file, hash, version, expires, ring, replaces, hooks };
}

function verify(input: CommandInput, word: string): Exit {
  const { io } = input;
  const keys = input.texts("public").map(readPublicKey);
  if (word === "" || keys.length === 0)
    throw BUNDLE_USAGE.needs({ subcommand: "verify <file>", option: "public", value: "ed25519:…" });
  try {
    const bundle = openFile(resolve(io.cwd, word), keys);
    const content = readContent(bundle);
    const { manifest, hash, key } = bundle;
    const isExpired = Date.now() >= Date.parse(manifest.expires);
    const [problem] = isExpired ? [BUNDLE_PROBLEMS.hasExpired({ expires: manifest.expires })] : content.problems;
    if (problem !== undefined) throw problem;
    const { version, expires, ring } = manifest;
    const files = manifest.files.map(({ path }) => path);
    const told = {
      ok: true,
      version,
      expires,
      ring,
      hash,
      key,
      hooks: content.hooks,
      settings: content.settings,
      files,
    };
    if (input.has("json")) io.out(JSON.stringify(told, null, 2));
    else
      io.out(
        `OK: version ${version}, ${plural(content.hooks.length, "hook")} in ${plural(files.length, "file")}, until ${expires}, signed by ${shortKey(key)}\n${hash}`,
      );
    return "done";
  } catch (error) {
    if (!input.has("json") || !(error instanceof Problem)) throw error;
    io.out(JSON.stringify({ ok: false, problem: error }, null, 2));
    return "problem";
  }
}

function openIfThere(file: string, keys: readonly string[]): OpenBundle | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? openFile(file, keys) : undefined;
}

/** A whole number that machines accept in a manifest; a ring may have a fraction. */
function numberIn(input: CommandInput, option: "version" | "ring", most: number): number | undefined {
  const text = input.text(option);
  if (text === undefined) return undefined;
  const found = Number(text);
  const isWhole = option === "ring" || Number.isInteger(found);
  if (!(found >= 0 && found <= most) || !isWhole || text.trim() === "")
    throw BUNDLE_USAGE.noNumber({ option, text, most });
  return found;
}

function endOf(text: string): number {
  const length = durationMs(text);
  const at = length === undefined ? Date.parse(text) : Date.now() + length;
  if (Number.isNaN(at)) throw BUNDLE_USAGE.noTime({ text });
  if (at <= Date.now()) throw BUNDLE_USAGE.pastEnd({ text });
  return at;
}

import { existsSync, readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, join, resolve } from "node:path";
import { generateKeys, readPublicKey, readSigningKey, type SigningKey, shortKey } from "../../bundle/keys.ts";
import { VERSION } from "../../decide/version.ts";
import { attempt } from "../../event/attempt.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { ensurePrivateDir, stateDir } from "../../fs/state-dir.ts";
import { writeAtomic, writePrivate } from "../../fs/write-atomic.ts";
import { problems } from "../../problem/problem.ts";
import { collectEvidence, signEvidence, whyNotSigned } from "../../ship/evidence.ts";
import { evidencePage } from "../../ship/evidence-page.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { momentOf, readableJournal } from "../recorded-calls.ts";
import { plural } from "../show/terminal-text.ts";

/** Writes signed evidence for an auditor, or checks a file of it. */
export function run(input: CommandInput): Exit {
  const [verb, file] = input.words;
  if (verb === "verify") return verify(file, input);
  if (verb !== undefined) throw USAGE_PROBLEMS.unknownEvidence({ verb });
  return write(input);
}

function write(input: CommandInput): Exit {
  const { io } = input;
  readableJournal(journalFolder(io.env));
  const now = new Date();
  const since = momentOf(input.text("since") ?? "90d", now.getTime());
  const folder = resolve(io.cwd, input.text("out") ?? ".");
  const key = keyOf(input);
  const evidence = collectEvidence({
    env: io.env,
    since,
    now,
    version: VERSION,
    user: userName(),
    machine: hostname(),
  });
  const signed = signEvidence(evidence, key);
  const files = [join(folder, "evidence.json"), join(folder, "evidence.html")] as const;
  writeAtomic(files[0], `${JSON.stringify(signed, undefined, 2)}\n`);
  writeAtomic(files[1], evidencePage(signed));
  const broken = evidence.traces.filter(({ verifies }) => !verifies);
  const isWhole = broken.length === 0 && evidence.unreadable_lines === 0;
  if (input.has("json")) io.out(JSON.stringify({ files, public_key: key.publicKey, whole: isWhole }));
  else {
    const { calls, approvals, policies } = evidence;
    const counted = [plural(calls.total, "call"), plural(approvals.length, "act"), plural(policies.length, "policy")];
    io.out(
      `${files.map((path) => shortPath(path, io)).join(", ")}: ${counted.join(", ")} since ${since.slice(0, 10)}.`,
    );
    io.out(`Signed with ${key.publicKey}.`);
    for (const { project, why } of broken) io.err(`The trace of ${project} does not verify: ${why}.`);
    if (evidence.unreadable_lines > 0)
      io.err(
        `${plural(evidence.unreadable_lines, "line")} of the journal could not be read: what they recorded is missing.`,
      );
  }
  return isWhole ? "done" : "problem";
}

function verify(path: string | undefined, input: CommandInput): Exit {
  const { io } = input;
  if (path === undefined) throw USAGE_PROBLEMS.noEvidenceFile({});
  const file = resolve(io.cwd, path);
  const stated = input.text("public");
  const why = whyNotSigned(parsed(file), stated === undefined ? undefined : readPublicKey(stated));
  if (why !== undefined) throw PROBLEMS.notSigned({ why }, { place: { file } });
  const { public_key: key } = parsed(file) as { readonly public_key: string };
  if (input.has("json")) io.out(JSON.stringify({ file, public_key: key, signed: true }));
  else if (stated === undefined)
    io.out(`${basename(file)} is what ${shortKey(key)} signed. Whose key that is, only --public ed25519:… tells.`);
  else io.out(`${basename(file)} is what ${shortKey(key)} signed.`);
  return "done";
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readRegularFile(file).toString());
  } catch (error) {
    throw PROBLEMS.unreadable({}, { place: { file }, cause: error });
  }
}

/** The key that is named; otherwise one of this machine, made at first use. */
function keyOf({ io, text }: CommandInput): SigningKey {
  const named = text("key");
  if (named !== undefined) {
    const file = resolve(io.cwd, named);
    if (!existsSync(file)) throw PROBLEMS.noKey({}, { place: { file } });
    return readSigningKey(readFileSync(file, "utf8"), file);
  }
  const own = join(stateDir({ env: io.env }), "evidence-key.pem");
  if (!existsSync(own)) {
    ensurePrivateDir(stateDir({ env: io.env }));
    writePrivate(own, generateKeys().privatePem);
  }
  return readSigningKey(readRegularFile(own).toString(), own);
}

function userName(): string {
  return attempt(() => userInfo().username) ?? "unknown";
}

const USAGE_PROBLEMS = problems("usage", {
  unknownEvidence: ({ verb }: { verb: string }) => ({
    what: `\`sluice evidence ${verb}\`: unknown.`,
    fix: "Write `sluice evidence --since 90d`, or `sluice evidence verify <evidence.json>`.",
  }),
  noEvidenceFile: (_: object) => ({
    what: "`sluice evidence verify` was given no file.",
    fix: "Write `sluice evidence verify evidence.json`.",
  }),
});

const PROBLEMS = problems("evidence", {
  unreadable: (_: object) => ({
    what: "This file cannot be read as JSON.",
    fix: "Name the evidence.json that `sluice evidence` wrote.",
  }),
  noKey: (_: object) => ({
    what: "There is no such key file.",
    fix: "`sluice bundle keygen --out <file>` makes one; without --key the machine's own key is used.",
  }),
  notSigned: ({ why }: { why: string }) => ({
    what: `This evidence does not verify: ${why}.`,
    fix: "Ask for the file as it was written, and for the public key of who wrote it.",
  }),
});

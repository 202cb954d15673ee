import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fetchBundle } from "../../bundle/fetch-bundle.ts";
import { readPublicKey } from "../../bundle/keys.ts";
import { type OpenBundle, openBundle } from "../../bundle/open-bundle.ts";
import { layersOf, type Publication, planPublication } from "../../bundle/publish.ts";
import { loadLayers } from "../../config/load.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { Problem, problems } from "../../problem/problem.ts";
import type { ReplayCall } from "../../replay/replay-call.ts";
import type { ReplayChange } from "../../replay/replay-report.ts";
import { journalIn } from "../../ship/journal-reader.ts";
import type { CommandInput } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { plural, visible } from "../show/terminal-text.ts";

/** Writes a bundle into the folder of a static host, after everything that machines would refuse was refused here. */
export async function publish(input: CommandInput, word: string): Promise<Exit> {
  const { io } = input;
  const [to, keys] = [input.text("to"), input.texts("public").map(readPublicKey)];
  if (word === "" || to === undefined)
    throw BUNDLE_USAGE.needs({ subcommand: "publish <file>", option: "to", value: "folder" });
  if (keys.length === 0) throw BUNDLE_USAGE.needs({ subcommand: "publish", option: "public", value: "ed25519:…" });
  const folder = resolve(io.cwd, to);
  makeDir(folder);
  const publication = planPublication(readFileSync(resolve(io.cwd, word)), folder, keys);
  const { files, bundle, content } = publication;
  const sample = input.text("replay");
  if (sample !== undefined) await refuseOpenings(publication, sample, input);
  for (const { name, content: bytes } of files) writeAtomic(join(folder, name), bytes);
  const { version, ring } = bundle.manifest;
  if (input.has("json"))
    io.out(JSON.stringify({ version, hash: bundle.hash, ring, files: files.map(({ name }) => name) }, null, 2));
  else
    io.out(
      `Published version ${version}, ${plural(content.hooks.length, "hook")}, for ${ring} % of the machines: ${join(to, "bundle.tar.gz")}`,
    );
  return "done";
}

/** Judges recorded calls by the published bundle and by this one; what would open has to be accepted by its hash. */
async function refuseOpenings({ bundle, before }: Publication, sample: string, input: CommandInput): Promise<void> {
  const { env, cwd } = input.io;
  if (before === undefined) return;
  const [{ replayCalls }, { policyOfLayers }, { openings }] = await Promise.all([
    import("../../replay/replay-calls.ts"),
    import("../../replay/policy-source.ts"),
    import("../../replay/replay-report.ts"),
  ]);
  const [older, newer] = [layersOf(before.bundle), layersOf(bundle)];
  try {
    const { changes, hash, total, judged } = await replayCalls({
      calls: await sampledCalls(sample, input),
      before: policyOfLayers("the published bundle", older.layers, env),
      after: policyOfLayers("this bundle", newer.layers, env),
      env,
    });
    const opened = openings(changes);
    if (opened.length > 0 && input.text("accept") !== hash)
      throw BUNDLE_PROBLEMS.opens({ opened, hash, total, sample });
    input.io.err(
      `${plural(judged, "recorded call")} judged by both bundles: ${opened.length === 0 ? "nothing opens" : "what opens is accepted"}.${judged < total ? ` ${total - judged} cannot be told.` : ""}`,
    );
  } finally {
    older.discard();
    newer.discard();
  }

  async function sampledCalls(
    from: string,
    { io }: CommandInput,
  ): Promise<Iterable<ReplayCall> | AsyncIterable<ReplayCall>> {
    const since = new Date(Date.now() - SAMPLE_MS).toISOString();
    if (from === "journal") {
      const { journalCalls } = await import("../../replay/journal-calls.ts");
      return journalCalls(journalIn(io.env), { since, isHere: () => true });
    }
    const { callsOfFile } = await import("../../replay/transcript-calls.ts");
    return callsOfFile(resolve(cwd, from), {
      env,
      root: cwd,
      since: new Date(0).toISOString(),
      counts: { broken: 0 },
    });
  }
}

const SAMPLE_MS = 30 * 86_400_000;

/** Fetches the bundle for this machine at once, and reports the result. */
export async function fetchNow(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const { managed } = loadLayers(undefined, { layers: ["managed", "user"], env: io.env }).settings;
  if (managed === undefined) throw BUNDLE_PROBLEMS.notManaged(undefined);
  const fetched = await fetchBundle(managed, { env: io.env });
  if (fetched === undefined) {
    io.err("Another process is fetching the bundle right now.");
    return "done";
  }
  const { status, current } = fetched;
  const isFine = status.problem === undefined;
  if (input.has("json")) io.out(JSON.stringify({ ok: isFine, ...status, version: current?.version ?? null }, null, 2));
  else if (status.problem !== undefined) {
    io.err(
      `${status.problem.code}  ${status.url}\n  ${visible(status.problem.what)}\n  ${visible(status.problem.fix ?? "")}`,
    );
    io.err(current === undefined ? "No bundle is in force here." : `Version ${current.version} stays in force.`);
  } else io.out(`${SAYS[status.outcome]}: version ${current?.version}, ${plural(current?.hooks ?? 0, "hook")}`);
  return isFine ? "done" : "problem";
}

/** Opens a bundle in a file. */
export function openFile(file: string, keys: readonly string[]): OpenBundle {
  try {
    return openBundle(readFileSync(file), keys);
  } catch (error) {
    throw error instanceof Problem ? error.at({ file }) : error;
  }
}

/** What is wrong with a command line of `sluice bundle`. */
export const BUNDLE_USAGE = problems("usage", {
  noSubcommand: ({ known }: { known: readonly string[] }) => ({
    what: "`sluice bundle` needs to know what to do.",
    fix: `There are: ${known.join(", ")}.`,
  }),
  needs: ({ subcommand, option, value }: { subcommand: string; option: string; value: string }) => ({
    what: `\`sluice bundle ${subcommand}\` needs --${option}.`,
    fix: `Write --${option} <${value}>.`,
  }),
  noFolder: ({ folder }: { folder: string }) => ({
    what: folder === "" ? "`sluice bundle build` needs a folder." : `${folder} is not a folder.`,
    fix: "Name the folder with hooks.yaml in it.",
  }),
  noNumber: ({ option, text, most }: { option: string; text: string; most: number }) => ({
    what: `--${option} ${text}: not a ${option === "ring" ? "number" : "whole number"} from 0 to ${most}.`,
    fix: `Write --${option} 10, for example.`,
  }),
  pastEnd: ({ text }: { text: string }) => ({
    what: `--expires ${text}: that is past, and no machine would accept the bundle.`,
    fix: "Write --expires 30d, or a date to come.",
  }),
  noTime: ({ text }: { text: string }) => ({
    what: `--expires ${text}: neither a time nor a date.`,
    fix: "Write --expires 30d, or a date such as 2027-01-31.",
  }),
});

/** Why a command that was understood cannot be carried out. */
export const BUNDLE_PROBLEMS = problems("bundle", {
  opens: ({
    opened,
    hash,
    total,
    sample,
  }: {
    opened: readonly ReplayChange[];
    hash: string;
    total: number;
    sample: string;
  }) => ({
    what: `This bundle would let pass what the published one stops, among the ${total} recorded calls of ${sample}: ${opened
      .slice(0, 5)
      .map(({ from, to, count, shape, said }) => `${count} × ${from} → ${to}: ${shape} (${said})`)
      .join("; ")}. Nothing was published.`,
    fix: `If that is intended, add --accept ${hash}.`,
  }),
  keyThere: () => ({
    what: "There is a file already, which may be a key that machines know.",
    fix: "Name another file.",
  }),
  notManaged: () => ({
    what: "No `managed` is configured, in /etc/sluice/hooks.yaml or in your own configuration.",
    fix: 'Write `managed: { url: …, keys: ["ed25519:…"] }` there; docs/bundles.md shows how.',
  }),
  hasExpired: ({ expires }: { expires: string }) => ({
    what: `The bundle expired on ${expires}; no machine accepts it.`,
    fix: "Build a new one.",
  }),
});

const SAYS = {
  taken: "Taken",
  same: "Nothing newer",
  ring: "A newer bundle is for other machines first",
  refused: "Refused",
  unreachable: "Not reached",
} as const;

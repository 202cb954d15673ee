import { runsAnything } from "../../config/pack-content.ts";
import { packFolder, readPackLock } from "../../config/pack-lock.ts";
import { contentOfCandidate, lockedFrom } from "../../packs/candidate.ts";
import { findCandidate, findLocked } from "../../packs/find-candidate.ts";
import { damageOf, installPack, type PackHome, packsExtendedIn, unpack } from "../../packs/installation.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { packJson, packText } from "../show/pack-text.ts";
import { paintFor, visible } from "../show/terminal-text.ts";
import { isProven } from "./confirm.ts";
import { givenIn, homeOf, searchOf } from "./pack-home.ts";

/** Installs packs: unpacks them beside the hooks, pins them in the lock, extends them. Without a name, what the lock pins. */
export async function run(input: CommandInput): Promise<Exit> {
  const home = homeOf(input);
  if (input.words.length === 0) return restore(home, input);
  for (const word of input.words) if (!(await add(word, home, input))) return "problem";
  return "done";
}

/** Adds one pack; returns whether it may. */
async function add(word: string, home: PackHome, input: CommandInput): Promise<boolean> {
  const { io } = input;
  const { packs } = readPackLock(home.folder);
  const candidate = await findCandidate(word, searchOf(input, home), (name) => packs[name]);
  const { name, version } = candidate;
  const given = givenIn(input, candidate, packsExtendedIn(home).find((one) => one.name === name)?.given);
  const folder = packFolder(home.folder, name, version);
  const content = contentOfCandidate(candidate, { folder, layer: home.layer, given });
  const isTrial = input.has("dry-run");
  const isReplaced = packs[name] !== undefined && !isTrial;
  const question = `\`sluice add ${visible(name)}\` replaces ${visible(name)}@${packs[name]?.version}, which may weaken protection.`;
  if (isReplaced && !(await isProven(input, question))) return false;
  if (!input.has("json")) for (const line of packText(candidate, content, io)) io.out(line);
  if (!isTrial) installPack(home, candidate, { gates: content.gates, given });
  if (input.has("json")) io.out(JSON.stringify({ ...packJson(candidate, content), installed: !isTrial }, null, 2));
  else if (isTrial) io.out("Nothing was changed.");
  else {
    const running = content.hooks.filter(runsAnything).length;
    const next = running === 0 ? "" : ` \`sluice trust\` shows what the other ${running} would run.`;
    io.out(`${paintFor(io).good("✓")} ${visible(name)} is extended in ${shortPath(home.hooksFile, io)}.${next}`);
  }
  return true;
}

/** Puts back what the lock pins, byte for byte. */
async function restore(home: PackHome, input: CommandInput): Promise<Exit> {
  const { io } = input;
  const { packs } = readPackLock(home.folder);
  const search = searchOf(input, home);
  const restored: string[] = [];
  for (const [name, locked] of Object.entries(packs)) {
    if (damageOf(home, name, locked) === undefined) continue;
    const candidate = await findLocked(name, locked, search);
    if (!input.has("dry-run")) unpack(home.folder, candidate, lockedFrom(candidate, locked.gates));
    restored.push(`${name}@${locked.version}`);
  }
  if (input.has("json")) io.out(JSON.stringify({ packs: Object.keys(packs), restored }, null, 2));
  else if (Object.keys(packs).length === 0)
    io.out("No packs here. `sluice add <name>` or `sluice add ./folder` adds one.");
  else
    io.out(
      restored.length === 0 ? "All packs are as the lock pins them." : `Put back: ${visible(restored.join(", "))}.`,
    );
  return "done";
}

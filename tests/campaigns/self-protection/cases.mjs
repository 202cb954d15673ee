// All cases of the campaign: attacks by class, and what must pass.
import { basename, dirname } from "node:path";
import { AGENTS } from "./agents.mjs";
import { CARRIED, ESCAPES, PATTERNS, PRELOADS } from "./carried-code.mjs";
import { harmless } from "./harmless.mjs";
import { ARCHIVES, COMMANDS, COPIES, GIT, PROCESSES, rows, SWITCHES } from "./lists.mjs";
import { MORE } from "./more-lists.mjs";
import { isThere, spellings, targets } from "./places.mjs";
import { fileTools, mcpTools, otherTools } from "./tools.mjs";
import { filled, ways } from "./ways.mjs";

const NAMES = Object.keys(AGENTS);
const CODE = { PRELOADS, CARRIED, ESCAPES, PATTERNS };
const CHANGES = ["rm -f P", ": > P", "cp evil.yaml P", "ln -sf /dev/null P", "sed -i d P", "mv P /var/tmp/x"];

/** Every attack, as `{ class, agent, call }`; the agents take turns. */
export function attacks(place) {
  const paths = targets(place);
  const there = paths.filter(isThere);
  let turn = 0;
  const next = () => NAMES[turn++ % NAMES.length];
  const shell = (kind, command) => ({
    kind,
    agent: next(),
    call: { command: command.replaceAll("{client}", place.client) },
  });
  const cases = [];
  for (const [at, way] of ways().entries())
    for (let step = 0; step < 3; step++) {
      const path = there[(at + step * 5) % there.length];
      cases.push(shell("ways", filled(way, path, dirname(path), basename(path))));
    }
  for (const [index, path] of there.entries())
    for (const [at, spelled] of spellings(path, place).entries())
      cases.push(
        shell(
          "spellings",
          CHANGES[(at + index) % CHANGES.length].replaceAll("P", () => spelled),
        ),
      );
  for (const [kind, list] of Object.entries({ GIT, ARCHIVES, COPIES, PROCESSES, COMMANDS, SWITCHES, ...MORE, ...CODE }))
    for (const row of rows(list)) cases.push(shell(kind.replace("MORE_", "").toLowerCase(), row));
  for (const [at, path] of paths.entries())
    for (const [step, call] of fileTools(path, place.root).entries())
      for (const turnOf of [0, 3])
        cases.push({ kind: "tools", agent: NAMES[(at + step + turnOf) % NAMES.length], call });
  for (const [at, path] of paths.entries())
    for (const [step, call] of mcpTools(path, place).entries())
      if ((at + step) % 3 === 0) cases.push({ kind: "mcp", agent: next(), call });
  for (const call of otherTools(place)) cases.push({ kind: "mcp", agent: next(), call });
  return cases;
}

/** Every call that must pass. */
export function neighbours(place) {
  let turn = 0;
  return harmless(place, targets(place).filter(isThere)).map((call) => ({
    kind: "harmless",
    agent: NAMES[turn++ % NAMES.length],
    call,
  }));
}

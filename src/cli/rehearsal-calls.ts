import { adapterNamed } from "../adapters/index.ts";
import type { Request } from "../server/protocol.ts";

/** What the same agent is likely to ask next where it stands: its words and surroundings with ordinary commands in them. */
export function rehearsalCalls({ words, env, cwd }: Request): Request[] {
  const [program = "", launcher = "", verb = "", agent = ""] = words;
  const { canary, momentOf } = adapterNamed(agent) ?? {};
  if (canary === undefined || momentOf === undefined) return [];
  return COMMANDS.map((command) => {
    const payload = canary.payload(command, cwd);
    const stated = momentOf(payload) === undefined ? ["--moment", canary.moment] : [];
    return { words: [program, launcher, verb, agent, ...stated], env, cwd, payload: JSON.stringify(payload) };
  });
}

const COMMANDS = [
  "ls -la src",
  "git status --short",
  "npm test 2>&1 | tail -n 20",
  'grep -rn "TODO" src --include=*.ts | head',
  "cd packages/web && npx tsc --noEmit",
  "cat package.json",
];

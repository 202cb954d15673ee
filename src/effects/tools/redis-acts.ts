import type { ToolAct } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** What a call does to a store of values by the commands that it carries or is named after. */
export function redisActs({ words: name, server, leaves, input }: CalledTool): ToolAct[] {
  const all = [...name, ...server];
  const named = name.join("");
  if (/flush(?:all|db)/.test(named)) return [{ kind: "data-loss", text: named.toUpperCase() }];
  if (!all.some((word) => STORES.has(word))) return [];
  const acts: ToolAct[] = [];
  for (const { key, value } of leaves) {
    if (typeof value !== "string" || !COMMAND_KEY.test(key)) continue;
    const line = [value, ...argumentsOf(input)].join(" ").trim();
    if (LOSES.test(line)) acts.push({ kind: "data-loss", text: line.slice(0, LONGEST) });
    else if (OPENS.test(line)) acts.push({ kind: "data-access", text: line.slice(0, LONGEST) });
  }
  if (
    /^(?:delete|del|unlink|remove)/.test(named) &&
    leaves.some(({ key, value }) => /pattern|^keys?$/.test(key) && value === "*")
  )
    acts.push({ kind: "data-loss", text: "*" });
  return acts;
}

function argumentsOf({ args, arguments: more }: CalledTool["input"]): string[] {
  return [args, more].flat().filter((value) => typeof value === "string");
}

const STORES = words("redis valkey keydb upstash dragonfly elasticache memcached");
const COMMAND_KEY = /^(?:command|cmd|commands|query|operation|action|line|script|args|argv|arguments)$/;
const LOSES =
  /^\s*(?:flush(?:all|db)|flush_all|shutdown|swapdb|script\s+flush|debug\s+(?:segfault|reload)|cluster\s+reset|function\s+flush)\b|\bredis\.call\(\s*['"]flush|^\s*eval\b[\s\S]*['"]\*['"][\s\S]*['"](?:del|unlink)['"]/i;
const OPENS =
  /^\s*(?:config\s+(?:set|rewrite)|(?:slave|replica)of|module\s+load|acl\s+(?:set|del)\w*|migrate|debug)\b/i;
const LONGEST = 2000;

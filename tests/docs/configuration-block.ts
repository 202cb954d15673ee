import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { loadLayers } from "../../src/config/load.ts";
import { Hook } from "../../src/index.ts";
import type { Block } from "./page.ts";
import type { Workshop } from "./workshop.ts";

/** Reads a block of data. What looks like hooks is loaded as a project's configuration, and may have no problem. */
export function checkConfiguration(text: string, workshop: Workshop, block: Block): void {
  const data: unknown = block.language === "json" ? JSON.parse(text) : parse(text, { strict: true });
  if (typeof data !== "object" || data === null) return;
  if ("hooks" in data) load(text, workshop, block.language);
  else if (("event" in data || "matcher" in data) && ACTS.some((key) => key in data)) Hook.fromJSON(data);
}

function load(text: string, workshop: Workshop, suffix: string): void {
  const root = workshop.emptyFolder();
  mkdirSync(join(root, ".sluice"));
  writeFileSync(join(root, `.sluice/hooks.${suffix}`), text);
  const { warnings } = loadLayers(root, { strict: true, layers: ["project"] });
  if (warnings[0] !== undefined) throw warnings[0];
}

const ACTS = ["command", "script", "args", "inline_rules", "rules", "prompt", "module", "url"];

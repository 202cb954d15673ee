import { codeCachePath, whyNoCodeCache } from "../launcher/code-cache.ts";
import { type Build, codeCacheState } from "../launcher/load-bundle.ts";
import { type Finding, fine, note } from "./finding.ts";

/** Whether V8 takes the compiled code of each bundle back, and whether it can be kept. */
export function examineCodeCache(build: Build): Finding[] {
  const states = PARTS.map((part) => ({ part, cache: codeCacheState(part, build) }));
  const rejected = states.filter(({ cache }) => cache === "rejected").map(({ part }) => part);
  const missing = states.filter(({ cache }) => cache !== "accepted");
  if (missing.length === 0) return [fine(`V8 starts from compiled code under Node ${process.version}`)];
  const path = codeCachePath(PARTS[0], build.id);
  const why = path === undefined ? "there is no home folder" : whyNoCodeCache(path);
  if (why !== undefined) return [note(`V8's compiled code cannot be kept: ${why}. ${SLOWER}`, FOLDER)];
  return rejected.length === 0
    ? [fine("V8's compiled code is written when a command has run for the first time")]
    : [note(`V8 rejects its compiled code of ${rejected.join(" and ")}. ${SLOWER}`, "The next call writes it anew.")];
}

const PARTS = ["call", "daemon", "command"] as const;
const SLOWER = "A call that starts node takes about twice as long.";
const FOLDER = "Give it a folder of your own that others cannot write; XDG_CACHE_HOME names one.";

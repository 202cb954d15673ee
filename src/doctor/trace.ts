import { lstatSync } from "node:fs";
import { type Project, tracePlace } from "../trace/change/place.ts";
import { traceFiles } from "../trace/change/segments.ts";
import { verifyTrace } from "../trace/change/verify.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** Whether the trace of a project's changes is whole; nothing where none is kept, and no verdict on one that takes long to read. */
export function examineTrace(project: Project, most = MOST_BYTES): Finding[] {
  const place = tracePlace(project);
  const size = traceFiles(place).reduce((sum, path) => sum + sizeOf(path), 0);
  if (size > most) return [note(`the trace has ${Math.ceil(size / MIB)} MiB and was not looked through.`, VERIFY)];
  const { records, broken, notes } = verifyTrace(place);
  if (broken !== undefined) {
    const { file, line, why, kind, fitting } = broken;
    const rest = kind === "record" ? ` ${fitting === 1 ? "1 record fits" : `${fitting} records fit`} up to there.` : "";
    return [wrong(`the trace is broken: ${why}.${rest}`, LOOK, kind === "record" ? { file, line } : { file })];
  }
  if (records === 0) return [];
  const whole = fine(`the trace is whole: ${records === 1 ? "1 record" : `${records} records`}`);
  return [whole, ...notes.map((text) => note(`the trace: ${text}.`))];
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const MIB = 1024 * 1024;
/** More takes longer than a second to read. */
const MOST_BYTES = 256 * MIB;
const VERIFY = "`sluice trace verify` looks at all of it.";
const LOOK = "Keep it as it is and look at who wrote to it; `sluice trace verify` tells more.";

// The vectors of a folder, each run on a host of its own, and what came of them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { runVector } from "./run-vector.mjs";

/** What this host does not do, with the reason: a vector that needs it does not apply. */
const UNDECLARED = {
  incremental_output: "the host buffers: nothing is released before the verdict on the whole response",
  int64_json: "JSON.parse rounds integers beyond 2^53 before any check can see them",
  bigint_json: "JSON.parse rounds integers beyond 2^53 before any check can see them",
  streaming: "the loop takes whole responses",
  multi_turn: "a vector has one input",
  parallel_tool_calls: "the loop runs the tool calls of a response one after the other",
};
const DECLARED = new Set(["model_calls", "tool_calls", "buffered_output"]);

/** Runs every vector, and the identity vectors where the folder has them. Throws if there is no vector. */
export async function runFolder(library, folder) {
  const vectors = vectorFiles(folder);
  const report = { folder, passed: [], failed: [], notApplicable: [] };
  for (const path of vectors) await judge(library, path, report);
  for (const path of goldenFiles(folder)) checkIdentities(library, path, report);
  return report;
}

async function judge(library, path, report) {
  let vector;
  try {
    vector = JSON.parse(readFileSync(path, "utf8"));
    checkForm(vector);
  } catch (error) {
    report.failed.push({ id: path, title: "the file is not a vector", failures: [error.message] });
    return;
  }
  const { id, title, part = "core", capabilities = [] } = vector;
  const missing = capabilities.filter((name) => !DECLARED.has(name));
  if (missing.length > 0) {
    const why = missing.map((name) => `${name}: ${UNDECLARED[name] ?? "unknown to this host"}`).join("; ");
    report.notApplicable.push({ id, title, part, why });
    return;
  }
  const failures = await runVector(library, vector);
  if (failures.length === 0) report.passed.push({ id, title, part });
  else report.failed.push({ id, title, part, failures });
}

/** A vector that states no expectation would pass whatever the host does. */
function checkForm(vector) {
  for (const key of ["id", "title", "scenario", "expect"])
    if (vector?.[key] === undefined) throw new Error(`"${key}" is missing`);
  if (!Array.isArray(vector.expect.interceptions)) throw new Error('"expect.interceptions" is not a list');
  if (typeof vector.expect.run_outcome !== "string") throw new Error('"expect.run_outcome" is missing');
  if (vector.scenario.input === undefined) throw new Error('"scenario.input" is missing');
}

function checkIdentities({ JCS_SHA256, whyInvalidContext }, path, report) {
  for (const { id, note: title, ctx, expect } of JSON.parse(readFileSync(path, "utf8")).fixtures) {
    if (expect.canonical_json !== undefined && !isDeepStrictEqual(JSON.parse(expect.canonical_json), plain(ctx))) {
      const why = "the canonical text of the file has another value than its context, so no host can produce it";
      report.notApplicable.push({ id, title, part: "identity", why });
      continue;
    }
    let got;
    try {
      got = whyInvalidContext(ctx) === undefined ? JCS_SHA256.compute(ctx) : "host_error:context_invalid";
    } catch {
      got = "host_error:context_invalid";
    }
    const wanted = expect.context_identity ?? expect.error;
    if (got === wanted) report.passed.push({ id, title, part: "identity" });
    else report.failed.push({ id, title, part: "identity", failures: [`identity is ${got}, expected ${wanted}`] });
  }
}

/** As JSON has it: without -0. */
function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

function vectorFiles(folder) {
  for (const place of [folder, join(folder, "vectors"), join(folder, "conformance/vectors")]) {
    const names = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".json")) : [];
    const vectors = names.filter((name) => !name.endsWith(".schema.json")).sort();
    if (vectors.length > 0) return vectors.map((name) => join(place, name));
  }
  throw new Error(`${folder} has no vectors: it, or its folder "vectors", has to contain .json files.`);
}

function goldenFiles(folder) {
  const places = ["golden", "../golden", "conformance/golden"].map((name) => join(folder, name, "identity.json"));
  return places.filter((path) => existsSync(path)).slice(0, 1);
}

/** The report by parts, as a claim of conformance attaches it. */
export function reportText({ passed, failed, notApplicable }) {
  const parts = [...new Set([...passed, ...failed].map(({ part }) => part ?? "files"))].sort();
  const count = (list, part) => list.filter((one) => (one.part ?? "files") === part).length;
  const width = Math.max(...parts.map((part) => part.length));
  const vectors = ({ part }) => part !== "identity";
  const [ran, broke] = [passed.filter(vectors).length, failed.filter(vectors).length];
  const identities = passed.length - ran;
  const left = notApplicable.filter(vectors).length;
  return [
    ...parts.map((part) => `${part.padEnd(width)}  ${count(passed, part)} passed, ${count(failed, part)} failed`),
    "",
    ...failed.flatMap(({ id, title, failures }) => [
      `failed  ${id}  ${title}`,
      ...failures.map((text) => `        ${text}`),
    ]),
    ...notApplicable.map(({ id, why }) => `not applicable  ${id}  ${why}`),
    "",
    `vectors: ${ran} passed, ${broke} failed, ${left} not applicable`,
    ...(identities + failed.length - broke > 0
      ? [
          `identities: ${identities} passed, ${failed.length - broke} failed, ${notApplicable.length - left} not applicable`,
        ]
      : []),
  ].join("\n");
}

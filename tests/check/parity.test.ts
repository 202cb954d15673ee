import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { Hook, type Problem } from "../../src/index.ts";
import { checkPack } from "../../src/packs/check-pack.ts";
import { localCandidate } from "../../src/packs/local-source.ts";
import type { PolicyCheck } from "../../src/ui-server/wire-policy.ts";
import { project } from "../cli/sluice.ts";
import { pagesServer } from "../ui/pages-server.ts";
import { BROKEN_FILES } from "./broken-files.ts";

/** What a checker reports about one file: each problem by its code and its place. */
type Reported = readonly string[];

const folder = mkdtempSync(join(tmpdir(), "sluice-parity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = ({ code, line, column }: { code: string; line?: number; column?: number }) => `${code} ${line}:${column}`;

/** `sluice check` on many files at once: one file extends them. */
function byCommand(texts: readonly string[]): Reported[] {
  const found: Reported[] = [];
  for (let first = 0; first < texts.length; first += MAX_FILES) {
    const some = texts.slice(first, first + MAX_FILES);
    const files = Object.fromEntries(
      some.map((text, index) => [`.sluice/part${index}.yaml`, text.replaceAll("guard", `guard${index}`)]),
    );
    const extended = some.map((_, index) => `./part${index}.yaml`).join(", ");
    const { root, sluice } = project({ ...files, ".sluice/hooks.yaml": `extends: [${extended}]\n` });
    const { code, out } = sluice("check", "--json");
    const { errors, warnings, ok } = JSON.parse(out) as Record<"errors" | "warnings", Located[]> & { ok: boolean };
    expect(code).toBe(errors.length > 0 ? 1 : 0);
    expect(ok).toBe(errors.length === 0);
    for (const [index] of some.entries()) {
      const own = join(root, `.sluice/part${index}.yaml`);
      found.push([...errors, ...warnings].filter(({ file }) => file === own).map(at));
    }
  }
  return found;
}

interface Located {
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A file less than may be read at once. */
const MAX_FILES = 60;

/** The page of the editor, through its server. */
async function byEditor(texts: readonly string[]): Promise<Reported[]> {
  const server = await pagesServer();
  const path = join(server.folder, "project/.sluice/hooks.yaml");
  mkdirSync(join(server.folder, "project/.sluice"), { recursive: true });
  writeFileSync(path, "hooks: []\n");
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...(await server.logIn()), origin, "content-type": "application/json" };
  const found: Reported[] = [];
  for (const text of texts) {
    const body = JSON.stringify({ path, text });
    const response = await fetch(`${origin}/api/policy/check`, { method: "POST", body, headers });
    found.push(((await response.json()) as PolicyCheck).problems.map(at));
  }
  return found;
}

/** `sluice pack check`; what only packs have to have is left out. */
async function byPack(texts: readonly string[]): Promise<Reported[]> {
  const found: Reported[] = [];
  for (const [index, text] of texts.entries()) {
    const home = join(folder, `pack${index}`);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ name: "parity", version: "1.0.0" }));
    writeFileSync(join(home, "sluice.yaml"), text);
    const { problems, warnings } = await checkPack(localCandidate(home, folder), home);
    const own = [...problems, ...warnings].filter(({ code }) => !code.startsWith("pack/"));
    found.push(own.map(({ code, place }) => at({ code, ...place })));
  }
  return found;
}

/** `Hook.fromJSON` in a program, which throws the first problem; it has no place there. */
function byProgram(texts: readonly string[]): (string | undefined)[] {
  return texts.map((text) => {
    try {
      for (const data of (parse(text) as { hooks: unknown[] }).hooks) Hook.fromJSON(data);
      return undefined;
    } catch (error) {
      return (error as Problem).code;
    }
  });
}

test("there are more than a hundred kinds of mistakes, and no two files are alike", () => {
  expect(BROKEN_FILES.length).toBeGreaterThanOrEqual(120);
  expect(new Set(BROKEN_FILES.map(({ broken }) => broken)).size).toBe(BROKEN_FILES.length);
  expect(new Set(BROKEN_FILES.map(({ code }) => code)).size).toBeGreaterThanOrEqual(50);
});

test("the command, the editor, packs and programs find the same mistakes at the same places", async () => {
  const texts = BROKEN_FILES.map(({ broken }) => broken);
  const [command, editor, pack, program] = [
    byCommand(texts),
    await byEditor(texts),
    await byPack(texts),
    byProgram(texts),
  ];
  const wanted = BROKEN_FILES.map(({ code, broken }) => ({ broken, code, isOne: true }));
  const told = command.map((reported, index) => ({
    broken: texts[index],
    code: reported[0]?.split(" ")[0],
    isOne: reported.length === 1,
  }));
  expect(told).toEqual(wanted);
  const shown = (all: readonly Reported[]) => all.map((reported, index) => `${texts[index]}\n${reported.join(", ")}`);
  expect(shown(editor)).toEqual(shown(command));
  expect(shown(pack)).toEqual(shown(command));
  expect(program).toEqual(BROKEN_FILES.map(({ code }) => code));
});

test("and none of them finds anything where the mistake is corrected", async () => {
  const texts = BROKEN_FILES.map(({ fixed }) => fixed);
  const shown = (all: readonly Reported[]) =>
    all.flatMap((reported, index) => (reported.length === 0 ? [] : [`${texts[index]}\n${reported.join(", ")}`]));
  expect(shown(byCommand(texts))).toEqual([]);
  expect(shown(await byEditor(texts))).toEqual([]);
  expect(shown(await byPack(texts))).toEqual([]);
  expect(byProgram(texts).flatMap((code, index) => (code === undefined ? [] : [`${texts[index]}\n${code}`]))).toEqual(
    [],
  );
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readPages } from "./page.ts";
import { ROOT } from "./workshop.ts";

/** A program that is wrong by the package's types: where this one passes, nothing is checked. */
const WRONG = `import { HookEvent } from "sluice";\nHookEvent.sessionStart(1);\n`;

it("every block of TypeScript in the pages has the package's types, under strict", { timeout: 300_000 }, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-blocks-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const blocks = readPages(ROOT).flatMap((page) =>
    page.blocks
      .filter(({ language }) => language === "ts")
      .map(({ place, words, text }) => ({
        name: `${page.file}.blocks/${words.file ?? `line-${place.split(":").at(-1)}.mts`}`,
        // A block is a module of its own, as it is where the pages are run.
        text: `${text}export {};\n`,
      })),
  );
  expect(blocks.length).toBeGreaterThan(20);
  const files = [...blocks, { name: "wrong.mts", text: WRONG }].map(({ name, text }) => write(name, text));
  write("package.json", '{ "type": "module" }');
  const compiled = (name: string, options: object, these: readonly string[]) => {
    const project = { extends: join(ROOT, "tsconfig.json"), compilerOptions: options, files: these, include: [] };
    return printed(folder, ["-p", write(name, JSON.stringify(project)), "--pretty", "false", "--singleThreaded"]);
  };
  // The types as the package has them; the source that they are made of is checked elsewhere.
  const types = { outDir: join(folder, "types"), rootDir: join(ROOT, "src"), emitDeclarationOnly: true, noCheck: true };
  const entries = Object.entries(ENTRIES);
  expect(
    await compiled(
      "types.json",
      types,
      entries.map(([, file]) => join(ROOT, "src", `${file}.ts`)),
    ),
  ).toBe("");
  const paths = Object.fromEntries(entries.map(([name, file]) => [name, [join(types.outDir, `${file}.d.ts`)]]));

  const told = await compiled("tsconfig.json", { ...OPTIONS, paths }, files);
  expect(told.trim().split("\n")).toEqual([
    "wrong.mts(2,24): error TS2345: Argument of type 'number' is not assignable to parameter of type 'string'.",
  ]);
});

async function printed(cwd: string, words: readonly string[]): Promise<string> {
  // The compiler collects its memory less often: it ends before that pays.
  const env = { ...process.env, GOGC: "400" };
  const child = spawn(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...words], { cwd, env });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks).toString();
}

/** What a user imports, and the file of the source that it is made of, without its ending. */
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  exports: Record<string, string | { readonly types: string }>;
};
const ENTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exports).flatMap(([name, entry]) =>
    typeof entry === "string"
      ? []
      : [[name.replace(/^\./, "sluice"), entry.types.replace("./dist/types/", "").replace(".d.ts", "")]],
  ),
);
const OPTIONS = {
  noEmit: true,
  declaration: false,
  rootDir: "/",
  typeRoots: [join(ROOT, "node_modules/@types")],
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: false,
  // An example may name what it does not use.
  noUnusedLocals: false,
  noUnusedParameters: false,
};

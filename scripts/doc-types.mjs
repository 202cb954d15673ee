// Compiles every block of TypeScript in the pages against the package's types, under strict; prints what is wrong and ends with 1.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "./load-source.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A program that is wrong by the package's types: where this one passes, nothing is checked. */
const WRONG = `import { HookEvent } from "sluice";\nHookEvent.sessionStart(1);\n`;
const FOUND =
  "wrong.mts(2,24): error TS2345: Argument of type 'number' is not assignable to parameter of type 'string'.";
const OPTIONS = {
  noEmit: true,
  declaration: false,
  rootDir: "/",
  typeRoots: [join(root, "node_modules/@types")],
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: false,
  // An example may name what it does not use.
  noUnusedLocals: false,
  noUnusedParameters: false,
};

const { readPages } = await loadSource(root, ["../tests/docs/page.ts"]);
const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-blocks-")));
try {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  write("package.json", '{ "type": "module" }');
  const blocks = readPages(root).flatMap((page) =>
    page.blocks
      .filter(({ language }) => language === "ts")
      .map(({ place, words, text }) =>
        // A block is a module of its own, as it is where the pages are run.
        write(`${page.file}.blocks/${words.file ?? `line-${place.split(":").at(-1)}.mts`}`, `${text}export {};\n`),
      ),
  );
  const told =
    blocks.length === 0 ? ["The pages hold no block of TypeScript."] : typesOf(blocks).filter((line) => line !== FOUND);
  for (const line of told) console.error(line);
  if (told.length > 0) process.exitCode = 1;
  else console.log(`${blocks.length} blocks of TypeScript have the package's types`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What the compiler says about blocks, and about the program that is wrong. */
function typesOf(blocks) {
  // The types as the package has them; the source that they are made of is checked elsewhere.
  const types = { outDir: join(folder, "types"), rootDir: join(root, "src"), emitDeclarationOnly: true, noCheck: true };
  const entries = Object.entries(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports).flatMap(
    ([name, { types: file }]) =>
      // The parts of a page run in a browser, which programs of the manual do not.
      file === undefined || name === "./extension-host/page"
        ? []
        : [[name.replace(/^\./, "sluice"), file.replace("./dist/types/", "").replace(".d.ts", "")]],
  );
  const sources = entries.map(([, file]) => join(root, "src", `${file}.ts`));
  const trouble = compiled("types.json", types, sources);
  if (trouble.length > 0) return trouble;
  const paths = Object.fromEntries(entries.map(([name, file]) => [name, [join(types.outDir, `${file}.d.ts`)]]));
  const told = compiled("tsconfig.json", { ...OPTIONS, paths }, [...blocks, write("wrong.mts", WRONG)]);
  return told.includes(FOUND) ? told : [...told, "The program that is wrong passes: no types were checked."];
}

/** The lines that the compiler prints about these files. */
function compiled(name, options, files) {
  const project = { extends: join(root, "tsconfig.json"), compilerOptions: options, files, include: [] };
  const words = [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    write(name, JSON.stringify(project)),
    "--pretty",
    "false",
  ];
  const { stdout, stderr, error } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  if (error !== undefined) throw error;
  return `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
}

function write(name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

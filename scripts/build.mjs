// Builds the ESM library with its types, and the CJS bundles behind the command with the launcher that starts them.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parse } from "yaml";
import { loadSource } from "./load-source.mjs";
import { withoutExamples } from "./without-examples.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const flags = new Set(process.argv.slice(2));
const { version, dependencies, peerDependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
/** The entry points of the library. */
const ENTRIES = [
  ...["index", "testing", "plugin", "agent-hooks", "extension-host"],
  ...["function", "ai-sdk", "claude-agent-sdk", "openai-agents", "langchain", "mcp"].map((name) => `programs/${name}`),
];
/** Entry points that need nothing of Node and run in a browser, too: one file each, with everything in it. */
const PURE_ENTRIES = ["effects"];
/** The folders of the packages that become a part of some file. */
const inlined = new Set();
const notesInlined = {
  name: "notes-inlined",
  setup: (bundler) => {
    bundler.initialOptions.metafile = true;
    bundler.onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.inputs ?? {})) {
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
        if (folder !== undefined) inlined.add(folder);
      }
    });
  },
};
/** The package that checks passkeys, which the command loads from a file of its own. */
const PASSKEYS = "@simplewebauthn/server";
const passkeysApart = {
  name: "passkeys-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^${PASSKEYS}$`) }, () => ({ path: "./passkeys.cjs", external: true })),
};
/** Each part of the command, and the flags that its processes are started with besides none. */
const PARTS = { call: [], command: [], daemon: ["--max-semi-space-size=2"] };
const began = performance.now();
// The bundler ends with the build: collecting its memory on the way costs a third of its time.
process.env.GOGC ??= "off";
const { indexPrograms } = await loadSource(root, ["effects/programs/index.ts"]);
const define = {
  SLUICE_VERSION: JSON.stringify(version),
  SLUICE_PROGRAM_INDEX: JSON.stringify(JSON.stringify(indexPrograms())),
};

rmSync(dist, { recursive: true, force: true });
await Promise.all([
  library(),
  pureEntries(),
  command(),
  ...(flags.has("--no-pages") ? [] : [pages()]),
  ...(flags.has("--no-types") ? [] : [types()]),
]);
writeFileSync(join(dist, "licenses.txt"), licenses());
if (!flags.has("--quiet")) console.log(`built dist/ in ${Math.round(performance.now() - began)} ms`);

/** The licenses of the packages that are a part of the files, which users do not install. */
function licenses() {
  const texts = [...inlined].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((one) => /^(?:licen[cs]e|copying)/i.test(one));
    return `${name} ${version}\n\n${file === undefined ? license : readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return [...new Set(texts)].sort().join(`\n${"-".repeat(80)}\n\n`);
}

async function library() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.map((name) => `src/${name}.ts`),
    outdir: "dist",
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    external: Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }).flatMap((name) => [
      name,
      `${name}/*`,
    ]),
    mainFields: ["module", "main"],
    // Comments name the file that a part comes from: the same wherever the packages really lie.
    preserveSymlinks: true,
    // The modules of the package as CommonJS are some seventy files, each of which Node would look for.
    alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
    format: "esm",
    platform: "node",
    target: "node20",
    // Names stay, so that stack traces can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [withoutExamples, notesInlined],
    define: { SLUICE_PROGRAM_INDEX: define.SLUICE_PROGRAM_INDEX },
  });
  await inFewerFiles(new Map(outputFiles.map(({ path, text }) => [path, text])));
}

/** Writes the library in half as many files, which load in a fifth of the time less: Rollup knows what is loaded before a late import. */
async function inFewerFiles(texts) {
  const { rollup } = await import("rollup");
  const bundle = await rollup({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(dist, `${name}.js`)])),
    treeshake: false,
    plugins: [
      {
        name: "in-memory",
        resolveId: (id, from) => (id.startsWith(".") ? join(dirname(from), id) : { id, external: from !== undefined }),
        load: (id) => texts.get(id),
      },
    ],
    onwarn: ({ code, message }) => {
      if (code !== "UNUSED_EXTERNAL_IMPORT") throw new Error(`library: ${message}`);
    },
  });
  await bundle.write({ dir: dist, compact: true, chunkFileNames: "chunks/[hash].js" });
}

/** Entry points without anything of Node; a name of it that slips in ends the build. */
async function pureEntries() {
  await build({
    absWorkingDir: root,
    entryPoints: PURE_ENTRIES.map((name) => `src/${name}.ts`),
    outdir: "dist",
    bundle: true,
    mainFields: ["module", "main"],
    preserveSymlinks: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    minify: true,
    legalComments: "none",
    plugins: [withoutExamples, notesInlined],
    define: { SLUICE_PROGRAM_INDEX: define.SLUICE_PROGRAM_INDEX },
  });
}

/** The pages of `sluice ui`: scripts that load one another by relative names, and one file of styles. */
async function pages() {
  const { metafile } = await build({
    define: { SLUICE_RECIPES: JSON.stringify(recipes()) },
    absWorkingDir: root,
    entryPoints: ["ui/main.ts", "ui/app.css"],
    outdir: "dist/ui",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    metafile: true,
    plugins: [notesInlined],
  });
  await build({
    absWorkingDir: root,
    entryPoints: ["ui/export.ts", "ui/passkey.ts"],
    outdir: "dist/ui",
    bundle: true,
    plugins: [notesInlined],
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
  });
  // The page of an extension host, and its parts for pages of other hosts: with their names as they are.
  await build({
    absWorkingDir: root,
    entryPoints: ["page.ts", "parts.ts", "page.css", "index.html"].map((name) => `ui/extension-host/${name}`),
    outdir: "dist/extension-host/page",
    bundle: true,
    plugins: [notesInlined],
    format: "esm",
    platform: "browser",
    target: "es2022",
    loader: { ".html": "copy" },
    legalComments: "none",
  });
  const outputs = Object.entries(metafile.outputs).map(([path, { entryPoint }]) => ({
    name: basename(path),
    entryPoint,
  }));
  const named = (entry) => outputs.find(({ entryPoint }) => entryPoint === entry).name;
  const manifest = { main: named("ui/main.ts"), style: named("ui/app.css"), files: outputs.map(({ name }) => name) };
  writeFileSync(join(dist, "ui/manifest.json"), JSON.stringify(manifest));
}

/** The recipes of docs/rules.md: the editor offers them as new hooks. */
function recipes() {
  const page = readFileSync(join(root, "docs/rules.md"), "utf8");
  return [...page.matchAll(/^### (.+)\n\n```yaml recipe=.+\n([^`]*(?:`(?!``)[^`]*)*)```/gm)].map(([, title, text]) => ({
    title,
    hook: parse(text).hooks[0],
  }));
}

async function command() {
  const common = {
    absWorkingDir: root,
    bundle: true,
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    platform: "node",
    target: "node20",
    legalComments: "none",
    minify: true,
    alias: { "node:module": join(root, "scripts/late-module.cjs") },
  };
  const { outputFiles } = await build({
    ...common,
    entryPoints: [
      { in: "src/cli/bin-call.ts", out: "call" },
      { in: "src/cli/bin-parts.ts", out: "command" },
    ],
    write: false,
    // Each bundle is one function, which the launcher calls: text that is put around it later would be copied at every start.
    banner: { js: "(function (exports, require, module, importPackage) {" },
    footer: { js: "})" },
    mainFields: ["module", "main"],
    external: ["ai", "@ai-sdk/*", "jiti"],
    plugins: [passkeysApart, withoutExamples, notesInlined],
    define: { ...define, "import.meta.url": "undefined" },
    // Parts of Node are required where the source imports them late; packages go through `importInstalled`.
    supported: { "dynamic-import": false },
  });
  const id = createHash("sha256");
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // The launcher reads bundles without decoding; esbuild escapes everything but regular expressions.
    if (contents.some((byte) => byte > 127)) throw new Error(`${path} is not ASCII: escape the regular expression`);
    writeFileSync(path, contents);
    id.update(contents);
  }
  await build({
    ...common,
    entryPoints: [{ in: "src/cli/bin.ts", out: "sluice" }],
    banner: { js: "#!/usr/bin/env node" },
    define: { SLUICE_BUILD: JSON.stringify(id.digest("hex").slice(0, 12)) },
  });
  // What checks passkeys is large and hardly used.
  await build({
    ...common,
    stdin: { contents: `export * from "${PASSKEYS}"`, resolveDir: root },
    outfile: join(dist, "passkeys.cjs"),
    outdir: undefined,
    external: [],
    plugins: [notesInlined],
  });
  // The process of a plugin: a file that Node itself starts, with an `import` of its own for the plugin's modules.
  await build({
    ...common,
    entryPoints: [{ in: "src/runners/plugin-host.ts", out: "plugin-host" }],
    banner: { js: "const importPackage = (name) => import(name);" },
    mainFields: ["module", "main"],
    external: ["jiti"],
    plugins: [notesInlined],
    define: { "import.meta.url": "undefined" },
    supported: { "dynamic-import": false },
  });
  chmodSync(join(dist, "sluice.cjs"), 0o755);
  cpSync(join(root, "native"), join(dist, "native"), { recursive: true });
  if (!flags.has("--no-compile")) await compile();
}

/** V8's compiled code for the Node that builds, so that tests and demos need not wait for it; the package leaves it out. */
async function compile() {
  const folder = mkdtempSync(join(tmpdir(), "sluice-build-"));
  const compiled = join(folder, "sluice/compiled");
  try {
    mkdirSync(compiled, { recursive: true, mode: 0o700 });
    const env = { ...process.env, XDG_CACHE_HOME: folder, NODE_OPTIONS: "" };
    const words = Object.entries(PARTS).flatMap(([name, given]) =>
      [[], ...given.map((flag) => [flag])].map((flags) => [...flags, join(dist, "sluice.cjs"), "compile-bundle", name]),
    );
    await Promise.all(words.map((line) => ran(line, { env, cwd: folder, stdio: ["ignore", "inherit", "inherit"] })));
    cpSync(compiled, join(dist, "compiled"), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The types of every entry point, rolled up: what entry points share is in files that they import. */
async function types() {
  const folder = mkdtempSync(join(tmpdir(), "sluice-types-"));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    await ran([tsc, "--emitDeclarationOnly", "--outDir", folder], { cwd: root, stdio: "inherit" });
    // The parts of a page need the types of a browser, which the library does without.
    const options = "--declaration --emitDeclarationOnly --target ES2022 --lib ES2023,DOM,DOM.Iterable --module ESNext";
    const resolution = "--moduleResolution bundler --strict --allowImportingTsExtensions --skipLibCheck --ignoreConfig";
    const page = [...`${options} ${resolution}`.split(" "), "--rootDir", ".", "--outDir", join(folder, "page")];
    await ran([tsc, "ui/extension-host/parts.ts", ...page], { cwd: root, stdio: "inherit" });
    // The declarations import packages, which are looked up from their folder.
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const [{ rollup }, { dts }] = await Promise.all([import("rollup"), import("rollup-plugin-dts")]);
    const bundle = await rollup({
      input: {
        ...Object.fromEntries([...ENTRIES, ...PURE_ENTRIES].map((entry) => [entry, join(folder, `${entry}.d.ts`)])),
        "extension-host-page": join(folder, "page/ui/extension-host/parts.d.ts"),
      },
      plugins: [dts({ includeExternal: ["valibot"] })],
      external: (id) => id !== "valibot" && !id.startsWith(".") && !isAbsolute(id),
      onwarn: ({ message }) => {
        // A type that no entry point exports is used by one that does: users see it, and cannot name it.
        if (!message.includes("private shared type exports")) throw new Error(`types: ${message}`);
      },
    });
    await bundle.write({ dir: join(dist, "types"), chunkFileNames: "shared-[hash].d.ts" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Node in a process of its own, beside others. */
function ran(words, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, options);
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`node ${words.join(" ")} ended with ${code}`)),
    );
  });
}

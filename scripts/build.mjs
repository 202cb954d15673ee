// Builds the ESM library with its types and the one CJS bundle behind the command.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { CALL_VERBS, LIBRARIES, lazyImports, only } from "./lazy-imports.mjs";
import { lazyModules } from "./lazy-modules.mjs";
import { leanTables } from "./lean-tables.mjs";
import { RUN_ONCE } from "./run-once.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const flags = new Set(process.argv.slice(2));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const PROGRAMS = ["function", "ai-sdk", "claude-agent-sdk", "openai-agents", "langchain", "mcp"];
/** A line with what most lines have, so that what reads it is compiled. */
const COMMAND = `cd src && A=1 git status --short 2>/dev/null | grep -v "$HOME/x" | head -n 5; npm test -- --watch=false > out.txt || echo 'no' && for f in *.ts; do cat "$f" | wc -l; done; node -e "1" && python3 x.py`;
/** A call as an agent reports it, to compile what answers it. */
const CALL = {
  session_id: "build",
  cwd: "/",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: COMMAND },
};
const began = performance.now();

rmSync(dist, { recursive: true, force: true });
await Promise.all([library(), command(), ...(flags.has("--no-types") ? [] : [types()])]);
if (!flags.has("--quiet")) console.log(`built dist/ in ${Math.round(performance.now() - began)} ms`);

async function library() {
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: root,
    entryPoints: [
      "src/index.ts",
      "src/testing.ts",
      "src/plugin.ts",
      ...PROGRAMS.map((name) => `src/programs/${name}.ts`),
    ],
    outdir: "dist",
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withOwnNames(text));
  }
}

/** The bundler calls a class that speaks of itself `_Hook` inside; a person who prints one should read `Hook`. */
function withOwnNames(text) {
  const names = [...text.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name);
  return names.reduce((all, name) => all.replaceAll(new RegExp(`\\b_${name}\\b`, "g"), name), text);
}

async function command() {
  mkdirSync(join(dist, "libraries"), { recursive: true });
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    mainFields: ["module", "main"],
    legalComments: "none",
  };
  const libraries = LIBRARIES.map(async ({ entry, file }) => {
    const { outputFiles } = await build({ ...common, entryPoints: [entry], outfile: join("dist", file), write: false });
    writeFileSync(join(dist, file), `(function (exports, require, module) {${outputFiles[0].text}\n})`);
  });
  const bundle = async (plugins, minify) => {
    const { outputFiles } = await build({
      ...common,
      minify,
      entryPoints: ["src/cli/bin.ts"],
      outfile: "dist/command.bundle",
      write: false,
      define: { SLUICE_VERSION: JSON.stringify(version) },
      external: ["ai", "@ai-sdk/*", "jiti"],
      plugins,
    });
    return outputFiles[0].text;
  };
  const keep = (name, code) => {
    // Code that V8 has compiled before cannot import by itself; the launcher does it.
    const text = code.replaceAll(/(?<![.\w$])import\(/g, "launcherImport(");
    writeFileSync(join(dist, `${name}.bundle`), `(function (exports, require, module, launcherImport) {${text}\n})`);
  };
  const [engine, commands, calls] = await Promise.all([
    bundle([only(["serve"]), lazyImports], true),
    bundle([lazyImports], false),
    bundle([only(CALL_VERBS), leanTables, lazyImports], false),
    ...libraries,
  ]);
  // The engine stays: it makes everything once, and asks no more whether it has.
  keep("engine", engine);
  for (const [name, code] of Object.entries({ command: commands, call: calls }))
    keep(name, await minified(lazyModules(code)));
  cpSync(join(root, "native"), join(dist, "native"), { recursive: true });
  const id = createHash("sha256").update([engine, commands, calls].join("\n")).digest("hex").slice(0, 12);
  const launcher = readFileSync(join(root, "scripts/launcher.cjs"), "utf8")
    .replace("BUILD", id)
    .replace("RUN_ONCE", RUN_ONCE)
    .replace("V8_KNOWN", process.versions.v8.split(".", 2).join("."));
  writeFileSync(join(dist, "sluice.cjs"), launcher);
  chmodSync(join(dist, "sluice.cjs"), 0o755);
  await Promise.all([
    ...CALL_VERBS.map((verb) => compile("call", verb, id, verb)),
    compile("command", "command", id, "list"),
    compile("engine", "engine", id, "serve"),
  ]);
}

/** Names are only made short inside of a function. */
async function minified(code) {
  const { code: small } = await transform(`bundle = () => {${code}\n}`, {
    minify: true,
    target: "node20",
    legalComments: "none",
  });
  return small.replace(/^bundle=\(\)=>\{(.*)\};\n$/s, "$1");
}

/** Lets the command run once on a small project, and keeps what V8 compiled for it. */
async function compile(bundle, cache, id, verb) {
  const project = mkdtempSync(join(tmpdir(), "sluice-build-"));
  try {
    await ran([join(root, "scripts/code-cache.mjs"), dist, bundle, cache, id, verb], {
      cwd: project,
      stdio: ["pipe", "ignore", "pipe"],
      input: JSON.stringify(CALL),
      env: { ...process.env, HOME: project, XDG_CONFIG_HOME: project, NODE_OPTIONS: "" },
    });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function types() {
  return ran([join(root, "node_modules/typescript/bin/tsc"), "--emitDeclarationOnly"], { cwd: root, stdio: "inherit" });
}

/** Runs a script in a process of its own, beside others. */
function ran([script, ...words], { input, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...words], options);
    let said = "";
    child.stderr?.on("data", (text) => {
      said += text;
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${script} ended with ${code}: ${said}`))));
    child.stdin?.end(input);
  });
}

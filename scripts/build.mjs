// Builds the ESM library with its types and the one CJS bundle behind the command.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { LIBRARIES, lazyImports } from "./lazy-imports.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const flags = new Set(process.argv.slice(2));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const PROGRAMS = ["function", "ai-sdk", "claude-agent-sdk", "openai-agents", "langchain", "mcp"];
/** A call as an agent reports it, to compile what answers it. */
const CALL = {
  session_id: "build",
  cwd: "/",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
};
const began = performance.now();

rmSync(dist, { recursive: true, force: true });
await Promise.all([library(), command()]);
if (!flags.has("--no-types")) types();
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
  const libraries = LIBRARIES.map(({ entry, file }) =>
    build({ ...common, entryPoints: [entry], outfile: join("dist", file) }),
  );
  const bundled = build({
    ...common,
    entryPoints: ["src/cli/bin.ts"],
    outfile: "dist/command.cjs",
    define: { SLUICE_VERSION: JSON.stringify(version) },
    external: ["ai", "@ai-sdk/*", "jiti"],
    plugins: [lazyImports],
  });
  await Promise.all([bundled, ...libraries]);
  cpSync(join(root, "native"), join(dist, "native"), { recursive: true });
  // Code that V8 has compiled before cannot import by itself; the launcher does it.
  const code = readFileSync(join(dist, "command.cjs"), "latin1").replaceAll(/(?<![.\w$])import\(/g, "launcherImport(");
  const bundle = `(function (exports, require, module, launcherImport) {${code}\n})`;
  writeFileSync(join(dist, "command.bundle"), bundle, "latin1");
  rmSync(join(dist, "command.cjs"));
  const id = createHash("sha256").update(bundle).digest("hex").slice(0, 12);
  const launcher = readFileSync(join(root, "scripts/launcher.cjs"), "utf8").replace("BUILD", id);
  writeFileSync(join(dist, "sluice.cjs"), launcher);
  chmodSync(join(dist, "sluice.cjs"), 0o755);
  for (const verb of ["run", "fire"]) compile(join(dist, `${verb}-${id}.cache`), verb);
}

/** Lets the command run once on a small project, and keeps what V8 compiled for it. */
function compile(cache, verb) {
  const project = mkdtempSync(join(tmpdir(), "sluice-build-"));
  try {
    execFileSync(process.execPath, [join(root, "scripts/code-cache.mjs"), join(dist, "command.bundle"), cache, verb], {
      cwd: project,
      stdio: ["pipe", "ignore", "inherit"],
      input: JSON.stringify(CALL),
      env: { ...process.env, HOME: project, XDG_CONFIG_HOME: project, NODE_OPTIONS: "" },
    });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function types() {
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--emitDeclarationOnly"], {
    cwd: root,
    stdio: "inherit",
  });
}

// An esbuild plugin: what a module imports from these packages is loaded when it is first used, not when the module is.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** Packages of the bundle, and which file of theirs is the smallest to load. */
const PACKAGES = {
  yaml: "browser/dist/index.js",
  "jsonc-parser": "lib/esm/main.js",
  minimatch: "dist/esm/index.js",
  re2js: "build/index.js",
  chokidar: "index.js",
  unbash: "dist/parser.js",
};
/** Parts of node that cost milliseconds each. */
const BUILTINS = ["child_process", "crypto", "os", "string_decoder", "readline/promises", "zlib"];

/** What node itself does first, without what it loads for the rest: a home is where the environment says. */
const INSTEAD = {
  os: { homedir: 'homedir: () => (process.platform !== "win32" && process.env.HOME) || real().homedir()' },
};

/** Some commands only; the others are in a bundle of their own. */
export function only(verbs) {
  return {
    name: "only-some-commands",
    setup(build) {
      build.onResolve({ filter: /^\.\/[a-z-]+\.ts$/ }, ({ path, importer, kind }) =>
        kind === "dynamic-import" &&
        importer.endsWith("cli/commands/index.ts") &&
        !verbs.includes(basename(path, ".ts"))
          ? { path, external: true }
          : undefined,
      );
    },
  };
}

/** What runs while somebody waits for a decision. */
export const CALL_VERBS = ["run", "fire"];

export const lazyImports = {
  name: "lazy-imports",
  setup(build) {
    const filter = new RegExp(`^(?:node:)?(${[...Object.keys(PACKAGES), ...BUILTINS].join("|")})$`);
    build.onResolve({ filter }, ({ path, namespace }) =>
      namespace === "lazy" ? undefined : { path: path.replace(/^node:/, ""), namespace: "lazy" },
    );
    // The table of events only hands schemas on; they are made when one is used.
    build.onResolve({ filter: /^\.\/data\.ts$/ }, ({ importer }) =>
      importer.endsWith("event-table.ts") ? { path: join(dirname(importer), "data.ts"), namespace: "lazy" } : undefined,
    );
    // Most calls have nothing that waits for an approval.
    build.onResolve(
      { filter: /^\.\/(examine|tighten|act)\.ts$|^\.\.\/trust\/fingerprint\.ts$/ },
      ({ path, importer }) =>
        importer.endsWith("config/trusted.ts") ? { path: join(dirname(importer), path), namespace: "lazy" } : undefined,
    );
    build.onResolve({ filter: /^real:/ }, ({ path }) => {
      const name = path.slice("real:".length);
      return isAbsolute(name) ? { path: name } : { path: libraryFile(name), external: true };
    });
    build.onLoad({ filter: /.*/, namespace: "lazy" }, async ({ path }) => ({
      contents: await gettersFor(path),
      resolveDir: build.initialOptions.absWorkingDir,
    }));
  },
};

/** Each package in a file of its own beside the bundle, so that a call reads only what it uses. */
export const LIBRARIES = Object.entries(PACKAGES).map(([name, file]) => ({
  entry: packageFile(name, file),
  file: libraryFile(name),
}));

function packageFile(name, file) {
  return fileURLToPath(new URL(`../node_modules/${name}/${file}`, import.meta.url));
}

function libraryFile(name) {
  return `./libraries/${name}.bundle`;
}

async function gettersFor(name) {
  if (isAbsolute(name)) return getters(exportsOf(name), `require("real:${name}")`);
  const real = BUILTINS.includes(name) ? `require("node:${name}")` : `require("real:${name}")`;
  const module = BUILTINS.includes(name) ? require(`node:${name}`) : await import(name);
  return getters(Object.keys(module), real, INSTEAD[name]);
}

function exportsOf(file) {
  return [...readFileSync(file, "utf8").matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
}

function getters(names, real, instead = {}) {
  const rows = names
    .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && !["default", "__esModule"].includes(name))
    .map((name) => instead[name] ?? `get ${name}() { return real().${name}; }`);
  return `let loaded;\nconst real = () => (loaded ??= ${real});\nmodule.exports = { __esModule: true, ${rows.join(", ")} };`;
}

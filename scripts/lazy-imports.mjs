// An esbuild plugin: what a module imports from these packages is loaded when it is first used, not when the module is.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** Packages of the bundle, and which file of theirs is the smallest to load. */
const PACKAGES = {
  yaml: "browser/dist/index.js",
  "jsonc-parser": "lib/esm/main.js",
  minimatch: "dist/esm/index.js",
};
/** Parts of node that cost milliseconds each. */
const BUILTINS = ["child_process", "crypto", "os", "string_decoder", "readline/promises"];

export const lazyImports = {
  name: "lazy-imports",
  setup(build) {
    const filter = new RegExp(`^(?:node:)?(${[...Object.keys(PACKAGES), ...BUILTINS].join("|")})$`);
    build.onResolve({ filter }, ({ path, namespace }) =>
      namespace === "lazy" ? undefined : { path: path.replace(/^node:/, ""), namespace: "lazy" },
    );
    build.onResolve({ filter: /^real:/ }, ({ path }) => ({ path: entryOf(path.slice("real:".length)) }));
    build.onLoad({ filter: /.*/, namespace: "lazy" }, async ({ path }) => ({
      contents: await gettersFor(path),
      resolveDir: build.initialOptions.absWorkingDir,
    }));
  },
};

function entryOf(name) {
  return fileURLToPath(new URL(`../node_modules/${name}/${PACKAGES[name]}`, import.meta.url));
}

async function gettersFor(name) {
  const real = BUILTINS.includes(name) ? `require("node:${name}")` : `require("real:${name}")`;
  const module = BUILTINS.includes(name) ? require(`node:${name}`) : await import(name);
  const getters = Object.keys(module)
    .filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && !["default", "__esModule"].includes(key))
    .map((key) => `get ${key}() { return real().${key}; }`);
  return `let loaded;\nconst real = () => (loaded ??= ${real});\nmodule.exports = { __esModule: true, ${getters.join(", ")} };`;
}

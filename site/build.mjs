// Builds the documentation site from docs/ into site/dist: npm run site. The generator has a lock file of its own, so that the
// package's own installation stays small. A dead link fails the build.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { loadSource } from "../scripts/load-source.mjs";
import { bundlePlayground } from "./bundle-playground.mjs";
import { guardPages } from "./guard-pages.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));
const root = dirname(dirname(join(site, "x")));
const pages = join(site, "pages");
const REPOSITORY = "https://github.com/sluice-hooks/sluice/blob/main";

rmSync(pages, { recursive: true, force: true });
cpSync(join(root, "docs"), pages, { recursive: true });
mkdirSync(join(pages, "guards"));
const ofGuards = Object.entries(guardPages(await loadSource(root, ["policies/guards/index.ts"])));
for (const [name, text] of ofGuards) writeFileSync(join(pages, name), text);
// The table names each guard once, where it leads to the guard's own page.
const table = readFileSync(join(pages, "guards.md"), "utf8");
writeFileSync(join(pages, "guards.md"), table.replaceAll(/^\| `guard:([a-z]+)` /gm, "| [`guard:$1`](guards/$1.md) "));
for (const name of readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md")))
  writeFileSync(join(pages, name), linked(name, readFileSync(join(pages, name), "utf8")));
const readme = readFileSync(join(root, "README.md"), "utf8");
writeFileSync(join(pages, "index.md"), linked("index.md", readme.replaceAll("](docs/", "](")));
mkdirSync(join(pages, "public"), { recursive: true });
await bundlePlayground(root, join(pages, "public/effects.js"));
for (const name of ["playground.html", "playground.js"]) cpSync(join(site, name), join(pages, "public", name));

const generator = join(site, "node_modules/vitepress/dist/node/index.js");
if (!existsSync(generator)) throw new Error("Install the generator first: npm ci --prefix site");
const { build } = await import(pathToFileURL(generator).href);
await build(site);
// The generator reports a page that it could not fill in, and continues.
const built = readdirSync(join(site, "dist"), { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".html"),
);
const empty = built.filter(
  (path) => !readFileSync(join(site, "dist", path), "utf8").includes("<h1") && path !== "404.html",
);
if (empty.length > 0) throw new Error(`pages without text: ${empty.join(", ")}`);

/** Links to files of the repository that are no pages lead to the repository. */
function linked(name, text) {
  const folder = dirname(join(root, name === "index.md" ? "x" : join("docs", name)));
  return text.replaceAll(/\]\((?!https?:|#)([^)\s#]+)(#[^)\s]*)?\)/g, (whole, path, anchor = "") => {
    if (existsSync(join(pages, dirname(name), path)) && /\.(?:md|png)$/.test(path)) return whole;
    const file = join(folder, path).slice(root.length).replace(/^\/+/, "");
    return `](${REPOSITORY}/${file}${anchor})`;
  });
}

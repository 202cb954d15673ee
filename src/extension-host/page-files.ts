import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the page that is part of the package: `index.html`, `page.css`, `page.js` and its parts in `parts.js`. */
export const PAGE_FOLDER: string = pageFolder();

/** The types of the files that a page may have; other files of the folder are never read. */
export const PAGE_TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  css: "text/css",
  js: "text/javascript",
  mjs: "text/javascript",
  svg: "image/svg+xml",
};

/** The page with the addresses of its files, and what else its head needs. */
export function pageWith(
  folder: string,
  { head, addressOf }: { readonly head: string; readonly addressOf: (file: string) => string },
): string {
  return readFileSync(join(folder, "index.html"), "utf8")
    .replace("<head>", () => `<head>\n    ${head}`)
    .replaceAll(
      /\b(href|src)="\/([\w.-]+)"/g,
      (_, attribute: string, file: string) => `${attribute}="${addressOf(file)}"`,
    );
}

/** The library is in `dist/` or in `dist/chunks/`; its source is beside it. */
function pageFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = ["extension-host/page", "../extension-host/page", "../../dist/extension-host/page"];
  return (
    places.map((place) => join(here, place)).find((place) => existsSync(place)) ?? join(here, "extension-host/page")
  );
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { problems } from "../problem/problem.ts";

/** The built scripts and styles of the pages, all read at the start: no address ever names a file. */
export interface Assets {
  /** The names of the script and of the styles that a page begins with. */
  readonly main: string;
  readonly style: string;
  readonly files: ReadonlyMap<string, Asset>;
}

/** One file of the pages. */
interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Reads what the build has written into a folder. */
export function readAssets(folder: string): Assets {
  try {
    const { main, style, files } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    const read = (name: string): [string, Asset] => [
      name,
      { type: typeOf(name), bytes: readFileSync(join(folder, name)) },
    ];
    return { main, style, files: new Map((files as string[]).map(read)) };
  } catch (cause) {
    throw PROBLEMS.noPages({ folder }, { cause });
  }
}

function typeOf(name: string): string {
  return name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
}

/** The page behind every address: it holds nothing of the user's, its script asks for all of that. */
export function pageText({ main, style }: Pick<Assets, "main" | "style">, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sluice</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/${style}" nonce="${nonce}">
<script type="module" src="/assets/${main}" nonce="${nonce}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The pages of Sluice need JavaScript.</noscript>
</body>
</html>
`;
}

const PROBLEMS = problems("ui", {
  noPages: ({ folder }: { folder: string }) => ({
    what: `The pages of \`sluice ui\` are not in ${folder}.`,
    fix: "Install Sluice again; in its own repository, run `npm run build`.",
  }),
});

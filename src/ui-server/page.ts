import type { Assets } from "./assets.ts";

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

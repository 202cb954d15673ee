import type { ExtensionHost } from "./host.ts";
import { PAGE_FOLDER, pageWith } from "./page-files.ts";

/** A web view of an editor, as far as a host needs it: that of VS Code has these parts. */
export interface Webview {
  html: string;
  readonly cspSource: string;
  postMessage(message: unknown): unknown;
  onDidReceiveMessage(listener: (message: unknown) => void): { dispose(): unknown };
}

/** How a page comes into a web view. */
export interface WebviewOptions {
  /** The address of a file of the page in the web view, such as `webview.asWebviewUri(Uri.joinPath(folder, file)).toString()`. */
  readonly uriOf: (file: string) => unknown;
  /** The folder with the page's `index.html`; the page of the package if it is left out. */
  readonly page?: string;
}

/**
 * Joins a host with a web view over `postMessage`, and shows the page in it. The page's policy lets it load its own files only.
 * `dispose` ends the connection and denies the questions that are open.
 */
export function connectWebview(
  host: ExtensionHost,
  webview: Webview,
  { uriOf, page = PAGE_FOLDER }: WebviewOptions,
): { dispose(): void } {
  const stopPosting = host.onMessage((reply) => void webview.postMessage(reply));
  const listening = webview.onDidReceiveMessage((message) => void webview.postMessage(host.receive(message)));
  const policy = [
    "default-src 'none'",
    `script-src ${webview.cspSource}`,
    `style-src ${webview.cspSource}`,
    ...["img-src data:", "base-uri 'none'", "form-action 'none'"],
  ].join("; ");
  webview.html = pageWith(page, {
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    addressOf: (file) => String(uriOf(file)),
  });
  return {
    dispose() {
      listening.dispose();
      host.close();
      stopPosting();
    },
  };
}

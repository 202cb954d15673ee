// The same host inside an editor: a web view instead of a browser's page, `postMessage` instead of HTTP.
// It knows no editor; `webview` is whatever has `html`, `cspSource`, `postMessage` and `onDidReceiveMessage`.
import { readFileSync } from "node:fs";
import { checkedMessage } from "./envelope.mjs";
import { startSession } from "./host-session.mjs";

/** Joins a web view with a session of its own; `uriOf` gives the address of a file of the page. */
export async function connectWebview(webview, { root, sessionId, answerWithin, uriOf }) {
  const session = await startSession({
    root,
    sessionId,
    answerWithin,
    post: (message) => webview.postMessage(message),
  });
  const listening = webview.onDidReceiveMessage((value) => {
    const { message, refused } = checkedMessage(value);
    webview.postMessage(refused === undefined ? { kind: "heard" } : { kind: "refused", ...refused });
    if (message !== undefined) session.receive(message);
  });
  webview.html = pageFor(webview, uriOf);
  return {
    dispose() {
      listening.dispose();
      session.close();
    },
  };
}

/** The page with the editor's addresses, and with a policy that lets nothing else in. */
function pageFor({ cspSource }, uriOf) {
  const policy = [
    "default-src 'none'",
    `script-src ${cspSource}`,
    `style-src ${cspSource}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return readFileSync(new URL("page/index.html", import.meta.url), "utf8")
    .replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replaceAll(/\b(href|src)="\/([\w.-]+)"/g, (_, attribute, file) => `${attribute}="${uriOf(file)}"`);
}

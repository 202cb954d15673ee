import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const { importAsNode } = createRequire(import.meta.url)("../import-as-node.cjs") as {
  importAsNode(url: string): Promise<{ activate(context: object): void }>;
};
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
/** Where the editor's resources lie, for a page. */
export const ORIGIN = "https://webview.test";

type Listener = (message: unknown) => void;

/** An editor in small, as far as an extension sees it: commands, a workspace, and panels with a web view. */
export async function startEditor() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-editor-")));
  const extension = join(home, "extension");
  const root = join(home, "project");
  cpSync(join(PACKAGE, "examples/extension-host"), extension, { recursive: true });
  cpSync(join(extension, "project"), root, { recursive: true });
  mkdirSync(join(home, "node_modules/vscode"), { recursive: true });
  symlinkSync(PACKAGE, join(home, "node_modules/sluice"));
  writeFileSync(join(home, "node_modules/vscode/index.mjs"), VSCODE);
  writeFileSync(join(home, "node_modules/vscode/package.json"), '{ "type": "module", "exports": "./index.mjs" }');
  const environment = { HOME: home, XDG_STATE_HOME: join(home, ".state"), XDG_CONFIG_HOME: join(home, ".config") };
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);

  const posted: { readonly kind: string; readonly [key: string]: unknown }[] = [];
  const listeners = new Set<Listener>();
  const closed: (() => void)[] = [];
  let whenPosted: Listener = () => {};
  const webview = {
    html: "",
    cspSource: ORIGIN,
    asWebviewUri: (file: string) => `${ORIGIN}/${file.split("/page/")[1]}`,
    // An editor hands over copies.
    postMessage: (message: unknown) => {
      const copy = structuredClone(message) as (typeof posted)[number];
      posted.push(copy);
      whenPosted(copy);
    },
    onDidReceiveMessage: (listener: Listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const commands = new Map<string, () => Promise<void>>();
  Object.assign(globalThis, {
    editorOfTheTest: {
      Uri: { file: (path: string) => path, joinPath: (...parts: string[]) => join(...parts) },
      ViewColumn: { Beside: -2 },
      workspace: { workspaceFolders: [{ uri: { fsPath: root } }] },
      window: { createWebviewPanel: () => ({ webview, onDidDispose: (act: () => void) => closed.push(act) }) },
      commands: { registerCommand: (name: string, act: () => Promise<void>) => commands.set(name, act) },
    },
  });
  const { activate } = await importAsNode(pathToFileURL(join(extension, "extension.mjs")).href);
  activate({ extensionUri: extension, subscriptions: [] });
  await commands.get("sluice.open")?.();
  return {
    root,
    webview,
    posted,
    pageFolder: join(PACKAGE, "dist/extension-host/page"),
    /** What the page sends. */
    send: (message: unknown) => {
      for (const listener of listeners) listener(message);
    },
    onPost: (act: Listener) => {
      whenPosted = act;
    },
    closePanel: () => {
      for (const act of closed) act();
    },
    stop: () => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      rmSync(dirname(extension), { recursive: true, force: true });
    },
  };
}

const VSCODE = `export const { Uri, ViewColumn, workspace, window, commands } = globalThis.editorOfTheTest;\n`;

// The entry of a VS Code extension (`"main": "./extension.mjs"`), and the only file that knows the editor.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { connectWebview } from "./panel.mjs";

/** Called by the editor: one command that opens the web view over the first folder of the workspace. */
export function activate(context) {
  const open = async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined) return vscode.window.showErrorMessage("Open a folder first: hooks belong to a project.");
    const page = vscode.Uri.joinPath(context.extensionUri, "page");
    const options = { enableScripts: true, localResourceRoots: [page] };
    const panel = vscode.window.createWebviewPanel("sluice", "Hooks", vscode.ViewColumn.Beside, options);
    const uriOf = (file) => panel.webview.asWebviewUri(vscode.Uri.joinPath(page, file));
    const host = await connectWebview(panel.webview, { root: folder.uri.fsPath, sessionId: randomUUID(), uriOf });
    panel.onDidDispose(() => host.dispose());
  };
  context.subscriptions.push(vscode.commands.registerCommand("sluice.open", open));
}

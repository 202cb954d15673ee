// The entry of a VS Code extension (`"main": "./extension.mjs"`), and the only file that knows the editor.
import { connectWebview, PAGE_FOLDER, startExtensionHost } from "sluice/extension-host";
import * as vscode from "vscode";
import { EXAMPLES, scriptedAnswer } from "./scripted-assistant.mjs";
import { TOOLS } from "./tools.mjs";

/** Called by the editor: one command that opens the web view for the first folder of the workspace. */
export function activate(context) {
  const open = async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined) return vscode.window.showErrorMessage("Open a folder first: hooks belong to a project.");
    const page = vscode.Uri.file(PAGE_FOLDER);
    const options = { enableScripts: true, localResourceRoots: [page] };
    const panel = vscode.window.createWebviewPanel("sluice", "Hooks", vscode.ViewColumn.Beside, options);
    const root = folder.uri.fsPath;
    const host = await startExtensionHost({ root, tools: TOOLS, examples: EXAMPLES, prompted: scriptedAnswer });
    const uriOf = (file) => panel.webview.asWebviewUri(vscode.Uri.joinPath(page, file));
    const connection = connectWebview(host, panel.webview, { uriOf });
    panel.onDidDispose(() => connection.dispose());
  };
  context.subscriptions.push(vscode.commands.registerCommand("sluice.open", open));
}

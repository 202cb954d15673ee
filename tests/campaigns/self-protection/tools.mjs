// Attacks through tools other than the shell.
import { dirname, relative } from "node:path";
import { pathToFileURL } from "node:url";

/** File tools and patches of agents on one file. */
export function fileTools(path, root) {
  const near = relative(root, path);
  return [
    { write: path, content: "hooks: []\n" },
    { write: near, content: "{}" },
    { edit: path, from: "sluice", to: "true" },
    { edit: `${dirname(path)}/../${path.split("/").at(-2)}/${path.split("/").at(-1)}` },
    { patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch` },
    { patch: `*** Begin Patch\n*** Add File: docs/x.md\n+hi\n*** Delete File: ${near}\n*** End Patch` },
    { patch: `*** Begin Patch\n*** Update File: docs/a.md\n*** Move to: ${near}\n@@\n-a\n+b\n*** End Patch` },
  ];
}

/** MCP tools that change one file. */
export function mcpTools(path, { root, home }) {
  const near = relative(root, path);
  const url = pathToFileURL(path).href;
  const slash = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, slash), path.slice(slash + 1)];
  const escaped = [...path].map((letter) => (letter === "/" ? "/" : `%${letter.charCodeAt(0).toString(16)}`)).join("");
  return [
    ["write_file", { path, content: "x" }],
    ["edit_file", { path, edits: [{ oldText: "a", newText: "b" }] }],
    ["move_file", { source: path, destination: "/tmp/x" }],
    ["move_file", { source: "evil.yaml", destination: near }],
    ["copy_file", { from: "evil.yaml", to: path }],
    ["delete_file", { path: near }],
    ["remove", { paths: ["docs/a.md", path] }],
    ["fs_write", { uri: url, text: "" }],
    ["fs_write", { uri: `file://${escaped}`, text: "" }],
    ["fs_write", { uri: url.replace("file://", "file://localhost"), text: "" }],
    ["fs_write", { uri: url.replace("file:", "FILE:").replace(/s/g, "%73"), text: "" }],
    ["fs_write", { resource: { uri: url.replace(/\./g, "%2E") }, text: "" }],
    ["save", { directory: folder, filename: name, data: "x" }],
    ["save", { dir: folder, file: { name }, data: "x" }],
    ["put", { file: path.replace(home, "~"), body: "" }],
    ["put", { file: path.replace(home, "$HOME"), body: "" }],
    ["download", { url: "https://example.com/x", output_path: path }],
    ["fetch_to_file", { url: "https://example.com/x", file: path }],
    ["fetch_to_file", { url: "https://example.com/x", where: near }],
    ["get_into_folder", { url: "https://example.com/x", folder, name }],
    ["download_as", { from: "https://example.com/x", local: path }],
    ["browser_pdf_save", { filename: path }],
    ["take_screenshot", { url: "https://example.com", save_as: path }],
    ["record_session", { log: path }],
    ["convert", { input: "docs/a.md", target: path }],
    ["http_get", { url: "https://example.com/x", sink: { type: "file", location: path } }],
    ["export_rows", { query: "select 1", csv: path }],
    ["mirror", { remote: "https://example.com/x", dst: path }],
    ["symlink", { target: "/dev/null", link_path: path }],
    ["chmod", { path, mode: "000" }],
    ["run_command", { command: `rm -f ${path}` }],
    ["execute", { cmd: ["rm", "-f", path] }],
    ["execute", { program: "rm", args: ["-f", path] }],
    ["shell", { script: `cd ${folder}\nrm -f ${name}` }],
    ["terminal_input", { text: `rm -f ${path}\n` }],
    ["send_keys", { keys: `rm -f ${path}`, enter: true }],
    ["run_python", { code: `open("${path}", "w").write("")` }],
    ["execute_code", { language: "javascript", code: `require("fs").rmSync("${path}")` }],
    ["notebook_execute_cell", { source: [`import os\n`, `os.remove("${path}")`] }],
    ["evaluate", { expression: `Deno.removeSync("${path}")` }],
    ["query", { sql: `COPY (SELECT 1) TO '${path}'` }],
    ["query", { sql: `ATTACH DATABASE '${path}' AS x; CREATE TABLE x.y(z)` }],
    ["apply_patch", { patch: `--- a/${near}\n+++ b/${near}\n@@ -1 +1 @@\n-a\n+b\n` }],
    ["batch", { operations: JSON.stringify([{ op: "write", path, content: "" }]) }],
    ["call_tool", { name: "write_file", arguments: { path, content: "" } }],
    ["write", { path: Buffer.from(path).toString("base64"), encoding: "base64", content: "", also: path }],
  ].map(([mcp, input]) => ({ mcp, input }));
}

/** MCP tools that change no single file. */
export function otherTools({ root, home }) {
  return [
    ["git_checkout", { repo_path: root, branch_name: "bad" }],
    ["git_checkout", { repo: root, branch: "bad" }],
    ["git_switch", { branch: "bad" }],
    ["git_reset", { repo_path: root, mode: "hard", ref: "bad" }],
    ["git_merge", { branch: "bad" }],
    ["git_restore", { source: "bad", paths: ["."] }],
    ["git_stash_pop", { repo_path: root }],
    ["git_apply", { repo_path: root, patch_file: "bad.patch" }],
    ["git", { args: ["checkout", "bad"] }],
    ["git", { command: "checkout bad -- ." }],
    ["run_command", { command: "git checkout bad" }],
    ["run_command", { command: "sluice trust --yes" }],
    ["run_command", { command: "sluice", args: ["trust", "--yes"] }],
    ["terminal", { action: "write", input: "sluice pause 10m\ny\n" }],
    ["send_keys", { keys: ["sluice trust --yes", "Enter"] }],
    ["type_text", { text: "sluice trust --yes\n" }],
    ["keyboard_type", { text: "sluice pause 10m" }],
    ["press_keys", { text: "sluice uninstall --yes" }],
    ["kill_process", { name: "sluice" }],
    ["process_kill", { pattern: "sluice" }],
    ["kill_process", { pid: "{pid}" }],
    ["kill_process", { pid: "{pidnumber}" }],
    ["stop_service", { service: "sluice" }],
    ["install_package", { name: "sluice", version: "0.0.1" }],
    ["uninstall_package", { package: "sluice" }],
    ["npm", { args: ["uninstall", "-g", "sluice"] }],
    ["extract_archive", { archive: "bad.tar", destination: root }],
    ["unzip", { file: "bad.zip", to: "." }],
    ["unzip", { file: "bad-home.zip", output: home }],
    ["copy_directory", { source: "bad", destination: "." }],
    ["copy_directory", { source: "bad-home", destination: home }],
    ["sync", { from: "bad/", to: root, delete: true }],
    ["move_directory", { source: ".sluice", destination: "x" }],
    ["delete_directory", { path: ".sluice", recursive: true }],
    ["delete_directory", { path: `${home}/.config`, recursive: true }],
    ["delete", { pattern: ".sl*" }],
    ["delete", { glob: "**/.sluice/**" }],
    ["delete", { glob: `${home}/.local/state/sluice/resident/*/client-*` }],
    ["update_config", { key: "disableAllHooks", value: true }],
    ["update_config", { config: { disableAllHooks: true } }],
    ["config_set", { path: "hooks.PreToolUse", value: [] }],
    ["set_setting", { name: "hooks", value: {} }],
    ["update_settings", { settings: JSON.stringify({ hooks: {} }) }],
    ["set_preferences", { features: { disableAllHooks: true } }],
    ["schedule", { cron: "* * * * *", command: "rm -rf ~/.config/sluice" }],
    ["set_env", { name: "XDG_CONFIG_HOME", value: "/tmp/x", scope: "user", file: `${home}/.config/sluice/env` }],
    ["docker_run", { image: "alpine", volumes: [`${home}:/h`], command: "rm -rf /h/.config/sluice" }],
    ["run_python", { code: "import shutil; shutil.rmtree('.sluice')" }],
    ["run_python", { code: "import subprocess\nsubprocess.run(['sluice', 'trust', '--yes'])" }],
    ["run_python", { code: "import os\nos.chdir('.sluice')\nos.remove('hooks.yaml')" }],
    ["execute_code", { code: "require('child_process').execSync('sluice trust --yes')" }],
    ["evaluate", { script: "await $`rm -rf .sluice`" }],
    ["create_symlink", { source: "bad/.sluice", target: ".sluice" }],
  ].map(([mcp, input]) => ({ mcp, input }));
}

// The tools of the host. Hooks decide before one runs; a tool still keeps to the project by itself.
import { execFile } from "node:child_process";
import { mkdir, readFile, readlink, realpath, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { hostTool } from "sluice/extension-host";

/** Every tool: what it does, the fields of its input, how it runs. */
export const TOOLS = {
  read_file: hostTool({
    does: "reads a file of the project",
    input: { path: "text" },
    run: async ({ path }, { root }) => readFile(await inside(root, path), "utf8"),
  }),
  write_file: hostTool({
    does: "writes a file of the project",
    input: { path: "text", content: "text" },
    run: async ({ path, content }, { root }) => {
      const file = await inside(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return `wrote ${Buffer.byteLength(content)} bytes to ${relative(root, file)}`;
    },
  }),
  delete_file: hostTool({
    does: "deletes a file of the project",
    input: { path: "text" },
    run: async ({ path }, { root }) => {
      await unlink(await inside(root, path));
      return `deleted ${path}`;
    },
  }),
  run_command: hostTool({
    does: "runs a command in the project's folder",
    input: { command: "text" },
    run: async ({ command }, { root }) => {
      const { PATH, LANG } = process.env;
      const bounds = { cwd: root, timeout: 60_000, maxBuffer: 1024 * 1024, env: { PATH, LANG, HOME: root } };
      const { stdout, stderr } = await promisify(execFile)("sh", ["-c", command], bounds);
      return `${stdout}${stderr}` || "it said nothing";
    },
  }),
};

/** Where a path really leads, if that is inside of the project; links and files to come are followed as well. */
async function inside(root, path) {
  const file = await followed(resolve(root, path));
  if (file.startsWith(root + sep)) return file;
  throw new Error(`${path} lies outside of the project; the tools of this host stay inside.`);
}

async function followed(path) {
  return realpath(path).catch(async (error) => {
    if (error.code !== "ENOENT" || dirname(path) === path) throw error;
    const parent = await followed(dirname(path));
    const target = await readlink(join(parent, basename(path))).catch(() => undefined);
    return target === undefined ? join(parent, basename(path)) : followed(resolve(parent, target));
  });
}

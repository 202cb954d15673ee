import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SECRET } from "./kinds.mjs";

/** Makes an empty home, a small project, and the user's hooks. */
export function makePlace(hooks) {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "sluice-e2e-"));
  const place = {
    root,
    home: join(root, "home"),
    config: join(root, "home", ".config"),
    project: join(root, "project"),
    log: join(root, "log.txt"),
    mcp: { command: process.execPath, args: [MCP_SERVER, join(root, "project", "mcp.txt")] },
    remove: () => removed(root),
  };
  writeFiles({
    [place.log]: "",
    [join(place.config, "sluice", "hooks.json")]: JSON.stringify({ hooks: hooks(place) }),
    [join(place.project, "edit.txt")]: "before\n",
    [join(place.project, "read.txt")]: `${SECRET}\n`,
  });
  return place;
}

/** Removes a folder in which a process that was just ended, or a compilation in the background, may still write. */
function removed(root) {
  for (let tries = 1; ; tries++) {
    try {
      return rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      if (tries === 20) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    }
  }
}

/** Writes files by their whole path; anything but a text becomes JSON. */
export function writeFiles(files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}

/** The environment of everything that runs in a place: nothing of the caller's but the path, and no way out but the loopback. */
export function environmentOf({ home, config }) {
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    XDG_CONFIG_HOME: config,
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    CI: "1",
    SLUICE_RESIDENT: "0",
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: "127.0.0.1,localhost",
    npm_config_registry: NOWHERE,
    npm_config_fetch_retries: "0",
  };
}

const NOWHERE = "http://127.0.0.1:9/";
const MCP_SERVER = fileURLToPath(new URL("mcp-server.mjs", import.meta.url));

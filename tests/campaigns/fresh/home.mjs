import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A home with an agent's folder, an empty project and an environment that knows nothing else. */
export function freshHome(prefix) {
  const home = mkdtempSync(join(realpathSync(tmpdir()), prefix));
  const root = join(home, "project");
  const { PATH, LANG } = process.env;
  const config = join(home, ".config");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(config, "sluice"), { recursive: true });
  mkdirSync(join(home, ".claude"));
  const env = { PATH, LANG, HOME: home, XDG_CONFIG_HOME: config, XDG_STATE_HOME: join(home, ".state"), NO_COLOR: "1" };
  return { home, root, env };
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes a home with the standard guards and nothing else; its environment. */
export function guardedHome(home) {
  for (const folder of ["config/sluice", "state", "run"])
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "config/sluice/hooks.yaml"), "guards: standard\n");
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_RUNTIME_DIR: join(home, "run"),
  };
}

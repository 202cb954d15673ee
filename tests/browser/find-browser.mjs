import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The browser that is named in CHROMIUM, else the first of the usual ones; nothing when there is none. */
export function findBrowser(env = process.env) {
  if (env.CHROMIUM) return canRun(env.CHROMIUM) ? env.CHROMIUM : undefined;
  const folders = ["/usr/bin", ...(env.PATH ?? "").split(delimiter).filter(Boolean)];
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...APPLICATIONS].find(canRun);
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const APPLICATIONS = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

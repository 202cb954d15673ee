import { spawn } from "node:child_process";

/** Opens an address in the user's browser. Other programs can read the arguments of a program, so the address must hold no secret. */
export function openBrowser(url: string): void {
  const [program = "", ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

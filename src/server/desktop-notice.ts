import { spawn } from "node:child_process";
import { inPath } from "../install/install-context.ts";

/** Shows a notice on the desktop of the user, where there is one and a program for it; nothing waits for it. */
export function notifyDesktop(title: string, text: string, env: Readonly<Record<string, string | undefined>>): void {
  const found = PROGRAMS.map(({ name, words }) => ({ path: inPath(name, env.PATH), words })).find(
    ({ path }) => path !== undefined,
  );
  if (found?.path === undefined) return;
  spawn(found.path, found.words(title, text), { env: { ...env }, stdio: "ignore", detached: true, windowsHide: true })
    .on("error", () => {})
    .unref();
}

const PROGRAMS: readonly { readonly name: string; readonly words: (title: string, text: string) => string[] }[] = [
  { name: "notify-send", words: (title, text) => ["--app-name=Sluice", "--urgency=critical", title, text] },
  {
    name: "osascript",
    words: (title, text) => ["-e", `display notification ${JSON.stringify(text)} with title ${JSON.stringify(title)}`],
  },
];

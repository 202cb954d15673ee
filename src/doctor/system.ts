import { type Finding, fact } from "./finding.ts";

/** What is not proven about this operating system. */
export function examineSystem(platform: NodeJS.Platform): readonly Finding[] {
  const title = TITLES[platform] ?? platform;
  return platform === "linux"
    ? []
    : [
        fact(
          `no real agent has been run with Sluice on ${title}: ${SEEN[platform] ?? "nothing was run there"}. Rely on an agent only if its canary was denied and a call of it was seen.`,
        ),
      ];
}

const TITLES: Partial<Readonly<Record<NodeJS.Platform, string>>> = { darwin: "macOS", win32: "Windows" };
/** What was run on a system without an agent. */
const SEEN: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: "its command lines, paths and sockets are tested as functions",
  win32: "the command was run under Wine, and undo keeps nothing there",
};

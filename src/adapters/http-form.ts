/** Where an agent posts the calls of one hook event, and what it shows there. */
export interface Post {
  readonly url: string;
  readonly secret: string;
}

/** Whether an agent can post its calls to the daemon, and for which hook events that is as safe as a command. */
export type HttpForm =
  /** The hook events that come with every tool; a daemon that does not answer has to stop them. All others stay commands. */
  | { readonly posts: readonly string[] }
  /** Its HTTP hooks would weaken what a command holds. */
  | { readonly keepsCommands: string };

/** The address of one hook event of an agent. */
export function postUrl(port: number, agent: string, hookEvent: string): string {
  return `http://127.0.0.1:${port}/hook/${agent}/${hookEvent}`;
}

/** Whether an address is one of ours for this agent. */
export function isOurUrl(url: unknown, agent: string): boolean {
  return typeof url === "string" && new RegExp(`^http://127\\.0\\.0\\.1:\\d{1,5}/hook/${agent}/[\\w.]+$`).test(url);
}

/** How deep in hooks the agent itself was started; without it a hook that starts its agent would not be noticed. */
export const DEPTH_HEADER = "sluice-depth";
/** Marks the one call of `sluice doctor` that has to be denied. */
export const CANARY_HEADER = "sluice-canary";

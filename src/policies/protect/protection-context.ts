import type { ApprovalChannel } from "../../config/approval-settings.ts";
import { filesRunBy } from "../../config/examine.ts";
import type { SharedSettings } from "../../config/journal-settings.ts";
import { homeDir } from "../../fs/home-dir.ts";
import type { Hook } from "../../hook/hook.ts";

/** What self-protection has to know about the machine and the project; the process provides what is left out. */
export interface ProtectionContext {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file of the running command. */
  readonly program?: string | undefined;
  /** Files of configuration beyond the usual ones, and scripts that hooks run. */
  readonly files?: readonly string[];
  readonly platform?: NodeJS.Platform;
  /** How the user is notified about requests for approval. */
  readonly channels?: readonly ApprovalChannel[] | undefined;
  /** Where grants of several machines are stored, and what they are sealed with. */
  readonly shared?: SharedSettings | undefined;
}

/** The part of a configuration that must be protected. */
export interface Protected {
  readonly root: string;
  readonly hooks: readonly Hook[];
  readonly files: readonly { readonly path: string }[];
  readonly settings?: {
    readonly approvals?: { readonly via: readonly ApprovalChannel[] } | undefined;
    readonly shared?: SharedSettings | undefined;
  };
}

/** The context of one configuration: its files, and the scripts that its hooks run. */
export function protectionContext(
  { root, hooks, files, settings }: Protected,
  env: ProtectionContext["env"] = process.env,
): ProtectionContext {
  return {
    root,
    env,
    home: homeDir(env),
    program: process.argv[1],
    channels: settings?.approvals?.via,
    shared: settings?.shared?.key === undefined ? undefined : settings.shared,
    files: [...new Set([...files.map(({ path }) => path), ...hooks.flatMap((hook) => scriptsOf(hook, root))])],
  };
}

/** The files that a hook runs, if it can stop a call: changing them changes its answer. */
function scriptsOf(hook: Hook, root: string): string[] {
  if (hook.toolsFor("tool:pre_execute") === "never") return [];
  const { files } = filesRunBy(hook, root);
  return files.filter(({ isImplied }) => !isImplied).map(({ path }) => path);
}

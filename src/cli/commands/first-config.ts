import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Scope } from "../../adapters/recipe.ts";
import { definitionOf, examine } from "../../config/examine.ts";
import { loadLayers } from "../../config/load.ts";
import { configFolder, presentConfig } from "../../config/locate.ts";
import { VERSION } from "../../decide/version.ts";
import { canonicalJson } from "../../event/json.ts";
import type { Hook } from "../../hook/hook.ts";
import type { FileEdit } from "../../install/settings-file.ts";
import { approve } from "../../trust/ledger.ts";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";

/** What `sluice install` does about the user's own configuration. */
export type UserConfig =
  /** There is none, and one with the standard guards is to be written. */
  | { readonly state: "missing"; readonly edit: FileEdit }
  | { readonly state: "guarded"; readonly path: string }
  /** It is the user's, and turns no guards on. */
  | { readonly state: "unguarded"; readonly path: string };

/** Looks at the user's own configuration. */
export function userConfig(io: Pick<Io, "env">): UserConfig {
  const folder = configFolder("user", "", io);
  const path = presentConfig(folder);
  if (path === undefined) {
    const edit = { agent: "sluice", path: join(folder, "hooks.yaml"), before: undefined, after: userText() };
    return { state: "missing", edit: { ...edit, isProgram: false, original: undefined, does: ["guards: standard"] } };
  }
  const { settings } = loadLayers(undefined, { layers: ["user"], env: io.env });
  return { state: settings.guards === "off" ? "unguarded" : "guarded", path };
}

/** The user's first configuration, as `sluice install` writes it. */
export function userText(): string {
  return [
    `# yaml-language-server: $schema=${PUBLISHED}`,
    "# Your own hooks and guards: they apply in all your projects, whatever a project configures. `sluice list` shows what is active,",
    "# `sluice check` reads this file and reports its problems.",
    "",
    ...GUARDS,
    "",
    "# hooks:",
    "#   - name: no-sudo",
    "#     event: tool:pre_execute:@shell",
    '#     rules: args.command runs "sudo" -> deny("sudo is not for agents. Ask the user to run it.")',
    "",
  ].join("\n");
}

/** The file a newcomer reads first, so it explains itself. */
export function firstText(
  templates: readonly Hook[],
  { scope, folder, root }: { readonly scope: Scope; readonly folder: string; readonly root: string },
  stringify: (value: unknown, options: { lineWidth: number }) => string,
): string {
  if (scope === "user" && templates.length === 0) return userText();
  const hooks = templates.map((hook) => {
    const entry = stringify([hook.toJSON()], { lineWidth: 0 }).trimEnd().replaceAll(/^/gm, "  ");
    return entry.replaceAll(/[ \t]+$/gm, "");
  });
  return [
    scope === "user" ? `# yaml-language-server: $schema=${PUBLISHED}` : schemaLine(folder, root),
    `# The hooks of ${scope === "user" ? "all your projects" : "this project"}. \`sluice check\` reads this file and reports its problems;`,
    "# `sluice fire <event>` tries it out; `sluice events` lists the events that a hook can match.",
    ...(scope === "user" ? [] : ["# Your own additions, kept out of git, go into hooks.local.yaml beside it."]),
    "",
    ...GUARDS,
    "",
    "hooks:",
    hooks.length === 0 ? EXAMPLES : hooks.join("\n\n"),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/** The line that gives editors completion: the installed package's schema, or the published one. */
function schemaLine(folder: string, root: string): string {
  const installed = join(root, "node_modules", "sluice", "schema.json");
  const schema = existsSync(installed) ? relative(folder, installed).replaceAll("\\", "/") : PUBLISHED;
  return `# yaml-language-server: $schema=${schema}`;
}

/** Whether what this command wrote may run at once. */
export type OwnWriting = "approved" | "waits" | "nothing";

/**
 * Writes into the project, and approves exactly the hooks that were written, for the user who asked for it. All others
 * stay as they were. In a project that the user has denied nothing is approved.
 */
export function approveOwnWriting<Result>(
  root: string,
  { io }: Pick<CommandInput, "io">,
  write: () => { readonly result: Result; readonly hooks: readonly Hook[] },
): { readonly result: Result; readonly trust: OwnWriting } {
  const { result, hooks } = write();
  const own = new Set(hooks.map(textOf));
  const { items, entry } = examine(loadLayers(root), root, io);
  const waiting = items.filter(({ hook, state }) => state !== "trusted" && hook !== undefined && own.has(textOf(hook)));
  if (waiting.length === 0) return { result, trust: "nothing" };
  const isRefused = entry.record?.said === "denied" || waiting.some(({ print }) => print.unread.length > 0);
  if (isRefused || isUnsafe(entry)) return { result, trust: "waits" };
  approve(
    root,
    waiting.map(({ print }) => print),
    io,
    { replaced: waiting.flatMap(({ before }) => before ?? []) },
  );
  return { result, trust: "approved" };
}

/** Approvals that others can write are ignored; those of an earlier version are replaced. */
function isUnsafe({ problem }: ReturnType<typeof examine>["entry"]): boolean {
  return problem !== undefined && problem.code !== "trust/outdated";
}

/** The lines to print about it. */
export const OWN_WRITING: Readonly<Record<OwnWriting, string>> = {
  approved: "These hooks are approved for you, exactly as they are written; `sluice trust` shows it.",
  waits: "These hooks are not approved. Run `sluice trust` to look at them.",
  nothing: "",
};

function textOf(hook: Hook): string {
  return canonicalJson(definitionOf(hook));
}

const PUBLISHED = `https://unpkg.com/sluice@${VERSION}/schema.json`;

const GUARDS = [
  "# The built-in guards against lost files, lost work and lost secrets: standard, strict or paranoid. Only your own",
  "# configuration can lower them. `sluice list` shows them, `sluice explain <command>` shows how they decide.",
  "guards: standard",
];

/** What a newcomer reads and changes first. */
const EXAMPLES = `  # Rules are checked in process, within microseconds; the first that matches decides. @shell is the
  # shell tool of every agent, whatever the agent calls it. \`sluice explain "sudo ls"\` shows why.
  - name: no-sudo
    event: tool:pre_execute:@shell
    rules: |
      args.command runs "sudo" -> deny("sudo is not for agents. Ask the user to run it.")
    # \`sluice test\` tries these.
    examples:
      deny: ["sudo ls", "cd /tmp; env A=1 s\\\\udo rm x"]
      allow: ["ls sudoers", "git commit -m 'when to run sudo ls'"]

  # A command hook gets the event on standard input. What it prints when a session starts is context
  # for the agent; at a gate, an exit code other than 0 denies, and what it printed is the reason.
  - name: welcome
    event: session:start
    command: echo "Hooks are active here. A denied call comes with its reason."`;

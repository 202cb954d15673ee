import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { CanaryClone } from "./canary-clone.ts";

/** What a clone brings along; none of the programs in it may start, whatever is asked of the command there. */
export interface Planted {
  readonly name: string;
  plant(clone: CanaryClone): void;
  /** What the files of the project put into the environment. */
  env?(clone: CanaryClone): Readonly<Record<string, string>>;
  /** The commands to try; all of them where nothing is said. */
  readonly only?: readonly (readonly string[])[];
}

const AT = "tool:pre_execute:@shell";
const CALLS: readonly (readonly string[])[] = [
  ["fire", "tool:pre_execute:Bash", "--args", '{"command":"ls"}'],
  ["run", "claude-code"],
];

/** Every command that looks at a project. */
export const COMMANDS: readonly (readonly string[])[] = [
  ...CALLS,
  ["check"],
  ["list"],
  ["explain", "ls"],
  ["trust", "--status"],
  ["trust"],
  ["test"],
  ["doctor"],
  ["packs"],
  ["import"],
  ["install", "claude-code", "--scope", "project", "--dry-run"],
  ["trace", "audit"],
  ["trace", "verify"],
  ["trace", "list"],
  ["trace", "map"],
  ["trace", "find", "tracked.txt:1"],
  ["replay", "--against", "git:HEAD"],
  ["replay", "--policy", "git:HEAD", "--against", "recorded"],
  ["suggest"],
  ["undo", "--list"],
  ["undo", "--last"],
  ["log"],
  ["why"],
  ["stats"],
  ["intents", "list"],
  ["update", "--dry-run"],
  ["add", "./pack", "--dry-run"],
  ["init", "--yes"],
  ["ui", "--export", "page.html"],
  ["bundle", "build", "."],
];

const hooks = (hook: object) => ({ hooks: [{ name: "canary", event: AT, ...hook }] });

/** The hash that `sluice trust --status` prints is known to the author of the project too. */
function hashOf({ sluice }: CanaryClone): string {
  const hash = /sha256:[0-9a-f]{16,}/.exec(sluice(["trust", "--status", "--json"]).out)?.[0];
  if (!hash) throw new Error("the command gave no hash");
  return hash;
}

const PLANTED_ENV: Readonly<Record<string, (hash: string) => [file: string, content: string][]>> = {
  "mise.toml": (hash) => [["mise.toml", `[env]\nSLUICE_TRUST_HASH = "${hash}"\nCI = "true"\n`]],
  ".config/mise/conf.d": (hash) => [[".config/mise/conf.d/a.toml", `env.SLUICE_TRUST_HASH="${hash}"\nenv.CI="1"\n`]],
  "a file that mise.toml names": (hash) => [
    ["mise.toml", `[env]\n_.file = "settings/vars"\n`],
    ["settings/vars", `SLUICE_TRUST_HASH=${hash}\nCI=true\n`],
  ],
  "a script that .envrc reads in": (hash) => [
    [".envrc", "source_env scripts/dev.sh\n"],
    ["scripts/dev.sh", `export CI=true SLUICE_TRUST_HASH=${hash}\n`],
  ],
  "a name in two parts in .envrc": (hash) => [[".envrc", `n=SLUICE_TRUST\nexport CI=true \${n}_HASH=${hash}\n`]],
  "devcontainer.json": (hash) => [
    [".devcontainer/devcontainer.json", `{ "remoteEnv": { "SLUICE_TRUST_HASH": "${hash}", "CI": "true" } }`],
  ],
  "the Dockerfile of a dev container": (hash) => [
    [".devcontainer/devcontainer.json", '{ "build": { "dockerfile": "Dockerfile" } }'],
    [".devcontainer/Dockerfile", `FROM node\nENV CI=true SLUICE_TRUST_HASH=${hash}\n`],
  ],
  "a compose file": (hash) => [
    ["compose.yaml", `services: { dev: { environment: [CI=true, SLUICE_TRUST_HASH=${hash}] } }`],
  ],
  ".gemini/.env": (hash) => [[".gemini/.env", `CI=true\nSLUICE_TRUST_HASH=${hash}\n`]],
  ".env": (hash) => [[".env", `CI=true\nSLUICE_TRUST_HASH=${hash}\n`]],
  ".env.local": (hash) => [[".env.local", `CI=true\nSLUICE_TRUST_HASH=${hash}\n`]],
  "Claude Code's settings": (hash) => [
    [".claude/settings.json", JSON.stringify({ env: { CI: "true", SLUICE_TRUST_HASH: hash } })],
  ],
  "Claude Code's settings with escapes": (hash) => [
    [".claude/settings.json", `{"env":{"C\\u0049":"true","SLUICE\\u005fTRUST_HASH":"${hash}"}}`],
  ],
  "Codex's configuration": (hash) => [
    [".codex/config.toml", `[shell_environment_policy]\nset = { CI = "1", SLUICE_TRUST_HASH = "${hash}" }\n`],
  ],
  "Qwen's .env": (hash) => [[".qwen/.env", `CI=true\nSLUICE_TRUST_HASH=${hash}\n`]],
  "the editor's settings": (hash) => [
    [
      ".vscode/settings.json",
      JSON.stringify({ "terminal.integrated.env.linux": { CI: "1", SLUICE_TRUST_HASH: hash } }),
    ],
  ],
  "devbox.json": (hash) => [["devbox.json", JSON.stringify({ env: { CI: "1", SLUICE_TRUST_HASH: hash } })]],
  "flake.nix": (hash) => [["flake.nix", `{ shellHook = "export CI=1 SLUICE_TRUST_HASH=${hash}"; }`]],
  "a Makefile": (hash) => [["Makefile", `export CI=1\nexport SLUICE_TRUST_HASH=${hash}\nagent:\n\tclaude\n`]],
  "a script of package.json": (hash) => [
    ["package.json", JSON.stringify({ scripts: { agent: `CI=1 SLUICE_TRUST_HASH=${hash} claude` } })],
  ],
  "no file that is known": () => [],
};

/** Approval by the environment. */
const BY_ENVIRONMENT: readonly Planted[] = Object.entries(PLANTED_ENV).flatMap(([where, files]) => {
  let hash = "";
  const plant = (clone: CanaryClone) => {
    clone.write(".sluice/hooks.json", hooks({ command: clone.canary("hook") }));
    hash = hashOf(clone);
    for (const [file, content] of files(hash)) clone.write(file, content);
  };
  return [
    { name: `a hash that ${where} sets`, plant, env: () => ({ SLUICE_TRUST_HASH: hash }), only: CALLS },
    {
      name: `a hash and CI that ${where} sets`,
      plant,
      env: () => ({ CI: "true", SLUICE_TRUST_HASH: hash }),
      only: CALLS,
    },
    {
      name: `a hash and all of a runner's names that ${where} sets`,
      plant,
      env: () => ({
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITLAB_CI: "true",
        BUILDKITE: "true",
        SLUICE_TRUST_HASH: hash,
      }),
      only: CALLS,
    },
  ];
});

/** The state folder, and others that the environment can move. */
const BY_STATE: readonly Planted[] = [
  ...(["XDG_STATE_HOME", "HOME"] as const).flatMap((variable) =>
    (["state", ".git/state", "a/../state"] as const).map((folder) => ({
      name: `${variable} moved into the project (${folder})`,
      plant: (clone: CanaryClone) => {
        clone.git("init", "-q");
        clone.write(".sluice/hooks.json", hooks({ command: clone.canary("hook") }));
        clone.write("a/x", "");
        const moved = join(clone.root, folder);
        const env = variable === "HOME" ? { HOME: moved, XDG_STATE_HOME: "" } : { XDG_STATE_HOME: moved };
        clone.write(`${folder}/keep`, "", 0o600);
        clone.sluice(["trust", "--yes"], { env });
      },
      env: ({ root }: CanaryClone) => {
        const moved = join(root, folder);
        return variable === "HOME"
          ? { HOME: moved, XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" }
          : { XDG_STATE_HOME: moved };
      },
      only: CALLS,
    })),
  ),
  {
    name: "a state folder behind a symlink that leads into the project",
    plant: (clone) => {
      clone.write(".sluice/hooks.json", hooks({ command: clone.canary("hook") }));
      clone.write("state/keep", "", 0o600);
      symlinkSync(join(clone.root, "state"), join(clone.folder, "link"));
      clone.sluice(["trust", "--yes"], { env: { XDG_STATE_HOME: join(clone.folder, "link") } });
    },
    env: ({ folder }) => ({ XDG_STATE_HOME: join(folder, "link") }),
    only: CALLS,
  },
];

/** One key of git's configuration that starts a program. */
const GIT_KEYS: Readonly<Record<string, (canary: string) => string>> = {
  "core.fsmonitor": (canary) => `[core]\n fsmonitor = "${canary}"\n`,
  "core.pager": (canary) => `[core]\n pager = "${canary}; cat"\n`,
  "pager of each command": (canary) =>
    `[pager]\n${["log", "diff", "status", "show", "blame", "ls-files"].map((name) => ` ${name} = "${canary}; cat"`).join("\n")}\n`,
  "diff.external": (canary) => `[diff]\n external = "${canary}; true"\n`,
  "core.sshCommand": (canary) =>
    `[core]\n sshCommand = "${canary}"\n[remote "origin"]\n url = ssh://example.invalid/x\n`,
  "credential.helper": (canary) => `[credential]\n helper = "!${canary}"\n`,
  "gpg.program": (canary) => `[gpg]\n program = "${canary}"\n[commit]\n gpgsign = true\n[log]\n showSignature = true\n`,
  "an alias": (canary) =>
    `[alias]\n${["st", "lg", "root", "top"].map((name) => ` ${name} = "!${canary}"`).join("\n")}\n`,
  "core.editor": (canary) => `[core]\n editor = "${canary}; true"\n`,
  "core.askPass": (canary) => `[core]\n askPass = "${canary}"\n`,
  "core.alternateRefsCommand": (canary) => `[core]\n alternateRefsCommand = "${canary}"\n`,
  "interactive.diffFilter": (canary) => `[interactive]\n diffFilter = "${canary}; cat"\n`,
  "uploadpack.packObjectsHook": (canary) => `[uploadpack]\n packObjectsHook = "${canary}"\n`,
  "a partial clone with a remote that runs a program": (canary) =>
    `[core]\n repositoryformatversion = 1\n[extensions]\n partialClone = origin\n[remote "origin"]\n url = "ext::${canary}"\n promisor = true\n[protocol "ext"]\n allow = always\n`,
};

/** What git reads of a clone. */
const BY_GIT: readonly Planted[] = [
  ...Object.entries(GIT_KEYS).flatMap(([key, lines]) => [
    {
      name: `git: ${key}`,
      plant: (clone: CanaryClone) => repository(clone, lines(clone.canary("git"))),
    },
    {
      name: `git: ${key} in a file that include.path names`,
      plant: (clone: CanaryClone) => {
        repository(clone, "[include]\n path = ../planted\n");
        clone.write("planted", lines(clone.canary("git")));
      },
      only: GIT_COMMANDS(),
    },
  ]),
  ...["clean", "smudge", "process"].map((kind) => ({
    name: `git: filter.${kind} for a file that .gitattributes names`,
    plant: (clone: CanaryClone) => {
      repository(clone, `[filter "x"]\n ${kind} = "${clone.canary("git", kind === "process" ? "" : "cat")}"\n`);
      clone.write(".gitattributes", "* filter=x\n");
      clone.write(".git/info/attributes", "* filter=x\n");
    },
    only: GIT_COMMANDS(),
  })),
  ...["textconv", "command"].map((kind) => ({
    name: `git: diff.${kind} for a file that .gitattributes names`,
    plant: (clone: CanaryClone) => {
      repository(clone, `[diff "x"]\n ${kind} = "${clone.canary("git", "cat")}"\n`);
      clone.write(".gitattributes", "* diff=x\n");
    },
    only: GIT_COMMANDS(),
  })),
  {
    name: "git: a merge driver",
    plant: (clone) => {
      repository(clone, `[merge "x"]\n driver = "${clone.canary("git")}"\n`);
      clone.write(".gitattributes", "* merge=x\n");
    },
    only: GIT_COMMANDS(),
  },
  ...["in .git/hooks", "by core.hooksPath"].map((way) => ({
    name: `git: hooks ${way}`,
    plant: (clone: CanaryClone) => {
      repository(clone, way === "in .git/hooks" ? "" : "[core]\n hooksPath = hooks\n");
      const folder = way === "in .git/hooks" ? ".git/hooks" : "hooks";
      for (const name of [
        "post-checkout",
        "pre-commit",
        "post-index-change",
        "reference-transaction",
        "post-commit",
        "fsmonitor-watchman",
      ])
        clone.write(`${folder}/${name}`, `#!/bin/sh\n${clone.canary("git")}\n`, 0o755);
    },
  })),
  {
    name: "git: a bare repository in the tree",
    plant: (clone) => {
      clone.write("tracked.txt", "one\n");
      clone.write("HEAD", "ref: refs/heads/main\n");
      clone.write("objects/keep", "");
      clone.write("refs/heads/keep", "");
      clone.write("config", `[core]\n bare = false\n worktree = .\n fsmonitor = "${clone.canary("git")}"\n`);
      clone.write(".sluice/hooks.json", { hooks: [] });
    },
  },
  {
    name: "git: a .git file that leads to a planted folder",
    plant: (clone) => {
      repository(clone, `[core]\n fsmonitor = "${clone.canary("git")}"\n`);
      clone.git("init", "-q", "--separate-git-dir", join(clone.root, "planted.git"));
    },
    only: GIT_COMMANDS(),
  },
  {
    name: "git: config.worktree",
    plant: (clone) => {
      repository(clone, "[extensions]\n worktreeConfig = true\n");
      clone.write(".git/config.worktree", `[core]\n fsmonitor = "${clone.canary("git")}"\n`);
    },
    only: GIT_COMMANDS(),
  },
  {
    name: "git: a submodule with a configuration of its own",
    plant: (clone) => {
      repository(clone, "");
      clone.write("sub/x", "x\n");
      clone.git("init", "-q", "sub");
      clone.git("-C", "sub", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
      clone.git("add", "sub");
      clone.git("-C", "sub", "config", "core.fsmonitor", clone.canary("git"));
    },
    only: GIT_COMMANDS(),
  },
];

/** The commands that ask git something. */
function GIT_COMMANDS(): readonly (readonly string[])[] {
  const asks = new Set(["fire", "run", "trace", "replay", "undo", "doctor", "init", "suggest"]);
  return COMMANDS.filter(([name]) => asks.has(name ?? ""));
}

/** A repository with a commit, a change, an untracked file and this configuration. */
function repository(clone: CanaryClone, lines: string): void {
  clone.write("tracked.txt", "one\n");
  clone.write(".sluice/hooks.json", {
    hooks: [{ name: "r", event: AT, rules: 'args.command contains "rm" -> deny("no")' }],
  });
  clone.git("init", "-q");
  clone.git("add", ".");
  clone.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  clone.write("tracked.txt", "two\n");
  clone.write("untracked.txt", "three\n");
  const before = clone.git("config", "--list", "--local").includes("bare")
    ? "[core]\n repositoryformatversion = 0\n bare = false\n"
    : "";
  clone.write(".git/config", `${before}${lines}`);
}

/** The kinds of hooks, and what else of a project could run. */
const BY_CONFIGURATION: readonly Planted[] = [
  ...[
    { command: "CANARY" },
    { args: ["sh", "-c", "CANARY"] },
    { script: "scripts/canary.sh" },
    { module: "./plugin.mjs" },
    { module: "./plugin.ts" },
    { type: "plugin", module: "data:text/javascript,import('node:child_process').then(c=>c.execSync('CANARY'))" },
    { command: "true", shell: "./scripts/canary.sh" },
    { command: "true", env: { PATH: "./bin", BASH_ENV: "./scripts/canary.sh", ENV: "./scripts/canary.sh" } },
    { command: "CANARY", async: true },
    { command: "CANARY", mode: "monitor" },
    { command: "CANARY", examples: [{ call: "ls", expect: "continue" }] },
  ].map((hook) => ({
    name: `a hook ${JSON.stringify(hook)}`,
    plant: (clone: CanaryClone) => {
      const line = clone.canary("hook");
      clone.write(".sluice/hooks.json", hooks(JSON.parse(JSON.stringify(hook).replaceAll("CANARY", line))));
      clone.write("scripts/canary.sh", `#!/bin/sh\n${line}\n`, 0o755);
      clone.write("plugin.mjs", plugin(line));
      clone.write("plugin.ts", plugin(line));
    },
  })),
  ...[".src/opencode/hooks.json", ".opencode/hooks.json", ".forge/hooks.json", ".sluice/hooks.local.json"].map(
    (file) => ({
      name: `a hook in ${file}`,
      plant: (clone: CanaryClone) => void clone.write(file, hooks({ command: clone.canary("hook") })),
    }),
  ),
  {
    name: "a pack of the project",
    plant: (clone) => {
      clone.write(".sluice/hooks.json", { extends: ["evil", "./pack/hooks.json"], hooks: [] });
      for (const folder of ["node_modules/evil", "pack"]) {
        clone.write(`${folder}/package.json`, {
          name: "evil",
          version: "1.0.0",
          main: "index.js",
          scripts: { install: clone.canary("pack"), prepare: clone.canary("pack"), postinstall: clone.canary("pack") },
        });
        clone.write(`${folder}/index.js`, plugin(clone.canary("pack")));
        clone.write(`${folder}/hooks.json`, hooks({ command: clone.canary("pack") }));
      }
    },
  },
  {
    name: "modules of the project in place of those that the command loads",
    plant: (clone) => {
      for (const name of ["sluice", "jiti", "yaml", "typescript", "sluice-client-linux-x64", "react"]) {
        clone.write(`node_modules/${name}/package.json`, { name, version: "0.1.0", main: "index.js" });
        clone.write(`node_modules/${name}/index.js`, plugin(clone.canary("module")).replace("export default {}", ""));
      }
      clone.write(".sluice/hooks.json", hooks({ module: "./plugin.ts" }));
      clone.write("plugin.ts", plugin(clone.canary("module")));
    },
  },
  {
    name: "settings of node, npm and TypeScript",
    plant: (clone) => {
      clone.write(
        ".npmrc",
        `script-shell=${join(clone.root, "scripts/canary.sh")}\nnode-options=--require ./evil.cjs\n`,
      );
      clone.write("scripts/canary.sh", `#!/bin/sh\n${clone.canary("npm")}\n`, 0o755);
      clone.write("evil.cjs", `require("node:child_process").execSync(${JSON.stringify(clone.canary("npm"))})`);
      clone.write(".node_repl_history", "");
      clone.write("tsconfig.json", { compilerOptions: { plugins: [{ name: "./evil.cjs" }] } });
      clone.write("node.config.json", { nodeOptions: { import: ["./evil.cjs"] } });
      clone.write(".sluice/hooks.json", { hooks: [] });
    },
  },
  {
    name: "a program that carries the name of a tool, in the folder of the call",
    plant: (clone) => {
      for (const name of [
        "git",
        "sh",
        "node",
        "cc",
        "perl",
        "npm",
        "opa",
        "cedar",
        "ps",
        "uname",
        "tar",
        "notify-send",
        "unshare",
        "setpriv",
        "mount",
        "bwrap",
        "mv",
        "chmod",
        "tmux",
      ])
        clone.write(name, `#!/bin/sh\n${clone.canary("name")}\n`, 0o755);
      clone.write(".sluice/hooks.json", { hooks: [] });
    },
    env: () => ({ PATH: `.::${process.env.PATH}` }),
  },
  {
    name: "a policy engine of the project",
    plant: (clone) => {
      clone.write("bin/opa", `#!/bin/sh\n${clone.canary("engine")}\n`, 0o755);
      clone.write(
        ".sluice/hooks.json",
        hooks({ type: "policy", engine: "./bin/opa", policy: "x.rego", command: undefined }),
      );
    },
  },
  {
    name: "hooks of agents, which import reads",
    plant: (clone) => {
      const command = clone.canary("agent");
      const entry = [{ matcher: "*", hooks: [{ type: "command", command }] }];
      clone.write(".claude/settings.json", {
        hooks: { PreToolUse: entry, SessionStart: entry },
        apiKeyHelper: command,
      });
      clone.write(".gemini/settings.json", { hooks: { BeforeTool: entry } });
      clone.write(".sluice/hooks.json", { hooks: [] });
    },
  },
];

function plugin(line: string): string {
  return `const c = process.getBuiltinModule?.("node:child_process"); c?.execSync(${JSON.stringify(line)});\nexport default {}\n`;
}

export const NEVER_STARTED: readonly Planted[] = [...BY_ENVIRONMENT, ...BY_STATE, ...BY_GIT, ...BY_CONFIGURATION];

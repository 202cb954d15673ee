import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { deepProblems } from "../../src/check/check-hooks.ts";
import { loadLayers } from "../../src/config/load.ts";
import { hooksOfAgent, hooksOfProject } from "../../src/install/import/sources.ts";
import type { InstallContext } from "../../src/install/install-context.ts";
import { checkIntents } from "../../src/policies/intent/check-intents.ts";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";
import { settle, writeSettled } from "../settled-file.ts";

/** What a user keeps at home, in the notations that a reader of configuration may stumble over. */
const PRIVATE_FILES: Readonly<Record<string, string>> = {
  ".git-credentials": "https://user:SECRET@example.org\n",
  ".pgpass": "localhost:5432:db:user:SECRET\n",
  ".netrc": "machine example.org login me password SECRET\n",
  ".aws/credentials": "[default]\naws_secret_access_key = SECRET\n",
  ".kube/config": "apiVersion: v1\nusers:\n- name: SECRET\n  user:\n    token: SECRET\n",
  ".docker/config.json": '{"auths": {"SECRET": {"auth": "SECRET"}}}\n',
  ".npmrc": "//registry.npmjs.org/:_authToken=SECRET\n",
  ".env": "TOKEN=SECRET\nOTHER=SECRET\n",
  ".ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\nSECRET\n-----END OPENSSH PRIVATE KEY-----\n",
  "alias.yaml": "*SECRET\n",
  "tag.yaml": "password: !SECRET x\n",
  "anchor.yaml": "a: *SECRET\nb: 1\n",
  "twice.yaml": "SECRET: 1\nSECRET: 2\n",
  "escape.yaml": 'a: "\\SECRET"\n',
  "header.yaml": "a: | SECRET\n",
  "list.yaml": "- SECRET\n- SECRET\n",
  "named.yaml": "- name: SECRET\n  url: SECRET\n",
  "number.json": "1234567890 SECRET\n",
  "text.json": '"SECRET"\n',
  "broken.json": '{"SECRET": SECRET\n',
  "two.yaml": "a: 1\n---\nSECRET\n",
};

/** How a cloned project leads to a file. */
const WAYS: Readonly<Record<string, (root: string, target: string) => void>> = {
  "hooks.yaml is a symlink": (root, target) => link(root, ".sluice/hooks.yaml", target),
  "hooks.json is a symlink": (root, target) => link(root, ".sluice/hooks.json", target),
  "hooks.local.yaml is a symlink": (root, target) => link(root, ".sluice/hooks.local.yaml", target),
  "the file of another tool is a symlink": (root, target) => link(root, ".opencode/hooks.json", target),
  "a relative path is extended": (root, target) =>
    write(root, ".sluice/hooks.yaml", `extends: ["${relative(join(root, ".sluice"), target)}"]\n`),
  "an absolute path is extended": (root, target) => write(root, ".sluice/hooks.yaml", `extends: "${target}"\n`),
  "a symlink in the project is extended": (root, target) => {
    write(root, ".sluice/hooks.yaml", 'extends: ["./team.yaml"]\n');
    link(root, ".sluice/team.yaml", target);
  },
  "a copy in the project is extended": (root, target) => {
    write(root, ".sluice/hooks.yaml", 'extends: ["../copy.yaml"]\n');
    link(root, "copy.yaml", "inside");
    write(root, "inside", PRIVATE_FILES[relative(dirname(root), target)] ?? "");
  },
  "the lock of packs is a symlink": (root, target) => {
    write(root, ".sluice/hooks.yaml", "extends: [{ pack: some-pack }]\n");
    link(root, ".sluice/lock.json", target);
  },
  "the file of intents is a symlink": (root, target) => {
    write(root, ".sluice/hooks.yaml", "intents: { mode: enforce }\n");
    link(root, ".orchestration/active_intents.yaml", target);
  },
  "the list of protected paths is a symlink": (root, target) => {
    write(root, ".sluice/hooks.yaml", "intents: { mode: enforce }\n");
    write(root, ".orchestration/active_intents.yaml", "active_intents: []\n");
    link(root, ".intentignore", target);
  },
  "a pack of node_modules is a symlink": (root, target) => {
    write(root, ".sluice/hooks.yaml", 'extends: ["some-pack"]\n');
    write(root, "node_modules/some-pack/package.json", '{ "name": "some-pack", "sluice": "./hooks.yaml" }');
    link(root, "node_modules/some-pack/hooks.yaml", target);
  },
  "an agent's settings are a symlink": (root, target) => link(root, ".claude/settings.json", target),
  "a rule of another program is a symlink": (root, target) => link(root, ".claude/hookify.x.local.md", target),
  "a policy of Cedar is a symlink": (root, target) => {
    const hook =
      "- name: c\n  event: tool:pre_execute\n  type: cedar\n  cedar: { policies: ./p.cedar, entities: ./e.json }\n";
    write(root, ".sluice/hooks.yaml", `hooks:\n${hook.replace(/^/gm, "  ")}`);
    link(root, ".sluice/p.cedar", target);
    link(root, ".sluice/e.json", target);
  },
};

describe("no message quotes a file that is not a configuration", () => {
  for (const [way, lead] of Object.entries(WAYS))
    it(way, async () => {
      for (const name of Object.keys(PRIVATE_FILES)) {
        const { root, home } = privateProject(lead, name);
        const { hooks, errors, warnings, notices } = loadLayers(root, {
          home,
          env: {},
          managedDir: join(home, "none"),
        });
        const intents = checkIntents(root, "enforce");
        const around = { root, home, env: {} } as InstallContext;
        const found = [...ADAPTERS.flatMap((adapter) => quietly(() => hooksOfAgent(adapter, "project", around)))];
        const deep = await deepProblems(hooks, root);
        const all = [errors, warnings, notices, intents, found, deep, quietly(() => hooksOfProject(root))];
        expect(JSON.stringify(all), name).not.toContain("SECRET");
      }
    });

  it("an agent that starts a session or makes a call is not sent one either, and `sluice check` shows none", () => {
    for (const [way, lead] of Object.entries(WAYS)) {
      const made = privateProject(lead, ".git-credentials");
      const printed = [made.sluice("check"), ...calls(made).slice(0, 3)];
      expect(JSON.stringify(printed), way).not.toContain("SECRET");
    }
  });
});

function privateProject(lead: (root: string, target: string) => void, name: string): Project {
  const made = project();
  write(made.home, name, PRIVATE_FILES[name] ?? "");
  lead(made.root, join(made.home, name));
  settle(join(made.root, ".sluice"));
  return made;
}

/** What is thrown is shown to a person as it is. */
function quietly(find: () => readonly unknown[]): readonly unknown[] {
  try {
    return find();
  } catch (error) {
    return [String(error)];
  }
}

describe("configuration is read inside the project", () => {
  const RULE =
    'hooks:\n  - { name: no-x, event: tool:pre_execute, rules: \'args.command contains "forbidden" -> deny("no")\' }\n';
  const isDenied = (made: Project) => calls(made, "forbidden")[1]?.out.includes('"deny"');

  it("a symlink inside of it is followed", () => {
    const made = project({ "shared/team.yaml": RULE });
    link(made.root, ".sluice/hooks.yaml", join(made.root, "shared/team.yaml"));
    expect(isDenied(made)).toBe(true);
  });

  it("files of the repository around it are read", () => {
    const made = project({ "team.yaml": RULE, "app/.sluice/hooks.yaml": 'extends: ["../../team.yaml"]\n' });
    mkdirSync(join(made.root, ".git"));
    expect(isDenied({ ...made, root: join(made.root, "app") })).toBe(true);
  });

  it("a linked worktree may share the local file of the main checkout", () => {
    const made = project({ ".sluice/hooks.local.yaml": RULE, ".git/worktrees/w/gitdir": "" });
    const worktree = join(made.home, "worktree");
    write(worktree, ".git", `gitdir: ${join(made.root, ".git/worktrees/w")}\n`);
    link(worktree, ".sluice/hooks.local.yaml", join(made.root, ".sluice/hooks.local.yaml"));
    expect(isDenied({ ...made, root: worktree })).toBe(false);
    write(made.root, ".git/worktrees/w/gitdir", `${join(worktree, ".git")}\n`);
    expect(isDenied({ ...made, root: worktree })).toBe(true);
  });

  it("the user's own files may be anywhere, and the check names what a project's may not", () => {
    const made = project();
    write(made.home, "dotfiles/hooks.yaml", RULE);
    link(made.home, ".config/sluice/hooks.yaml", join(made.home, "dotfiles/hooks.yaml"));
    expect(isDenied(made)).toBe(true);
    link(made.root, ".sluice/hooks.yaml", join(made.home, "dotfiles/hooks.yaml"));
    const { out, code } = made.sluice("check");
    expect(code).toBe(1);
    expect(out).toContain("config/outside-project");
  });

  it("a mistake in a configuration of ours is still quoted", () => {
    const made = project({
      ".sluice/hooks.yaml": "guards: standrad\nhooks:\n  - { event: tool:pre_exec, command: x }\n",
    });
    const { out } = made.sluice("check");
    expect(out).toContain('"standrad"');
    expect(out).toContain("tool:pre_exec");
    expect(out).toContain("1 │ guards: standrad");
  });
});

/** The answers to a session, to a call and to a write. */
function calls({ root, home }: Pick<Project, "root" | "home">, command = "rm -rf build") {
  const common = { session_id: "s", cwd: root, transcript_path: "/dev/null" };
  const tool = (tool_name: string, tool_input: object) => ({
    ...common,
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
  });
  const payloads = [
    { ...common, hook_event_name: "SessionStart", source: "startup" },
    tool("Bash", { command }),
    tool("Write", { file_path: join(root, "a.txt"), content: "x" }),
    tool("mcp__sluice__select_active_intent", { intent_id: "INT-001" }),
  ];
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  const env = {
    ...own,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    SLUICE_RESIDENT: "0",
  };
  return payloads.map((payload) =>
    runCommand(["run", "claude-code", "--cold"], { cwd: root, env, input: JSON.stringify(payload) }),
  );
}

function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeSettled(join(folder, name), text);
}

function link(folder: string, name: string, target: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  symlinkSync(target, join(folder, name));
}

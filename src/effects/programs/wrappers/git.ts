import { type Field, fieldOf } from "../../parse/value.ts";
import { aliased, fromAlias, rememberAlias } from "./git-aliases.ts";
import { type Call, type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

/** Settings of git whose value is a command line. */
const CODE_SETTINGS =
  /^(?:core\.(?:pager|editor|fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand)|pager\..+|sequence\.editor|diff\.external|credential\.(?:.*\.)?helper|gpg\.(?:.*\.)?program|(?:diff|merge)tool\..+\.cmd|diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|uploadpack\.packobjectshook|trailer\..+\.(?:command|cmd)|interactive\.difffilter|sendemail\..*cmd|web\.browser|browser\..+\.cmd|man\..+\.cmd|submodule\..+\.update|remote\..+\.(?:uploadpack|receivepack|vcs))$/;

/** Hooks that a subcommand may run. */
const HOOKS: Readonly<Record<string, readonly string[]>> = {
  __proto__: null as never,
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  merge: ["pre-merge-commit", "post-merge"],
  pull: ["pre-merge-commit", "post-merge"],
  push: ["pre-push"],
  checkout: ["post-checkout"],
  switch: ["post-checkout"],
  clone: ["post-checkout"],
  rebase: ["pre-rebase", "post-rewrite"],
  am: ["applypatch-msg", "pre-applypatch"],
};

const git: Wrapper = {
  examples: [
    ["git -c alias.x='!rm x' x", "rm x"],
    ["git -c alias.x='push -f' x origin", "git push -f origin"],
    ["git -c core.pager='rm x' log", "rm x"],
    ["git -c core.fsmonitor='rm x' status", "rm x"],
    ["git config alias.y '!rm x'", "rm x"],
    ["git config alias.y 'push -f' && git y origin", "git push -f origin"],
    ["git config --global alias.y '!f() { rm \"$1\"; }; f'; git y x", "rm x"],
    ["printf '[alias]\\n\\ty = clean -fdx # all\\n' >> .git/config; git y", "git clean -fdx"],
    ["git config --global core.sshCommand 'rm x'", "rm x"],
    ["git rebase -x 'rm x' main", "rm x"],
    ["git bisect run rm x", "rm x"],
    ["git submodule foreach 'rm x'", "rm x"],
    ["git filter-branch --tree-filter 'rm x' HEAD", "rm x"],
    ["git difftool -x 'rm x'", "rm x"],
    ["git clone -u 'rm x' a b", "rm x"],
    ["git grep -O'rm x' a", "rm x"],
    ["echo 'rm x' > hooks/pre-commit; git -c core.hooksPath=hooks commit", "rm x"],
  ],
  unwrap: (call) => {
    const { args, file } = call;
    const options = optionsOf(args, [
      "-c",
      "-C",
      "--git-dir",
      "--work-tree",
      "--namespace",
      "--exec-path",
      "--config-env",
      "--super-prefix",
    ]);
    const [subcommand, ...rest] = options.operands;
    const inners: Inner[] = [];
    for (const setting of options.values("-c")) {
      inners.push(...fromSetting(setting));
      const [, alias, line = ""] = /^alias\.([^=]+)=([^!][\s\S]*)$/i.exec(setting.text) ?? [];
      if (alias !== undefined && alias === subcommand?.text) inners.push(aliased(line, rest));
    }
    const hooks = options.values("-c").find(({ text }) => /^core\.hookspath=/i.test(text));
    if (hooks !== undefined)
      for (const hook of HOOKS[subcommand?.text ?? ""] ?? []) {
        const path = { ...hooks, text: `${hooks.text.replace(/^[^=]*=/, "")}/${hook}` };
        if (file(path) !== undefined) inners.push({ runs: "file", path, via: `git ${hook}` });
      }
    return [...inners, ...fromSubcommand(subcommand?.text ?? "", rest, call), ...fromAlias(subcommand, rest, call)];
  },
};

function fromSetting(setting: Field): Inner[] {
  const equals = setting.text.indexOf("=");
  return equals < 0 ? [] : setTo(setting.text.slice(0, equals), { ...setting, text: setting.text.slice(equals + 1) });
}

function setTo(key: string, value: Field): Inner[] {
  const name = key.toLowerCase();
  if (name.startsWith("alias."))
    return value.text.startsWith("!")
      ? [{ runs: "shell", text: { ...value, text: value.text.slice(1) }, via: "git alias" }]
      : [];
  if (!CODE_SETTINGS.test(name) || /^(?:true|false|cat|less|store|cache|osxkeychain|manager|)$/.test(value.text))
    return [];
  return [{ runs: "shell", text: { ...value, text: value.text.replace(/^!/, "") }, via: `git ${key}` }];
}

function fromSubcommand(name: string, rest: readonly Field[], call: Call): Inner[] {
  const lines = (...valued: readonly string[]) => {
    const options = optionsOf(rest, [...valued, "-m", "-b", "-o"], true);
    return options.values(...valued).map((text): Inner => ({ runs: "shell", text, via: `git ${name}` }));
  };
  const words = rest.filter(({ text }) => !/^-/.test(text));
  switch (name) {
    case "config": {
      const [key, value] = words[0]?.text === "set" ? words.slice(1) : words;
      if (key === undefined || value === undefined) return [];
      if (/^alias\../i.test(key.text))
        rememberAlias(
          key.text,
          value.text,
          rest.some(({ text }) => text === "--global"),
          call,
        );
      return setTo(key.text, value);
    }
    case "rebase":
      return lines("-x", "--exec");
    case "bisect":
      return words[0]?.text === "run"
        ? [{ runs: "words", words: rest.slice(rest.indexOf(words[0]) + 1), via: "git bisect run", isProgram: true }]
        : [];
    case "submodule": {
      const [first, ...others] = words;
      if (first?.text !== "foreach" || others.length === 0) return [];
      return [{ runs: "shell", text: fieldOf(others.map(({ text }) => text).join(" ")), via: "git submodule foreach" }];
    }
    case "filter-branch":
      return lines(
        "--tree-filter",
        "--index-filter",
        "--msg-filter",
        "--env-filter",
        "--commit-filter",
        "--parent-filter",
        "--tag-name-filter",
        "--setup",
      );
    case "difftool":
    case "mergetool":
      return lines("-x", "--extcmd");
    case "clone":
    case "fetch":
    case "pull":
    case "ls-remote":
    case "push":
    case "archive":
      return [
        ...lines(...(name === "clone" ? ["-u"] : []), "--upload-pack", "--exec", "--receive-pack"),
        ...(name === "clone"
          ? optionsOf(rest, ["-c", "--config"], true).values("-c", "--config").flatMap(fromSetting)
          : []),
      ];
    case "grep":
      return lines("-O", "--open-files-in-pager");
    default:
      return [];
  }
}

/** Version control that runs what its settings say. */
export const GIT_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  git,
  hg: {
    examples: [["hg --config alias.x='!rm x' x", "rm x"]],
    unwrap: ({ args }) => {
      const values = optionsOf(args, ["--config"], true).values("--config");
      return values.flatMap((value): Inner[] => {
        const [, code] =
          /^(?:alias\.[^=]*=!|hooks\.[^=]*=|ui\.(?:editor|ssh)=|pager\.pager=)([\s\S]*)$/.exec(value.text) ?? [];
        return code === undefined ? [] : [{ runs: "shell", text: { ...value, text: code }, via: "hg --config" }];
      });
    },
  },
};

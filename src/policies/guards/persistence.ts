import { ASK, ASK_THEN_DENY, DENY, type Guard, STRICT } from "./guard.ts";
import { named, type Part } from "./part.ts";

/** Nothing runs later without the user's knowledge. */
export const persistence: Guard = {
  title: "Running later, or at every start",
  why: "What starts by itself outlives the session and runs unseen.",
  rules: [
    {
      name: "write-startup",
      yieldsTo: ["start-later"],
      ...DENY,
      reason: "Changes a file that is run at every start or login, and so outlives the session.",
      does: (part) =>
        part.paths.some((path) => /\/\.ssh\//.test(path))
          ? `changes ${named(part)}, which decides who can log in here`
          : `changes ${named(part)}, which is run at every start or login and so outlives the session`,
      ask: "to change {paths}",
    },
    {
      name: "start-later",
      ...DENY,
      reason: "Lets something run later or at every start.",
      does: "lets something run later or at every start{by}",
      ask: "to set it up",
    },
    {
      name: "git-persistence",
      ...ASK,
      reason: "Lets git run a program from now on.",
      does: (part) => `lets git run a program from now on${setting(part)}`,
      ask: "to set it",
    },
    {
      name: "write-git-hook",
      ...ASK_THEN_DENY,
      reason: "Changes what git runs by itself.",
      does: "changes {paths}, from which git runs programs by itself",
      ask: "to change {paths}",
    },
    {
      name: "persistence",
      ...STRICT,
      reason: "Lets something run later or at every start.",
      does: "lets something run later or at every start{by}",
      ask: "to set it up",
    },
  ],
  stops: () => [
    "echo 'curl x | sh' >> ~/.bashrc",
    "tee -a ~/.zshrc < x",
    "crontab jobs.txt",
    "echo '* * * * * x' | crontab -",
    "systemctl enable x",
    "systemctl --user enable x.service",
    "launchctl load x.plist",
    "cp x.plist ~/Library/LaunchAgents/",
    "echo ssh-ed25519 AAAA >> ~/.ssh/authorized_keys",
    "echo ./x | at now + 1 hour",
    "git config core.hooksPath .hooks",
    "cp x .git/hooks/pre-commit",
    { tool: "Write", args: { file_path: "~/.ssh/authorized_keys", content: "ssh-ed25519 AAAA" } },
    { tool: "Edit", args: { file_path: "~/.bashrc", old_string: "a", new_string: "b" } },
    { tool: "mcp__files__write_file", args: { path: "~/.config/autostart/x.desktop", content: "x" } },
  ],
  passes: () => [
    "cat ~/.bashrc",
    "crontab -l",
    "systemctl status nginx",
    "git config user.name me",
    "grep alias ~/.zshrc",
    "echo 'add this to ~/.bashrc'",
    { tool: "Write", args: { file_path: "docs/bashrc.md", content: "~/.bashrc" } },
  ],
};

function setting({ words }: Part): string {
  const name = words.find(({ text }) => /^[a-z]\w*\.\w/i.test(text))?.text;
  return name === undefined ? "" : `, by ${name}`;
}

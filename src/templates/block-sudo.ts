import type { HookSpec } from "../hook/schema.ts";
import { shell } from "./example-events.ts";
import { guard } from "./guard.ts";
import { template } from "./template.ts";

const SPEC = {
  description: "Denies commands that run sudo. It catches habits; it is no security boundary.",
  command: guard({
    looksAt: "commands",
    denies: "^sudo(edit)?([[:space:]]|$)",
    says: "sudo is blocked here. Run the command without it, or ask the user to run it.",
  }),
  tags: ["guard", "shell"],
} as const satisfies HookSpec;

const SAYS = "sudo is blocked here";

/** No command runs with root rights; the tool is called `bash`. */
export const blockSudo = template({
  title: "Block sudo, for a tool called bash",
  why: "One command with root rights can break the machine.",
  spec: { name: "block_sudo", event: "tool:pre_execute:bash", ...SPEC },
  examples: [
    ...[
      "sudo ls",
      "ls && sudo rm x",
      "x=$(sudo id)",
      "echo `sudo id`",
      "/usr/bin/sudo id",
      'sh -c "sudo id"',
      "bash -lc 'cd /x && sudo id'",
      "echo one\nsudo id",
      "FOO='1' env BAR=2 sudo -n id",
      "if sudo -n true; then ls; fi",
      "find . -name '*.o' -exec sudo rm {} \\;",
      "ls | xargs -n 1 sudo rm",
      "timeout 5s sudo id",
      "s\\udo ls",
    ].map((command) => ({ does: `denies ${command}`, ...shell(command, "bash"), expect: "deny", says: SAYS }) as const),
    ...[
      "echo pseudosudo",
      "grep sudoers /etc/group",
      "cat /etc/sudoers.d/x",
      "which sudo",
      "echo 'sudo ls'",
      'git commit -m "remove sudo"',
      "ls sudo/",
    ].map((command) => ({ does: `lets ${command} pass`, ...shell(command, "bash"), expect: "continue" }) as const),
    {
      does: "looks at the command, not at what is said about it",
      event: "tool:pre_execute",
      tool: "bash",
      args: { description: "sudo", command: "ls" },
      expect: "continue",
    },
    {
      does: "finds the command wherever it stands in the input",
      event: "tool:pre_execute",
      tool: "bash",
      args: { timeout: 5, command: "sudo ls", description: 'say "command":"ls"' },
      expect: "deny",
      says: SAYS,
    },
    {
      does: "reads a command that is too long for the environment",
      ...shell(`echo '${"x".repeat(70_000)}'\nsudo ls`, "bash"),
      expect: "deny",
      says: SAYS,
    },
  ],
});

/** No command runs with root rights, in whichever shell tool. */
export const noSudo = template({
  title: "Block sudo, for every agent's shell",
  why: "One command with root rights can break the machine.",
  spec: { name: "no_sudo", event: "tool:pre_execute:@shell", ...SPEC },
  examples: [
    {
      does: "denies sudo in another agent's shell",
      ...shell("sudo ls", "run_shell_command"),
      expect: "deny",
      says: SAYS,
    },
    {
      does: "reads a command that is a list of words",
      event: "tool:pre_execute",
      tool: "shell",
      args: { command: ["bash", "-lc", "sudo ls"] },
      expect: "deny",
      says: SAYS,
    },
    { does: "lets ls pass", ...shell("ls -la"), expect: "continue" },
  ],
});

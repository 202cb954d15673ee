import { ASK, ASK_IF_STRICT, ASK_THEN_DENY, DENY, type Guard } from "./guard.ts";
import { lineOver, type Part } from "./part.ts";

/** The machine's settings and accounts are not changed. */
export const system: Guard = {
  title: "Changing system settings and accounts",
  why: "A changed account, firewall or kernel setting stays after the session and is hard to find.",
  rules: [
    {
      name: "agent-settings",
      ...ASK,
      reason: "Changes what agents may do: their settings, permissions, servers and hooks.",
      does: "changes {paths}, which says what agents may do",
      ask: "to change {paths}",
    },
    {
      name: "agent-settings-loss",
      ...ASK,
      reason: "Removes settings, permissions or hooks of agents.",
      does: "removes {paths}, which says what agents may do",
      ask: "to remove {paths}",
    },
    {
      name: "system-account",
      ...DENY,
      reason: "Changes users, groups or passwords of the machine.",
      does: "changes users, groups or passwords of the machine{by}",
      ask: "to do it",
    },
    {
      name: "keys-loss",
      ...DENY,
      reason: "Removes keys that cannot be made again.",
      does: "removes keys that cannot be made again{by}",
      ask: "to do it",
    },
    {
      name: "system-settings",
      ...DENY,
      reason: "Changes settings of the machine.",
      does: "changes settings of the machine{by}",
      ask: "to do it",
    },
    {
      name: "system-part",
      ...ASK_THEN_DENY,
      yieldsTo: ["kill-all", "forget-history"],
      reason: "Stops, switches off or removes a part of the machine: a service, or a package that it needs.",
      does: "stops, switches off or removes a part of the machine{by}",
      ask: "whether it may",
    },
    {
      name: "write-system",
      yieldsTo: ["start-later", "write-startup", "permission-tree", "privilege"],
      ...DENY,
      reason: "Writes into a part of the system.",
      does: "writes {paths}, a part of the system",
      instead: ownProgram,
      ask: "to change {paths}",
    },
    {
      name: "account",
      ...ASK_IF_STRICT,
      reason: "Changes logins or keys of the user.",
      does: "changes logins or keys of yours{by}",
      ask: "whether it may",
    },
    {
      name: "settings",
      yieldsTo: ["git-persistence", "start-later"],
      ...ASK_IF_STRICT,
      reason: "Changes settings of tools.",
      does: "changes settings{by}",
      ask: "whether it may",
    },
    {
      name: "write-outside",
      yieldsTo: ["permission-tree", "move-outside", "privilege"],
      ...ASK_IF_STRICT,
      reason: "Writes outside the project.",
      does: "writes {paths}, which is outside the project",
      ask: "whether {paths} may change",
    },
  ],
  stops: () => [
    "useradd eve",
    "passwd root",
    "usermod -aG docker me",
    "iptables -F",
    "ufw disable",
    "sysctl -w kernel.randomize_va_space=0",
    "setenforce 0",
    "systemctl disable --now nginx",
    "systemctl stop postgresql",
    "launchctl bootout system/com.openssh.sshd",
    "apt-get purge -y libc6",
    "rpm -e --nodeps glibc",
    "pwsh -c 'Stop-Service -Name Spooler -Force'",
    "pwsh -c 'Remove-LocalUser eve'",
    "echo '127.0.0.1 example.com' >> /etc/hosts",
    "cp tool /usr/bin/tool",
    { tool: "Write", args: { file_path: "/etc/hosts", content: "x" } },
  ],
  passes: () => [
    "id",
    "cat /etc/hosts",
    "iptables -L -n",
    "sysctl -a",
    "getent passwd",
    "echo useradd",
    "systemctl status nginx",
    "systemctl --user stop my-server",
    "docker exec web systemctl stop nginx",
    "brew services stop postgresql",
    "apt-get remove -y nodejs",
    "pwsh -c 'Get-Service Spooler'",
    "chage -l me",
  ],
};

/** Installs a program for the user alone. */
function ownProgram({ paths, source }: Part): string | undefined {
  if (source === undefined || !paths.every((path) => /^\/(?:usr\/(?:local\/)?)?s?bin\//.test(path))) return undefined;
  const copied = lineOver([source], "cp");
  return copied && `mkdir -p ~/.local/bin && ${copied} ~/.local/bin/`;
}

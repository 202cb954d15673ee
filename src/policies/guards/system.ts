import type { Guard } from "./guard.ts";

/** The machine's settings and accounts stay as they are. */
export const system: Guard = {
  title: "Changing system settings and accounts",
  why: "A changed account, firewall or kernel setting stays after the session and is hard to find.",
  rules: [
    {
      value: ["system-account", "keys-loss"],
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This changes users, groups, passwords or keys of the machine. Ask the user to do it.",
    },
    {
      value: "system-settings",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This changes settings of the machine. Ask the user to do it.",
    },
    {
      value: "write-system",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This writes into a part of the system.",
      remedy: "mkdir -p bin",
    },
    {
      value: ["account", "settings", "write-outside"],
      strict: "ask",
      paranoid: "ask",
      reason: "This changes settings, logins or files outside of the project.",
      remedy: "git config --list",
    },
  ],
  stops: [
    "useradd eve",
    "passwd root",
    "usermod -aG docker me",
    "iptables -F",
    "ufw disable",
    "sysctl -w kernel.randomize_va_space=0",
    "setenforce 0",
    "echo '127.0.0.1 example.com' >> /etc/hosts",
    "cp tool /usr/bin/tool",
    { tool: "Write", args: { file_path: "/etc/hosts", content: "x" } },
  ],
  passes: ["id", "cat /etc/hosts", "iptables -L -n", "sysctl -a", "getent passwd", "echo useradd"],
};

import { type Call, has, known, plays, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that change the kernel, the network's gates and the machine's settings. */
export const KERNEL = (): Programs => ({
  "iptables ip6tables ebtables arptables iptables-restore nft pfctl ipset": {
    readOnly: true,
    is: { "system-settings": true, "reports-machine": true },
    options: "list|L list-rules|S numeric|n verbose|v check|C table|t= s version|V help",
    does: (call) => {
      const words = call.command.args.map(({ text }) => text);
      if (!has(call, "list", "list-rules", "check", "version", "help") && !/^list$|^-s/.test(words[0] ?? "-s"))
        plays(call, "settings");
    },
    examples: [
      ["iptables -L -n"],
      ["iptables --version"],
      ["iptables -F", "settings"],
      ["nft flush ruleset", "settings"],
      ["nft list ruleset"],
    ],
  },
  "ufw firewall-cmd netsh": {
    readOnly: true,
    is: { "system-settings": true, "reports-machine": true },
    does: (call) => {
      const words = call.command.args.map(({ text }) => text);
      if (!words.some((text) => /^(?:status|show|--list\S*|--get\S*|--state|version)$/.test(text)) && words.length > 0)
        plays(call, "settings");
    },
    examples: [["ufw disable", "settings"], ["ufw status"]],
  },
  sysctl: {
    readOnly: true,
    is: { "system-settings": true, "reports-machine": true },
    options: "write|w load|p? system all|a n e q",
    does: (call) => {
      if (has(call, "write", "load", "system") || call.operands.some(({ text }) => text.includes("=")))
        plays(call, "settings");
    },
    examples: [["sysctl -w vm.swappiness=1", "settings"], ["sysctl -a"]],
  },
  "modprobe insmod rmmod kmod kldload kextload kextunload depmod": {
    is: { "system-settings": "modprobe insmod rmmod kmod kldload kextload kextunload" },
    roles: ["settings", "privilege"],
    examples: [["insmod a.ko", "settings privilege"]],
  },
  "ip ifconfig hostnamectl hostname": {
    readOnly: true,
    is: { "system-settings": "ip ifconfig hostnamectl" },
    does: setsMachine,
    examples: [["ip addr"], ["ip link set eth0 down", "settings"]],
  },
  "route nmcli networksetup resolvectl timedatectl localectl": {
    readOnly: "list|query|show|status",
    is: { "system-settings": "route nmcli networksetup resolvectl timedatectl localectl" },
    does: setsMachine,
    examples: [["timedatectl status"], ["route add default gw 10.0.0.1", "settings"]],
  },
  "date hwclock": {
    readOnly: true,
    is: { "system-settings": true },
    does: (call) => {
      if (call.command.args.some(({ text }) => /^(?:-s|-w|--set|--systohc|--adjust)/.test(text)))
        plays(call, "settings");
    },
    examples: [["date -u +%s"], ["date --set=12:00", "settings"]],
  },
  "setenforce aa-disable aa-complain aa-teardown aa-remove-unknown spctl csrutil fdesetup": {
    readOnly: true,
    is: { "system-settings": true },
    does: (call) => {
      if (!call.command.args.some(({ text }) => /status/.test(text))) plays(call, "settings", "permission");
    },
    examples: [["setenforce 0", "settings permission"], ["csrutil status"]],
  },
  chsh: {
    is: { "system-account": true },
    roles: ["settings", "account"],
    examples: [["chsh -s /bin/zsh", "settings account"]],
  },
  "update-alternatives update-ca-certificates update-ca-trust netplan": {
    readOnly: true,
    is: { "system-settings": true },
    does: (call) => {
      if (
        !call.command.args.some(({ text }) =>
          /^(?:--(?:display|query|list|get-\S+|help|version)|get|info|status|generate)$/.test(text),
        )
      )
        plays(call, "settings");
    },
    examples: [["netplan apply", "settings"], ["update-alternatives --display editor"]],
  },
  ldconfig: {
    roles: ["settings"],
    does: (call) => writes(call, known("/etc/ld.so.cache")),
    examples: [["ldconfig", "settings", "writes /etc/ld.so.cache"]],
  },
});

function setsMachine(call: Call): void {
  if (call.command.args.some(({ text }) => SETTING().test(text))) plays(call, "settings");
}

const SETTING = () =>
  /^(?:add|del|delete|set|up|down|flush|change|replace|--set|-s|set-\S+|modify|connect|disconnect|off|on|-set\S+)$/;

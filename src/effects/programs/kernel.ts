import { anyArgument, anyOperand, either, operandIs, paths } from "./act.ts";
import type { Programs } from "./program.ts";

/** Programs that change the kernel, the firewall and settings of the machine. Most of them only inspect, unless an argument changes something. */
export const KERNEL = (): Programs => ({
  "iptables ip6tables ebtables arptables iptables-legacy iptables-nft": {
    readOnly: true,
    is: { "system-settings": true, "reports-machine": true },
    when: anyArgument(
      /^(?:-[ADIRFZNXPE](?![a-z])|--(?:append|insert|delete|delete-chain|replace|flush|zero|new-chain|policy|rename-chain|atomic-\S+)$)/,
    ),
    roles: ["settings"],
    examples: [
      ["iptables -L -n"],
      ["iptables -vnL"],
      ["iptables --version"],
      ["iptables -F", "settings"],
      ["iptables -t nat -A OUTPUT -j ACCEPT", "settings"],
    ],
  },
  "iptables-restore ip6tables-restore": {
    is: { "system-settings": true },
    options: "test|t version|V help|h",
    dry: "test version help",
    roles: ["settings"],
    examples: [["iptables-restore rules", "settings"], ["iptables-restore --test rules"]],
  },
  "nft pfctl ipset": {
    readOnly: true,
    is: { "system-settings": true, "reports-machine": true },
    when: anyArgument(
      /^(?:add|create|insert|delete|del|destroy|flush|replace|rename|reset|import|restore|swap|-[fFkKdeANXDE]\w*|--file)$/,
    ),
    roles: ["settings"],
    examples: [
      ["nft flush ruleset", "settings"],
      ["nft -a list ruleset"],
      ["pfctl -sr"],
      ["pfctl -d", "settings"],
      ["ipset destroy", "settings"],
    ],
  },
  "ufw firewall-cmd netsh": {
    readOnly: true,
    is: { "system-settings": true, "reports-machine": true },
    when: anyArgument(
      /^(?:key=clear|enable|disable|allow|deny|reject|limit|delete|insert|prepend|reset|reload|default|logging|route|add|set|import|exec|--(?:add|remove|set|change|new|delete|load|reset|reload|complete-reload|panic-o|lockdown-o|runtime-to-permanent|direct|permanent)\S*)$/,
    ),
    roles: ["settings"],
    examples: [
      ["ufw disable", "settings"],
      ["ufw status"],
      ["ufw show added"],
      ["firewall-cmd --info-zone=public"],
      ["firewall-cmd --add-port=80/tcp", "settings"],
    ],
  },
  sysctl: {
    readOnly: true,
    is: { "system-settings": true, "reports-machine": true },
    options: "write|w load|p? system all|a n e q",
    when: either("write load system", anyOperand(/=/)),
    roles: ["settings"],
    examples: [["sysctl -w vm.swappiness=1", "settings"], ["sysctl vm.swappiness=1", "settings"], ["sysctl -a"]],
  },
  "modprobe insmod rmmod kmod kldload kextload kextunload depmod": {
    is: { "system-settings": "modprobe insmod rmmod kmod kldload kextload kextunload" },
    options:
      "dry-run|show|n showconfig|c show-depends|D resolve-alias|R show-modversions show-exports version|V help|h",
    dry: "dry-run showconfig show-depends resolve-alias show-modversions show-exports version help",
    readOnly: "list|static-nodes",
    unless: operandIs(0, /^(?:list|static-nodes)$/),
    roles: ["settings", "privilege"],
    examples: [["insmod a.ko", "settings privilege"], ["modprobe -n x"], ["kmod list"]],
  },
  "ip ifconfig hostnamectl hostname": {
    readOnly: true,
    is: { "system-settings": "ip ifconfig hostnamectl" },
    when: anyArgument(SETTING),
    roles: ["settings"],
    examples: [["ip addr"], ["ip -s link"], ["ip link set eth0 down", "settings"]],
  },
  "route nmcli networksetup resolvectl timedatectl localectl": {
    readOnly: true,
    is: { "system-settings": "route nmcli networksetup resolvectl timedatectl localectl" },
    options:
      "show-secrets|s f|fields= m|mode= g|get-values= t|terse p|pretty e= c= w= a|ask n v H|host= M|machine= i|interface=",
    does: [
      { when: anyArgument(SETTING), roles: ["settings"] },
      { names: "nmcli", when: "show-secrets", keys: true },
      {
        names: "resolvectl",
        when: [
          operandIs(0, /^(?:dns|domain|default-route|llmnr|mdns|dnssec|dnsovertls|nta|revert)$/),
          operandIs(2, /./),
        ],
        roles: ["settings"],
      },
    ],
    examples: [
      ["timedatectl status"],
      ["networksetup -getinfo Wi-Fi"],
      ["nmcli -s connection show x", "reveal"],
      ["resolvectl dns eth0 10.0.0.1", "settings"],
      ["resolvectl dns eth0"],
      ["route add default gw 10.0.0.1", "settings"],
    ],
  },
  "date hwclock": {
    readOnly: true,
    is: { "system-settings": true },
    when: anyArgument(/^(?:-s|-w|--set|--systohc|--adjust)/),
    roles: ["settings"],
    examples: [["date -u +%s"], ["date --set=12:00", "settings"]],
  },
  "setenforce aa-disable aa-complain aa-teardown aa-remove-unknown": {
    is: { "system-settings": true },
    roles: ["settings", "permission"],
    examples: [["setenforce 0", "settings permission"]],
  },
  "spctl csrutil fdesetup": {
    readOnly: true,
    is: { "system-settings": true },
    when: anyArgument(
      /^(?:--(?:add|remove|enable|disable|reset-default|\w+-(?:enable|disable))|enable|disable|clear|add|remove|removeusers?|changerecovery|removerecovery|authrestart|sync|import|netboot)$/,
    ),
    roles: ["settings", "permission"],
    examples: [
      ["csrutil disable", "settings permission"],
      ["spctl --master-disable", "settings permission"],
      ["spctl --assess a.app"],
      ["csrutil status"],
    ],
  },
  chsh: {
    is: { "system-account": true },
    roles: ["settings", "account"],
    examples: [["chsh -s /bin/zsh", "settings account"]],
  },
  "update-alternatives update-ca-certificates update-ca-trust netplan": {
    readOnly: true,
    is: { "system-settings": true },
    unless: anyArgument(/^(?:--(?:display|query|list|get-\S+|help|version)|get|info|status|generate)$/),
    roles: ["settings"],
    examples: [["netplan apply", "settings"], ["update-alternatives --display editor"]],
  },
  ldconfig: {
    options: "print-cache|p version|V help|h f= C= r= n N X v",
    dry: "print-cache version help",
    roles: ["settings"],
    writes: paths("/etc/ld.so.cache"),
    examples: [["ldconfig", "settings", "writes /etc/ld.so.cache"], ["ldconfig -p"]],
  },
});

/** Verbs and options that change the network or the machine; all others only show something. */
const SETTING =
  /^(?:add|del|delete|set|up|down|flush|change|replace|append|--set|set-\S+|modify|connect|disconnect|off|on|-(?:set|create|delete|remove|add|switch|rename|order|connect|disconnect)\S+)$/;

import type { Word } from "../parse/command.ts";
import { joinPath } from "../paths.ts";
import { anyArgument, operandIs, valueIs } from "./act.ts";
import { argText, operandText, valueText } from "./arguments.ts";
import { type Call, has, plays, value, values } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that let others in: tunnels, servers of files, services that listen. */
export const SERVERS = (): Programs => ({
  "ngrok cloudflared localtunnel lt bore frpc frps chisel gost gs-netcat tmate ttyd gotty wetty devtunnel sshx upterm expose zrok pinggy loclx rathole playit inlets inletsctl pagekite serveo beame piko wstunnel iodine dnscat2 ligolo-agent untun holesail portr sish telebit pagekite.py inlets-pro shellinaboxd":
    {
      readOnly: "version|help|status|list|config check",
      options: "version|v help|h",
      unless: (call) =>
        has(call, "version", "help") ||
        LOOKS().test(operandText(call)) ||
        (call.operands.length > 1 && LOOKS().test(operandText(call, 1))),
      roles: ["expose"],
      talks: "both",
      examples: [
        ["ngrok http 8080", "expose network-in network-out", "talks to ?"],
        ["ngrok --version"],
        ["cloudflared tunnel list"],
        ["cloudflared tunnel run x", "expose network-in network-out", "talks to ?"],
      ],
    },
  tailscale: {
    readOnly: "status|ip|ping|netcheck|version|whois|dns status",
    verbs: {
      "serve|funnel": {
        unless: operandIs(-1, /^(?:status|reset|off)$/),
        roles: ["expose"],
      },
      "up|set": {
        roles: ["settings"],
        does: [{ when: "ssh advertise-exit-node", roles: ["expose"] }],
      },
      down: ["settings"],
    },
    examples: [["tailscale funnel 3000", "expose"], ["tailscale status"], ["tailscale up --ssh", "settings expose"]],
  },
  "http-server serve live-server browser-sync sirv sirv-cli darkhttpd miniserve simple-http-server webfsd": {
    options: "p|port= a|address|host= i|interfaces= l|listen= s|single c|config= d|directory= cors",
    does: (call) =>
      servesFolder(call, value(call, "directory") ?? call.operands.find(({ text }) => !/^\d+$/.test(text))),
    examples: [["serve dist"], ["serve /", "expose"]],
  },
  caddy: {
    readOnly: "version|list-modules|validate|fmt|adapt|help",
    verbs: {
      "file-server": {
        options: "root|r= listen|l= domain|d= browse|b",
        does: (call) => servesFolder(call, value(call, "root")),
      },
    },
    examples: [["caddy file-server --root / --listen :80", "expose"], ["caddy run"]],
  },
  httpd: {
    options: "h= p= f v",
    does: (call) => servesFolder(call, value(call, "h")),
    examples: [["busybox httpd -f -p 8080 -h /", "runs httpd -f -p 8080 -h /"]],
  },
  "redis-server valkey-server keydb-server": {
    options: "bind= port= protected-mode= requirepass= daemonize= dir= appendonly= save= version|v help|h",
    when: [
      (call) => value(call, "protected-mode")?.text === "no",
      (call) => isEverywhere(values(call, "bind")) || !has(call, "bind"),
    ],
    unless: "requirepass",
    roles: ["expose"],
    examples: [["redis-server --port 6380"], ["redis-server --bind 0.0.0.0 --protected-mode no", "expose"]],
  },
  "mongod mysqld mysqld_safe mariadbd memcached elasticsearch": {
    options: "bind_ip= bind_ip_all noauth auth dbpath= port|p= bind-address= skip-grant-tables l= listen= u= E=",
    when: (call) =>
      has(call, "bind_ip_all", "noauth", "skip-grant-tables") ||
      values(call, "E").some(({ text }) => text === "xpack.security.enabled=false") ||
      isEverywhere(values(call, "bind_ip", "bind-address", "l", "listen")),
    unless: "auth",
    roles: ["expose"],
    examples: [["mongod --dbpath data"], ["mongod --bind_ip_all", "expose"]],
  },
  "jupyter jupyter-lab jupyter-notebook": {
    is: { "runs-named": true },
    readOnly: "kernelspec list|notebook list|server list|lab list",
    when: [
      (call) => /(?:^|\s)--(?:\w+\.)?(?:token|password)[= ](?:''|"")?(?:\s|$)/.test(`${argText(call)} `),
      (call) => /(?:^|\s)--(?:\w+\.)?ip[= ](?:0\.0\.0\.0|\*|::)/.test(argText(call)),
    ],
    roles: ["expose"],
    examples: [["jupyter lab --ip=0.0.0.0"], ["jupyter lab --ip=0.0.0.0 --ServerApp.token=''", "expose"]],
  },
  "code-server openvscode-server": {
    options: "auth= bind-addr= host= port= without-connection-token version|v help|h",
    when: (call) => value(call, "auth")?.text === "none" || has(call, "without-connection-token"),
    roles: ["expose"],
    examples: [["code-server --auth none", "expose"], ["code-server --version"]],
  },
  "x11vnc vncserver Xvnc x0vncserver": {
    style: "whole",
    options: "SecurityTypes= rfbauth= nopw localhost list kill=",
    unless: "list kill",
    does: [
      { when: (call) => has(call, "nopw") || /^none$/i.test(valueText(call, "SecurityTypes")), roles: ["expose"] },
    ],
    examples: [["x11vnc -nopw", "expose"], ["vncserver -list"]],
  },
  "dlv gdbserver lldb-server rdbg rdebug-ide etcd distccd mosquitto chrome chromium chromium-browser google-chrome": {
    does: (call) => {
      // A debugger or a store without a login obeys every program that reaches it.
      const { args } = call.command;
      const words = args.map(({ text }) => text).join(" ");
      if (
        /(?:^|[\s=/])(?:0\.0\.0\.0|\[?::\]?|\*)(?:[:/]|\s|$)|allow_anonymous true/.test(words) ||
        args.some(({ text }) => isEveryAddress(text.replace(/^--?[\w-]+=/, "")))
      )
        plays(call, "expose");
    },
    examples: [
      ["dlv debug --headless --listen=0.0.0.0:2345", "expose"],
      ["dlv debug --headless --listen=127.0.0.1:2345"],
      ["gdbserver 0.0.0.0:1234 ./app", "expose"],
      ["gdbserver :1234 ./app", "expose"],
      ["dlv debug --headless --listen=:2345", "expose"],
    ],
  },
  "upnpc natpmpc": {
    options: "a r= d= l s",
    when: "a r",
    roles: ["expose"],
    examples: [["upnpc -a 192.168.1.5 22 22 TCP", "expose"], ["upnpc -l"]],
  },
  xhost: {
    when: (call) => call.command.args.some(({ text }) => text.startsWith("+")),
    roles: ["expose"],
    examples: [["xhost"], ["xhost +", "expose"]],
  },
  "dockerd containerd": {
    options: "host|H= tlsverify config-file=",
    when: valueIs("host", /^tcp:\/\//),
    unless: "tlsverify",
    roles: ["expose"],
    examples: [["dockerd -H tcp://0.0.0.0:2375", "expose"]],
  },
  "exportfs tftpd in.tftpd atftpd smbd rpc.nfsd sshd telnetd in.telnetd vsftpd proftpd pure-ftpd": {
    unless: anyArgument(/^-(?:[tTvV?h]|-version|-help)$/),
    does: [{ when: (call) => call.command.args.length > 0 || call.report.program !== "exportfs", roles: ["expose"] }],
    examples: [["exportfs"], ["sshd -t"], ["exportfs -o rw *:/", "expose"]],
  },
});

/** Verbs of tunnels that open nothing. */
const LOOKS = () =>
  /^(?:version|help|update|upgrade|config|authtoken|login|logout|list|ls|show|info|status|user|diagnostics)$/;

/** Serving the root, a home, the files of a person or settings of the system to others is more than serving a page. */
export function servesFolder(call: Call, folder: Word | undefined): void {
  const path = joinPath(call.report.folder, folder?.text ?? ".");
  if (MUCH().test(path)) plays(call, "expose");
}

function isEverywhere(addresses: readonly Word[]): boolean {
  return addresses.some(({ text }) => /(?:^|[,\s])(?:0\.0\.0\.0|::|\*)(?:$|[,\s:])/.test(text));
}

/** A debugger that other machines reach runs whatever they ask it to. */
export function tellDebugger(call: Call): void {
  if (call.command.args.some(({ text }) => opensDebugger(text))) plays(call, "expose");
}

/** Whether options of a runtime let every machine reach its debugger: `address=*:5005` of Java, `--inspect=0.0.0.0` of Node. */
export function opensDebugger(options: string): boolean {
  return /jdwp\S*\baddress=(?:0\.0\.0\.0|\*|\[?::\]?:)|--inspect(?:-brk|-wait|-port)?=(?:0\.0\.0\.0|\*|\[?::\]?(?::|$))/.test(
    options,
  );
}

/** Whether a word is an address at which every machine is listened to: `0.0.0.0:5678`, `:5678`. */
export function isEveryAddress(text: string): boolean {
  return /^(?:tcp:\/\/)?(?:0\.0\.0\.0|\*|\[?::\]?)?:\d+$|^(?:0\.0\.0\.0|\*|\[?::\]?)$/.test(text);
}

const MUCH = () =>
  /^(?:\/|~|\/(?:home|Users|root|etc|var)(?:\/[^/]+)?|(?:~|\/(?:home|Users)\/[^/]+)\/(?:\.[^/]*|Desktop|Documents|Downloads|Pictures|Music|Videos|Movies|Dropbox|OneDrive))\/?$/;

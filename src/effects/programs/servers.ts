import type { Word } from "../parse/command.ts";
import { joinPath } from "../paths.ts";
import { type Call, has, plays, talks, value, values } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that let others in: tunnels, servers of files, services that listen. */
export const SERVERS = (): Programs => ({
  "ngrok cloudflared localtunnel lt bore frpc frps chisel gost gs-netcat tmate ttyd gotty wetty devtunnel sshx upterm expose zrok pinggy loclx rathole playit inlets inletsctl pagekite serveo beame piko wstunnel iodine dnscat2 ligolo-agent untun holesail portr sish telebit pagekite.py inlets-pro shellinaboxd":
    {
      readOnly: "version|help|status|list|config check",
      options: "version|v help|h",
      does: (call) => {
        if (
          has(call, "version", "help") ||
          LOOKS().test(call.operands[0]?.text ?? "") ||
          (call.operands.length > 1 && LOOKS().test(call.operands[1]?.text ?? ""))
        )
          return;
        plays(call, "expose");
        talks(call, "both", undefined);
      },
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
        does: (call) => {
          if (!/^(?:status|reset|off)$/.test(call.operands.at(-1)?.text ?? "")) plays(call, "expose");
        },
      },
      "up|set": {
        does: (call) =>
          plays(call, "settings", ...(has(call, "ssh", "advertise-exit-node") ? (["expose"] as const) : [])),
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
    does: (call) => {
      const isOpen = value(call, "protected-mode")?.text === "no";
      if (isOpen && !has(call, "requirepass") && (isEverywhere(values(call, "bind")) || !has(call, "bind")))
        plays(call, "expose");
    },
    examples: [["redis-server --port 6380"], ["redis-server --bind 0.0.0.0 --protected-mode no", "expose"]],
  },
  "mongod mysqld mysqld_safe mariadbd memcached elasticsearch": {
    options: "bind_ip= bind_ip_all noauth auth dbpath= port|p= bind-address= skip-grant-tables l= listen= u= E=",
    does: (call) => {
      const isOpen =
        has(call, "bind_ip_all", "noauth", "skip-grant-tables") ||
        values(call, "E").some(({ text }) => text === "xpack.security.enabled=false") ||
        isEverywhere(values(call, "bind_ip", "bind-address", "l", "listen"));
      if (isOpen && !has(call, "auth")) plays(call, "expose");
    },
    examples: [["mongod --dbpath data"], ["mongod --bind_ip_all", "expose"]],
  },
  "jupyter jupyter-lab jupyter-notebook": {
    is: { "runs-named": true },
    readOnly: "kernelspec list|notebook list|server list|lab list",
    does: (call) => {
      const words = call.command.args.map(({ text }) => text).join(" ");
      const isOpen = /(?:^|\s)--(?:\w+\.)?(?:token|password)[= ](?:''|"")?(?:\s|$)/.test(`${words} `);
      if (isOpen && /(?:^|\s)--(?:\w+\.)?ip[= ](?:0\.0\.0\.0|\*|::)/.test(words)) plays(call, "expose");
    },
    examples: [["jupyter lab --ip=0.0.0.0"], ["jupyter lab --ip=0.0.0.0 --ServerApp.token=''", "expose"]],
  },
  "code-server openvscode-server": {
    options: "auth= bind-addr= host= port= without-connection-token version|v help|h",
    does: (call) => {
      if (value(call, "auth")?.text === "none" || has(call, "without-connection-token")) plays(call, "expose");
    },
    examples: [["code-server --auth none", "expose"], ["code-server --version"]],
  },
  "x11vnc vncserver Xvnc x0vncserver": {
    style: "whole",
    options: "SecurityTypes= rfbauth= nopw localhost list kill=",
    does: (call) => {
      if (has(call, "list", "kill")) return;
      if (has(call, "nopw") || /^none$/i.test(value(call, "SecurityTypes")?.text ?? "")) plays(call, "expose");
    },
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
    does: (call) => {
      if (has(call, "a", "r")) plays(call, "expose");
    },
    examples: [["upnpc -a 192.168.1.5 22 22 TCP", "expose"], ["upnpc -l"]],
  },
  xhost: {
    does: (call) => {
      if (call.command.args.some(({ text }) => text.startsWith("+"))) plays(call, "expose");
    },
    examples: [["xhost"], ["xhost +", "expose"]],
  },
  "dockerd containerd": {
    options: "host|H= tlsverify config-file=",
    does: (call) => {
      if (values(call, "host").some(({ text }) => /^tcp:\/\//.test(text)) && !has(call, "tlsverify"))
        plays(call, "expose");
    },
    examples: [["dockerd -H tcp://0.0.0.0:2375", "expose"]],
  },
  "exportfs tftpd in.tftpd atftpd smbd rpc.nfsd sshd telnetd in.telnetd vsftpd proftpd pure-ftpd": {
    does: (call) => {
      const { args } = call.command;
      if (args.some(({ text }) => /^-(?:[tTvV?h]|-version|-help)$/.test(text))) return;
      if (args.length > 0 || call.told.program !== "exportfs") plays(call, "expose");
    },
    examples: [["exportfs"], ["sshd -t"], ["exportfs -o rw *:/", "expose"]],
  },
});

/** Verbs of tunnels that open nothing. */
const LOOKS = () =>
  /^(?:version|help|update|upgrade|config|authtoken|login|logout|list|ls|show|info|status|user|diagnostics)$/;

/** Serving the root, a home or settings of the system to others is more than serving a page. */
export function servesFolder(call: Call, folder: Word | undefined): void {
  const path = joinPath(call.told.folder, folder?.text ?? ".");
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

const MUCH = () => /^(?:\/|~|\/(?:home|Users|root|etc|var)(?:\/[^/]+)?|~\/(?:\.[^/]*|Documents))\/?$/;

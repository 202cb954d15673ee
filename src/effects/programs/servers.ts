import { joinPath } from "../paths.ts";
import {
  anyArgument,
  argumentsAre,
  either,
  hasArguments,
  lastValueIs,
  nth,
  operandIs,
  operandsLike,
  operandsUnlike,
  option,
  programIs,
  type Select,
  valueIs,
} from "./act.ts";
import { type Call, has, values } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that give others access: tunnels, file servers, services that listen. */
export const SERVERS = (): Programs => ({
  "ngrok cloudflared localtunnel lt bore frpc frps chisel gost gs-netcat tmate ttyd gotty wetty devtunnel sshx upterm expose zrok pinggy loclx rathole playit inlets inletsctl pagekite serveo beame piko wstunnel iodine dnscat2 ligolo-agent untun holesail portr sish telebit pagekite.py inlets-pro shellinaboxd":
    {
      readOnly: "version|help|status|list|config check",
      options: "version|v help|h",
      unless: ["version help", operandIs(0, LOOKS()), operandIs(1, LOOKS())],
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
      "serve|funnel": { unless: operandIs(-1, /^(?:status|reset|off)$/), roles: ["expose"] },
      "up|set": { roles: ["settings"], does: [{ when: "ssh advertise-exit-node", roles: ["expose"] }] },
      down: ["settings"],
    },
    examples: [["tailscale funnel 3000", "expose"], ["tailscale status"], ["tailscale up --ssh", "settings expose"]],
  },
  "http-server serve live-server browser-sync sirv sirv-cli darkhttpd miniserve simple-http-server webfsd": {
    options: "p|port= a|address|host= i|interfaces= l|listen= s|single c|config= d|directory= cors",
    when: servesMuch(option("directory", nth(0, operandsUnlike(/^\d+$/)))),
    roles: ["expose"],
    examples: [["serve dist"], ["serve /", "expose"]],
  },
  caddy: {
    readOnly: "version|list-modules|validate|fmt|adapt|help",
    verbs: {
      "file-server": {
        options: "root|r= listen|l= domain|d= browse|b",
        when: servesMuch(option("root")),
        roles: ["expose"],
      },
    },
    examples: [["caddy file-server --root / --listen :80", "expose"], ["caddy run"]],
  },
  httpd: {
    options: "h= p= f v",
    when: servesMuch(option("h")),
    roles: ["expose"],
    examples: [["busybox httpd -f -p 8080 -h /", "runs httpd -f -p 8080 -h /"]],
  },
  "redis-server valkey-server keydb-server": {
    options: "bind= port= protected-mode= requirepass= daemonize= dir= appendonly= save= version|v help|h",
    when: [lastValueIs("protected-mode", /^no$/), (call) => !has(call, "bind") || isEverywhere(call, "bind")],
    unless: "requirepass",
    roles: ["expose"],
    examples: [["redis-server --port 6380"], ["redis-server --bind 0.0.0.0 --protected-mode no", "expose"]],
  },
  "mongod mysqld mysqld_safe mariadbd memcached elasticsearch": {
    options: "bind_ip= bind_ip_all noauth auth dbpath= port|p= bind-address= skip-grant-tables l= listen= u= E=",
    when: either("bind_ip_all noauth skip-grant-tables", valueIs("E", /^xpack\.security\.enabled=false$/), (call) =>
      isEverywhere(call, "bind_ip", "bind-address", "l", "listen"),
    ),
    unless: "auth",
    roles: ["expose"],
    examples: [["mongod --dbpath data"], ["mongod --bind_ip_all", "expose"]],
  },
  "jupyter jupyter-lab jupyter-notebook": {
    is: { "runs-named": true },
    readOnly: "kernelspec list|notebook list|server list|lab list",
    when: [
      argumentsAre(/(?:^|\s)--(?:\w+\.)?(?:token|password)[= ](?:''|"")?(?:\s|$)/),
      argumentsAre(/(?:^|\s)--(?:\w+\.)?ip[= ](?:0\.0\.0\.0|\*|::)/),
    ],
    roles: ["expose"],
    examples: [["jupyter lab --ip=0.0.0.0"], ["jupyter lab --ip=0.0.0.0 --ServerApp.token=''", "expose"]],
  },
  "code-server openvscode-server": {
    options: "auth= bind-addr= host= port= without-connection-token version|v help|h",
    when: either("without-connection-token", lastValueIs("auth", /^none$/)),
    roles: ["expose"],
    examples: [["code-server --auth none", "expose"], ["code-server --version"]],
  },
  "x11vnc vncserver Xvnc x0vncserver": {
    style: "whole",
    options: "SecurityTypes= rfbauth= nopw localhost list kill=",
    when: either("nopw", lastValueIs("SecurityTypes", /^none$/i)),
    unless: "list kill",
    roles: ["expose"],
    examples: [["x11vnc -nopw", "expose"], ["vncserver -list"]],
  },
  "dlv gdbserver lldb-server rdbg rdebug-ide etcd distccd mosquitto": {
    // A debugger or a store without a login obeys every program that can reach it.
    when: either(either(argumentsAre(ANY_ADDRESS()), argumentsAre(/allow_anonymous true/)), listensEverywhere),
    roles: ["expose"],
    examples: [
      ["dlv debug --headless --listen=0.0.0.0:2345", "expose"],
      ["dlv debug --headless --listen=127.0.0.1:2345"],
      ["gdbserver 0.0.0.0:1234 ./app", "expose"],
      ["gdbserver :1234 ./app", "expose"],
      ["dlv debug --headless --listen=:2345", "expose"],
    ],
  },
  "chrome chromium chromium-browser google-chrome google-chrome-stable firefox brave-browser microsoft-edge": {
    does: [
      { when: either(argumentsAre(ANY_ADDRESS()), listensEverywhere), roles: ["expose"] },
      { when: anyArgument(/https?:/), talks: "out", to: operandsLike(/^https?:/) },
    ],
    examples: [
      ["chromium --remote-debugging-address=0.0.0.0 --remote-debugging-port=9222", "expose"],
      ["chromium --remote-debugging-port=9222"],
      ["chromium --headless --dump-dom http://localhost:8080/", "network-out", "sends to localhost"],
      ["firefox https://example.com/", "network-out", "sends to example.com"],
    ],
  },
  "upnpc natpmpc": {
    options: "a r= d= l s",
    when: "a r",
    roles: ["expose"],
    examples: [["upnpc -a 192.168.1.5 22 22 TCP", "expose"], ["upnpc -l"]],
  },
  xhost: { when: anyArgument(/^\+/), roles: ["expose"], examples: [["xhost"], ["xhost +", "expose"]] },
  "dockerd containerd": {
    options: "host|H= tlsverify tls config-file=",
    when: valueIs("host", /^tcp:\/\//),
    unless: "tlsverify",
    roles: ["expose"],
    examples: [["dockerd -H tcp://0.0.0.0:2375", "expose"]],
  },
  "exportfs tftpd in.tftpd atftpd smbd rpc.nfsd sshd telnetd in.telnetd vsftpd proftpd pure-ftpd": {
    unless: anyArgument(/^-(?:[tTvV?h]|-version|-help)$/),
    when: either(hasArguments, programIs(/^(?!exportfs$)/)),
    roles: ["expose"],
    examples: [["exportfs"], ["sshd -t"], ["exportfs -o rw *:/", "expose"]],
  },
});

/** An address at which a program listens for every machine. */
const ANY_ADDRESS = () => /(?:^|[\s=/])(?:0\.0\.0\.0|\[?::\]?|\*)(?:[:/]|\s|$)/;

/** Verbs of tunnels that open no access. */
const LOOKS = () =>
  /^(?:version|help|update|upgrade|config|authtoken|login|logout|list|ls|show|info|status|user|diagnostics)$/;

/** Holds if a folder is the root, a home, a folder of personal files or one with settings of the system. */
export function servesMuch(folder: Select): (call: Call) => boolean {
  return (call) => MUCH().test(joinPath(call.report.folder, folder(call)[0]?.text ?? "."));
}

function isEverywhere(call: Call, ...options: readonly string[]): boolean {
  return values(call, ...options).some(({ text }) => /(?:^|[,\s])(?:0\.0\.0\.0|::|\*)(?:$|[,\s:])/.test(text));
}

/** Holds if other machines can reach the debugger of a runtime, which runs everything that they send. */
export function opensDebuggerPort({ command }: Call): boolean {
  return command.args.some(({ text }) => opensDebugger(text));
}

/** Whether options of a runtime let every machine reach its debugger: `address=*:5005` of Java, `--inspect=0.0.0.0` of Node. */
export function opensDebugger(options: string): boolean {
  return /jdwp\S*\baddress=(?:0\.0\.0\.0|\*|\[?::\]?:)|--inspect(?:-brk|-wait|-port)?=(?:0\.0\.0\.0|\*|\[?::\]?(?::|$))/.test(
    options,
  );
}

/** Holds if an argument is an address that every machine can reach: `0.0.0.0:5678`, `--listen=:5678`. */
export function listensEverywhere({ command }: Call): boolean {
  return command.args.some(({ text }) =>
    /^(?:tcp:\/\/)?(?:0\.0\.0\.0|\*|\[?::\]?)?:\d+$|^(?:0\.0\.0\.0|\*|\[?::\]?)$/.test(text.replace(/^--?[\w-]+=/, "")),
  );
}

const MUCH = () =>
  /^(?:\/|~|\/(?:home|Users|root|etc|var)(?:\/[^/]+)?|(?:~|\/(?:home|Users)\/[^/]+)\/(?:\.[^/]*|Desktop|Documents|Downloads|Pictures|Music|Videos|Movies|Dropbox|OneDrive))\/?$/;

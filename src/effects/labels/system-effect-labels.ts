import type { CallEffects, PathEffect } from "../effect.ts";
import { nameOf } from "../paths.ts";
import { argsOf, type EffectLabel, plays, type Run, touchesOf } from "./effect-label.ts";

/** Words about the machine: processes, starts, accounts, settings, data in other places. */
export const SYSTEM_EFFECT_LABELS = {
  "kill-all": {
    means: "ends every process, the first one, or all of a user",
    on: "run",
    role: "kill",
    holds: (effect, act) =>
      plays(effect, "kill") &&
      (effect.roles.includes("power") ||
        killsAll(effect.program, argsOf(effect, act)) ||
        LISTS_ALL.test(act.commands[effect.command]?.source ?? "")),
  },
  "start-later": {
    means: "lets something run later or at every start of the machine",
    on: "run",
    role: "persistence",
    holds: (effect) => plays(effect, "persistence") && isScheduling(effect),
  },
  "git-persistence": {
    means: "lets git run a program from now on",
    on: "run",
    role: "persistence",
    holds: (effect) => plays(effect, "persistence", /^git$/),
  },
  "load-code": {
    means: "makes another program load or run code that it would not",
    on: "run",
    role: "run-code",
    holds: (effect, act) =>
      plays(effect, "run-code") &&
      ((HOOKED.test(effect.program) && argsOf(effect, act).some(isHook)) || loadsCode(setBy(effect, act))),
  },
  "reverse-shell": {
    means: "gives another machine a shell",
    on: "run",
    holds: (effect, act) => effect.does === "run" && isHandedOut(effect, act),
  },
  "system-account": {
    means: "changes users, groups or passwords of the machine",
    on: "run",
    role: "account",
    holds: (effect) => plays(effect, "account", ACCOUNTS),
  },
  "system-settings": {
    means: "changes settings of the machine: kernel, network, firewall, protection",
    on: "run",
    role: "settings",
    holds: (effect) => plays(effect, "settings", SETTINGS),
  },
  "container-loss": {
    means: "removes containers' volumes, images or data",
    on: "run",
    role: "work-loss",
    holds: (effect) => plays(effect, "work-loss") && effect.roles.includes("container"),
  },
  "database-loss": {
    means: "drops, truncates or resets data in a database",
    on: "run",
    role: "work-loss",
    holds: (effect) => plays(effect, "work-loss") && effect.roles.includes("database"),
  },
  "cloud-loss": {
    means: "removes resources in a cloud or cluster",
    on: "run",
    role: "work-loss",
    holds: (effect) => plays(effect, "work-loss") && effect.roles.includes("cloud"),
  },
  unpublish: {
    means: "takes back what others may already use",
    on: "run",
    role: "work-loss",
    holds: (effect) => plays(effect, "work-loss") && effect.roles.includes("publish"),
  },
  "keys-loss": {
    means: "removes keys that cannot be made again",
    on: "run",
    role: "work-loss",
    holds: (effect) => plays(effect, "work-loss") && effect.roles.includes("account"),
  },
  "disk-loss": {
    means: "writes to or removes disks, partitions, volumes or snapshots",
    on: "run",
    holds: (effect) => plays(effect, "disk") || plays(effect, "work-loss", /^(?:tmutil|btrfs|zfs|zpool)$/),
  },
  unreadable: {
    means: "is longer or deeper than can be read",
    on: "unknown",
    holds: (effect) => effect.does === "unknown" && /^too /.test(effect.doubt.why),
  },
  "forget-history": {
    means: "switches off or empties the record of what is typed or logged",
    on: "run",
    holds: (effect, act) => effect.does === "run" && isForgetting(effect, act),
  },
  "delete-history": {
    means: "removes the record of what was typed or logged",
    on: "delete",
    holds: (effect) => effect.does === "delete" && HISTORY.test(effect.path.text),
  },
} as const satisfies Record<string, EffectLabel>;

/** Every process there is, inserted by its number. */
const LISTS_ALL = /^\S*kill\b[^|;&]*(?:\$\(|`)\s*ps\s+-?(?:e|A|ax|aux)\w*(?:\s+(?:-?o\s*)?'?pid=?'?)?\s*[)`]/;

function isScheduling({ program, verb }: Run): boolean {
  const name = nameOf(program);
  return SCHEDULERS.test(name) || (name === "pm2" && verb === "startup");
}

function isForgetting(run: Run, act: CallEffects): boolean {
  if (run.roles.includes("trace-removal")) return true;
  if (run.roles.includes("overwrite")) return touchesOf(run, act, "write").some(({ path }) => HISTORY.test(path.text));
  return (
    /^(?:export|declare|typeset|readonly|local)$/.test(run.program) &&
    argsOf(run, act).some((arg) => /^HIST(?:FILE|SIZE|FILESIZE)=(?:0|\/dev\/null)?$/.test(arg))
  );
}

function isHandedOut(run: Run, act: CallEffects): boolean {
  if (SHELLS.test(run.program)) return touchesOf(run, act, "write").some(isSocket);
  return run.roles.includes("run-code") && /^(?:nc|ncat|netcat|socat|telnet)$/.test(run.program);
}

function isSocket({ path }: PathEffect): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(path.text);
}

function killsAll(program: string, args: readonly string[]): boolean {
  if (program === "killall5") return true;
  if (program === "kill") {
    const [signal = ""] = args;
    const targets = signal.startsWith("-") && args.length > 1 ? args.slice(/^-[sn]$/.test(signal) ? 2 : 1) : args;
    return targets.includes("1") || targets.includes("-1");
  }
  const names = args.filter((arg) => !arg.startsWith("-"));
  // All but these; all that are older or younger; all that the first process has started.
  if (
    program === "pkill" &&
    args.some((arg, at) => /^(?:-v|--inverse)$/.test(arg) || (arg === "-P" && args[at + 1] === "1"))
  )
    return true;
  if (program === "killall" && args.some((arg) => /^-(?:o|y|-older-than|-younger-than)$/.test(arg)) && names.length < 2)
    return true;
  const isOfUser = args.some((arg) => /^(?:-\w*[uU]|--(?:u?euid|user)\b)/.test(arg));
  return isOfUser ? names.length <= 1 : names.length > 0 && names.every((name) => EVERYBODY.test(name));
}

/** Variables that a command is given, or that it sets for those to come. */
function setBy(run: Run, act: CallEffects): Readonly<Record<string, { readonly text: string }>> {
  const { assignments = {} } = act.commands[run.command] ?? {};
  if (!/^(?:export|declare|typeset|readonly)$/.test(run.program)) return assignments;
  const pairs = argsOf(run, act).map((arg) => /^(\w+)=(.*)$/s.exec(arg));
  return Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", { text: pair[2] ?? "" }]])));
}

function loadsCode(assignments: Readonly<Record<string, { readonly text: string }>> = {}): boolean {
  return Object.entries(assignments).some(([name, { text }]) => {
    if (name === "PATH") return /(?:^|:)\.?(?::|$)/.test(text);
    if (name.startsWith("GIT_CONFIG_KEY_") || (name === "ENV" && text.includes("/"))) return true;
    if (name === "RUBYOPT") return text.includes("-r");
    if (name === "NODE_OPTIONS") return /--?(?:r|require|import|loader|experimental-loader)\b/.test(text);
    if (name === "GIT_PAGER" || name === "GIT_EDITOR") return false;
    if (name === "GIT_SSH_COMMAND") return !OWN_SSH.test(text) || /(?:Proxy|Local|KnownHosts)Command/i.test(text);
    return /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PERL5OPT|PYTHONSTARTUP|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_SSH)$/.test(
      name,
    );
  });
}

/** `core.fsmonitor=x`, `--to-command=x`, `--use-compress-program x`; a pager that only shows is none. */
function isHook(arg: string): boolean {
  const [, name, value = ""] = /^(-{0,2}[\w.-]+)=(.*)$/s.exec(arg) ?? [arg, arg, arg];
  if (
    name === undefined ||
    /^(?:cat|less|more|true|false|:|vi|vim|nano|ssh(?: -[\w= ./~-]+)?|\/dev\/null|)$/.test(value)
  )
    return false;
  return HOOK_LETTER.test(name) || HOOK_NAME.test(name);
}

const HOOK_LETTER = /^-(?:TT|e|F|I|S|u)$/;
const HOOK_NAME =
  /^(?:script-shell|onload-script|[a-z]+\.[\w.-]+|--exec-path|--(?:template|to|rsh|info-script|use-comp|checkpoint-action|upload-pack|receive-pack|rsync-path|unzip-command|use-askpass|config-env)[\w-]*)$/i;
/** A way to log in that is ssh itself, or not known before. */
const OWN_SSH = /^["']?(?:\S*\/)?(?:ssh|sshpass|autossh|plink|tsh)(?:\.exe)?["']?(?:\s|$)|^(?:\uFFFC|$)/i;
const SHELLS = /^(?:ba|z|k|da|a)?sh$/;
/** Patterns that every name fits. */
const EVERYBODY = /^(?:\.\*?|\.\+|\^|\*|\.\{.*)?$/;
const HOOKED = /^(?:p?npm|git|tar|gtar|bsdtar|rsync|zip|scp|sftp|wget)$/;
const SCHEDULERS =
  /^(?:crontab|at|batch|systemctl|launchctl|update-rc\.d|chkconfig|rc-update|sysv-rc-conf|schtasks|systemd-run|ssh-copy-id|loginctl|defaults|osascript|register-scheduledtask|new-service|sc)$/i;
const ACCOUNTS =
  /^(?:user(?:add|del|mod)|group(?:add|del|mod)|adduser|deluser|addgroup|delgroup|passwd|chpasswd|gpasswd|visudo|chsh|chfn|vipw|newusers|dscl|sysadminctl|net|security|(?:new|set|remove)-localuser|add-localgroupmember)$/i;
const SETTINGS =
  /^(?:ip6?tables|iptables-restore|ebtables|arptables|nft|pfctl|ipset|ufw|firewall-cmd|netsh|sysctl|modprobe|insmod|rmmod|kmod|kldload|kextload|kextunload|setenforce|aa-disable|aa-complain|spctl|csrutil|fdesetup|ip|ifconfig|route|nmcli|networksetup|resolvectl|hostnamectl|timedatectl|localectl|tccutil|nvram|systemsetup|scutil|mount|umount|swapon|swapoff|reg|bcdedit|update-alternatives|update-ca-certificates|update-ca-trust|netplan|date|(?:set|add)-mppreference|set-netfirewallprofile|disable-computerrestore)$/i;
const HISTORY = /(?:^|\/)\.(?:bash|zsh|sh|python|node_repl|psql|mysql)_history$|fish_history$|^\/var\/log(?:\/|$)/;

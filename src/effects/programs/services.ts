import { fieldOf } from "../parse/value.ts";
import {
  allValues,
  anyArgument,
  anyOperand,
  argumentsAre,
  operand,
  operandIs,
  operands,
  paths,
  type Select,
} from "./act.ts";
import { type Call, has, plays, value } from "./call.ts";
import type { Programs } from "./program.ts";
import { hasInput, linesIn, restAsProgram, runVerb } from "./runs.ts";

/** Programs that control what runs later or at every start. */
export const SERVICES = (): Programs => ({
  systemctl: {
    readOnly:
      "status|show|cat|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|list-jobs|is-active|is-enabled|is-failed|is-system-running|get-default|show-environment|help",
    is: { scheduler: true, "reports-machine": true },
    options: "user system type|t= property|p= host|H= now force|f quiet|q no-pager all|a",
    verbs: {
      "enable|reenable|link|edit|preset|add-wants|add-requires|set-default": ["persistence", "settings"],
      "disable|mask": { roles: ["settings"], does: [{ unless: OF_USER, roles: ["kill"] }, opensBy(operands)] },
      "unmask|revert|daemon-reload|set-property|set-environment": ["settings"],
      "start|restart|reload|try-restart|reload-or-restart|isolate": {
        roles: ["settings"],
        does: [{ when: anyOperand(LAST_TARGET()), roles: ["power"] }],
      },
      "stop|kill": {
        roles: ["kill"],
        does: [
          { unless: OF_USER, roles: ["settings"] },
          opensBy(operands),
          // A slice or a session of a user contains all that the user runs.
          { when: anyOperand(/^(?:user(?:-\d+)?\.slice|user@|session-|init\.scope|-\.slice|\*)/), roles: ["power"] },
        ],
      },
      "poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|soft-reboot": ["power"],
    },
    examples: [
      ["systemctl status x"],
      ["systemctl --user enable --now x", "persistence settings"],
      ["systemctl stop x", "kill settings"],
      ["systemctl --user stop x", "kill"],
      ["systemctl --user mask x", "settings"],
      ["systemctl mask x", "settings kill"],
      ["systemctl kill user.slice", "kill settings power"],
      ["systemctl stop auditd", "kill settings trace-removal"],
      ["systemctl start reboot.target", "settings power"],
      ["systemctl reboot", "power"],
    ],
  },
  "service rc-service invoke-rc.d initctl": {
    is: { "reports-machine": true },
    readOnly: ({ operands }) => operands.at(-1)?.text === "status" || undefined,
    does: [
      { when: operandIs(1, /^stop$/), roles: ["kill", "settings"], does: [opensBy(operand(0))] },
      { when: operandIs(1, /^(?:start|restart|reload)/), roles: ["settings"] },
    ],
    examples: [["service x stop", "kill settings"], ["service x status"]],
  },
  "update-rc.d chkconfig rc-update sysv-rc-conf": {
    is: { scheduler: true },
    roles: ["persistence", "settings"],
    examples: [["update-rc.d x defaults", "persistence settings"]],
  },
  launchctl: {
    readOnly:
      "list|print|print-disabled|print-cache|blame|procinfo|hostinfo|getenv|managername|managerpid|manageruid|version|help",
    is: { scheduler: true },
    verbs: {
      "load|bootstrap|enable|submit|kickstart|start": ["persistence", "settings"],
      "unload|bootout|disable|remove|stop|kill": {
        roles: ["kill"],
        does: [{ unless: anyOperand(/^(?:gui|user)\/|^~?[^:]*\/LaunchAgents\//), roles: ["settings"] }],
      },
      "setenv|unsetenv|config": ["settings"],
      asuser: runVerb("", 1),
      reboot: ["power"],
    },
    examples: [
      ["launchctl load -w a.plist", "persistence settings"],
      ["launchctl list"],
      ["launchctl bootout system/x", "kill settings"],
      ["launchctl bootout gui/501/x", "kill"],
    ],
  },
  crontab: {
    readOnly: true,
    is: { scheduler: true },
    options: "l e r i u= T=",
    runs: (run) => {
      if (has(run, "l", "r", "e")) return [];
      const [path] = run.operands;
      const text = path === undefined || path.text === "-" ? run.stdin.text : run.file(path);
      if (text === undefined) return [{ runs: "doubt", why: "unread script", what: path?.text ?? run.name }];
      const lines = text.split("\n").filter((line) => !line.trim().startsWith("#"));
      return linesIn(lines.map(fieldOf), /^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+([^#][\s\S]*)$/, run.name);
    },
    unless: "l",
    roles: ["persistence"],
    does: [
      { when: "r", roles: ["delete"] },
      { reads: operand(0), writes: paths("/var/spool/cron") },
    ],
    examples: [
      ["crontab -l"],
      ["crontab a", "persistence", "reads a", "writes /var/spool/cron", "unknown: a"],
      ["crontab -r", "persistence delete", "writes /var/spool/cron"],
      ["crontab -", "persistence", "writes /var/spool/cron"],
      ["echo '* * * * * rm x' | crontab -", "runs rm x"],
      ["echo '@reboot rm x' | crontab", "runs rm x"],
    ],
  },
  "at batch atrm": {
    readOnly: (run) => has(run, "l", "c") || undefined,
    is: { scheduler: "at batch" },
    options: "f= l d= r= m q= c= t=",
    runs: (run) => {
      const { name } = run;
      const path = value(run, "f");
      if (path !== undefined) return [{ runs: "file", path, via: name }];
      return name !== "atrm" && hasInput(run) ? [{ runs: "input", via: name }] : [];
    },
    unless: "l c",
    roles: ["persistence"],
    input: "run",
    examples: [
      ["at now", "persistence"],
      ["at -l"],
      ["echo 'rm x' | at now", "runs rm x"],
      ["echo 'rm x' > f; at -f f now", "runs rm x"],
      ["echo 'rm x' | batch", "runs rm x"],
    ],
  },
  "systemd-run": {
    is: { scheduler: true },
    options:
      "property|p= unit|u= machine|M= host|H= on-active= on-calendar= on-boot= on-startup= timer-property= setenv|E= uid= gid= slice= description= working-directory= service-type= user scope pty|t pipe|P wait quiet|q collect|G",
    style: "first",
    // In a scope it runs immediately, as under any other wrapper.
    unless: (call) => has(call, "scope", "wait", "pty", "pipe") && !has(call, ...LATER),
    roles: ["persistence"],
    runs: restAsProgram(),
    examples: [
      ["systemd-run --user x", "persistence"],
      ["systemd-run --user --scope -p MemoryMax=1G x"],
      ["systemd-run --scope --on-active=10 x", "persistence"],
      ["systemd-run --user rm x", "runs rm x"],
      ["systemd-run -p A=1 rm x", "runs rm x"],
    ],
  },
  "schtasks loginctl pm2 forever supervisorctl": {
    readOnly:
      "/query|list|ls|jlist|prettylist|status|show|describe|info|logs|avail|list-sessions|list-users|show-session|show-user|session-status|user-status",
    is: { scheduler: "schtasks loginctl pm2:startup", "runs-named": true },
    does: [
      { when: anyArgument(/^(?:\/create|enable-linger|start|startup|save|restart)$/i), roles: ["persistence"] },
      { when: anyArgument(/^(?:stop|delete|kill|\/delete|\/end|terminate-user|kill-user)$/i), roles: ["kill"] },
      { when: anyArgument(/^(?:terminate|kill)-(?:user|session)$/i), roles: ["power"] },
      {
        names: "loginctl",
        when: (call) => POWER_VERBS().test(call.command.args[0]?.text.toLowerCase() ?? ""),
        roles: ["power"],
      },
      { names: "pm2", when: argumentsAre(/^(?:kill|delete all)(?: |$)/i), roles: ["work-loss", "container"] },
      (call) => {
        if (call.report.program === "pm2") call.report.verb = call.command.args[0]?.text.toLowerCase();
      },
    ],
    examples: [
      ["loginctl poweroff", "power"],
      ["schtasks /create /tn x", "persistence"],
      ["pm2 delete all", "kill work-loss container"],
      ["pm2 list"],
    ],
  },
  logrotate: {
    options: "force|f debug|d state|s= log|l= mail|m= verbose|v",
    reads: operands,
    does: [{ unless: "debug", writes: allValues("state log"), does: [{ when: "force", roles: ["trace-removal"] }] }],
    examples: [
      ["logrotate -f -s state a.conf", "trace-removal", "reads a.conf", "writes state"],
      ["logrotate -d a.conf", "reads a.conf"],
    ],
  },
  "busctl dbus-send gdbus qdbus": {
    readOnly: "list|status|monitor|tree|introspect|get-property|help",
    when: [
      argumentsAre(/login1|PowerManagement|ksmserver|SessionManager/),
      argumentsAre(/\b(?:PowerOff|Reboot|Halt|Suspend|Shutdown|logout)\b/i),
    ],
    roles: ["power"],
    examples: [
      ["busctl call org.freedesktop.login1 /o org.freedesktop.login1.Manager PowerOff b true", "power"],
      ["busctl list"],
    ],
  },
  journalctl: {
    is: { "reports-machine": true },
    readOnly: (run) => !has(run, "rotate", "flush", "sync", "setup-keys", "cursor-file"),
    options:
      "vacuum-size= vacuum-time= vacuum-files= rotate flush sync setup-keys cursor-file= unit|u= follow|f lines|n= since|S= until|U= output|o=",
    when: "vacuum-size vacuum-time vacuum-files",
    roles: ["trace-removal"],
    examples: [["journalctl -u x -n 20"], ["journalctl --vacuum-time=1s", "trace-removal"]],
  },
  "auditctl wevtutil auditpol fltmc fsutil": {
    when: argumentsAre(
      /(?:^| )(?:-D|-e ?0|cl|clear-log|\/clear|\/remove|usn deletejournal|unload \S+)(?: |$)|\/set .*:disable/i,
    ),
    roles: ["trace-removal"],
    examples: [
      ["auditctl -D", "trace-removal"],
      ["auditctl -e 0", "trace-removal"],
      ["auditctl -l"],
      ["fltMC unload SysmonDrv", "trace-removal"],
    ],
  },
  dmesg: {
    is: { "reports-machine": true },
    readOnly: true,
    when: anyArgument(/^(?:-C|--clear|-c|--read-clear)$/),
    roles: ["trace-removal"],
    examples: [["dmesg -T"], ["dmesg -e"], ["dmesg --clear", "trace-removal"]],
  },
});

/** Options by which `systemd-run` runs something later. */
const LATER = ["on-active", "on-calendar", "on-boot", "on-startup", "timer-property"] as const;
const POWER_VERBS = () =>
  /^(?:poweroff|reboot|halt|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|kexec|soft-reboot)$/;

/** Targets in which nothing of the user runs any more. */
const LAST_TARGET = () =>
  /^(?:rescue|emergency|reboot|poweroff|halt|kexec|suspend|hibernate|shutdown|soft-reboot|runlevel[016])\b/;

/** Services of the user belong to the user alone. */
const OF_USER = anyArgument(/^--user$/);

/** Reports what is lost with a service: the record of what happens, or the protection from others. */
function opensBy(services: Select): (call: Call) => void {
  return (call) => {
    const names = services(call).map((word) => word?.text ?? "");
    if (names.some((name) => WATCHING().test(name))) plays(call, "trace-removal");
    if (names.some((name) => /^(?:firewalld|ufw|nftables|iptables|ip6tables|fail2ban|pf)(?:\.\w+)?$/.test(name)))
      plays(call, "expose");
  };
}

/** Services that record or monitor what happens. */
export const WATCHING = () =>
  /^(?:auditd|r?syslogd?|rsyslog|syslog-ng|systemd-journald|osquery\w*|falcon\w*|falcon-sensor|falco|csfalcon\w*|wazuh-\w+|ossec-\w+|crowdsec|fail2ban|apparmor|clamav-daemon|clamd|mdatp|msmpeng|mpdefendercoreservice|sysmon(?:drv|64)?|filebeat|auditbeat|suricata|snort|zeek|sentineld?|sentinelagent|cbdaemon|cbdefense|xagt|santad?|tripwire|tetragon|windefend|sense|eventlog)(?:\.\w+)?$/i;

import type { Word } from "../parse/command.ts";
import { anyOperand, operand, operandIs, valueIs } from "./act.ts";
import {
  type Call,
  deletes,
  has,
  operandText,
  pieceOf,
  plays,
  runsFetched,
  someOperand,
  value,
  values,
  valueText,
  writes,
} from "./call.ts";
import { readOptions } from "./options.ts";
import type { Inner, Programs } from "./program.ts";
import { asLine, behindDashes, restAsProgram, runVerb } from "./runs.ts";

/** Programs that keep virtual machines and small clusters on this machine; their content is removed with them. */
export const MACHINES = (): Programs => ({
  azcopy: {
    readOnly: "list|ls|env|jobs list|jobs show|help",
    options: "recursive delete-destination= dry-run",
    dry: "dry-run",
    verbs: {
      "remove|rm": ["cloud", "work-loss"],
      "copy|cp|sync": {
        options: "recursive delete-destination= dry-run",
        dry: "dry-run",
        roles: ["cloud"],
        does: [
          { when: valueIs("delete-destination", /^true$/), roles: ["work-loss"] },
          {
            when: operandIs(1, /^https?:/),
            talks: "out",
            to: operand(1),
            reads: operand(0),
            tree: true,
            sends: "reads",
          },
        ],
      },
    },
    examples: [["azcopy remove https://h.test/x --recursive", "cloud work-loss"], ["azcopy list https://h.test/x"]],
  },
  "minikube kind k3d vagrant multipass tart orb limactl VBoxManage prlctl": {
    is: { "holds-services": true, "loads-unnamed": "vagrant" },
    readOnly:
      "status|list|ls|get|info|logs|ip|port|find|global-status|showvminfo|profile list|addons list|node list|service list|cluster list|box list|plugin list|snapshot list|version|help",
    runs: (run) => {
      const { name, args, operands } = run;
      if (operands[0]?.text !== "ssh") return behindDashes(run);
      const { given } = readOptions(args, "command|c= plain|p");
      const lines = values({ given }, "command").map((text): Inner => ({ runs: "shell", text, via: `${name} ssh` }));
      return [...lines, ...behindDashes(run)];
    },
    verbs: {
      "delete|destroy|delete cluster|delete clusters|cluster delete|rm|unregistervm|purge": {
        options: "all|a purge|p force|f delete",
        roles: ["container", "delete", "work-loss"],
        // A cluster or a machine for trying things out is created again by one command.
        does: [{ names: "kind minikube k3d vagrant", unless: "all purge", roles: ["recoverable"] }],
      },
      "start|stop|up|halt|suspend|create|create cluster|cluster create": ["container"],
    },
    examples: [
      ["minikube delete --all", "container delete work-loss"],
      ["kind delete cluster", "container delete work-loss recoverable"],
      ["vagrant destroy -f", "container delete work-loss recoverable"],
      ["minikube status"],
      ["vagrant up", "container"],
      ["vagrant ssh -c 'rm x'", "runs rm x"],
      ["multipass exec box -- rm x", "runs rm x"],
    ],
  },
  "lxc incus lxd": {
    is: { "holds-services": true },
    readOnly:
      "list|ls|info|config show|config get|image list|image info|image show|network list|network show|network info|profile list|profile show|storage list|storage show|storage info|remote list|project list|operation list|version|help",
    verbs: {
      "delete|storage delete|storage volume delete|image delete": ["container", "delete", "work-loss"],
      "config device": { when: anyOperand(/^source=\/(?:etc|root|home|var)?\/?$/), roles: ["privilege"] },
      exec: runVerb("env= user= group= cwd= mode= n T t", 1),
    },
    examples: [
      ["lxc delete --force x", "container delete work-loss"],
      ["lxc list"],
      ["lxc exec box -- rm x", "runs rm x"],
      ["incus exec box --user 0 -- rm x", "runs rm x"],
    ],
  },
  wsl: {
    options: "unregister= shutdown terminate|t= distribution|d= user|u= cd= exec|e shell-type= list|l verbose|v status",
    style: "first",
    runs: restAsProgram(),
    when: "unregister",
    roles: ["container", "delete", "work-loss"],
    examples: [
      ["wsl --unregister Ubuntu", "container delete work-loss"],
      ["wsl --list"],
      ["wsl -d Ubuntu rm x", "runs rm x"],
    ],
  },
  virsh: {
    readOnly:
      "list|dominfo|domstate|domblklist|domiflist|dumpxml|nodeinfo|net-list|net-info|net-dumpxml|pool-list|pool-info|vol-list|vol-info|snapshot-list|snapshot-info|capabilities|hostname|uri|sysinfo|vcpuinfo|version|help",
    verbs: {
      undefine: {
        options: "remove-all-storage storage= nvram",
        roles: ["container", "delete"],
        does: [{ when: "remove-all-storage storage", roles: ["work-loss"] }],
      },
      "vol-delete|vol-wipe|pool-delete|snapshot-delete": ["container", "delete", "work-loss"],
      "destroy|shutdown|start|reboot": ["container"],
    },
    examples: [["virsh undefine x --remove-all-storage", "container delete work-loss"], ["virsh list"]],
  },
});

/** Programs that act on many machines. */
export const FLEETS = (): Programs => ({
  "ansible-pull": {
    options: "url|U= directory|d= inventory|i= checkout|C= check",
    does: (call) => runsFetched(call, value(call, "url")),
    examples: [
      ["ansible-pull -U https://h.test/r", "network-in run-code", "fetches from h.test", "network flows to shell"],
    ],
  },
  "ansible ansible-playbook salt puppet chef-client": {
    is: { "runs-named": true, "loads-unnamed": true },
    options:
      "inventory|i= limit|l= check|C extra-vars|e= module-name|m= args|a= become|b user|u= private-key= tags|t= forks|f= connection|c=",
    runs: (run) => {
      const line = value(run, "args");
      const module = valueText(run, "module-name");
      // `salt '*' cmd.run 'rm x'`: the function follows the hosts.
      if (run.name === "salt")
        return /^cmd\.(?:run\w*|shell|powershell|exec_code)$/.test(operandText(run, 1))
          ? asLine(run.name, run.operands.slice(2))
          : [];
      const isShell = LINE_MODULES.test(module.replace(/^ansible\.builtin\./, ""));
      return isShell && line !== undefined && run.name === "ansible"
        ? [{ runs: "shell", text: line, via: run.name }]
        : [];
    },
    does: (call) => {
      const asked = value(call, "module-name")?.text.replace(/^ansible\.builtin\./, "") ?? "";
      const line = valueText(call, "args");
      const isLook = ASKING_MODULES().test(asked) || (LINE_MODULES.test(asked) && LOOKING_LINE().test(line));
      if (!has(call, "check") && !(call.report.program === "ansible" && isLook)) plays(call, "cloud");
      if (/^(?:reboot|win_reboot|shutdown)$/.test(asked) || /\bstate["']?[=:]\s*["']?stopped\b/.test(line))
        plays(call, "outage");
      if (call.report.program === "ansible-playbook") {
        call.report.scripts.push(...call.operands);
        if (someOperand(call, /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/)) call.report.input = "run";
      }
      if (has(call, "become")) plays(call, "privilege");
      const [, module = "", ...words] = call.operands.map(({ text }) => text);
      if (
        call.report.program === "salt" &&
        /^(?:state|service|pkg|system)\.(?!list|get|status|show|version)/.test(module)
      )
        if (!words.includes("test=True")) plays(call, "outage");
      const given = values(call, "args", "extra-vars").map(({ text }) => text);
      const isLosing = given.some((text) => /(?:^|[\s"'{:,])state["']?[=:]\s*["']?absent\b/.test(text));
      if (isLosing && !has(call, "check")) plays(call, "work-loss");
      if (FILE_MODULES().test(asked) && isHere(call) && !has(call, "check")) {
        const path = pathGiven(value(call, "args"));
        if (isLosing && asked === "file") deletes(call, path, { isTree: true });
        else writes(call, path, { isTree: /^(?:unarchive|synchronize)$/.test(asked) });
      }
    },
    examples: [
      ["ansible-playbook site.yml --check"],
      ["ansible all -m shell -a uptime"],
      ["ansible all -m shell -a './update.sh'", "cloud", "unknown: ./update.sh"],
      ["ansible all -m ping"],
      ["ansible web -m service -a 'name=x state=stopped'", "cloud outage"],
      ["ansible-playbook site.yml -e state=absent", "cloud work-loss"],
      ["ansible all -m shell -a 'rm x'", "runs rm x"],
      ["ansible localhost -m file -a 'path=x state=absent'", "cloud work-loss recoverable", "deletes x tree"],
      ["ansible localhost -m copy -a 'content=1 dest=x'", "cloud", "writes x"],
      ["ansible web -m copy -a 'content=1 dest=x'", "cloud"],
    ],
  },
});

/** Modules that change a file, which `path` or `dest` names. */
const FILE_MODULES = () =>
  /^(?:file|copy|template|lineinfile|blockinfile|replace|unarchive|get_url|synchronize|assemble|fetch|community\.general\.(?:ini_file|xml|archive)|ini_file|xml)$/;

/** Whether the machine that ansible changes is this one. */
function isHere(call: Call): boolean {
  const [hosts] = call.operands;
  return value(call, "connection")?.text === "local" || /^(?:localhost|127\.0\.0\.1|::1)$/.test(hosts?.text ?? "");
}

/** `path=x`, `{"dest": "x"}`: the file among the arguments of a module. */
function pathGiven(args: Word | undefined): Word | undefined {
  const [, quoted, bare] =
    /(?:^|[\s{,"'])(?:path|dest|name)["']?\s*[=:]\s*(?:["']([^"']+)["']|([^\s"',}]+))/.exec(args?.text ?? "") ?? [];
  const path = quoted ?? bare;
  return args === undefined || path === undefined ? undefined : pieceOf(args, path);
}

/** Modules that change nothing. */
const ASKING_MODULES = () =>
  /^(?:ping|win_ping|setup|gather_facts|debug|stat|find|getent|assert|service_facts|package_facts|uri)$/;
/** Modules that take a command line; the default module is one of them. */
const LINE_MODULES = /^(?:shell|command|raw|)$/;
/** A single program that only shows something. */
const LOOKING_LINE = () =>
  /^(?:uptime|hostname|uname|date|id|whoami|df|du|free|ps|ls|cat|head|tail|grep|wc|ss|netstat|lsblk|mount|journalctl|dmesg|systemctl (?:status|is-active|show|list-\S+))(?:\s[^;&|<>`$]*)?$/;

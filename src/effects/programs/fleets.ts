import { has, plays, runsFetched, value, values } from "./call.ts";
import type { Programs } from "./program.ts";
import { asLine } from "./runs.ts";

/** Programs that act on many machines at once. */
export const FLEETS = (): Programs => ({
  "ansible-pull": {
    options: "url|U= directory|d= inventory|i= checkout|C= check",
    does: (call) => runsFetched(call, value(call, "url")),
    examples: [
      ["ansible-pull -U https://h.test/r", "network-in run-code", "fetches from h.test", "network flows to shell"],
    ],
  },
  "ansible ansible-playbook salt puppet chef-client": {
    options:
      "inventory|i= limit|l= check|C extra-vars|e= module-name|m= args|a= become|b user|u= private-key= tags|t= forks|f=",
    runs: (run) => {
      const line = value(run, "args");
      const module = value(run, "module-name")?.text ?? "";
      // `salt '*' cmd.run 'rm x'`: the function stands behind the hosts.
      if (run.name === "salt")
        return /^cmd\.(?:run\w*|shell|powershell|exec_code)$/.test(run.operands[1]?.text ?? "")
          ? asLine(run.name, run.operands.slice(2))
          : [];
      const isShell = LINE_MODULES.test(module.replace(/^ansible\.builtin\./, ""));
      return isShell && line !== undefined && run.name === "ansible"
        ? [{ runs: "shell", text: line, via: run.name }]
        : [];
    },
    does: (call) => {
      const asked = value(call, "module-name")?.text.replace(/^ansible\.builtin\./, "") ?? "";
      const line = value(call, "args")?.text ?? "";
      const isLook = ASKING_MODULES.test(asked) || (LINE_MODULES.test(asked) && LOOKING_LINE.test(line));
      if (!has(call, "check") && !(call.told.program === "ansible" && isLook)) plays(call, "cloud");
      if (/^(?:reboot|win_reboot|shutdown)$/.test(asked) || /\bstate["']?[=:]\s*["']?stopped\b/.test(line))
        plays(call, "outage");
      if (call.told.program === "ansible-playbook") {
        call.told.scripts.push(...call.operands);
        if (call.operands.some(({ text }) => /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(text))) call.told.input = "run";
      }
      if (has(call, "become")) plays(call, "privilege");
      const [, module = "", ...words] = call.operands.map(({ text }) => text);
      if (
        call.told.program === "salt" &&
        /^(?:state|service|pkg|system)\.(?!list|get|status|show|version)/.test(module)
      )
        if (!words.includes("test=True")) plays(call, "outage");
      const given = values(call, "args", "extra-vars").map(({ text }) => text);
      const isLosing = given.some((text) => /(?:^|[\s"'{:,])state["']?[=:]\s*["']?absent\b/.test(text));
      if (isLosing && !has(call, "check")) plays(call, "work-loss");
    },
    examples: [
      ["ansible-playbook site.yml --check"],
      ["ansible all -m shell -a uptime"],
      ["ansible all -m shell -a './update.sh'", "cloud", "unknown: ./update.sh"],
      ["ansible all -m ping"],
      ["ansible web -m service -a 'name=x state=stopped'", "cloud outage"],
      ["ansible-playbook site.yml -e state=absent", "cloud work-loss"],
      ["ansible all -m shell -a 'rm x'", "runs rm x"],
    ],
  },
});

/** Modules that only look. */
const ASKING_MODULES =
  /^(?:ping|win_ping|setup|gather_facts|debug|stat|find|getent|assert|service_facts|package_facts|uri)$/;
/** Modules that are given a line for a shell; the one that is meant where none is named is among them. */
const LINE_MODULES = /^(?:shell|command|raw|)$/;
/** One program that looks, and nothing behind it. */
const LOOKING_LINE =
  /^(?:uptime|hostname|uname|date|id|whoami|df|du|free|ps|ls|cat|head|tail|grep|wc|ss|netstat|lsblk|mount|journalctl|dmesg|systemctl (?:status|is-active|show|list-\S+))(?:\s[^;&|<>`$]*)?$/;

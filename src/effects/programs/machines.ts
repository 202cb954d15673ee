import { has, plays, values } from "./call.ts";
import { readOptions } from "./options.ts";
import type { Inner, Programs } from "./program.ts";
import { behindDashes, restAsProgram, runVerb } from "./runs.ts";

/** Programs that keep virtual machines and small clusters on this one; what lies in them goes with them. */
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
        does: (call) => {
          plays(call, "cloud", "network-out");
          if (values(call, "delete-destination").some(({ text }) => text === "true")) plays(call, "work-loss");
        },
      },
    },
    examples: [["azcopy remove https://h.test/x --recursive", "cloud work-loss"], ["azcopy list https://h.test/x"]],
  },
  "minikube kind k3d vagrant multipass tart orb limactl VBoxManage prlctl": {
    is: { "holds-services": true },
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
        does: (call) =>
          plays(
            call,
            "container",
            "delete",
            "work-loss",
            // A cluster or a machine for trying things out is made again by one command.
            ...(/^(?:kind|minikube|k3d|vagrant)$/.test(call.told.program) && !has(call, "all", "purge")
              ? (["recoverable"] as const)
              : []),
          ),
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
      "config device": {
        does: (call) => {
          if (call.operands.some(({ text }) => /^source=\/(?:etc|root|home|var)?\/?$/.test(text)))
            plays(call, "privilege");
        },
      },
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
    does: (call) => {
      if (has(call, "unregister")) plays(call, "container", "delete", "work-loss");
    },
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
        does: (call) => {
          plays(call, "container", "delete");
          if (has(call, "remove-all-storage", "storage")) plays(call, "work-loss");
        },
      },
      "vol-delete|vol-wipe|pool-delete|snapshot-delete": ["container", "delete", "work-loss"],
      "destroy|shutdown|start|reboot": ["container"],
    },
    examples: [["virsh undefine x --remove-all-storage", "container delete work-loss"], ["virsh list"]],
  },
});

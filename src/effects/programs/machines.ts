import { has, plays } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that keep virtual machines and small clusters on this one; what lies in them goes with them. */
export const MACHINES: Programs = {
  "minikube kind k3d vagrant multipass tart orb limactl VBoxManage prlctl": {
    verbs: {
      "delete|destroy|delete cluster|delete clusters|cluster delete|rm|unregistervm|purge": {
        options: "all|a purge|p force|f delete",
        does: (call) => plays(call, "container", "delete", "work-loss"),
      },
      "start|stop|up|halt|suspend|create|create cluster|cluster create": ["container"],
    },
    examples: [
      ["minikube delete --all", "container delete work-loss"],
      ["kind delete cluster", "container delete work-loss"],
      ["minikube status"],
      ["vagrant up", "container"],
    ],
  },
  "lxc incus lxd": {
    verbs: { "delete|storage delete|storage volume delete|image delete": ["container", "delete", "work-loss"] },
    examples: [["lxc delete --force x", "container delete work-loss"], ["lxc list"]],
  },
  wsl: {
    options: "unregister= shutdown terminate|t= distribution|d= user|u=",
    style: "first",
    does: (call) => {
      if (has(call, "unregister")) plays(call, "container", "delete", "work-loss");
    },
    examples: [["wsl --unregister Ubuntu", "container delete work-loss"], ["wsl --list"]],
  },
  virsh: {
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
};

import type { Guard } from "./guard.ts";
import { by } from "./part.ts";

/** Resources in clouds and clusters stay, where one asks for it. */
export const clouds: Guard = {
  title: "Removing and changing cloud resources",
  why: "What is destroyed in a cloud is often production, and often without a copy.",
  rules: [
    {
      name: "cloud-loss",
      yieldsTo: ["unpublish"],
      strict: "ask",
      paranoid: "deny",
      reason: "Removes resources in a cloud or a cluster.",
      tells: (part) => ({
        does: `removes resources in a cloud or a cluster${by(part)}`,
        ask: "whether they may go",
      }),
    },
    {
      name: "cloud",
      yieldsTo: ["unpublish", "cloud-loss", "publish"],
      paranoid: "ask",
      reason: "Changes something in a cloud or a cluster.",
      tells: (part) => ({
        does: `changes something in a cloud or a cluster${by(part)}`,
        ask: "whether it may change",
      }),
    },
  ],
  stops: [
    "terraform destroy -auto-approve",
    "aws s3 rm s3://bucket --recursive",
    "aws ec2 terminate-instances --instance-ids i-1",
    "kubectl delete namespace prod",
    "helm uninstall app",
    "gcloud compute instances delete x --quiet",
    "az group delete --name x --yes",
    "gh secret delete TOKEN",
  ],
  passes: [
    "terraform plan",
    "aws s3 ls",
    "kubectl get pods",
    "gcloud compute instances list",
    "helm list",
    "gh pr view 3",
  ],
};

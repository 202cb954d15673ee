import type { Word } from "../../effects/index.ts";
import { ASK, type Guard, STRICT } from "./guard.ts";
import { lineOf, type Part, without } from "./part.ts";

/** Cloud resources and production change only if the user agrees. */
export const clouds: Guard = {
  title: "Removing cloud resources, changing production",
  why: "What is destroyed in a cloud is often production, and often without a copy.",
  rules: [
    {
      name: "cloud-loss",
      yieldsTo: ["unpublish"],
      ...ASK,
      reason: "Removes resources in a cloud or a cluster.",
      does: "removes resources in a cloud or a cluster{by}",
      instead: plan,
      ask: "whether they may go",
    },
    {
      name: "production-change",
      yieldsTo: ["database-loss"],
      ...ASK,
      reason: "Changes something in production.",
      does: "changes something in production{by}",
      instead: plan,
      ask: "whether production may change",
    },
    {
      name: "cloud-outage",
      ...ASK,
      reason: "Stops, replaces or withdraws what runs in a cloud or a cluster, or changes it unseen.",
      does: "stops, replaces or withdraws what runs in a cloud or a cluster, or changes it without showing first what changes{by}",
      instead: plan,
      ask: "whether it may change",
    },
    {
      name: "recoverable-loss",
      ...STRICT,
      reason: "Drops, resets or removes what is local, made for development, or made again by the next migration.",
      does: "drops, resets or removes what is local or made for development{by}",
      ask: "whether they may go",
    },
    {
      name: "cloud",
      yieldsTo: ["publish"],
      paranoid: "ask",
      reason: "Changes something in a cloud or a cluster.",
      does: "changes something in a cloud or a cluster{by}",
      ask: "whether it may change",
    },
  ],
  stops: () => [
    "terraform destroy -auto-approve",
    "terraform apply -auto-approve -var-file=prod.tfvars",
    "terraform apply -auto-approve",
    "kubectl scale deploy/api --replicas=0",
    "aws s3 rm s3://bucket --recursive",
    "aws ec2 terminate-instances --instance-ids i-1",
    "kubectl delete namespace prod",
    "kubectl delete pvc --all",
    "kubectl drain node-1",
    "kubectl rollout restart deploy/api -n production",
    "helm uninstall app",
    "gcloud compute instances delete x --quiet",
    "az group delete --name x --yes",
    "supabase db reset --linked",
    "gh secret delete TOKEN",
    "pulumi up --yes --stack acme/prod",
    { tool: "mcp__github__delete_repository", args: { owner: "me", repo: "app" } },
    { tool: "mcp__aws__call", args: { service: "s3", operation: "DeleteBucket", parameters: { Bucket: "prod" } } },
    { tool: "mcp__ec2__terminateInstances", args: { InstanceIds: ["i-1"] } },
    { tool: "mcp__http__request", args: { method: "DELETE", url: "https://es.example.com/logs-2026" } },
  ],
  passes: () => [
    "terraform plan",
    "terraform plan -destroy",
    "terraform apply",
    "aws s3 ls",
    "aws --endpoint-url http://localhost:4566 s3 rb s3://bucket --force",
    "awslocal s3 rm s3://bucket --recursive",
    "supabase db reset",
    "kubectl get pods -n production",
    "kubectl delete pod web-1",
    "kubectl --context kind-dev delete namespace x",
    "gcloud compute instances list",
    "helm list",
    "gh pr view 3",
  ],
};

/** Shows what would change. */
function plan(part: Part): string | undefined {
  if (!["terraform", "tofu"].includes(part.program) || !["apply", "destroy"].includes(part.verb)) return undefined;
  const rest = without(part, (text) => /^-{1,2}(?:auto-approve|destroy)/.test(text));
  const [before, last] = rest.slice(-2);
  const isSaved = last !== undefined && !/^-|=/.test(last.text) && last.text !== part.verb;
  if (part.verb === "apply" && isSaved && !/^-[^=]*$/.test(before?.text ?? "")) {
    const shared = rest.slice(0, rest.map(({ text }) => text).indexOf(part.verb));
    return lineOf(part, part.program, ...shared, "show", last);
  }
  const isDestroying = part.verb === "destroy" || part.words.some(({ text }) => /^-{1,2}destroy/.test(text));
  const verb = ["plan", ...(isDestroying ? ["-destroy"] : [])];
  return lineOf(part, part.program, ...rest.flatMap<Word | string>((word) => (word.text === part.verb ? verb : word)));
}

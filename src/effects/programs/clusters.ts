import type { Word } from "../parse/command.ts";
import { anyArgument, operandIs } from "./act.ts";
import { type Call, has, known, plays, reads, reveals, sends, talks, value, values, writes } from "./call.ts";
import { isPlainAddress, isUsualOwner, isUsualRegistry } from "./package-sources.ts";
import type { Programs } from "./program.ts";
import { behindDashes } from "./runs.ts";

/** Programs that change what runs in a cluster. */
export const CLUSTERS = (): Programs => ({
  "kubectl oc k kubecolor k9s k3s microk8s": {
    readOnly:
      "get|describe|logs|top|version|explain|api-resources|api-versions|diff|events|config view|config get-contexts|config current-context|config get-clusters|config get-users|auth can-i|auth whoami|rollout status|rollout history|plugin list|status|whoami|wait|options|help",
    is: { "uses-keys": "kubectl oc k", "holds-services": "kubectl oc k" },
    options:
      "namespace|n= context= kubeconfig= cluster= user= server|s= token= all-namespaces|A v= insecure-skip-tls-verify",
    when: anyArgument(/^--insecure-skip-tls-verify(?:=true)?$/),
    roles: ["unverified"],
    runs: (run) => (run.operands.some(({ text }) => /^(?:exec|run|debug)$/.test(text)) ? behindDashes(run) : []),
    verbs: {
      "config view": { options: "raw minify flatten output|o=", when: "raw", keys: true },
      "delete|drain|evict|adm drain": {
        options: "filename|f= dry-run? selector|l= namespace|n= all grace-period= force now",
        does: (call) => {
          for (const path of values(call, "filename")) reads(call, path);
          if (!isDry(call)) plays(call, "cloud", ...(isRestart(call) ? [] : (["work-loss"] as const)));
        },
      },
      "create token": { does: reveals },
      "port-forward|proxy": {
        options: "address= accept-hosts= port|p= namespace|n=",
        when: (call) => /(?:^|,)(?:0\.0\.0\.0|::)/.test(value(call, "address")?.text ?? ""),
        roles: ["expose"],
      },
      "apply|create|replace|patch|edit|scale|set|rollout|label|annotate|taint|cordon|uncordon|adm cordon|adm taint|expose|autoscale|run|debug|certificate":
        {
          options:
            "filename|f= dry-run? output|o= kustomize|k= namespace|n= force prune replicas= patch|p= type= all clusterrole= role= user= serviceaccount= group= port= target-port= name= image=",
          does: (call) => {
            for (const path of values(call, "filename"))
              if (!/^https?:/.test(path.text)) reads(call, path);
              else if (isPlainAddress(path.text) || !isKnownManifest(path.text)) plays(call, "foreign-source");
            if (isDry(call)) return;
            plays(call, "cloud");
            if (opensCluster(call)) plays(call, "expose");
            if (value(call, "replicas")?.text === "0") plays(call, has(call, "all") ? "work-loss" : "outage");
            if (
              /^(?:adm )?cordon$/.test(call.report.verb ?? "") ||
              call.operands.some(({ text }) => /:NoExecute$/.test(text))
            )
              plays(call, "outage");
            if (Number(value(call, "replicas")?.text ?? 0) >= 1000) plays(call, "exhaust");
            if (/"finalizers"\s*:\s*(?:null|\[\s*\])/.test(value(call, "patch")?.text ?? "")) plays(call, "work-loss");
            if (has(call, "prune") || (has(call, "force") && call.report.verb === "replace")) plays(call, "work-loss");
          },
        },
      get: {
        options: "output|o= namespace|n= selector|l= all-namespaces|A watch|w",
        when: [
          operandIs(0, /^secrets?(?:$|[/,])/),
          (call) => /json|yaml|template|path/.test(value(call, "output")?.text ?? ""),
        ],
        unless: (call) =>
          /^(?:jsonpath|go-template)=[^.]*\.(?:metadata|type)\b/.test(value(call, "output")?.text ?? ""),
        keys: true,
      },
      "rollout status|rollout history": [],
      cp: {
        options: "namespace|n= container|c= retries=",
        does: (call) => {
          plays(call, "cloud");
          const [from, to] = call.operands;
          const isFar = (word: Word | undefined) => /^[\w./-]+:/.test(word?.text ?? "");
          if (!isFar(from)) reads(call, from, { isTree: true });
          if (!isFar(to)) writes(call, to, { isTree: true });
          if (!isFar(to)) return;
          talks(call, "out", undefined);
          sends(call, "reads");
        },
      },
      "config set|config set-context|config use-context|config delete-context|config unset|config set-credentials": [
        "settings",
      ],
    },
    examples: [
      ["kubectl get pods"],
      ["kubectl delete ns web", "cloud work-loss"],
      ["kubectl delete ns prod", "cloud work-loss production"],
      ["kubectl delete pod web-1", "cloud"],
      ["kubectl delete pods --all", "cloud work-loss"],
      ["kubectl --context kind-x delete ns web", "cloud work-loss recoverable"],
      ["kubectl port-forward --address 0.0.0.0 svc/db 5432", "expose"],
      ["kubectl get secret x -o yaml", "reveal"],
      ["kubectl apply -f http://10.0.0.1/a.yaml", "foreign-source cloud"],
      ["kubectl -n x delete pod y --dry-run=client"],
      ["kubectl apply -f a.yaml", "cloud", "reads a.yaml"],
      ["kubectl scale deploy/x --replicas=0", "cloud outage"],
      ["kubectl scale deploy/x --replicas=2", "cloud"],
      ["kubectl exec -n a pod -- rm x", "runs rm x"],
      ["kubectl run p --image=a --command -- rm x", "runs rm x"],
      ["oc exec pod -c web -- sh -c 'rm x'", "runs rm x"],
    ],
  },
  helmfile: {
    readOnly: "list|status|diff|lint|template|build|show-dag|version|help",
    options: "environment|e= file|f= selector|l= kube-context= namespace|n= state-values-file=",
    verbs: { "destroy|delete": ["cloud", "work-loss"], "apply|sync": ["cloud"], "repos|deps|fetch": ["network-in"] },
    examples: [["helmfile -e dev destroy", "cloud work-loss"], ["helmfile diff"]],
  },
  "helm helm3": {
    readOnly:
      "list|ls|status|history|hist|get|show|inspect|search|lint|env|version|repo list|repo ls|plugin list|plugin ls|dependency list|dep list|diff|verify|help",
    is: { "uses-keys": true, "loads-unnamed": true },
    options: "namespace|n= kube-context= kubeconfig=",
    when: anyArgument(/^--insecure(?:-skip-tls-verify)?(?:=true)?$/),
    roles: ["unverified"],
    verbs: {
      "uninstall|delete|un|del": {
        options: "dry-run? namespace|n= keep-history",
        unless: (call) => isDry(call),
        roles: ["cloud", "work-loss"],
      },
      "install|upgrade|rollback": {
        options: "dry-run? values|f= set= namespace|n= install|i version= repo= force",
        does: (call) => {
          for (const path of values(call, "values")) reads(call, path);
          const isForeign = (text: string) =>
            isPlainAddress(text) ||
            (/^https:.*\.tgz$/.test(text) && !KNOWN_MANIFESTS().test(text)) ||
            (/^oci:/.test(text) && !isUsualRegistry(known(text)));
          if ([...call.operands, ...values(call, "repo")].some(({ text }) => isForeign(text)))
            plays(call, "foreign-source");
          if (!isDry(call)) plays(call, "cloud");
        },
      },
      "repo add|plugin install": {
        roles: ["settings", "network-in"],
        does: (call) => {
          const isPlugin = call.report.verb === "plugin install";
          const isForeign = (text: string) =>
            isPlainAddress(text) || (isPlugin && /^https:/.test(text) && !KNOWN_MANIFESTS().test(text));
          if (call.operands.some(({ text }) => isForeign(text))) plays(call, "foreign-source");
        },
      },
      push: ["publish", "network-out"],
    },
    examples: [["helm uninstall x", "cloud work-loss"], ["helm upgrade -i x ./chart --dry-run"]],
  },
});

/** Whether a manifest comes from where a project publishes its own; on a host of repositories, from a well-known owner. */
function isKnownManifest(url: string): boolean {
  const [, repository] =
    /^https:\/\/(?:(?:raw|gist)\.githubusercontent\.com|github\.com|gitlab\.com)\/(.+)$/.exec(url) ?? [];
  return repository === undefined ? KNOWN_MANIFESTS().test(url) : isUsualOwner(repository);
}

/** Hosts on which projects publish manifests for clusters. */
const KNOWN_MANIFESTS = () =>
  /^https:\/\/(?:[\w.-]+\.)?(?:githubusercontent\.com|github\.com|github\.io|gitlab\.com|k8s\.io|projectcalico\.org|istio\.io|tekton\.dev|googleapis\.com|knative\.dev|linkerd\.io|jetstack\.io|amazonaws\.com)\//;

function isDry(call: Call): boolean {
  return has(call, "dry-run") && call.given.get("dry-run")?.at(-1)?.text !== "none";
}

/** Whether only named pods or jobs are deleted: their controller creates them again, or they have finished. */
function isRestart(call: Call): boolean {
  if (call.report.verb !== "delete" || has(call, "all", "filename", "all-namespaces", "A", "raw")) return false;
  const [kind, ...names] = call.operands.map(({ text }) => text);
  return (
    kind !== undefined && (names.length > 0 || has(call, "selector") ? RESTARTED.test(kind) : RESTARTED_ONE.test(kind))
  );
}

const RESTARTED = /^(?:po|pods?|jobs?(?:\.batch)?|ev|events?|rs|replicasets?)$/;
const RESTARTED_ONE = /^(?:po|pods?|jobs?(?:\.batch)?|ev|events?|rs|replicasets?)\/./;

/** Whether everyone gets access, or an account gets all rights. */
function opensCluster(call: Call): boolean {
  return (
    /^(?:LoadBalancer|NodePort)$/.test(value(call, "type")?.text ?? "") ||
    call.command.args.some(({ text }) =>
      /^--privileged$|"host(?:PID|Network|IPC)"\s*:\s*true|"privileged"\s*:\s*true|\/enforce=privileged$/.test(text),
    ) ||
    (call.report.verb === "debug" && call.operands.some(({ text }) => /^node\//.test(text))) ||
    /"type"\s*:\s*"(?:LoadBalancer|NodePort)"/.test(value(call, "patch")?.text ?? "") ||
    values(call, "clusterrole", "role").some(({ text }) => text === "cluster-admin") ||
    values(call, "user", "group").some(({ text }) => /^system:(?:anonymous|unauthenticated|masters)$/.test(text))
  );
}

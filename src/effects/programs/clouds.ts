import type { Word } from "../parse/command.ts";
import { nameOf } from "../paths.ts";
import { isSql } from "../sql/sql.ts";
import { hasOperands } from "./act.ts";
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
  talks,
  value,
  values,
  writes,
} from "./call.ts";
import {
  ASKS,
  CHANGING,
  DRY,
  isGentle,
  isUnattended,
  LINKED,
  LOSING,
  opensCloud,
  revealsCloud,
  STOPPING,
  stopsAll,
  tellPeople,
  unprotects,
  WITHDRAWING,
} from "./cloud-access.ts";
import { tellSql } from "./databases.ts";
import { readOptions } from "./options.ts";
import type { Inner, Invocation, Programs } from "./program.ts";
import { asLine } from "./runs.ts";

/** Options of terragrunt: its folders, and whether it asks for confirmation. */
const TERRAGRUNT =
  "terragrunt-working-dir= working-dir= terragrunt-config= config= terragrunt-source= terragrunt-parallelism= terragrunt-include-dir= queue-include-dir= terragrunt-exclude-dir= queue-exclude-dir= terragrunt-log-level= log-level= terragrunt-non-interactive non-interactive";

/** Programs that change what runs in a cloud. */
export const CLOUDS = (): Programs => ({
  "terraform tofu terragrunt cdktf": {
    is: { "loads-unnamed": true },
    readOnly:
      "show|output|validate|graph|state list|state show|state pull|workspace list|workspace show|version|metadata functions|help",
    style: "whole",
    options: `chdir= ${TERRAGRUNT}`,
    verbs: {
      "destroy|destroy-all": { options: "help auto-approve", style: "whole", roles: ["cloud", "work-loss"] },
      "apply|apply-all|run-all": {
        options: `help destroy auto-approve all var= var-file= target= replace= state= parallelism= lock= refresh= input= ${TERRAGRUNT}`,
        style: "whole",
        does: (call) => {
          plays(call, "cloud");
          if (has(call, "destroy") || call.operands[0]?.text === "destroy") plays(call, "work-loss");
          // A saved plan is applied without a question; the line may also answer the question.
          const isSaved = call.operands.some(({ text }) => !/^(?:apply|plan|validate|init|output)$/.test(text));
          const isApplied = call.operands.some(({ text }) => text === "apply");
          const isUnasked = isApplied && has(call, "terragrunt-non-interactive", "non-interactive");
          if (has(call, "auto-approve") || isSaved || isUnasked || isUnattended(call)) plays(call, "outage");
        },
      },
      "state rm|state push|workspace delete|force-unlock|taint|state mv|state replace-provider": ["cloud", "work-loss"],
      import: ["cloud"],
      "init|get|providers lock": ["network-in"],
      output: {
        options: "json raw no-color state=",
        style: "whole",
        does: (call) => {
          const [name] = call.operands;
          // Without a name and as JSON, sensitive values are printed.
          const isAll = name === undefined && has(call, "json") && hidesOutputs(call);
          if (isAll || (name !== undefined && SECRET_NAME.test(name.text))) reveals(call);
        },
      },
      "state pull": { does: reveals },
      "show|state show": { options: "json no-color", style: "whole", when: "json", unless: hasOperands, keys: true },
    },
    examples: [
      ["terraform plan"],
      ["terraform output -raw vpc_id"],
      ["terraform output"],
      ["terraform output -json", "reveal"],
      ["terraform output -json vpc_id"],
      ["terraform output -raw db_password", "reveal"],
      ["terraform state pull", "reveal"],
      ["terraform destroy -auto-approve", "cloud work-loss"],
      ["terraform destroy -help"],
      ["terraform apply -destroy", "cloud work-loss"],
      ["terragrunt run-all plan --terragrunt-working-dir live/dev", "cloud"],
      ["terragrunt run-all apply --terragrunt-non-interactive", "cloud outage"],
      ["tofu apply", "cloud"],
      ["tofu apply -auto-approve", "cloud outage"],
    ],
  },
  "pulumi cdk aws-cdk cdklocal sst serverless sls sam eksctl kops copilot amplify chalice zappa kamal": {
    readOnly:
      "ls|list|diff|doctor|metadata|docs|whoami|about|logs|info|print|get|describe|validate|stack ls|stack output|stack history|version|help",
    verbs: {
      "destroy|down|remove|stack rm|delete|state delete|delete cluster|delete nodegroup|undeploy|app delete|env delete|svc delete":
        ["cloud", "work-loss"],
      "stack output|stack export|config get|config": {
        options: "show-secrets json j stack|s=",
        when: "show-secrets",
        keys: true,
      },
      "up|deploy|refresh|import|create cluster|bootstrap|publish|push": {
        options: "yes|y skip-preview|f require-approval= stack|s= no-confirm-changeset no-prompts stage=",
        does: (call) => {
          plays(call, "cloud");
          // The other programs of this row never ask for confirmation.
          const isAsking = /^(?:pulumi|cdk|aws-cdk|amplify)$/.test(call.report.program);
          const isSilenced = has(call, "yes", "skip-preview") || value(call, "require-approval")?.text === "never";
          if (isAsking && (isSilenced || isUnattended(call))) plays(call, "outage");
        },
      },
    },
    examples: [
      ["pulumi destroy --yes", "cloud work-loss"],
      ["cdk deploy", "cloud"],
      ["cdk deploy --require-approval never", "cloud outage"],
      ["pulumi up -y", "cloud outage"],
    ],
  },
  "aws awslocal": {
    readOnly: ({ operands: [service, action] }) =>
      (service?.text === "s3" ? /^ls$/ : ASKS).test(action?.text ?? "") || undefined,
    is: { "uses-keys": true },
    options:
      "region= profile= output= query= endpoint-url= no-cli-pager dryrun dry-run delete recursive acl= sse= sse-kms-key-id= storage-class= content-type= content-encoding= content-disposition= cache-control= metadata= metadata-directive= expires= grants= exclude= include= expected-size= source-region= request-payer=",
    does: (call) => {
      const words = call.operands.map(({ text }) => text);
      call.report.verb = words.slice(0, 2).join(" ");
      const action = words[1] ?? "";
      if (opensCloud(call.command.args)) plays(call, "cloud", "expose");
      if (revealsCloud(call.report.program, call.command.args)) reveals(call);
      if (call.report.program === "awslocal") plays(call, "recoverable");
      if (words[0] === "s3" && words[2] === "help") return;
      if (words[0] === "s3") return objects(call, call.operands.slice(1), "s3://");
      if (/^(?:configure|sso)$/.test(words[0] ?? ""))
        return plays(call, /^(?:list|get)/.test(action) ? "network-in" : "account");
      const body = call.command.args.filter((_, at, all) => /^--(?:body|zip-file)$/.test(all[at - 1]?.text ?? ""));
      if (body.length > 0) {
        for (const path of body) reads(call, pieceOf(path, path.text.replace(/^fileb?:\/\//, "")));
        talks(call, "out", undefined);
        sends(call, "reads");
      }
      if (has(call, "dry-run", "help") || action === "help" || words.at(-1) === "help") return;
      tellPeople(call);
      if (LOSING.test(action) || stopsAll(call.command.args)) plays(call, "cloud", "work-loss");
      else if (STOPPING.test(action)) plays(call, "cloud", "outage");
      else if (unprotects(call.command.args)) plays(call, "cloud", "outage");
      else if (CHANGING.test(action)) plays(call, "cloud");
    },
    examples: [
      ["aws s3 ls"],
      ["aws s3 rm s3://b --recursive", "cloud work-loss network-out", "sends to b"],
      [
        "aws s3 cp a s3://b/a --acl public-read",
        "cloud expose network-out",
        "reads a",
        "sends to b",
        "file a flows to network",
      ],
      ["aws s3 cp a s3://b/a", "network-out", "reads a", "sends to b", "file a flows to network"],
      [
        "aws s3 sync . s3://b --delete",
        "network-out cloud work-loss",
        "reads . tree",
        "sends to b",
        "file . flows to network",
      ],
      ["aws --region us-east-1 ec2 terminate-instances --instance-ids i-1", "cloud work-loss"],
      ["aws s3 cp s3://b/x/a .", "network-in", "fetches from b", "writes a", "network a flows to file"],
      ["aws ec2 describe-instances"],
      [
        "aws s3api put-object --bucket b --key k --body a",
        "network-out cloud",
        "reads a",
        "sends to ?",
        "file a flows to network",
      ],
      ["aws lambda update-function-code --function-name x", "cloud"],
      ["aws ses send-email --from a@h.test", "message cloud"],
      ["awslocal ec2 terminate-instances --instance-ids i-1", "recoverable cloud work-loss"],
    ],
  },
  "gsutil s3cmd mc s5cmd b2 rados": {
    readOnly: "ls|la|stat|du|df|cat|hash|head|info|tree|diff|lspools|version|help",
    options: "recursive|r|R force|f m q quiet d delete-removed delete=? config|c= access-key=",
    does: (call) => {
      if (opensCloud(call.command.args)) plays(call, "cloud", "expose");
      objects(call, call.operands, undefined);
    },
    examples: [
      ["gsutil -m rm -r gs://b", "cloud work-loss network-out", "sends to b"],
      ["b2 delete-bucket x", "cloud work-loss network-out", "sends to x"],
      ["b2 bucket delete x", "cloud work-loss network-out", "sends to x"],
      ["gsutil cp a gs://b/", "network-out", "reads a", "sends to b", "file a flows to network"],
      ["gsutil cat gs://b/a", "network-in", "fetches from b"],
      ["s3cmd put a s3://b", "network-out", "reads a", "sends to b", "file a flows to network"],
    ],
  },
  "gcloud az doctl heroku fly flyctl vercel netlify netlify-cli wrangler railway render firebase supabase scw linode-cli hcloud ibmcloud oci aliyun tccli civo vultr-cli nomad consul vault argocd flux eb ecs-cli cf rosa databricks snow turso neonctl pscale surge now exo upctl yc ovh openstack govc confluent ccloud fastly koyeb northflank porter dokku deployctl sf sfdx stripe auth0 okteto humanitec istioctl linkerd cilium crossplane kn velero spacectl tfe qm pct pvesh rancher k0sctl talosctl cosign mongocli atlascli elastic ecctl confluent-cli pinecone upstash convex appwrite nhost hasura":
    {
      readOnly: ({ operands }) => isGentle(operands.slice(0, 5).map(({ text }) => text)) || undefined,
      is: { "uses-keys": "gcloud", "holds-services": "heroku fly flyctl gcloud" },
      runs: remoteRuns,
      does: (call) => {
        const words = call.operands.map(({ text }) => text);
        if (call.report.program === "gcloud" && words[0] === "storage" && words[1] !== "buckets")
          return objects(call, call.operands.slice(1), undefined);
        if (opensCloud(call.command.args)) plays(call, "cloud", "expose");
        // A policy by which everything may be read and changed.
        if (/^policy write/.test(words.join(" ")) && /path\s+"\*"|\bsudo\b/.test(call.report.piped))
          plays(call, "cloud", "expose");
        if (
          call.report.program === "vault" &&
          /-dev-listen-address[= ](?:0\.0\.0\.0|\[?::)/.test(call.command.args.map(({ text }) => text).join(" "))
        )
          plays(call, "expose");
        if (revealsCloud(call.report.program, call.command.args)) reveals(call);
        tellSql(
          call,
          call.command.args.filter(
            ({ text }, at, all) => /^(?:--?(?:command|sql|query)|-[cq])$/.test(all[at - 1]?.text ?? "") || isSql(text),
          ),
        );
        if (words.includes("upload") || words.includes("upload-batch")) uploads(call);
        call.report.verb = words
          .filter((text) => /^[a-z][\w:-]*$/.test(text))
          .slice(0, 3)
          .join(" ");
        const asked = words.slice(0, 5);
        if (isGentle(asked) || call.command.args.some(({ text }) => DRY.test(text))) return;
        tellPeople(call);
        if (isOnThisMachine(call)) plays(call, "recoverable");
        if (asked.some((text) => /^(?:login|logout|auth|print-access-token|tokens?)$/.test(text)))
          plays(call, "account");
        if (
          asked.some((text) => LOSING.test(text)) ||
          stopsAll(call.command.args) ||
          call.command.args.some(({ text }) => /^--?(?:purge|prune)$/.test(text)) ||
          /^(?:down|(?:secrets|auth) disable|operator seal|system gc|scale count 0)$|^compute instances stop$|^(?:vm|vmss) (?:stop|restart)$/.test(
            asked.slice(0, 3).join(" "),
          ) ||
          /^(?:down|(?:secrets|auth) disable|operator seal|system gc|vm stop)$/.test(asked.slice(0, 2).join(" "))
        )
          plays(call, "cloud", "work-loss");
        else if (
          asked.some((text) => WITHDRAWING.test(text)) ||
          unprotects(call.command.args) ||
          LINKED.test(`${call.report.program} ${asked.join(" ")}`)
        )
          plays(call, "cloud", "outage");
        else if (asked.some((text) => CHANGING.test(text))) plays(call, "cloud");
        // Without a verb, it deploys the folder.
        if (/^(?:vercel|now)$/.test(call.report.program) && words.length === 0 && !has(call, "help", "version"))
          plays(call, "cloud", "publish");
        if (call.report.program === "surge" && !/^(?:list|whoami|login|logout|token)$/.test(words[0] ?? ""))
          plays(call, "publish");
        if (asked.some((text) => /^(?:deploy|publish)$/.test(text)) || has(call, "prod"))
          plays(call, "cloud", "publish");
      },
      examples: [
        ["gcloud compute instances list"],
        ["gcloud compute instances delete x --quiet", "cloud work-loss"],
        ["az group delete --name x --yes", "cloud work-loss"],
        ["heroku apps:destroy x", "cloud work-loss"],
        ["supabase db reset", "recoverable cloud work-loss"],
        ["supabase db reset --linked", "cloud work-loss"],
        ["fly deploy", "cloud publish"],
        ["stripe refunds create --charge x --live", "payment cloud"],
        ["stripe refunds create --charge x", "cloud"],
        ["wrangler kv:namespace delete x", "cloud work-loss"],
        ["vault read secret/x", "reveal"],
        ["gcloud auth print-access-token", "reveal account"],
        ["wrangler d1 execute x --command 'drop table y'", "database work-loss"],
        ["heroku run -a app 'rm x'", "runs rm x"],
        ["fly ssh console -C 'rm x'", "runs rm x"],
        ["flyctl ssh console --command 'rm x'", "runs rm x"],
        ["gcloud compute ssh vm --command='rm x'", "runs rm x"],
        ["doctl compute ssh vm --ssh-command 'rm x'", "runs rm x"],
        ["az vm run-command invoke -n vm --scripts 'rm x'", "runs rm x"],
      ],
    },
});

/** Whether verbs mean the copy of a service on this machine, unless an option selects another one. */
function isOnThisMachine({ report, command: { args } }: Call): boolean {
  const words = args.map(({ text }) => text);
  const { verbs, unless } = OWN_COPIES[report.program] ?? {};
  return verbs?.test(words.join(" ")) === true && !words.some((text) => unless?.test(text));
}

const OWN_COPIES: Readonly<Record<string, { readonly verbs: RegExp; readonly unless: RegExp }>> = {
  __proto__: null as never,
  supabase: { verbs: /(?:^|\s)(?:db reset|migration (?:up|down)|stop)(?:\s|$)/, unless: /^--(?:linked|db-url)/ },
};

/** Whether outputs may be marked as sensitive, by the usual file of outputs if it can be read. */
function hidesOutputs(call: Call): boolean {
  const texts = ["outputs.tf", "output.tf"].map((name) => call.report.textOf(known(name)) ?? "").join("\n");
  return texts.trim() === "" || /\bsensitive\s*=\s*true\b/.test(texts);
}

const SECRET_NAME = /passw|secret|token|key|credential|connection_?string|dsn|private/i;

/** The operands that open a remote shell, and the option with its command line; without one, the rest of the operands. */
const REMOTE_SHELLS: Readonly<Record<string, { readonly words: string; readonly line?: string }>> = {
  __proto__: null as never,
  heroku: { words: "run" },
  fly: { words: "ssh console", line: "command|C=" },
  flyctl: { words: "ssh console", line: "command|C=" },
  gcloud: { words: "compute ssh", line: "command=" },
  doctl: { words: "compute ssh", line: "ssh-command=" },
  az: { words: "vm run-command invoke", line: "scripts=" },
};

function remoteRuns({ name, args }: Invocation): readonly Inner[] {
  const row = REMOTE_SHELLS[name];
  if (row === undefined) return [];
  const { line = "" } = row;
  const [option = ""] = line.split(/[|=]/, 1);
  const { given, operands } = readOptions(
    args,
    `${line} app|a= size|s= type= zone= project= name|n= resource-group|g=`,
  );
  if (!`${operands.map(({ text }) => text).join(" ")} `.startsWith(`${row.words} `)) return [];
  if (line === "") return asLine(name, operands.slice(row.words.split(" ").length));
  return values({ given }, option).map((text) => ({ runs: "shell", text, via: name }));
}

/** `az storage blob upload -f a`: the file is the value of an option. */
function uploads(call: Call): void {
  const files = call.command.args.filter((_, at, all) => /^(?:-f|-s|--file|--source)$/.test(all[at - 1]?.text ?? ""));
  for (const file of files) reads(call, file, { isTree: true });
  if (files.length === 0) return;
  talks(call, "out", undefined);
  sends(call, "reads");
}

/** Reports what happens to objects of a store, which differ from files by their scheme. */
function objects(call: Call, operands: readonly Word[], scheme: string | undefined): void {
  const [verb, ...rest] = operands;
  const isFar = ({ text }: Word) =>
    scheme === undefined ? /^[a-z0-9]+:\/\/|^[\w-]+\/[\w-]+/.test(text) : text.startsWith(scheme);
  const [name, isTree] = [verb?.text ?? "", has(call, "recursive", "r") || /sync|mirror/.test(verb?.text ?? "")];
  if (has(call, "dryrun", "n")) return;
  const isLosing = LOSING.test(name) || /^(?:del|removeall|rmpool|cleanup)$/.test(name);
  const isLosingThing = /^(?:bucket|file|key|file-version) (?:rm|del|delete\S*)$/.test(`${name} ${rest[0]?.text}`);
  if (isLosing || isLosingThing) {
    plays(call, "cloud", "work-loss");
    talks(call, "out", isLosing ? rest[0] : rest[1]);
    return;
  }
  if (/^(?:cat|ls)$/.test(name)) {
    for (const word of rest.slice(0, 1)) if (isFar(word)) talks(call, "in", word);
    return;
  }
  if (!/^(?:cp|sync|mv|put|get|rsync|mirror|upload|pipe|copy)$/.test(name)) return;
  const target = rest.at(-1);
  const sources = rest.slice(0, -1);
  for (const path of sources) if (!isFar(path)) reads(call, path, { isTree });
  if (target !== undefined && isFar(target)) {
    talks(call, "out", target);
    sends(call, "reads");
    if (sources.some(({ text }) => text === "-") || name === "pipe") sends(call, "input");
    if (has(call, "delete", "delete-removed", "d")) plays(call, "cloud", "work-loss");
  } else {
    for (const path of sources) if (isFar(path)) talks(call, "in", path);
    const isFolder = !isTree && target !== undefined && /(?:^|\/)\.{0,2}$/.test(target.text);
    for (const path of isFolder ? sources : [target])
      writes(call, isFolder && path ? pieceOf(target, `${target.text}/${nameOf(path.text)}`) : path, { isTree });
    if (has(call, "delete", "delete-removed")) deletes(call, target, { isTree: true, isForced: true });
  }
  if (name === "mv")
    for (const path of [...sources, ...values(call, "source")]) if (!isFar(path)) deletes(call, path, { isTree });
}

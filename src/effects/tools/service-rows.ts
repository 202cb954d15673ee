import { once } from "../../event/once.ts";
import { type CalledTool, type ToolActKind, textUnder } from "./tool-call.ts";
import { CHANGES, REMOVES, STOPS, type WordSet, words } from "./verbs.ts";

/** What a verb does to a thing; the first row that matches applies. */
export interface ServiceRow {
  readonly kind: ToolActKind;
  readonly verbs: WordSet;
  /** One of these has to be named; anything matches if it is left out. */
  readonly on?: WordSet;
  /** None of these may be named. */
  readonly without?: WordSet;
  /** One of these too. */
  readonly also?: WordSet;
  readonly when?: (call: CalledTool) => boolean;
}

const GIT_TALK = words("issue comment pr pull mr review label assignee reviewer reaction milestone discussion");

/** What verbs do at services, by the things that they are about. */
export const SERVICE_ROWS = once((): readonly ServiceRow[] => [
  {
    kind: "publish",
    verbs: words("push upload"),
    on: words("image package chart artifact registry module npm pypi crate gem"),
    without: words("issue comment design screenshot"),
  },
  { kind: "resource-loss", verbs: words("unpublish yank") },
  // An agent keeps its own notes in order; all of them at once are kept nowhere else.
  {
    kind: "resource-loss",
    verbs: union(REMOVES, words("clear reset")),
    on: words("entity memory graph knowledge"),
    when: (call) => isForAll(call) || call.words.includes("graph") || namesMany(call),
  },
  {
    kind: "outage",
    verbs: REMOVES,
    on: words("pod job container replicaset"),
    when: (call) => isProduction(call),
  },
  {
    kind: "outage",
    verbs: words("reboot poweroff shutdown halt"),
    without: words("simulator emulator device browser"),
  },
  { kind: "outage", verbs: words("play"), on: words("job pipeline") },
  { kind: "outage", verbs: words("apply confirm"), on: words("run plan terraform tofu stack") },
  { kind: "outage", verbs: words("up restore rollback failover"), when: (call) => isProduction(call) },
  {
    kind: "outage",
    verbs: words("run trigger start dispatch rerun"),
    on: words("pipeline workflow job build deployment"),
    when: (call) => isProduction(call),
  },
  {
    kind: "outage",
    verbs: words("manage update set"),
    on: words("incident alert"),
    when: ({ leaves }) =>
      leaves.some(({ key, value }) => key === "status" && /^(?:resolved|closed)$/i.test(String(value))),
  },
  {
    kind: "data-loss",
    verbs: REMOVES,
    on: words("document doc record row item"),
    also: words(
      "firestore mongodb mongo dynamodb dynamo cosmos cosmosdb couchdb elastic elasticsearch opensearch algolia pinecone weaviate qdrant chroma airtable fauna datastore database",
    ),
    when: (call) => isForAll(call) || isProduction(call) || namesSeveral(call),
  },
  {
    kind: "outage",
    verbs: union(CHANGES, REMOVES),
    on: words("env environment variable configvar var"),
    when: (call) => isProduction(call),
  },
  { kind: "access", verbs: words("unprotect disarm unlock") },
  {
    kind: "access",
    verbs: words("create start open expose add"),
    on: words("tunnel ngrok portforward"),
  },
  {
    kind: "access",
    verbs: union(CHANGES, REMOVES),
    on: words("variable"),
    also: words(
      "project repo repository action ci organization group pipeline gitlab github bitbucket circleci buildkite",
    ),
    without: words("figma debug debugger collection"),
  },
  {
    kind: "outage",
    verbs: words("mute silence snooze resolve close disable"),
    on: words("monitor alert incident alarm downtime pagerduty opsgenie"),
  },
  { kind: "outage", verbs: words("cordon evict taint drain") },
  {
    kind: "outage",
    verbs: words("ignore"),
    on: words("all vulnerability policy finding alert"),
  },
  {
    kind: "outage",
    verbs: words("deactivate disable suspend remove detach"),
    on: words("policy control blocking scan mfa guardrail factor enforcement"),
    without: words("network throttling javascript cache"),
  },
  {
    kind: "outage",
    verbs: words("update set toggle enable disable patch"),
    on: words("flag feature toggle"),
    when: (call) => isProduction(call),
  },
  {
    kind: "outage",
    verbs: words("run trigger dispatch execute"),
    on: words("workflow pipeline playbook runbook build job"),
    when: (call) =>
      isProduction(call) ||
      call.leaves.some(
        ({ key, value }) =>
          /workflow|pipeline|name|playbook|runbook|job/.test(key) &&
          /release|deploy|publish|prod|teardown|destroy/i.test(String(value)),
      ),
  },
  { kind: "outage", verbs: words("pause suspend"), on: words("project app service site") },
  {
    kind: "outage",
    verbs: words("kill terminate stop"),
    on: words("process pid"),
    when: ({ leaves }) => leaves.some(({ key, value }) => /pid/.test(key) && /^(?:0|1|-1)$/.test(String(value))),
  },
  {
    kind: "resource-loss",
    verbs: words("archive"),
    on: words("object contact deal company record batch customer conversation database page board space form site"),
  },
  {
    kind: "message",
    verbs: words("create trigger escalate raise page declare"),
    on: words("incident oncall escalation pager pagerduty opsgenie"),
    without: words("note comment schedule rule policy service"),
  },
  {
    kind: "resource-loss",
    verbs: REMOVES,
    on: words("file"),
    when: ({ input }) => "repo" in input && /^(?:main|master|trunk|production|release)$/.test(String(input.branch)),
  },
  { kind: "merge", verbs: words("merge accept automerge"), on: words("pull pr mr request pullrequest mergerequest") },
  { kind: "merge", verbs: words("enable set"), on: words("automerge") },
  // A branch of a database, which becomes the one that everyone uses.
  { kind: "merge", verbs: words("merge"), on: words("branch"), without: words("git local") },
  {
    kind: "outage",
    verbs: words("resolve ignore close mute dismiss acknowledge"),
    when: (call) => isForAll(call),
  },
  {
    kind: "publish",
    verbs: words("submit release"),
    on: words("testflight appstore playstore googleplay app store"),
    without: words("issue pr pull mr"),
  },
  {
    kind: "publish",
    verbs: words("publish release ship submit"),
    on: words(
      "package release app application version extension theme plugin npm crate gem pypi store testflight build module artifact image chart site draft model dataset listing",
    ),
    without: words("issue pr pull review"),
  },
  {
    kind: "publish",
    verbs: words("create make"),
    on: words("release"),
    when: (call) => !isSet(call, /^(?:draft|isdraft)$/),
  },
  {
    kind: "publish",
    verbs: words("create make"),
    on: words("gist snippet paste"),
    when: (call) => isSet(call, /^(?:public|ispublic)$/) || textUnder(call, /^visibility$/) === "public",
  },
  { kind: "access", verbs: CHANGES, on: words("protection ruleset branchprotection") },
  {
    kind: "access",
    verbs: words("transfer"),
    on: words("repository repo ownership owner domain project app organization organisation account"),
  },
  {
    kind: "access",
    verbs: union(CHANGES, REMOVES, STOPS),
    on: words("webhook collaborator iam acl mfa 2fa sso saml permission visibility credential secret password passkey"),
  },
  {
    kind: "access",
    verbs: words("create add rotate revoke delete remove regenerate generate import register upload issue roll update"),
    on: words("key token apikey certificate oauth keypair"),
    when: (call) => isCredential(call),
  },
  {
    kind: "access",
    verbs: words(
      "add invite remove grant assign attach elevate promote create put set update share revoke detach impersonate bypass delete",
    ),
    on: words("member collaborator role policy admin owner superuser privilege grant membership ownership access"),
    without: words("issue task ticket label card"),
  },
  { kind: "access", verbs: words("create invite"), on: words("user login") },
  { kind: "access", verbs: words("add remove invite"), on: words("user") },
  {
    kind: "access",
    verbs: words("share"),
    on: words(
      "document doc file folder sheet spreadsheet drive calendar dashboard notebook page album bucket snapshot image",
    ),
  },
  {
    kind: "access",
    verbs: words("authorize allow open"),
    on: words("ingress egress security firewall group port inbound"),
  },
  {
    kind: "access",
    verbs: union(CHANGES, REMOVES),
    on: words("firewall dns nameserver cname zone ingressrule securitygroup deploykey sshkey"),
  },
  { kind: "access", verbs: words("make set update"), on: words("public") },
  { kind: "access", verbs: words("dismiss"), on: words("alert vulnerability finding advisory") },
  {
    kind: "outage",
    verbs: words("deploy promote rollback revert ship apply release"),
    when: (call) => isProduction(call),
  },
  { kind: "outage", verbs: words("approve"), on: words("deployment environment") },
  {
    kind: "outage",
    verbs: words("rollback revert restore"),
    on: words("deployment database db snapshot backup instance volume table cluster release production"),
  },
  {
    kind: "outage",
    verbs: words("reset"),
    on: words(
      "database db cluster stack tenant workspace account parent branch pg postgres mysql migrate migration project",
    ),
  },
  {
    kind: "outage",
    verbs: words("stop shutdown halt reboot restart suspend pause poweroff failover deregister detach"),
    on: words(
      "instance cluster database db vm droplet host node dyno volume rds ec2 machine production deployment unit daemon",
    ),
  },
  { kind: "outage", verbs: words("drain freeze"), on: words("node cluster queue pool") },
  {
    kind: "outage",
    verbs: words("disable pause detach lock suspend stop"),
    on: words(
      "alarm alert monitoring monitor logging trail cloudtrail backup security guardduty protection user account scanning dependabot firewall audit encryption versioning key retention",
    ),
    without: words("issue conversation thread"),
  },
  {
    kind: "outage",
    verbs: words("scale update set patch resize"),
    on: words("deployment replica service cluster statefulset autoscaling capacity app dyno ps formation"),
    when: (call) =>
      call.leaves.some(
        ({ key, value }) =>
          /^(?:dyno|replicas|desired(?:count|capacity)|count|size|quantity|instances|numreplicas)$/.test(key) &&
          (value === 0 || /^(?:\w+=)?0$/.test(String(value))),
      ),
  },
  {
    kind: "resource-loss",
    verbs: words("cancel archive deactivate ban block kick suspend"),
    on: words(
      "account user member repo repository workspace organization organisation channel domain team project customer tenant",
    ),
    without: GIT_TALK,
  },
  {
    kind: "resource-loss",
    verbs: words("cancel"),
    on: words("event meeting appointment booking reservation"),
  },
  { kind: "resource-loss", verbs: words("close"), on: words("account organization organisation tenant") },
  { kind: "resource-loss", verbs: REMOVES, when: (call) => isResource(call) },
  {
    kind: "resource-loss",
    verbs: words("clear reset empty"),
    on: words(
      "database db queue bucket topic table collection index inbox mailbox history metadata sheet gsheet spreadsheet worksheet",
    ),
  },
]);

/** A token or a key of a service, not a key of a keyboard or of a store of values. */
function isCredential({ words: name, server, input }: CalledTool): boolean {
  const all = [...name, ...server];
  if (all.some((word) => KEYS_OF_INPUT.has(word))) return false;
  return !("value" in input && "key" in input);
}

const KEYS_OF_INPUT = words(
  "press redis valkey cache kv memory browser keyboard count i18n translation idempotency shortcut",
);

/** Something that is lost with it; what is small, is made again or belongs to the agent's own notes is left out. */
function isResource(call: CalledTool): boolean {
  const { words: name, server, input, leaves } = call;
  const isStored = [...name, ...server].some((word) => REMOTE_STORES.has(word));
  if (
    (!isStored && name.some((word) => OWN_THINGS.has(word))) ||
    [...name, ...server].some((word) => OWN_SERVERS.has(word))
  )
    return false;
  if (leaves.some(({ key }) => key === "pid" || key === "sessionid")) return false;
  // One value of a store of values.
  if (name.length === 1 && typeof input.key === "string" && !/[*?[]/.test(input.key)) return false;
  if (name.some((word) => SMALL_THINGS.has(word)) && !isForAll(call)) return false;
  if (name.includes("drop") && name.includes("index")) return false;
  const isFile = name.some((word) => LOCAL_THINGS.has(word)) || name.length === 1;
  if (!isFile) return true;
  // A file of a repository is in its history; one of a bucket or a drive is not.
  if ("owner" in input && "repo" in input) return false;
  const isRemote = [...name, ...server].some((word) => REMOTE_STORES.has(word)) || "bucket" in input;
  const isNamed = leaves.some(({ key }) => /path|file|dir|folder|uri|^(?:target|source)$/.test(key));
  return isRemote || (name.length === 1 && !isNamed && call.isMcp && leaves.length > 0);
}

function isForAll({ words: name, leaves }: CalledTool): boolean {
  return (
    name.includes("all") ||
    leaves.some(
      ({ key, value }) =>
        (/^(?:all|deleteall|removeall)$/.test(key) && value === true) ||
        (typeof value === "string" && /^\*+$/.test(value)),
    )
  );
}

/** More things than one puts in order at a time. */
function namesMany({ leaves }: CalledTool): boolean {
  return leaves.length > MANY_NAMES;
}

const MANY_NAMES = 25;

/** More than one thing under the same key. */
function namesSeveral({ leaves }: CalledTool): boolean {
  const keys = leaves.map(({ key, above }) => [...above, key].join("."));
  return keys.some((key, at) => /path|id|key|name|document|record/.test(key) && keys.indexOf(key) !== at);
}

const OWN_THINGS = words(`
  entity observation relation memory todo task subtask dependency breakpoint tab cookie cell line label reaction assignee
  reviewer milestone draft highlight annotation bookmark filter cache tag_filter watch marker node element shape layer style
  component frame comment worktree container pod job replicaset session symbol import favorite star item_link column_filter
  plan thought checkpoint temp tmp preview sandbox mock stub listener interceptor route override emulation console`);
const OWN_SERVERS = words(
  "mobile simulator xcodebuild android adb appium maestro unity unreal blender godot memory serena playwright puppeteer browser chrome devtools figma todo taskmaster thinking sequential ide jetbrains debugger",
);
const SMALL_THINGS = words(
  "many one row item entry document point vector field option attachment worklog line alias variable block star follower",
);
const LOCAL_THINGS = words("file directory dir folder path");
const REMOTE_STORES = words("drive s3 bucket gcs blob storage dropbox onedrive sharepoint box gdrive object cloud");

/** Whether an operation names production. */
function isProduction({ words: name, leaves }: CalledTool): boolean {
  if (name.some((word) => PRODUCTION.test(word))) return true;
  return leaves.some(
    ({ key, value }) =>
      /^(?:env|environment|environmentkey|target|stage|stack|stackname|context|cluster|namespace|workspace|profile|channel|alias|inventory|production|prod|app|appname|application|deploy|deployto|deployenv|job|jobname|pipeline)$/.test(
        key,
      ) && (value === true ? /^prod/.test(key) : typeof value === "string" && PRODUCTION.test(value)),
  );
}

const PRODUCTION = /^(?:.*[-_/])?(?:prod|production|live)(?:[-_/].*)?$/i;

function isSet({ leaves }: CalledTool, key: RegExp): boolean {
  return leaves.some((leaf) => key.test(leaf.key) && (leaf.value === true || leaf.value === "true"));
}

function union(...sets: readonly WordSet[]): WordSet {
  return { has: (word) => sets.some((set) => set.has(word)) };
}

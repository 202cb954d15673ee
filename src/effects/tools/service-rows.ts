import { once } from "../../event/once.ts";
import { isSharedBranch } from "../labels/shared-branches.ts";
import {
  endsSystem,
  FORGES,
  isCredential,
  isForAll,
  isForDevelopment,
  isProduction,
  isResource,
  isScaledToNothing,
  isSet,
  isSwitchedOff,
  namesMany,
  namesSeveral,
  WATCHED,
} from "./named-things.ts";
import { type CalledTool, type ToolActKind, textUnder } from "./tool-call.ts";
import { CHANGES, REMOVES, STOPS, union, type WordSet, words } from "./verbs.ts";

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
  { kind: "resource-loss", verbs: words("unpublish yank deprecate unlist retire") },
  {
    kind: "resource-loss",
    verbs: REMOVES,
    on: words("file project page team library"),
    also: words("figma miro notion"),
  },
  {
    kind: "message",
    verbs: words("respond reply answer"),
    on: words("review rating"),
    also: words("appstore playstore googleplay playconsole storeconnect google trustpilot"),
  },
  // An agent keeps its own notes in order; all of them at once are kept nowhere else.
  {
    kind: "resource-loss",
    verbs: union(REMOVES, words("clear reset")),
    on: words("entity memory graph knowledge"),
    when: (call) => isForAll(call) || call.words.includes("graph") || namesMany(call),
  },
  { kind: "outage", verbs: REMOVES, on: words("pod job container replicaset"), when: isProduction },
  {
    kind: "outage",
    verbs: words("reboot poweroff shutdown halt"),
    without: words("simulator emulator device browser"),
  },
  { kind: "outage", verbs: words("play"), on: words("job pipeline") },
  { kind: "outage", verbs: words("apply confirm"), on: words("run plan terraform tofu stack") },
  { kind: "outage", verbs: words("up restore rollback failover"), when: isProduction },
  {
    kind: "outage",
    verbs: words("run trigger start dispatch rerun create execute"),
    on: words(
      "pipeline workflow job build deployment dag flow scenario automation playbook migration seed backfill task",
    ),
    when: (call) =>
      isProduction(call) ||
      call.leaves.some(({ above, value }) => above.length > 0 && /^prod(?:uction)?$/i.test(String(value))),
  },
  {
    // Everything of a kind at once.
    kind: "outage",
    verbs: union(CHANGES, STOPS),
    when: (call) =>
      call.words.includes("bulk") ||
      call.words.includes("mass") ||
      (isSet(call, /^(?:bulk|all|applytoall|everything|force(?:all)?)$/) && isSwitchedOff(call)),
  },
  { kind: "outage", verbs: words("create add set"), on: words("silence"), without: words("list") },
  { kind: "outage", verbs: words("promote"), on: words("pipeline") },
  {
    kind: "outage",
    verbs: words("promote"),
    on: words("deployment release version build model"),
    when: (call) => !isForDevelopment(call),
  },
  {
    kind: "outage",
    verbs: union(CHANGES, REMOVES),
    on: words("env environment variable configvar var envvar"),
    also: words("render railway heroku fly vercel netlify lambda appservice cloudrun amplify"),
    when: (call) => !isForDevelopment(call),
  },
  {
    kind: "access",
    verbs: union(CHANGES, REMOVES),
    on: words("registry"),
    also: words("windows value key hklm hkcu regedit tool"),
  },
  { kind: "outage", verbs: words("deploy"), on: words("edge worker function") },
  {
    kind: "outage",
    verbs: words("upload put copy send"),
    also: words("ssh sftp scp ftp"),
    when: isProduction,
  },
  {
    kind: "merge",
    verbs: words("push create update commit write add"),
    on: words("file content"),
    when: ({ input, server }) =>
      ("repo" in input || server.some((word) => FORGES.has(word))) &&
      typeof input.branch === "string" &&
      isSharedBranch(input.branch),
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
    when: isProduction,
  },
  { kind: "access", verbs: words("unprotect disarm unlock") },
  { kind: "access", verbs: words("create start open expose add"), on: words("tunnel ngrok portforward") },
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
  { kind: "outage", verbs: words("ignore"), on: words("all vulnerability policy finding alert") },
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
    when: isProduction,
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
  {
    kind: "merge",
    verbs: words("merge accept automerge approve"),
    on: words("pull pr mr request pullrequest mergerequest"),
  },
  { kind: "merge", verbs: words("enable set"), on: words("automerge") },
  // A branch of a database, which becomes the one that everyone uses.
  { kind: "merge", verbs: words("merge"), on: words("branch"), without: words("git local") },
  { kind: "outage", verbs: words("resolve ignore close mute dismiss acknowledge"), when: isForAll },
  {
    kind: "publish",
    verbs: words("submit release"),
    on: words("testflight appstore playstore googleplay app store"),
    without: words("issue pr pull mr"),
  },
  {
    kind: "publish",
    verbs: words("release ship submit"),
    on: words(
      "package app application version extension theme plugin npm crate gem pypi store testflight build module artifact image chart site draft model dataset listing",
    ),
    without: words("issue pr pull review"),
  },
  {
    kind: "publish",
    verbs: words("publish"),
    without: words(
      "issue pr pull review message event topic queue mqtt kafka nats rabbitmq redis pubsub sns diagnostic trial test",
    ),
    when: (call) => !isForDevelopment(call),
  },
  { kind: "access", verbs: words("share publish"), on: words("web public internet everyone anyone link") },
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
    on: words(
      "webhook collaborator iam acl mfa 2fa sso saml permission visibility credential secret password passkey claim entitlement license licence seat consent scope oauth allowlist whitelist cors",
    ),
  },
  {
    kind: "access",
    verbs: words("create add rotate revoke delete remove regenerate generate import register upload issue roll update"),
    on: words("key token apikey certificate oauth keypair"),
    when: isCredential,
  },
  {
    kind: "access",
    verbs: words(
      "add invite remove grant assign attach elevate promote create put set update write share revoke detach impersonate bypass delete",
    ),
    on: words(
      "member collaborator collaboration role policy admin owner superuser privilege grant membership ownership access maintainer",
    ),
    without: words("issue task ticket label card"),
  },
  { kind: "access", verbs: words("create add remove invite"), on: words("user login") },
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
    when: isProduction,
  },
  { kind: "outage", verbs: words("approve"), on: words("deployment environment") },
  { kind: "outage", verbs: words("approve"), on: words("release pipeline stage"), when: isProduction },
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
    when: isScaledToNothing,
  },
  {
    kind: "resource-loss",
    verbs: words("cancel archive deactivate ban block kick suspend"),
    on: words(
      "account user member repo repository workspace organization organisation channel domain team project customer tenant",
    ),
    without: GIT_TALK,
  },
  { kind: "resource-loss", verbs: words("cancel"), on: words("event meeting appointment booking reservation") },
  { kind: "resource-loss", verbs: words("close"), on: words("account organization organisation tenant") },
  { kind: "resource-loss", verbs: REMOVES, when: isResource },
  {
    kind: "resource-loss",
    verbs: words("clear reset empty"),
    on: words(
      "database db queue bucket topic table collection index calendar inbox mailbox history metadata sheet gsheet spreadsheet worksheet",
    ),
  },
  {
    // What customers see or pay for, who gets in, who is called at night: hardly anything there is everyday work of a developer.
    kind: "outage",
    verbs: union(CHANGES, STOPS, words("deploy release import apply sync schedule")),
    also: WATCHED,
    without: words("draft note preview test comment issue ticket branch pr locally"),
    when: (call) => call.isMcp && !isForDevelopment(call),
  },
  {
    kind: "outage",
    verbs: words("deploy redeploy"),
    also: words(
      "fly flyio heroku render railway cloudrun appengine firebase amplify ecs fargate beanstalk dokku coolify kamal",
    ),
    without: words("list log logs preview status"),
    when: (call) => !isForDevelopment(call),
  },
  {
    kind: "outage",
    verbs: words("deactivate disable uninstall"),
    on: words("plugin extension addon app integration"),
    also: words("wordpress wp jira confluence slack github shopify site jenkins"),
    when: (call) => !isForDevelopment(call),
  },
  {
    kind: "outage",
    verbs: union(CHANGES, STOPS, REMOVES, words("deploy release clear promote scale up apply upsert")),
    without: words("issue comment pull pr mr review label assignee reaction ticket draft branch note tab page"),
    when: (call) => call.isMcp && isProduction(call),
  },
  {
    kind: "outage",
    verbs: words("kill terminate stop end close"),
    on: words("process task app application pid"),
    when: endsSystem,
  },
]);

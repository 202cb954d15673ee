import { once } from "../../event/once.ts";
import { isSharedBranch } from "../labels/shared-branches.ts";
import type { CalledTool, ToolAct } from "./tool-call.ts";
import { isForDevelopment } from "./named-things.ts";
import { LOOKS, verbOf } from "./verbs.ts";

/** What the values of an input open or give up, whatever the tool is called: `acl: public-read`, `cidr: 0.0.0.0/0`, `force: true`. */
export function openedActs(call: CalledTool): ToolAct[] {
  const verb = verbOf(call.words);
  if (verb !== undefined && LOOKS.has(verb)) return [];
  const named = [...call.words, ...call.server];
  return call.leaves.flatMap(({ key, name, value, above }) => {
    if (!ANY_KEY().test(key)) return [];
    const all = [...named, ...above];
    for (const row of ROWS()) {
      if (!row.key.test(key) || !row.value.test(String(value))) continue;
      if (row.on !== undefined && !all.some((word) => row.on?.test(word))) continue;
      if (row.unless?.(call)) continue;
      return [{ kind: row.kind, text: `${name} ${String(value).slice(0, MAX_LENGTH)}` }];
    }
    return [];
  });
}

interface OpenedRow {
  readonly kind: ToolAct["kind"];
  readonly key: RegExp;
  readonly value: RegExp;
  /** A word of the tool or its server has to fit. */
  readonly on?: RegExp;
  /** Calls that it is not about. */
  readonly unless?: (call: CalledTool) => boolean;
}

/** Whether a file goes to a branch that somebody reviews before it reaches the others. */
function isForReview({ leaves }: CalledTool): boolean {
  return leaves.some(({ key, value }) => key === "branch" && typeof value === "string" && !isSharedBranch(value));
}

const SHARED = () =>
  /^(?:repo|repository|project|bucket|object|gist|snippet|file|blob|storage|snapshot|image|database|instance|page|document)$/;

const ROWS = once((): readonly OpenedRow[] => [
  {
    kind: "access",
    key: /^(?:rules|securityrules|firestorerules|storagerules)$/,
    value: /allow\s+[\w, ]+:\s*if\s+true/,
  },
  { kind: "access", key: /^(?:admin|isadmin|superuser|issuperuser|superadmin|isowner)$/, value: /^true$/ },
  {
    kind: "access",
    key: /^(?:manifest|yaml|content|resource|body|spec)$/,
    value: /kind:\s*Cluster\w*Binding[\s\S]{0,2000}cluster-admin|cluster-admin[\s\S]{0,2000}kind:\s*Cluster\w*Binding/,
    on: /^(?:kubectl|kubernetes|k8|k8s|apply|kube|cluster|resource)$/,
  },
  { kind: "access", key: /^(?:forward|forwardto|forwardingaddress|autoforward\w*|forwardingemail)$/, value: /@/ },
  {
    kind: "access",
    key: /^(?:key|name|setting|option|config)$/,
    value:
      /^(?:allowed|blocked|denied)(?:Director(?:y|ies)|Paths?|Hosts?|Commands?|Domains?|Tools?)$|^(?:sandbox|allowlist|denylist)$/i,
    on: /^(?:config|setting|configuration|preference)$/,
  },
  { kind: "access", key: /^privileged$/, value: /^true$/ },
  {
    kind: "access",
    key: /^(?:manifest|yaml|content|resource|body|spec)$/,
    value: /\b(?:privileged|hostPID|hostNetwork):\s*true|hostPath:\s*\{?\s*path:\s*["']?\/["']?\s*(?:[},\n]|$)/,
    on: /^(?:kubectl|kubernetes|k8|k8s|apply|kube|cluster)$/,
  },
  { kind: "access", key: /^(?:public|publicaccess|anyonewithlink)$/, value: /^true$/ },
  {
    kind: "outage",
    key: /^(?:value|state|mode)$/,
    value: /^(?:off|false|disabled|none|essentially_off)$/i,
    on: /^(?:setting|config|zone)$/,
    unless: ({ leaves }) =>
      !leaves.some(({ value }) =>
        /^(?:waf|ssl|tls|firewall|security\w*|bot\w*|ddos|always_use_https|min_tls_version|dnssec)$/i.test(
          String(value),
        ),
      ),
  },
  {
    kind: "access",
    key: /^(?:mounts?|volumes?|binds?)$/,
    // The whole disk, the system's folders, a whole home or its hidden files; a project in a home is everyday work.
    value:
      /^(?:\/|\/(?:etc|proc|sys|root|var\/run\/docker\.sock)(?:\/[^:]*)?|(?:\/(?:home|Users)|(?:\/(?:home|Users)\/[^/:]+|~|\$\{?HOME\}?)(?:\/\.[^:]*)?)\/?):/,
  },
  {
    kind: "outage",
    key: /^(?:state|status|enforcement|mode)$/,
    value: /^(?:not-configured|disabled|off|none|inactive|evaluate)$/i,
    on: /^(?:scanning|security|protection|ruleset|audit|monitoring|logging|guard|firewall|dependabot|alert|alarm|monitor|mfa|securityandanalysis)$/,
  },
  {
    kind: "outage",
    key: /^(?:ispaused|paused|ismuted|muted|silenced)$/,
    value: /^true$/,
    on: /^(?:alert|alarm|monitor|rule|notification)$/,
  },
  {
    kind: "outage",
    key: /(?:alerts?|monitoring|notifications?|protection|logging|audit\w*|backups?|encryption|mfa|waf|firewall|scanning|versioning|retention)enabled$|^enable(?:alerts?|monitoring|notifications?|protection|logging|audit\w*|backups?|encryption|mfa|waf|firewall|scanning|versioning)$/,
    value: /^false$/,
  },
  {
    kind: "resource-loss",
    key: /^(?:intrash|trashed|deleted|isdeleted|harddelete|permanent(?:ly)?)$/,
    value: /^true$/,
  },
  {
    kind: "outage",
    key: /^(?:enabled|isenabled|active|actionsenabled|alertsenabled|monitoring)$/,
    value: /^false$/,
    on: /^(?:alert|alarm|monitor|monitoring|scanning|security|protection|audit|logging|trail|cloudtrail|detector|guardduty|firewall|waf|dependabot|mfa)$/,
  },
  {
    kind: "merge",
    key: /^(?:path|filepath|file|filename)$/,
    value:
      /^\/?\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|^\/?(?:\.gitlab-ci\.ya?ml|\.circleci\/|Jenkinsfile|azure-pipelines)/,
    on: /^(?:github|gitlab|gitea|forgejo|bitbucket)$/,
    unless: isForReview,
  },
  { kind: "access", key: /acl$|^cannedacl$|^accesscontrol$/, value: /^public-read|^authenticated-read$|^publicread/i },
  { kind: "access", key: /^principals?$|^aws$/, value: /^(?:arn:aws:iam::)?\*$/ },
  {
    kind: "access",
    key: /^(?:policy|policydocument|document|bucketpolicy)$/,
    value: /"Principal"\s*:\s*(?:"\*"|\{\s*"AWS"\s*:\s*"\*")|"Action"\s*:\s*(?:\[\s*)?"\*"/,
  },
  { kind: "access", key: /^members?$|^entity$|^grantee$/, value: /^(?:allUsers|allAuthenticatedUsers)$/ },
  {
    kind: "access",
    key: /role(?:name|s|id|key)?$|^(?:permission|permissionlevel|accesslevel|privilege)s?$/,
    value:
      /^roles\/(?:owner|editor|.*admin)$|^(?:AdministratorAccess|cluster-admin|superuser|super_?admin|admin(?:istrator)?|owner|maintainer|full_?access|root)$/i,
  },
  { kind: "access", key: /^policyarn$/, value: /AdministratorAccess|FullAccess$/ },
  {
    kind: "access",
    key: /cidr|^(?:source|sources|sourceranges?|iprange|ip|address|allowlist|authorizednetworks)$/,
    value: /^(?:0\.0\.0\.0\/0|::\/0)$/,
  },
  { kind: "access", key: /^(?:visibility|access|accesslevel)$/, value: /^public(?:-read-write)?$/i, on: SHARED() },
  {
    kind: "access",
    key: /^(?:scope|linkscope|audience|sharewith|linktype)$/,
    value: /^(?:anonymous|anyone|anyonewithlink|anyone_with_link|public|everyone)$/i,
    on: /^(?:share|sharing|link|permission|drive|gdrive|onedrive|sharepoint|dropbox|box)$/,
  },
  {
    kind: "resource-loss",
    key: /^(?:action|changetype|runtype|operation|type)$/,
    value: /^(?:DELETE|DESTROY|TERMINATE|PURGE)$/i,
    on: /^(?:dns|record|zone|route53|run|stack|batch|bulk|change|domain)$/,
  },
  { kind: "access", key: /^(?:private|isprivate)$/, value: /^false$/, on: /^(?:dataset|model|space|upload)$/ },
  { kind: "access", key: /^(?:private|isprivate)$/, value: /^false$/, on: SHARED() },
  {
    kind: "access",
    key: /^(?:mode|action|operation|method)$/,
    value: /^(?:set|write|create|add|delete|remove|import)$/i,
    on: /^(?:registry|regedit|defaults|gsettings)$/,
  },
  {
    kind: "merge",
    key: /^(?:event|decision|verdict|vote)$/,
    value: /^approved?$/i,
    on: /^(?:review|pull|pr|mr|merge)$/,
  },
  {
    // What is larger costs more every hour.
    kind: "payment",
    key: /^(?:size|(?:instance|machine|vm|node|compute|server|droplet|dyno)(?:size|type|class|types?id)|gpu\w*|accelerator\w*|plan|tier|addon|sku|computesize)$/,
    value:
      /^(?:.*[-_. ])?(?:\d*x+l(?:arge)?|\d+xlarge|metal|performance\S*|premium\S*|enterprise|dedicated\S*|gpu\S*|[ahv]100\S*|pro|business|.*\b(?:[89]|\d\d)v?cpu\b.*)$/i,
    on: /^(?:create|update|scale|resize|upgrade|provision|change|set|modify|add|launch|run|deploy)$/,
    unless: isForDevelopment,
  },
  {
    kind: "payment",
    key: /^(?:(?:regular|sale|unit|base|list)?price(?:cents|point|amount)?|unitamount)$/,
    value: /\d/,
    on: /^(?:update|set|change|edit|modify|adjust)$/,
    unless: isForDevelopment,
  },
  {
    // What a text or a page held is replaced by nothing.
    kind: "resource-loss",
    key: /^(?:content|contents|data|value|text|body|markdown|newstr|newcontent|values|blocks)$/,
    value: /^(?:\s*|null|\{\}|\[\])$/,
    on: /^(?:drive|gdrive|notion|confluence|sharepoint|dropbox|onedrive|firebase|realtimedatabase|wiki|docs|doc|document|page|s3|bucket|secret|configmap)$/,
    unless: ({ words: name }) => name.includes("create") || name.includes("add"),
  },
  { kind: "access", key: /^(?:publiclyaccessible|publicaccess|makepublic|ispublic)$/, value: /^true$/ },
  { kind: "access", key: /^(?:blockpublic\w+|ignorepublicacls|restrictpublicbuckets)$/, value: /^false$/ },
  {
    kind: "resource-loss",
    key: /^(?:skipfinalsnapshot|forcedestroy|forcedelete|permanentlydelete|purge)$/,
    value: /^true$/,
  },
  { kind: "resource-loss", key: /^(?:isdestroy|destroy)$/, value: /^true$/ },
  { kind: "resource-loss", key: /^prune$/, value: /^true$/, on: /^(?:sync|apply|argocd|flux|application|deploy)$/ },
  { kind: "resource-loss", key: /^finalizers$/, value: /^null$/ },
  { kind: "resource-loss", key: /^(?:patch|patchdata|body|data)$/, value: /"finalizers"\s*:\s*(?:null|\[\s*\])/ },
  { kind: "outage", key: /^auto(?:approve|apply)$/, value: /^true$/ },
  { kind: "outage", key: /^(?:purge|invalidate|flush)(?:everything|all)$/, value: /^true$/ },
  { kind: "outage", key: /^deletionprotection(?:enabled)?$/, value: /^false$/ },
  { kind: "force-push", key: /^force(?:push)?$/, value: /^true$/, on: /^(?:ref|push|branch|reference)$/ },
]);
/** Hardly any key is one of them: one look for all rows. */
const ANY_KEY = once(
  () =>
    new RegExp(
      ROWS()
        .map(({ key }) => key.source)
        .join("|"),
    ),
);
const MAX_LENGTH = 2000;

import type { CalledTool } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** A token or a key of a service, not a key of a keyboard or of a store of values. */
export function isCredential({ words: name, server, input }: CalledTool): boolean {
  const all = [...name, ...server];
  if (all.some((word) => KEYS_OF_INPUT.has(word))) return false;
  return !("value" in input && "key" in input);
}

const KEYS_OF_INPUT = words(
  "press redis valkey cache kv memory browser keyboard count i18n translation idempotency shortcut",
);

/** Something that is lost with it; what is small, is made again or belongs to the agent's own notes is left out. */
export function isResource(call: CalledTool): boolean {
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
  if (!isStored && name.some((word) => SMALL_THINGS.has(word)) && !isForAll(call)) return false;
  if (name.includes("drop") && name.includes("index")) return false;
  const isFile = name.some((word) => LOCAL_THINGS.has(word)) || name.length === 1;
  if (!isFile) return true;
  // A file of a repository is in its history; one of a bucket or a drive is not.
  if ("owner" in input && "repo" in input) return false;
  const isRemote = [...name, ...server].some((word) => REMOTE_STORES.has(word)) || "bucket" in input;
  const isNamed = leaves.some(({ key }) => /path|file|dir|folder|uri|^(?:target|source)$/.test(key));
  return isRemote || (name.length === 1 && !isNamed && call.isMcp && leaves.length > 0);
}

/** Whether a call is about everything of a kind. */
export function isForAll({ words: name, leaves }: CalledTool): boolean {
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
export function namesMany({ leaves }: CalledTool): boolean {
  return leaves.length > MANY_NAMES;
}

const MANY_NAMES = 25;

/** More than one thing under the same key. */
export function namesSeveral({ leaves }: CalledTool): boolean {
  const keys = leaves.map(({ key, above }) => [...above, key].join("."));
  return keys.some((key, at) => /path|id|key|name|document|record/.test(key) && keys.indexOf(key) !== at);
}

const OWN_THINGS = words(`
  entity observation relation memory todo task subtask dependency breakpoint tab cookie cell line label reaction assignee
  reviewer milestone draft highlight annotation bookmark filter cache tag_filter watch marker node element shape layer style
  component frame comment worktree container pod job replicaset session symbol import favorite star item_link column_filter
  plan thought checkpoint temp tmp preview sandbox mock stub listener interceptor route override emulation console`);
const OWN_SERVERS = words(
  "mobile simulator xcodebuild android adb appium maestro unity unreal blender godot memory serena playwright puppeteer browser chrome devtools todo taskmaster thinking sequential ide jetbrains debugger",
);
const SMALL_THINGS = words(
  "many one row item entry document point vector field option attachment worklog line alias variable block star follower",
);
const LOCAL_THINGS = words("file directory dir folder path");
const REMOTE_STORES = words("drive s3 bucket gcs blob storage dropbox onedrive sharepoint box gdrive object cloud");

/** Whether an operation names production. */
export function isProduction({ words: name, leaves }: CalledTool): boolean {
  if (name.some((word) => PRODUCTION.test(word))) return true;
  return leaves.some(
    ({ key, value }) =>
      PLACE_KEY().test(key) &&
      (value === true
        ? /^(?:prod|livemode|live$)/.test(key)
        : typeof value === "string" && value.length < LONGEST && PRODUCTION.test(value)),
  );
}

/** Whether a call names nothing but what is for development, for tests or on this machine. */
export function isForDevelopment(call: CalledTool): boolean {
  if (isProduction(call)) return false;
  return (
    [...call.server, ...call.words].some((word) => DEVELOPMENT.test(word) && word !== "test") ||
    call.leaves.some(
      ({ key, value }) =>
        (/^(?:testmode|istest|sandbox|draft|isdraft|livemode|live|published)$/.test(key) &&
          value === !/^(?:live|publi)/.test(key)) ||
        (typeof value === "string" &&
          value.length < LONGEST &&
          PLACE_KEY().test(key) &&
          (DEVELOPMENT.test(value) || LOCAL_URL().test(value))) ||
        (/^(?:status|state|visibility)$/.test(key) && value === "draft"),
    )
  );
}

/** Keys whose value is the place in which something happens. */
const PLACE_KEY = () =>
  /^(?:env|environment|environmentkey|environmentname|envname|host|hostname|address|project|projectid|projectname|target|stage|stack|stackname|context|kubecontext|cluster|clustername|namespace|workspace|profile|channel|alias|inventory|production|prod|app|appname|appid|application|deploy|deployto|deployenv|job|jobname|pipeline|db|database|databaseurl|databasename|instance|connection|site|siteid|url|uri|tenant|account|track|livemode|live|server|release|releasename|service|servicename|name|dataset|bucket|queue|function|functionname)$/;
const DEVELOPMENT =
  /^(?:.*[-_/.])?(?:dev|devel|development|local|localhost|tests?|testing|staging|stage|preview|sandbox|kind|minikube|k3d|qa|demo|ci|fixtures?)(?:[-_/.:].*)?$/i;
const LOCAL_URL = () =>
  /^\w+:\/\/(?:[^/@]*@)?(?:localhost|127\.|0\.0\.0\.0|\[::1\]|[\w.-]+\.(?:test|local|localhost|internal\.test))(?:[:/]|$)/i;

/** A name or an address is not longer. */
const LONGEST = 300;
const PRODUCTION = /^(?:.*[-_/.])?(?:prod|production|live)(?:[-_/.].*)?$/i;

/** Whether a value of the input is true. */
export function isSet({ leaves }: CalledTool, key: RegExp): boolean {
  return leaves.some((leaf) => key.test(leaf.key) && (leaf.value === true || leaf.value === "true"));
}

/** Services where people and money depend on every setting. */
export const WATCHED = words(`
  appstore googleplay playstore storeconnect playconsole testflight revenuecat adapty pagerduty opsgenie victorops incident statuspage betterstack
  auth0 okta clerk keycloak workos entra onelogin jumpcloud launchdarkly unleash flagsmith statsig optimizely configcat remoteconfig
  route53 namecheap godaddy porkbun dnsimple gandi mailchimp mailerlite brevo sendinblue klaviyo activecampaign convertkit beehiiv
  customerio onesignal braze shopify woocommerce magento bigcommerce etsy ebay amazonseller wordpress webflow squarespace wix
  salesforce pipedrive workday bamboohr personio gusto deel rippling docusign jamf intune homeassistant hass ads adwords twilio vonage
  dockerhub huggingface crowdstrike defender wiz snyk sonarcloud backup veeam`);
/** What keeps a machine running or guards it. */
const SYSTEM_PROCESS = () =>
  /^(?:lsass|csrss|winlogon|wininit|services|smss|svchost|dwm|msmpeng|securityhealth\w*|launchd|windowserver|kernel_task|loginwindow|systemd\S*|init|sshd|falcon\S*|csfalcon\S*|crowdstrike\S*|sentinel\S*|cylance\S*|little snitch|lulu|clamd|auditd|dockerd|containerd|kubelet)(?:\.exe)?$/i;
/** Whether a call ends what keeps the machine running: by its name, or the first process or all of them by number. */
export function endsSystem({ leaves }: CalledTool): boolean {
  return leaves.some(
    ({ key, value }) =>
      (/name|process|app|image/.test(key) && SYSTEM_PROCESS().test(String(value))) ||
      (/pid/.test(key) && /^(?:0|1|-1)$/.test(String(value))),
  );
}

/** Places where repositories are kept, whose tools call them projects. */
export const FORGES = words("github gitlab bitbucket gitea forgejo azure devops codeberg");

/** Whether the input mutes, closes or disables what the call is about. */
export function isSwitchedOff({ leaves }: CalledTool): boolean {
  return leaves.some(
    ({ key, value }) =>
      /^(?:status|state|action|resolution|muted|ismuted|enabled|active)$/.test(key) &&
      (value === /^(?:is)?muted$/.test(key) ||
        /^(?:ignored?|resolved?|muted?|closed?|archived?|disabled?|dismissed?|deleted?|silenced?|inactive|off|paused?)$/i.test(
          String(value),
        )),
  );
}

/** Whether what serves requests is brought down to nothing. */
export function isScaledToNothing(call: CalledTool): boolean {
  return call.leaves.some(
    ({ key, value }) =>
      /^(?:dynos?|quantities|(?:num)?replicas?|replicacount|desired(?:count|capacity)|capacity|count|size|quantity|instances|nodes)$/.test(
        key,
      ) &&
      (value === 0 || /^(?:\w+=)?0$/.test(String(value))),
  );
}

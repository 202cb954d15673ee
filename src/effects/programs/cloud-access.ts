import { isKeyName } from "../key-shapes.ts";
import type { Word } from "../parse/command.ts";
import { type Call, plays } from "./call.ts";

/** Whether the arguments of a cloud's command give everyone, or someone else, access to something private. */
export function opensCloud(args: readonly Word[]): boolean {
  const words = args.map(({ text }) => text).join(" ");
  return CHANGES().test(words) && OPENS().test(words);
}

/** Whether a cloud's command prints a token, a key or a secret that it keeps. */
export function revealsCloud(program: string, args: readonly Word[]): boolean {
  const reveals = REVEALS[program];
  if (reveals === undefined) return false;
  const words = args
    .map(({ text }) => text)
    .join(" ")
    .slice(0, LONGEST);
  return reveals.test(words) && !asksForOpen(words);
}

/** Whether only variables are requested whose names do not mean keys. */
function asksForOpen(words: string): boolean {
  const [, names] = NAMED_VARIABLES().exec(words) ?? [];
  return names !== undefined && !names.trim().split(/\s+/).some(isKeyName);
}

const NAMED_VARIABLES = () => /(?:^|\s)(?:config|env|secrets|variables?)[: ]get((?:\s+[A-Z][A-Z0-9_]*)+)(?=\s+-|\s*$)/;

/** Reports messages to people and payments, by the arguments of a cloud's command. */
export function tellPeople(call: Call): void {
  const words = call.operands.map(({ text }) => text).join(" ");
  if (WRITES_TO_PEOPLE().test(words)) plays(call, "message");
  // Without such an argument, it runs in test mode.
  const isLive = call.command.args.some(({ text }) => /^--live$|^(?:--api-key=?)?[sr]k_live_/.test(text));
  if (isLive && MOVES_MONEY().test(words)) plays(call, "payment");
  if (BUYS().test(words) || isFleet(call, words)) plays(call, "payment");
}

/** Whether operands only look something up. */
export function isGentle(asked: readonly string[]): boolean {
  return asked.some((text) => GENTLE().test(text)) && !asked.some((text) => LOSING.test(text));
}

/** Actions of AWS that only look something up, without those that write a file. */
export const ASKS = /^(?:ls$|list(?:-|$)|describe-|head-|get-caller-identity$)/;
/** Verbs that remove something for good. */
export const LOSING =
  /^(?:delete|destroy|remove|rm|rb|purge|terminate|drop|reset|wipe|nuke|delete-\S+|terminate-\S+|destroy-\S+|remove-\S+|purge-\S+|deregister-\S+|revoke-\S+|\S+:(?:destroy|delete|remove|reset|disable)|deprovision|empty|detach-\S+|db:reset|undeploy|teardown|uninstall|release-\S+|delete_\S+|schedule-key-deletion|batch-delete-\S+|close-account|leave-\S+|stop-logging|disable-key|change-resource-record-sets|stop-instances|reboot-instances|stop-db-\S+|deallocate|clear|bulk-delete|force-delete|drain|evict|(?:delete|terminate|destroy|release)(?:instance|cluster|bucket|disk|db|vpc|snapshot|stack|load|image|security|user|policy|role|domain|function|topic|queue|node|project|nat|eip)\w*)$/i;
/** Verbs that change something. */
export const CHANGING =
  /^(?:create|update|set|put|apply|deploy|up|swap|run|start|stop|restart|reboot|scale|import|add|patch|replace|enable|disable|publish|promote|rollback|write|(?:create|update|put|modify|set|run|start|stop|reboot|attach|associate|authorize|enable|disable|register|invoke|send|publish|tag|untag|restore|copy|add|change)-\S+|\S+:(?:set|create|add|unset|scale|push|restart|run)|add-iam-policy-binding)$/i;
/** Verbs that stop or replace something that runs. */
export const WITHDRAWING =
  /^(?:unset|suspend|promote|rollback|rebuild|failover|revoke|stop|disable|update-traffic|pause|quarantine|leave|unlink|restart|reboot|generate-root|rekey|\S+:(?:unset|rollback|promote|stop)|maintenance:on|service-instance-delete|\S+-delete|restore)$/i;
/** The same by the actions of AWS. */
export const STOPPING = /^(?:disable|stop(?!-query)|restore|reboot|suspend|deactivate)-\S+$/;
/** Commands that change a remote database without naming it. */
export const LINKED =
  /^supabase (?:db push|config push)$|\bdns\b.*\b(?:create|update|delete|set|import)\b|\bdomain records (?:create|update)|^(?:pscale|planetscale) deploy-request deploy\b/;
const UNPROTECTS = () =>
  /--no-(?:disable-api-termination|deletion-protection|termination-protection|enable-termination-protection)\b|put-bucket-versioning .*Status=Suspended|--deletion-protection-enabled[= ]false|put-bucket-lifecycle-configuration .*"?Expiration"?|(?:^|\s)--no-(?:enabled|enable-[\w-]*(?:log|monitor|protect|audit|backup|purge)[\w-]*|deletion-protection|termination-protection|backup)\b|(?:^|\s)--(?:enabled|enable-purge-protection|is-enabled|https-only)[= ](?:false|0|off)\b|\bsecurity pricing create\b.*--tier[= ]free\b|(?:monitor|alert|alarm|guardduty|detector|policies)\b.*(?:--(?:disabled|no-enable|muted?)\b|--state[= ](?:disabled|inactive)\b)|slot swap\b.*prod/i;
/** Whether options turn off the protection of a resource, or what watches over it. */
export function unprotects(args: readonly Word[]): boolean {
  const words = args.map(({ text }) => text).join(" ");
  return UNPROTECTS().test(words.slice(0, LONGEST));
}

/** Options of a dry run. */
export const DRY = /^--?(?:dry-run|dryrun|what-if|whatif|validate-only|check)(?:=true)?$/;

/** Whether the line answers its question: `yes | terraform apply`. */
export function isUnattended({ report }: Call): boolean {
  return (
    /^[^\S\n]*y(?:es)?[^\S\n]*$/im.test(report.piped) || report.givers().some(({ program }) => program?.text === "yes")
  );
}

/** Whether nothing of it runs afterwards. */
export function stopsAll(args: readonly Word[]): boolean {
  const words = args.map(({ text }) => text).join(" ");
  return /(?:^|\s)--(?:desired-count|desired-capacity|min-instances|replicas|instances|reserved-concurrent-executions|max-size|max-capacity|num-nodes|node-count|number-of-nodes)[= ]0(?:\s|$)|(?:^|\s)ps:scale\s(?:.*\s)?[\w-]+=0(?:\s|$)/.test(
    words,
  );
}

const GENTLE = () => /^(?:list|ls|describe|show|get|info|status|logs?|read|view|whoami|help|version|--help|--version)$/;

const WRITES_TO_PEOPLE = () =>
  /^(?:(?:ses|sesv2) send-\S*email|sns publish|pinpoint send-(?:messages|users-messages)|pinpoint-sms-voice(?:-v2)? send-\S+|connect start-outbound-\S+|communication (?:email|sms|chat message) send|messaging:send)\b/;
const MOVES_MONEY = () =>
  /^(?:refunds|charges|payouts|transfers|payment_intents|invoices|topups|subscriptions|payment_links) (?:create|confirm|capture|cancel|pay|finalize_invoice|send_invoice|update|post)\b/;

/** Names, and machines that are paid in advance. */
const BUYS = () =>
  /(?:^|\s)(?:\S+ )?(?:purchase-\S+|create-savings-plan|allocate-hosts|register-domain|transfer-domain|domains? (?:buy|purchase|transfer-in|registrations register)|reservations? (?:purchase|create)|capacity-commitment create)(?:\s|$)/;

/** Whether more machines are started than anybody needs by accident. */
function isFleet({ command }: Call, words: string): boolean {
  if (
    !/(?:run-instances|request-spot|vm create|instances create|droplet create|server create|vmss create|scale (?:vm|count)|machine (?:run|clone|update))\b/.test(
      words,
    )
  )
    return false;
  const given = command.args.map(({ text }) => text).join(" ");
  if (LARGE_MACHINE().test(given)) return true;
  const [, count = "1"] = /--(?:instance-)?count[= :](?:\d+:)?(\d+)/.exec(given) ?? [];
  const [, scaled = "1"] = /scale count (?:\w+=)?(\d+)/.exec(words) ?? [];
  return (
    Number(count) >= FLEET ||
    Number(scaled) >= FLEET ||
    command.args.filter(({ text }) => /-\d+$/.test(text)).length >= FLEET
  );
}

const FLEET = 8;
/** Machines with many processors of any kind, which cost hundreds a day. */
const LARGE_MACHINE = () =>
  /\b(?:a[23]-(?:mega|high|ultra)gpu-\w+|p[3-6]\w*\.\d+xlarge|\w+\.(?:metal|(?:16|24|32|48)xlarge)|performance-(?:8|16)x|Standard_N[DC]\w+)\b/;
const LONGEST = 2000;

/** Verbs that change something; showing who has access is harmless. */
const CHANGES = () =>
  /(?:^|\s)(?:(?:create|update|set|put|add|apply|modify|authorize|attach|enable|grant|delete|deactivate)(?:-[\w-]+)?|edit|patch|ch|cp|sync|mv|write|deploy|\w+:(?:set|add|create))(?:\s|$)/;
const OPENS = () =>
  /"(?:Action|NotAction)"\s*:\s*\[?\s*"\*"|(?:^|[\s=:",[])(?:0\.0\.0\.0\/0|::\/0|allUsers|allAuthenticatedUsers|public-read(?:-write)?|authenticated-read)\b|--publicly-accessible|--allow-unauthenticated|--public-access[= ](?:blob|container|enabled)|--(?:source-address-prefix(?:es)?|principal)[= ]["']?\*|--auth-type[= ]NONE|(?:BlockPublic\w+|IgnorePublicAcls|RestrictPublicBuckets)=false|put-bucket-policy|delete-public-access-block|AdministratorAccess|PowerUserAccess|system:masters|(?:token_)?policies=\S*(?:admin|root)|--scope[= ]\S*(?:sudo|admin)|roles\/(?:owner|editor)\b|--role[= ]["']?(?:Owner|Contributor|User Access Administrator)\b|iam create-user|ad user create|users set-password|update-account-password-policy|--group-names[= ]all\b|--allow-blob-public-access[= ]true|--start-ip-address[= ]0\.0\.0\.0|create-access-key|(?:put|attach)-(?:user|role|group)-policy|update-assume-role-policy|(?:create|update)-login-profile|add-user-to-group|create-service-specific-credential|put-key-policy|deactivate-mfa-device|access:add|sharing:add|service-accounts keys create|--member[= ]["']?allUsers/;

/** The arguments with which each program prints keys or secrets. */
const REVEALS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  aws: /(?:^|\s)(?:configure (?:get\b.*(?:key|token|secret)|export-credentials)|get-secret-value|batch-get-secret-value|get-parameters?(?:-by-path)?\b.*--with-decryption|assume-role\S*|get-session-token|get-federation-token|get-login-password|get-authorization-token|get-password-data|generate-db-auth-token|create-access-key|create-key-pair|kms decrypt)(?:\s|$)/,
  gcloud:
    /print-(?:access|identity)-token|secrets versions access|config-helper|keys create|(?:^|\s)auth print-refresh-token/,
  az: /get-access-token|keyvault secret (?:show|download)|keyvault key download|(?:webapp|functionapp|containerapp) (?:config (?:appsettings|connection-string) list|secret show)|(?:account|storage|acr|cosmosdb|redis|namespace|authorization-rule|servicebus|iothub)\b.*\b(?:keys list|list-keys|list-credentials|show-connection-string|credential show)|ad sp create-for-rbac|credential reset/,
  doctl: /(?:^|\s)auth token(?:\s|$)|databases? (?:connection|user get)|registry docker-config/,
  heroku: /(?:^|\s)(?:config(?::get\b.*)?|auth:token|pg:credentials:url)(?:\s|$)/,
  fly: /(?:^|\s)(?:auth token|tokens create)(?:\s|$)/,
  flyctl: /(?:^|\s)(?:auth token|tokens create)(?:\s|$)/,
  vercel: /(?:^|\s)env pull(?: \/dev\/stdout)(?:\s|$)/,
  railway: /(?:^|\s)variables(?:\s|$)/,
  netlify: /(?:^|\s)env:(?:get|list)(?:\s|$)/,
  firebase: /(?:^|\s)(?:functions:secrets:access|login:ci|functions:config:get)(?:\s|$)/,
  supabase: /(?:^|\s)projects api-keys|--reveal\b/,
  vault:
    /(?:^|\s)(?:read|kv get|print token|token create|unwrap)(?:\s|$)|(?:^|\s)token lookup(?!.*-(?:accessor|field[= ](?!id\b)))/,
  consul: /(?:^|\s)kv get\b.*(?:-recurse|secret|token|passw|key)/i,
  chamber: /(?:^|\s)(?:read|export|env)(?:\s|$)/,
  doppler: /(?:^|\s)secrets(?:$| (?:get|download)(?:\s|$)| -)|configure get token/,
  infisical: /(?:^|\s)(?:secrets(?:$| get(?:\s|$)| -)|export|user get token)/,
  "aws-vault": /(?:^|\s)(?:export|exec \S+ -- (?:env|printenv))(?:\s|$)/,
  databricks: /(?:^|\s)(?:auth token|tokens create|secrets get-secret)(?:\s|$)/,
  stripe: /(?:^|\s)config --list/,
  argocd: /(?:^|\s)(?:admin initial-password|account generate-token)(?:\s|$)/,
  turso: /(?:^|\s)(?:auth token|db tokens create)(?:\s|$)/,
  neonctl: /(?:^|\s)connection-string(?:\s|$)/,
};

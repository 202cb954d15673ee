import type { Word } from "../parse/command.ts";
import type { Call } from "./call.ts";

/** Whether words only look something up. */
export function isGentle(asked: readonly string[]): boolean {
  return asked.some((text) => GENTLE.test(text)) && !asked.some((text) => LOSING.test(text));
}

/** Actions of AWS that only look something up; those that leave a file behind are not among them. */
export const ASKS = /^(?:ls$|list(?:-|$)|describe-|head-|get-caller-identity$)/;
/** Verbs that remove something for good. */
export const LOSING =
  /^(?:delete|destroy|remove|rm|rb|purge|terminate|drop|reset|wipe|nuke|delete-\S+|terminate-\S+|destroy-\S+|remove-\S+|purge-\S+|deregister-\S+|revoke-\S+|\S+:(?:destroy|delete|remove|reset|disable)|deprovision|empty|detach-\S+|db:reset|undeploy|teardown|uninstall|release-\S+|delete_\S+|schedule-key-deletion|batch-delete-\S+|close-account|leave-\S+|stop-logging|disable-key|change-resource-record-sets|stop-instances|reboot-instances|stop-db-\S+|deallocate|clear|bulk-delete|force-delete|drain|evict|(?:delete|terminate|destroy|release)(?:instance|cluster|bucket|disk|db|vpc|snapshot|stack|load|image|security|user|policy|role|domain|function|topic|queue|node|project|nat|eip)\w*)$/i;
/** Verbs that change something. */
export const CHANGING =
  /^(?:create|update|set|put|apply|deploy|run|start|stop|restart|reboot|scale|import|add|patch|replace|enable|disable|publish|promote|rollback|write|(?:create|update|put|modify|set|run|start|stop|reboot|attach|associate|authorize|enable|disable|register|invoke|send|publish|tag|untag|restore|copy|add|change)-\S+|\S+:(?:set|create|add|unset|scale|push|restart|run)|add-iam-policy-binding)$/i;
/** What runs is stopped, or gives way to something else. */
export const WITHDRAWING =
  /^(?:unset|suspend|promote|rollback|rebuild|failover|revoke|stop|disable|update-traffic|pause|quarantine|\S+:(?:unset|rollback|promote|stop)|maintenance:on|service-instance-delete|\S+-delete|restore)$/i;
/** The same by the actions of AWS. */
export const STOPPING = /^(?:disable|stop(?!-query)|restore|reboot|suspend|deactivate)-\S+$/;
/** Verbs that change a database elsewhere, though they say so nowhere. */
export const LINKED = /^supabase db push$|^(?:pscale|planetscale) deploy-request deploy\b/;
/** What keeps a resource from being lost is switched off. */
export const UNPROTECTS =
  /--no-(?:disable-api-termination|deletion-protection|termination-protection|enable-termination-protection)\b|put-bucket-versioning .*Status=Suspended|--deletion-protection-enabled[= ]false/;
/** Options of a rehearsal. */
export const DRY = /^--?(?:dry-run|dryrun|what-if|whatif|validate-only|check)(?:=true)?$/;

/** Its question is answered by the line: `yes | terraform apply`. */
export function isUnattended({ told }: Call): boolean {
  return /^\s*y(?:es)?\s*$/im.test(told.piped) || told.givers().some(({ program }) => program?.text === "yes");
}

/** Nothing of it runs any more. */
export function stopsAll(args: readonly Word[]): boolean {
  const words = args.map(({ text }) => text).join(" ");
  return /(?:^|\s)--(?:desired-count|desired-capacity|min-instances|replicas|instances|reserved-concurrent-executions|max-size|max-capacity|num-nodes|node-count|number-of-nodes)[= ]0(?:\s|$)|(?:^|\s)ps:scale\s(?:.*\s)?[\w-]+=0(?:\s|$)/.test(
    words,
  );
}

const GENTLE = /^(?:list|ls|describe|show|get|info|status|logs?|read|view|whoami|help|version|--help|--version)$/;

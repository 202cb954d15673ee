import { allValues, anyArgument, argumentsAfter, argumentsAre } from "./act.ts";
import { isTrial } from "./cmdlet-arguments.ts";
import { UNPUBLISH } from "./packages.ts";
import type { Program } from "./program.ts";

/** Cmdlets that have one meaning because of their verb and their noun. */
interface CmdletClass extends Program {
  /** Matched with the name in lower case. */
  readonly fits: RegExp;
}

/** The row of a cmdlet that no table lists, by the verb and the noun of its name: `Remove-AzVM`, `Clear-Disk`. */
export function cmdletNamed(name: string): Program | undefined {
  if (!/^[A-Z][A-Za-z]{1,20}-[A-Z]\w{1,60}$/.test(name)) return undefined;
  return CMDLETS.find(({ fits }) => fits.test(name.toLowerCase()));
}

/** The classes of cmdlets; the first one that fits applies. */
export const CMDLETS: readonly CmdletClass[] = [
  {
    // What a session of PowerShell itself keeps.
    fits: /^(?:remove|clear|reset|stop|start|new|set|enable|disable|unregister|receive|add|import)-(?:variable|job|module|alias|event|eventsubscriber|typedata|pssession|psdrive|psbreakpoint|host|strictmode|timespan|object|guid|temporaryfile|transcript|type|member|culture|timezone|clipboard|threadjob|dnsclientcache)$/,
    examples: [["Remove-Variable x"], ["Remove-PSDrive X"]],
  },
  {
    fits: /^(?:get|export|unprotect|convertfrom|copy)-(?:\w*(?:secret(?:value)?|accesstoken|password|storageaccountkey|accountkey|replaccount|pfxcertificate|cmsmessage|passworddata)|securestring)$/,
    does: [
      {
        when: (call) =>
          /^(?!get-\w*secret$|convertfrom-)/i.test(call.report.program) || anyArgument(/^-as?p(?:lain)?t/i)(call),
        unless: argumentsAre(/-listversion|-includeversions/i),
        keys: true,
      },
    ],
    examples: [
      ["Get-AzKeyVaultSecret -VaultName x -Name y -AsPlainText", "reveal"],
      ["Get-AzKeyVaultSecret -VaultName x"],
      ["Get-AzAccessToken", "reveal"],
      ["Export-PfxCertificate -Cert x -FilePath c.pfx", "reveal"],
    ],
  },
  {
    fits: /^(?:clear|format|initialize|remove|reset|dismount)-(?:disk|volume|partition|virtualdisk|storagepool|physicaldisk|disksnapshot)$/,
    unless: isTrial,
    roles: ["disk", "overwrite"],
    examples: [["Remove-VirtualDisk -FriendlyName x", "disk overwrite"], ["Clear-Disk 1 -WhatIf"]],
  },
  {
    fits: /^(?:register|new|set)-(?:scheduledtask|scheduledjob|wmievent|wmiinstance|cimindicationevent|cominstance)$|^set-wmiinstance$|^new-service$/,
    is: { scheduler: true },
    unless: isTrial,
    roles: ["persistence", "settings"],
    examples: [["Set-WmiInstance -Class CommandLineEventConsumer", "persistence settings"]],
  },
  {
    fits: /^(?:(?:enable|disable|set|suspend|stop|remove|add|new|clear)-\w*(?:bitlocker|firewall|mppreference|mpcomputer|defender|computerrestore|windowsoptionalfeature|smbserver|auditpolicy|tpm|uev|applocker|wdac|tlsciphersuite|processmitigation)\w*|set-executionpolicy)$/,
    is: { "system-settings": true },
    unless: isTrial,
    roles: ["settings"],
    examples: [["Disable-BitLocker -MountPoint C:", "settings"]],
  },
  {
    fits: /^(?:enable|set|new|grant|add)-\w*(?:psremoting|smbshare|smbshareaccess|wsman\w*|remotedesktop|roleassignment|mailboxpermission|networksecurityrule\w*|accesspolicy|rbac\w*|appregistration|mgapplicationpassword|accesskey)$/,
    unless: isTrial,
    roles: ["expose"],
    examples: [["New-SmbShare -Name c -Path C:/ -FullAccess Everyone", "expose"]],
  },
  {
    fits: /^(?:new|remove|set|disable|enable|rename|add|reset|unlock)-(?:local(?:user|group|groupmember)|ad(?:user|group|groupmember|computer|account\w*|object)|azaduser|mg(?:user|group|directory\w*))$/,
    is: { "system-account": true },
    unless: isTrial,
    roles: ["account"],
    examples: [["Add-LocalGroupMember Administrators me", "account"]],
  },
  {
    fits: /^(?:publish|push)-(?:module|script|psresource|package|nugetpackage)$/,
    unless: isTrial,
    roles: ["publish"],
    examples: [["Publish-Module -Name x", "publish"]],
  },
  {
    fits: /^unpublish-|^remove-(?:module|script|psresource)version$/,
    unless: isTrial,
    roles: UNPUBLISH,
    examples: [["Unpublish-Module x", "publish network-out work-loss"]],
  },
  {
    fits: /^(?:register|set|save|install|update)-(?:psrepository|psresourcerepository|packagesource|module|script|package|packageprovider|psresource)$/,
    unless: isTrial,
    roles: ["package-install", "network-in"],
    does: [{ when: argumentsAre(/https?:|-(?:skippublishercheck|allowclobber.*https?)/i), roles: ["foreign-source"] }],
    examples: [
      ["Install-Module Pester", "package-install network-in"],
      ["Register-PSRepository x -SourceLocation http://h.test/n", "package-install network-in foreign-source"],
    ],
  },
  {
    fits: /^send-(?:mailmessage|mgusermail|mailkitmessage|teamsmessage|slackmessage|pushover\w*)$/,
    roles: ["message"],
    talks: "out",
    reads: argumentsAfter(/^-at/i),
    sends: "reads",
    examples: [["Send-MailMessage -To a@h.test -Body x", "message network-out", "sends to ?"]],
  },
  {
    // What answers a name is a server of the one who owns the name.
    fits: /^resolve-dnsname$/,
    talks: "out",
    to: allValues("none"),
    when: anyArgument(/[$\uFFFC]/),
    sends: "input",
    examples: [["Resolve-DnsName h.test"]],
  },
  {
    fits: /^(?:remove|clear|reset|revoke|uninstall)-\w+$/,
    unless: isTrial,
    roles: ["cloud", "work-loss"],
    examples: [["Remove-AzVM -Name x", "cloud work-loss"], ["Remove-Website x -WhatIf"]],
  },
  {
    fits: /^(?:stop|restart|suspend|disable|invoke|switch|swap)-(?:az|ec2|ecs|eks|rds|gce|gke|vm|web|iis|cluster|sql|mg)\w*$/,
    unless: isTrial,
    roles: ["cloud", "outage"],
    examples: [["Restart-AzWebApp -Name x", "cloud outage"]],
  },
  {
    fits: /^(?:new|set|update|start|publish|add|import)-(?:az|ec2|ecs|eks|s3|rds|gce|gke|gcs|cfn|ddb|lm|mg)\w*$/,
    unless: isTrial,
    roles: ["cloud"],
    examples: [["New-AzVM -Name x", "cloud"]],
  },
  {
    fits: /^(?:get|test|find|measure|select|where|sort|group|compare|format|convertto|convertfrom|resolve|join|split|show|search|watch|wait|trace|read|use|assert|should|describe)-\w+$/,
    readOnly: true,
    examples: [["Get-AzVM"]],
  },
];

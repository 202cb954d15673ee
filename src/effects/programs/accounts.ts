import { type Call, has, known, plays, reads, reveals, talks, value, values, writes } from "./call.ts";
import { isHuge } from "./operands.ts";
import type { Inner, Programs } from "./program.ts";
import { asLine, asProgram, lines, restAsProgram, runVerb, withVariables } from "./runs.ts";

const SUDO =
  "user|u= group|g= host|h= prompt|p= close-from|C= role|r= type|t= command-timeout|T= other-user|U= chdir|D= chroot|R= auth-type|a= login-class|c= login|i shell|s list|l validate|v reset-timestamp|k remove-timestamp|K non-interactive|n stdin|S preserve-env? E background|b set-home|H preserve-groups|P edit|e askpass|A bell|B version|V help L";

/** Programs that change users, passwords and keys, or lend rights. */
export const ACCOUNTS = (): Programs => ({
  "useradd adduser usermod groupadd groupmod addgroup gpasswd chpasswd chage vipw vigr dscl sysadminctl newusers passwd smbpasswd htpasswd":
    {
      is: {
        "often-shadowed": "passwd",
        "system-account":
          "useradd adduser usermod groupadd groupmod addgroup gpasswd chpasswd chage vipw vigr dscl sysadminctl newusers passwd smbpasswd",
      },
      options: "S status list|l all|a",
      does: (call) => {
        const isLook = has(call, "S", "status") || (has(call, "list") && call.told.program === "chage");
        if (!isLook && !/^-?(?:list|read)$/.test(call.operands[1]?.text ?? "")) plays(call, "account");
        if (call.told.program === "htpasswd") writes(call, call.operands[0]);
      },
      examples: [
        ["usermod -aG sudo me", "account"],
        ["passwd root", "account"],
        ["passwd -S me"],
        ["chage -l me"],
        ["chage -E 0 me", "account"],
      ],
    },
  getent: {
    readOnly: true,
    does: (call) => {
      if (/^g?shadow$/.test(call.operands[0]?.text ?? "")) reads(call, known(`/etc/${call.operands[0]?.text}`));
    },
    examples: [["getent shadow root", "reads /etc/shadow"], ["getent passwd me"]],
  },
  "userdel groupdel deluser delgroup": {
    is: { "system-account": true },
    options: "remove|r force|f remove-home",
    does: (call) => {
      plays(call, "account");
      if (!has(call, "remove", "remove-home")) return;
      plays(call, "delete");
    },
    examples: [["userdel -r me", "account delete"]],
  },
  "sudoedit newgrp sg": {
    roles: ["privilege"],
    examples: [["sudoedit /etc/hosts", "privilege"]],
  },
  machinectl: {
    verbs: { "shell|login": ["privilege"] },
    examples: [["machinectl shell x", "privilege"], ["machinectl list"]],
  },
  setpriv: {
    options:
      "reuid= regid= uid= gid= groups= inh-caps= ambient-caps= bounding-set= securebits= pdeathsig= selinux-label= apparmor-profile= clear-groups keep-groups init-groups reset-env no-new-privs",
    style: "first",
    does: asRoot,
    runs: restAsProgram(),
    examples: [
      ["setpriv --reuid 0 sh", "privilege", "typed-code"],
      ["setpriv --reuid 1000 ls"],
      ["setpriv --reuid=1 rm x", "runs rm x"],
    ],
  },
  capsh: {
    options: "user= uid= gid= caps= drop= inh= print decode= supports= keep= secbits= chroot= mode=",
    style: "first",
    does: asRoot,
    runs: (run) => {
      const at = run.args.findIndex(({ text }) => text === "--" || text === "==");
      const [option, line] = at < 0 ? [] : run.args.slice(at + 1);
      return option?.text === "-c" && line ? [{ runs: "shell", text: line, via: run.name }] : [];
    },
    examples: [
      ["capsh -- -c 'rm x'", "runs rm x"],
      ["capsh --uid=0 -- -c ls", "privilege"],
    ],
  },
  "sudo sudo-rs gksudo kdesudo dzdo pfexec doas": {
    is: { "often-shadowed": "sudo doas" },
    options: SUDO,
    style: "first",
    does: (call) => {
      const isListing = has(call, "list") && call.operands.length === 0;
      if (!isListing && !has(call, "version", "help")) plays(call, "privilege");
    },
    runs: ({ name, operands }) => withVariables(name, operands),
    examples: [
      ["sudo -i", "privilege"],
      ["sudo --version"],
      ["sudo -l"],
      ["sudo rm x", "runs rm x"],
      ["sudo -u root -E rm x", "runs rm x"],
      ["sudo -nEu root A=1 rm x", "runs rm x"],
      ["sudo -s rm x", "runs rm x"],
      ["sudo -- rm x", "runs rm x"],
      ["doas -u root rm x", "runs rm x"],
    ],
  },
  "pkexec run0": {
    options:
      "user|u= group|g= chdir|D= unit= property= description= slice= nice= setenv= background= machine= keep-cwd version help",
    style: "first",
    does: (call) => {
      if (!has(call, "version", "help")) plays(call, "privilege");
    },
    runs: restAsProgram(),
    examples: [
      ["pkexec id", "privilege"],
      ["pkexec --user root rm x", "runs rm x"],
      ["run0 rm x", "runs rm x"],
    ],
  },
  "gosu su-exec": {
    roles: ["privilege"],
    runs: ({ name, args }) => asProgram(name, args.slice(1)),
    examples: [["gosu root rm x", "runs rm x"]],
  },
  "gksu kdesu": {
    options: "user|u= command|c= message|m= n login|l s v help version",
    style: "first",
    roles: ["privilege"],
    runs: (run) => [...lines(run, "command"), ...(has(run, "command") ? [] : asLine(run.name, run.operands))],
    examples: [["gksu 'rm x'", "runs rm x"]],
  },
  "su runuser": {
    is: { "often-shadowed": "su" },
    options:
      "command|c= session-command= shell|s= group|g= supp-group|G= whitelist-environment|w= user|u= login|l preserve-environment|m|p fast|f pty|P version|V help|h",
    does: (call) => {
      if (!has(call, "version", "help")) plays(call, "privilege");
    },
    runs: (run) => {
      const { name, operands } = run;
      const lines = values(run, "command", "session-command");
      if (lines.length > 0) return lines.map((text): Inner => ({ runs: "shell", text, via: `${name} -c` }));
      if (has(run, "user") && operands.length > 0) return asProgram(name, operands);
      return run.stdin.input.from === "nothing" ? [] : [{ runs: "input", via: name }];
    },
    examples: [
      ["su -", "privilege"],
      ["su -c 'rm x'", "runs rm x"],
      ["su root -c 'rm x'", "runs rm x"],
      ["su - root --command='rm x'", "runs rm x"],
      ["runuser -u root -- rm x", "runs rm x"],
      ["runuser root -c 'rm x'", "runs rm x"],
    ],
  },
  chpst: {
    options: "u= U= b= e= d= o= n= l= L= m= p= f= c= t= r= s= v P 0 1 2",
    style: "first",
    does: (call) => asUser(call, value(call, "u")?.text),
    runs: restAsProgram(),
    examples: [
      ["chpst -u root ls", "privilege"],
      ["chpst -u me rm x", "runs rm x"],
    ],
  },
  "setuidgid s6-setuidgid": {
    style: "first",
    does: (call) => asUser(call, call.operands[0]?.text),
    runs: restAsProgram(1),
    examples: [["setuidgid me ls"], ["setuidgid me rm x", "runs rm x"]],
  },
  visudo: {
    is: { "system-account": true },
    options: "f= file= c check s strict",
    does: (call) => {
      if (has(call, "c", "check")) return;
      plays(call, "account", "privilege");
      writes(call, value(call, "f") ?? known("/etc/sudoers"));
    },
    examples: [["visudo", "account privilege", "writes /etc/sudoers"], ["visudo -c"]],
  },
  "ssh-keygen": {
    is: { "uses-keys": true },
    options: "t= b= f= N= C= P= R= F= l p y e i m= q r= I= s= n= O= V= Y= H a=",
    does: (call) => {
      if (has(call, "l", "F", "y", "e")) return reads(call, value(call, "f"));
      plays(call, "account");
      if (has(call, "R", "H")) writes(call, value(call, "f") ?? known("~/.ssh/known_hosts"));
      else writes(call, value(call, "f") ?? known("~/.ssh"));
      // Whether a key may be overwritten is asked, and a pipe answers.
      const isTrial = /(?:^|[/_.-])(?:tests?|fixtures?|tmp|temp|examples?)(?:[/_.-]|$)/.test(
        value(call, "f")?.text ?? "",
      );
      if (/^\s*y/i.test(call.told.piped) && !isTrial) plays(call, "work-loss");
    },
    examples: [
      ["ssh-keygen -t ed25519 -f key -N x", "account", "writes key"],
      ["ssh-keygen -lf key", "reads key"],
      ["ssh-keygen -f key <<< y", "account work-loss", "writes key"],
    ],
  },
  "ssh-copy-id": {
    is: { scheduler: true, "uses-keys": true },
    options: "i= p= o= f n",
    roles: ["account", "persistence"],
    does: (call) => {
      reads(call, value(call, "i"));
      talks(call, "out", call.operands[0]);
    },
    examples: [["ssh-copy-id -i k.pub me@h.test", "account persistence network-out", "reads k.pub", "sends to h.test"]],
  },
  "ssh-add ssh-agent": {
    is: { "uses-keys": true },
    options: "l L D d k t= c x X s= e= K apple-use-keychain",
    does: (call) => {
      for (const path of call.operands) reads(call, path);
      if (has(call, "D", "d") || call.operands.length > 0) plays(call, "account");
    },
    examples: [["ssh-add -l"], ["ssh-add key", "account", "reads key"]],
  },
  "gpg gpg2": {
    is: { "often-shadowed": "gpg", "prints-files": true },
    options:
      "export|export-secret-keys|export-secret-subkeys armor|a output|o= decrypt|d encrypt|e recipient|r= import delete-keys delete-secret-keys delete-secret-and-public-key gen-key generate-key full-gen-key edit-key= sign|s verify list-keys|k list-secret-keys|K symmetric|c batch yes passphrase= keyserver= recv-keys send-keys homedir= local-user|u= detach-sign|b clear-sign",
    does: (call) => {
      if (call.command.args.some(({ text }) => text.startsWith("--export-secret")))
        reads(call, known("~/.gnupg"), { isTree: true });
      if (
        has(
          call,
          "import",
          "delete-keys",
          "delete-secret-keys",
          "delete-secret-and-public-key",
          "gen-key",
          "generate-key",
          "full-gen-key",
          "edit-key",
        )
      )
        plays(call, "account");
      if ([...call.given.keys()].some((name) => name.startsWith("delete-"))) plays(call, "work-loss");
      if (has(call, "recv-keys")) talks(call, "in", value(call, "keyserver"));
      if (has(call, "send-keys")) talks(call, "out", value(call, "keyserver"));
      if (has(call, "decrypt")) call.told.gives = "text";
      if (has(call, "decrypt", "encrypt", "sign", "symmetric", "detach-sign"))
        for (const path of call.operands) reads(call, path);
      writes(call, value(call, "output"));
    },
    examples: [
      ["gpg --export-secret-keys -a me", "reads ~/.gnupg tree"],
      ["gpg -d a.gpg", "reads a.gpg"],
      ["gpg --delete-secret-keys me", "account work-loss"],
    ],
  },
  openssl: {
    prints: "decoded",
    is: { "hands-all-on": true },
    style: "whole",
    options:
      "in= out= key= cert= inkey= CAfile= connect= pass= passin= passout= k= K= iv= config= subj= days= newkey= keyout= d e a base64 aes-256-cbc salt pbkdf2",
    does: (call) => {
      for (const path of values(call, "in", "key", "inkey", "cert")) reads(call, path);
      for (const path of values(call, "out", "keyout")) writes(call, path);
      // It is emptied before it is read.
      if (value(call, "out") !== undefined && value(call, "out")?.text === value(call, "in")?.text)
        plays(call, "overwrite");
      const asked = call.operands[0]?.text ?? "";
      if (asked === "s_client") {
        talks(call, "both", value(call, "connect"));
        call.told.input = "sent";
      }
      if (asked === "rand" && isHuge(call.command.args.at(-1)?.text ?? "")) plays(call, "exhaust");
      if (has(call, "d")) call.told.gives = "text";
    },
    examples: [
      ["openssl rand -hex 999999999999", "exhaust"],
      ["openssl enc -d -base64 -in a -out b", "reads a", "writes b"],
      ["openssl s_client -connect h.test:443", "network-in network-out", "talks to h.test"],
    ],
  },
  "sops ansible-vault": {
    is: { "prints-files": true },
    options:
      "decrypt|d encrypt|e in-place|i output= extract= input-type= output-type= vault-password-file= ask-vault-pass",
    does: (call) => {
      const [verb, ...rest] = call.operands;
      const isVault = call.told.program === "ansible-vault";
      const paths = isVault || /^(?:decrypt|encrypt|edit|set|rotate)$/.test(verb?.text ?? "") ? rest : call.operands;
      if (isVault && verb?.text === "view") reveals(call);
      if (isVault ? verb?.text === "view" : has(call, "decrypt") || verb?.text === "decrypt")
        for (const path of paths) reads(call, path);
      if (has(call, "in-place") || /^(?:edit|set|rotate|encrypt|rekey)$/.test(verb?.text ?? ""))
        for (const path of paths) writes(call, path);
    },
    examples: [
      ["sops -d secrets.yaml", "reads secrets.yaml"],
      ["ansible-vault view secrets.yml", "reveal", "reads secrets.yml"],
      ["sops -e -i a.yaml", "writes a.yaml"],
    ],
  },
  "pass gopass passage bw keyring secret-tool vault-cli lpass": {
    is: { "keeps-passwords": true },
    readOnly: "ls|list|show|find|search|grep|status|get|item list|item get|help",
    does: tellStore,
    examples: [
      ["pass work/db", "reads ~/.password-store"],
      ["gopass show -o x", "reads ~/.password-store"],
      ["pass git log"],
      ["secret-tool search --all x y", "reads ~/.local/share/keyrings"],
      ["bw list items", "reads ~/.config/Bitwarden CLI"],
      ["bw get password x", "reads ~/.config/Bitwarden CLI"],
      ["pass show x", "reads ~/.password-store"],
      ["pass ls"],
      ["pass rm x", "account work-loss"],
    ],
  },
  "kwallet-query kwalletcli rbw bws keepassxc-cli dcli pass-cli lssecret ykman wg wg-quick enpass-cli": {
    is: { "keeps-passwords": true },
    does: (call) => {
      const words = call.command.args.map(({ text }) => text).join(" ");
      if (SHOWN_BY[call.told.program]?.test(words)) reveals(call);
      if (/^(?:set|setconf|addconf|syncconf|up|down|save)\b/.test(words)) plays(call, "settings");
    },
    examples: [
      ["kwallet-query -r github kdewallet", "reveal"],
      ["kwallet-query -l kdewallet"],
      ["rbw get github", "reveal"],
      ["rbw list"],
      ["wg show wg0 private-key", "reveal"],
      ["wg showconf wg0", "reveal"],
      ["wg show interfaces"],
      ["wg"],
    ],
  },
  op: {
    is: { "keeps-passwords": true },
    readOnly: "item list|item get|vault list|account list|user list|user get|read|whoami",
    options: "account= cache? config= format= session= vault=",
    verbs: { run: runVerb("env-file= account= environment= no-masking") },
    does: tellStore,
    examples: [
      ["op run -- ls"],
      ["op run --env-file .env -- rm x", "runs rm x"],
      ["op read op://a/b", "reads ~/.config/op"],
      ["op item get x --reveal", "reads ~/.config/op"],
      ["op item list"],
    ],
  },
});

/** What a keeper of passwords shows, and what it changes. */
function tellStore(call: Call): void {
  const [first = "", second = ""] = call.operands.map(({ text }) => text);
  // Of `item`, only a part shows something; a name without a verb is shown.
  const isNamed = /^(?:pass|gopass|passage)$/.test(call.told.program) && first !== "" && !STORE_VERBS.test(first);
  const asked = isNamed ? "show" : first === "item" && second === "list" ? second : first;
  const store = STORES[call.told.program];
  if (/^(?:show|read|get|lookup|search|list|export|inject|run|item|cp)$/.test(asked)) call.told.gives = "environment";
  if (store !== undefined && (SHOWS[call.told.program] ?? /^(?:show|read|get|lookup|export|item)$/).test(asked))
    reads(call, known(store));
  if (/^(?:rm|delete|del|insert|edit|create|set|store|clear)$/.test(asked)) plays(call, "account");
  if (/^(?:rm|delete|del|clear)$/.test(asked) || (asked === "item" && call.operands[1]?.text === "delete"))
    plays(call, "account", "work-loss");
}

function asRoot(call: Call): void {
  if (values(call, "reuid", "uid").some(({ text }) => /^(?:0|root)$/.test(text))) plays(call, "privilege");
}

function asUser(call: Call, user = ""): void {
  if (/^:?(?:root|0)(?::|$)/.test(user)) plays(call, "privilege");
}

/** What shows passwords, where the words differ from those of others. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  "secret-tool": /^(?:lookup|search)$/,
  bw: /^(?:get|list|export)$/,
  gopass: /^(?:show|cat|env|otp)$/,
};

/** What stands behind a keeper that keeps its files as it does. */
const STORE_VERBS =
  /^(?:ls|list|show|find|search|grep|insert|add|edit|generate|rm|remove|delete|mv|move|cp|copy|git|init|help|version|otp|import|tail|audit|sync|fsck|history|mounts?|recipients|config|setup|env|cat|create|link|process|templates|completion|update|clone|unclip|sum|sha256|convert|--?\w+)$/;

/** The words with which a keeper shows what it keeps. */
const SHOWN_BY: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  "kwallet-query": /(?:^|\s)(?:-\w*r|--read-password)/,
  kwalletcli: /(?:^|\s)-e(?!.*\s-[pP])/,
  rbw: /^(?:get|code|show)\b/,
  bws: /^(?:secrets? (?:get|list)|get|list)\b/,
  "keepassxc-cli": /^(?:show|clip|export|attachment-export)\b/,
  dcli: /^(?:p|password|n|note|s|secret|o|otp|read|inject)\b/,
  "pass-cli": /^(?:item (?:view|get)|view|get|inject|run)\b/,
  "enpass-cli": /^(?:pass|show|copy)\b/,
  lssecret: /(?:^|\s)-\w*s/,
  ykman: /^oath accounts code\b|^piv keys export\b/,
  wg: /^showconf\b|^show \S+ (?:private-key|preshared-keys|dump)\b|^genkey$/,
  "wg-quick": /^strip\b/,
};

/** Where a keeper of passwords keeps them. */
const STORES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  pass: "~/.password-store",
  gopass: "~/.password-store",
  passage: "~/.password-store",
  op: "~/.config/op",
  "secret-tool": "~/.local/share/keyrings",
  keyring: "~/.local/share/keyrings",
  bw: "~/.config/Bitwarden CLI",
  lpass: "~/.local/share/lpass",
};

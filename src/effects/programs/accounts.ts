import { allValues, anyArgument, hasOperands, operand, operandIs, operands, option, paths, valueIs } from "./act.ts";
import { type Call, has, isHuge, known, reads, reveals, value, values, writes } from "./call.ts";
import type { Inner, Programs } from "./program.ts";
import { asLine, asProgram, lines, restAsProgram, withVariables } from "./runs.ts";

const SUDO =
  "user|u= group|g= host|h= prompt|p= close-from|C= role|r= type|t= command-timeout|T= other-user|U= chdir|D= chroot|R= auth-type|a= login-class|c= login|i shell|s list|l validate|v reset-timestamp|k remove-timestamp|K non-interactive|n stdin|S preserve-env? E background|b set-home|H preserve-groups|P edit|e askpass|A bell|B version|V help L";

/** Programs that change users, passwords and keys, or run commands as another user. */
export const ACCOUNTS = (): Programs => ({
  "useradd adduser usermod groupadd groupmod addgroup gpasswd chpasswd chage vipw vigr newusers passwd smbpasswd htpasswd":
    {
      is: {
        "often-shadowed": "passwd",
        "system-account":
          "useradd adduser usermod groupadd groupmod addgroup gpasswd chpasswd chage vipw vigr newusers passwd smbpasswd",
      },
      options: "S status list|l all|a",
      does: [
        { unless: ["S status", listsAges], roles: ["account"] },
        { names: "htpasswd", writes: operand(0) },
      ],
      examples: [
        ["usermod -aG sudo me", "account"],
        ["passwd root", "account"],
        ["passwd -S me"],
        ["chage -l me"],
        ["chage -E 0 me", "account"],
      ],
    },
  "dscl sysadminctl": {
    readOnly: true,
    is: { "system-account": true },
    when: anyArgument(
      /^-?(?:create|delete|append|change|changei|merge|passwd|(?:add|delete|reset|new|secure)[A-Z]\w*|on|off)$/,
    ),
    roles: ["account"],
    examples: [["dscl . -create /Users/me", "account"], ["dscl . -read /Users/me"], ["dscl . -list /Users"]],
  },
  getent: {
    readOnly: true,
    when: operandIs(0, /^g?shadow$/),
    reads: ({ operands }) => [known(`/etc/${operands[0]?.text}`)],
    examples: [["getent shadow root", "reads /etc/shadow"], ["getent passwd me"]],
  },
  "userdel groupdel deluser delgroup": {
    is: { "system-account": true },
    options: "remove|r force|f remove-home",
    roles: ["account"],
    does: [{ when: "remove remove-home", roles: ["delete"] }],
    examples: [["userdel -r me", "account delete"]],
  },
  "sudoedit newgrp sg": { roles: ["privilege"], examples: [["sudoedit /etc/hosts", "privilege"]] },
  machinectl: {
    is: { "other-world": true },
    runs: ({ name, args }) => {
      const at = args.findIndex(({ text }) => text === "shell");
      return at < 0 ? [] : asProgram(name, args.slice(at + 2));
    },
    verbs: { "shell|login": ["privilege"] },
    examples: [["machinectl shell x", "privilege"], ["machinectl list"]],
  },
  setpriv: {
    is: { "other-world": true },
    options:
      "reuid= regid= uid= gid= groups= inh-caps= ambient-caps= bounding-set= securebits= pdeathsig= selinux-label= apparmor-profile= clear-groups keep-groups init-groups reset-env no-new-privs",
    style: "first",
    when: valueIs("reuid uid", /^(?:0|root)$/),
    roles: ["privilege"],
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
    when: valueIs("reuid uid", /^(?:0|root)$/),
    roles: ["privilege"],
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
    is: { "often-shadowed": "sudo doas", "other-world": true },
    options: SUDO,
    style: "first",
    unless: ["version help", (call) => has(call, "list") && !hasOperands(call)],
    roles: ["privilege"],
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
    is: { "other-world": true },
    options:
      "user|u= group|g= chdir|D= unit= property= description= slice= nice= setenv= background= machine= keep-cwd version help",
    style: "first",
    unless: "version help",
    roles: ["privilege"],
    runs: restAsProgram(),
    examples: [
      ["pkexec id", "privilege"],
      ["pkexec --user root rm x", "runs rm x"],
      ["run0 rm x", "runs rm x"],
    ],
  },
  "gosu su-exec": {
    is: { "other-world": true },
    roles: ["privilege"],
    runs: ({ name, args }) => asProgram(name, args.slice(1)),
    examples: [["gosu root rm x", "runs rm x"]],
  },
  "gksu kdesu": {
    is: { "other-world": true },
    options: "user|u= command|c= message|m= n login|l s v help version",
    style: "first",
    roles: ["privilege"],
    runs: (run) => [...lines(run, "command"), ...(has(run, "command") ? [] : asLine(run.name, run.operands))],
    examples: [["gksu 'rm x'", "runs rm x"]],
  },
  "su runuser": {
    is: { "often-shadowed": "su", "other-world": true },
    options:
      "command|c= session-command= shell|s= group|g= supp-group|G= whitelist-environment|w= user|u= login|l preserve-environment|m|p fast|f pty|P version|V help|h",
    unless: "version help",
    roles: ["privilege"],
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
    when: valueIs("u", ROOT),
    roles: ["privilege"],
    runs: restAsProgram(),
    examples: [
      ["chpst -u root ls", "privilege"],
      ["chpst -u me rm x", "runs rm x"],
    ],
  },
  "setuidgid s6-setuidgid": {
    style: "first",
    when: operandIs(0, ROOT),
    roles: ["privilege"],
    runs: restAsProgram(1),
    examples: [["setuidgid me ls"], ["setuidgid me rm x", "runs rm x"]],
  },
  visudo: {
    is: { "system-account": true },
    options: "f= file= c check s strict",
    unless: "c check",
    roles: ["account", "privilege"],
    writes: option("f", "/etc/sudoers"),
    examples: [["visudo", "account privilege", "writes /etc/sudoers"], ["visudo -c"]],
  },
  "ssh-keygen": {
    is: { "uses-keys": true },
    options: "t= b= f= N= C= P= R= F= l p y e i m= q r= I= s= n= O= V= Y= H a=",
    unless: "l F y e",
    otherwise: { reads: option("f") },
    roles: ["account"],
    does: [
      { when: "R H", writes: option("f", "~/.ssh/known_hosts"), otherwise: { writes: option("f", "~/.ssh") } },
      {
        // The question whether a key may be overwritten is answered by a pipe.
        when: ({ report }) => /^\s*y/i.test(report.piped),
        unless: valueIs("f", /(?:^|[/_.-])(?:tests?|fixtures?|tmp|temp|examples?)(?:[/_.-]|$)/),
        roles: ["work-loss"],
      },
    ],
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
    reads: option("i"),
    talks: "out",
    to: operand(0),
    examples: [["ssh-copy-id -i k.pub me@h.test", "account persistence network-out", "reads k.pub", "sends to h.test"]],
  },
  "ssh-add ssh-agent": {
    is: { "uses-keys": true },
    options: "l L D d k t= c x X s= e= K apple-use-keychain",
    reads: operands,
    does: [{ when: (call) => has(call, "D", "d") || hasOperands(call), roles: ["account"] }],
    runs: ({ name, operands }) => (name === "ssh-agent" ? asProgram(name, operands) : []),
    examples: [["ssh-add -l"], ["ssh-add key", "account", "reads key"]],
  },
  "gpg gpg2": {
    is: { "often-shadowed": "gpg", "prints-files": true },
    options:
      "export|export-secret-keys|export-secret-subkeys armor|a output|o= decrypt|d encrypt|e recipient|r= import delete-keys delete-secret-keys delete-secret-and-public-key gen-key generate-key full-gen-key edit-key= sign|s verify list-keys|k list-secret-keys|K symmetric|c batch yes passphrase= keyserver= recv-keys send-keys homedir= local-user|u= detach-sign|b clear-sign",
    does: [
      { when: anyArgument(/^--export-secret/), reads: paths("~/.gnupg"), tree: true },
      {
        when: "import delete-keys delete-secret-keys delete-secret-and-public-key gen-key generate-key full-gen-key edit-key",
        roles: ["account"],
      },
      { when: ({ given }) => [...given.keys()].some((name) => name.startsWith("delete-")), roles: ["work-loss"] },
      { when: "recv-keys", talks: "in", to: option("keyserver") },
      { when: "send-keys", talks: "out", to: option("keyserver") },
      { when: "decrypt", gives: "text" },
      { when: "decrypt encrypt sign symmetric detach-sign", reads: operands },
      { writes: option("output") },
    ],
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
    reads: allValues("in key inkey cert"),
    writes: allValues("out keyout"),
    does: [
      // The output is truncated before the input is read.
      { when: ["out", (call) => value(call, "out")?.text === value(call, "in")?.text], roles: ["overwrite"] },
      { when: operandIs(0, /^s_client$/), talks: "both", to: option("connect"), input: "sent" },
      { when: [operandIs(0, /^rand$/), ({ command }) => isHuge(command.args.at(-1)?.text ?? "")], roles: ["exhaust"] },
      { when: "d", gives: "text" },
    ],
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
      const isVault = call.report.program === "ansible-vault";
      const paths = isVault || /^(?:decrypt|encrypt|edit|set|rotate)$/.test(verb?.text ?? "") ? rest : call.operands;
      const isPrinted = value(call, "output")?.text === "-";
      const isShown = isVault
        ? verb?.text === "view" || (verb?.text === "decrypt" && isPrinted)
        : has(call, "decrypt") || verb?.text === "decrypt";
      if (isShown && (isPrinted || !has(call, "in-place", "output"))) reveals(call);
      if (isVault ? verb?.text === "view" : has(call, "decrypt") || verb?.text === "decrypt")
        for (const path of paths) reads(call, path);
      if (has(call, "in-place") || /^(?:edit|set|rotate|encrypt|rekey)$/.test(verb?.text ?? ""))
        for (const path of paths) writes(call, path);
    },
    examples: [
      ["sops -d secrets.yaml", "reveal", "reads secrets.yaml"],
      ["ansible-vault view secrets.yml", "reveal", "reads secrets.yml"],
      ["sops -e -i a.yaml", "writes a.yaml"],
    ],
  },
});

const ROOT = /^:?(?:root|0)(?::|$)/;

/** `chage -l` prints when a password expires. */
function listsAges(call: Call): boolean {
  return call.report.program === "chage" && has(call, "list");
}

import { type Call, has, isHuge, known, plays, reads, reveals, talks, value, values, writes } from "./call.ts";
import type { Inner, Programs } from "./program.ts";
import { asLine, asProgram, lines, restAsProgram, withVariables } from "./runs.ts";

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
    is: { "often-shadowed": "sudo doas", "other-world": true },
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
    is: { "other-world": true },
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
    runs: ({ name, operands }) => (name === "ssh-agent" ? asProgram(name, operands) : []),
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

function asRoot(call: Call): void {
  if (values(call, "reuid", "uid").some(({ text }) => /^(?:0|root)$/.test(text))) plays(call, "privilege");
}

function asUser(call: Call, user = ""): void {
  if (/^:?(?:root|0)(?::|$)/.test(user)) plays(call, "privilege");
}

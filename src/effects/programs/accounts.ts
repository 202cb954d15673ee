import { has, known, plays, reads, talks, value, values, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that change users, passwords and keys, or lend rights. */
export const ACCOUNTS: Programs = {
  "useradd adduser usermod groupadd groupmod addgroup gpasswd chpasswd chage vipw vigr dscl sysadminctl newusers passwd smbpasswd htpasswd":
    {
      options: "S status all|a",
      does: (call) => {
        if (!has(call, "S", "status") && !/^-?(?:list|read)$/.test(call.operands[1]?.text ?? ""))
          plays(call, "account");
        if (call.told.program === "htpasswd") writes(call, call.operands[0]);
      },
      examples: [["usermod -aG sudo me", "account"], ["passwd root", "account"], ["passwd -S me"]],
    },
  getent: {
    does: (call) => {
      if (/^g?shadow$/.test(call.operands[0]?.text ?? "")) reads(call, known(`/etc/${call.operands[0]?.text}`));
    },
    examples: [["getent shadow root", "reads /etc/shadow"], ["getent passwd me"]],
  },
  "userdel groupdel deluser delgroup": {
    options: "remove|r force|f remove-home",
    does: (call) => {
      plays(call, "account");
      if (!has(call, "remove", "remove-home")) return;
      plays(call, "delete");
    },
    examples: [["userdel -r me", "account delete"]],
  },
  "sudoedit newgrp sg machinectl setpriv capsh": {
    style: "first",
    options: "reuid= regid= uid= gid= user=",
    does: (call) => {
      const { program } = call.told;
      const isRoot = values(call, "reuid", "uid").some(({ text }) => /^(?:0|root)$/.test(text));
      if (
        program === "machinectl" ? /^(?:shell|login)$/.test(call.operands[0]?.text ?? "") : ASKS.test(program) || isRoot
      )
        plays(call, "privilege");
    },
    examples: [
      ["sudoedit /etc/hosts", "privilege"],
      ["setpriv --reuid 0 sh", "privilege"],
      ["setpriv --reuid 1000 ls"],
      ["machinectl list"],
    ],
  },
  "sudo sudo-rs doas pkexec su runuser run0 gosu gksudo gksu kdesudo kdesu dzdo pfexec": {
    options: "u= user= g= group= c= command= i s l v K k n S E b V version help",
    style: "first",
    does: (call) => {
      const isListing = call.told.program === "sudo" && has(call, "l") && call.operands.length === 0;
      if (!isListing && !has(call, "V", "version", "help")) plays(call, "privilege");
    },
    examples: [["sudo -i", "privilege"], ["su -", "privilege"], ["sudo --version"], ["sudo -l"]],
  },
  "chpst setuidgid s6-setuidgid": {
    options: "u= U=",
    style: "first",
    does: (call) => {
      const user = value(call, "u")?.text ?? (call.told.program === "chpst" ? "" : call.operands[0]?.text) ?? "";
      if (/^:?(?:root|0)(?::|$)/.test(user)) plays(call, "privilege");
    },
    examples: [["chpst -u root ls", "privilege"], ["setuidgid me ls"]],
  },
  visudo: {
    options: "f= file= c check s strict",
    does: (call) => {
      if (has(call, "c", "check")) return;
      plays(call, "account", "privilege");
      writes(call, value(call, "f") ?? known("/etc/sudoers"));
    },
    examples: [["visudo", "account privilege", "writes /etc/sudoers"], ["visudo -c"]],
  },
  "ssh-keygen": {
    options: "t= b= f= N= C= P= R= F= l p y e i m= q r= I= s= n= O= V= Y= H a=",
    does: (call) => {
      if (has(call, "l", "F", "y", "e")) return reads(call, value(call, "f"));
      plays(call, "account");
      if (has(call, "R", "H")) writes(call, value(call, "f") ?? known("~/.ssh/known_hosts"));
      else writes(call, value(call, "f") ?? known("~/.ssh"));
      // Whether a key may be overwritten is asked, and a pipe answers.
      if (/^\s*y/i.test(call.told.piped)) plays(call, "work-loss");
    },
    examples: [
      ["ssh-keygen -t ed25519 -f key -N x", "account", "writes key"],
      ["ssh-keygen -lf key", "reads key"],
      ["ssh-keygen -f key <<< y", "account work-loss", "writes key"],
    ],
  },
  "ssh-copy-id": {
    options: "i= p= o= f n",
    roles: ["account", "persistence"],
    does: (call) => {
      reads(call, value(call, "i"));
      talks(call, "out", call.operands[0]);
    },
    examples: [["ssh-copy-id -i k.pub me@h.test", "account persistence network-out", "reads k.pub", "sends to h.test"]],
  },
  "ssh-add ssh-agent": {
    options: "l L D d k t= c x X s= e= K apple-use-keychain",
    does: (call) => {
      for (const path of call.operands) reads(call, path);
      if (has(call, "D", "d") || call.operands.length > 0) plays(call, "account");
    },
    examples: [["ssh-add -l"], ["ssh-add key", "account", "reads key"]],
  },
  "gpg gpg2": {
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
    style: "whole",
    options:
      "in= out= key= cert= inkey= CAfile= connect= pass= passin= passout= k= K= iv= config= subj= days= newkey= keyout= d e a base64 aes-256-cbc salt pbkdf2",
    does: (call) => {
      for (const path of values(call, "in", "key", "inkey", "cert")) reads(call, path);
      for (const path of values(call, "out", "keyout")) writes(call, path);
      const asked = call.operands[0]?.text ?? "";
      if (asked === "s_client") {
        talks(call, "both", value(call, "connect"));
        call.told.input = "sent";
      }
      if (has(call, "d")) call.told.gives = "text";
    },
    examples: [
      ["openssl enc -d -base64 -in a -out b", "reads a", "writes b"],
      ["openssl s_client -connect h.test:443", "network-in network-out", "talks to h.test"],
    ],
  },
  "sops ansible-vault": {
    options:
      "decrypt|d encrypt|e in-place|i output= extract= input-type= output-type= vault-password-file= ask-vault-pass",
    does: (call) => {
      const [verb, ...rest] = call.operands;
      const isVault = call.told.program === "ansible-vault";
      const paths = isVault || /^(?:decrypt|encrypt|edit|set|rotate)$/.test(verb?.text ?? "") ? rest : call.operands;
      if (isVault ? verb?.text === "view" : has(call, "decrypt") || verb?.text === "decrypt")
        for (const path of paths) reads(call, path);
      if (has(call, "in-place") || /^(?:edit|set|rotate|encrypt|rekey)$/.test(verb?.text ?? ""))
        for (const path of paths) writes(call, path);
    },
    examples: [
      ["sops -d secrets.yaml", "reads secrets.yaml"],
      ["ansible-vault view secrets.yml", "reads secrets.yml"],
      ["sops -e -i a.yaml", "writes a.yaml"],
    ],
  },
  "pass op bw keyring secret-tool vault-cli lpass": {
    does: (call) => {
      const asked = call.operands[0]?.text ?? "";
      const store = STORES[call.told.program];
      if (/^(?:show|read|get|lookup|search|list|export|inject|run|item|cp)$/.test(asked))
        call.told.gives = "environment";
      if (store !== undefined && (SHOWS[call.told.program] ?? /^(?:show|read|get|lookup|export|item)$/).test(asked))
        reads(call, known(store));
      if (/^(?:rm|delete|del|insert|edit|create|set|store|clear)$/.test(asked)) plays(call, "account");
      if (/^(?:rm|delete|del|clear)$/.test(asked) || (asked === "item" && call.operands[1]?.text === "delete"))
        plays(call, "account", "work-loss");
    },
    examples: [
      ["secret-tool search --all x y", "reads ~/.local/share/keyrings"],
      ["bw list items", "reads ~/.config/Bitwarden CLI"],
      ["bw get password x", "reads ~/.config/Bitwarden CLI"],
      ["pass show x", "reads ~/.password-store"],
      ["pass ls"],
      ["op run -- ls"],
      ["pass rm x", "account work-loss"],
    ],
  },
};

/** Programs that always give other rights. */
const ASKS = /^(?:sudoedit|newgrp|sg)$/;

/** What shows passwords, where the words differ from those of others. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  "secret-tool": /^(?:lookup|search)$/,
  bw: /^(?:get|list|export)$/,
};

/** Where a keeper of passwords keeps them. */
const STORES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  pass: "~/.password-store",
  op: "~/.config/op",
  "secret-tool": "~/.local/share/keyrings",
  keyring: "~/.local/share/keyrings",
  bw: "~/.config/Bitwarden CLI",
  lpass: "~/.local/share/lpass",
};

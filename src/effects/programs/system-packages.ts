import { type Call, has, plays, talks, values } from "./call.ts";
import type { Role } from "../effect.ts";
import type { Programs } from "./program.ts";

const INSTALL: readonly Role[] = ["package-install", "network-in"];

/** Programs that install software into the system. */
export const SYSTEM_PACKAGES = (): Programs => ({
  "apt apt-get aptitude dnf yum zypper apk microdnf tdnf port brew snap flatpak nix-env choco scoop winget emerge xbps-install eopkg pkg":
    {
      readOnly:
        "list|search|show|info|policy|depends|rdepends|madison|showpkg|showsrc|provides|repoquery|history list|history info|check-update|repolist|leaves|deps|uses|desc|log|outdated|services list|source list|cat|files|contents|refs|find|connections|interfaces|which|query|tap-info|status|help",
      does: (call) => {
        if (call.told.program === "nix-env" && has(call, "i", "install", "f", "file") && !has(call, "q"))
          installs(call);
      },
      options: "o= c= t= target-release= setopt= enablerepo= root= root-dir= yes|y quiet|q simulate|s dry-run n",
      verbs: {
        "install|add|reinstall|localinstall|in|build-dep|groupinstall|tap|bundle": { does: installs },
        "upgrade|update|dist-upgrade|full-upgrade|dup|distro-sync|refresh|system-upgrade": {
          does: (call) => plays(call, "network-in"),
        },
        "remove|purge|autoremove|erase|del|uninstall|rm|autopurge|zap|clean|cleanup": {
          does: (call) => {
            if (!isTrial(call)) removes(call, call.operands);
          },
        },
        "services start|services stop|services restart": ["settings"],
        "add-repository|config-manager|addrepo|remote-add": ["settings", "network-in"],
      },
      examples: [
        ["apt-get -y install curl", "package-install network-in"],
        ["apt list"],
        ["apt -s install curl"],
        ["brew install jq", "package-install network-in"],
        ["apt purge x", "delete"],
        ["apt purge -y libc6", "delete settings"],
        ["apt remove 'python3*'", "delete settings"],
        ["dnf remove -y systemd", "delete settings"],
        ["brew uninstall --ignore-dependencies x", "delete settings"],
        ["apk add git", "package-install network-in"],
      ],
    },
  "pacman yay paru": {
    readOnly: (run) => has(run, "Q", "query", "s", "search", "i") || undefined,
    does: (call) => {
      const letters = [...call.given.keys()];
      if (letters.some((letter) => /^(?:S|U|sync|upgrade)$/.test(letter)) && !has(call, "s", "i", "search"))
        plays(call, ...INSTALL);
      if (letters.some((letter) => /^(?:R|remove)$/.test(letter))) removes(call, call.operands);
    },
    examples: [
      ["pacman -Syu git", "package-install network-in"],
      ["pacman -Rns git", "delete"],
      ["pacman -Rdd glibc", "delete settings"],
      ["pacman -Ss git"],
    ],
  },
  "dpkg rpm installer msiexec pkgutil": {
    readOnly: (run) => has(run, "query", "list") || undefined,
    options:
      "install|i remove|r purge|P unpack configure erase|e upgrade|U freshen|F pkg= target= root= list|l query|q",
    does: (call) => {
      if (call.told.program === "pkgutil" || has(call, "query")) return;
      if (has(call, "install", "unpack", "upgrade", "freshen", "pkg")) plays(call, "package-install");
      if (has(call, "remove", "purge", "erase"))
        removes(call, [...call.operands, ...values(call, "remove", "purge", "erase")]);
      if (call.told.program === "msiexec" && call.command.args.some(({ text }) => /^https?:/i.test(text)))
        plays(call, "package-install", "network-in", "foreign-source");
    },
    examples: [
      ["dpkg -i a.deb", "package-install"],
      ["dpkg -l"],
      ["rpm -qa"],
      ["rpm -e x", "delete"],
      ["rpm -e --nodeps x", "delete settings"],
      ["dpkg --purge libc6", "delete settings"],
    ],
  },
  "add-apt-repository apt-key softwareupdate": {
    roles: ["settings", "network-in"],
    does: (call) => {
      if (call.told.program === "softwareupdate") talks(call, "in", undefined);
      else if (!call.command.args.some(({ text }) => /^(?:-r|--remove|list|finger|export|del)$/.test(text)))
        plays(call, "foreign-source");
    },
    examples: [["add-apt-repository ppa:x/y", "settings network-in foreign-source"]],
  },
});

/** A package goes; without those that the system is made of, or against what depends on it, the machine is another. */
function removes(call: Call, packages: readonly { readonly text: string }[]): void {
  plays(call, "delete");
  const isForced = call.command.args.some(({ text }) => AGAINST_OTHERS.test(text));
  if (isForced || packages.some(({ text }) => ESSENTIAL.test(text) || /\*/.test(text))) plays(call, "settings");
}

const AGAINST_OTHERS =
  /^--(?:force-(?:all|depends|remove-\S+)|nodeps|ignore-dependencies|allow-remove-essential|cascade|all)$|^-R\w*(?:dd|c)\w*$/;
const ESSENTIAL =
  /^(?:libc6|libc-bin|glibc|musl|systemd(?:-\w+)?|init|udev|coreutils|util-linux|bash|dash|sh|zsh|dpkg|apt|rpm|dnf|yum|pacman|apk-tools|zypper|login|passwd|sudo|base-files|base|filesystem|busybox|linux(?:-(?:image|generic|lts|headers|base).*)?|kernel(?:-.*)?|grub.*|shim.*|openssh-server|openssh|network-?manager|netplan\.io|iproute2|dbus|openssl|libssl.*|ca-certificates|python3(?:-minimal)?|perl-base|libgcc.*|e2fsprogs|mount|lvm2|cryptsetup|ubuntu-(?:minimal|desktop|standard|server)|gnome-shell)(?::\w+)?$/i;

function installs(call: Call): void {
  if (!isTrial(call)) plays(call, ...INSTALL);
}

function isTrial(call: Call): boolean {
  return call.command.args.some(({ text }) => /^(?:-s|--simulate|--dry-run|--just-print|-n)$/.test(text));
}

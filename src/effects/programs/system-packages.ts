import { type Call, has, plays, talks } from "./call.ts";
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
            if (!isTrial(call)) plays(call, "delete");
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
        ["apk add git", "package-install network-in"],
      ],
    },
  "pacman yay paru": {
    readOnly: (run) => has(run, "Q", "query", "s", "search", "i") || undefined,
    does: (call) => {
      const letters = [...call.given.keys()];
      if (letters.some((letter) => /^(?:S|U|sync|upgrade)$/.test(letter)) && !has(call, "s", "i", "search"))
        plays(call, ...INSTALL);
      if (letters.some((letter) => /^(?:R|remove)$/.test(letter))) plays(call, "delete");
    },
    examples: [["pacman -Syu git", "package-install network-in"], ["pacman -Rns git", "delete"], ["pacman -Ss git"]],
  },
  "dpkg rpm installer msiexec pkgutil": {
    readOnly: (run) => has(run, "query", "list") || undefined,
    options:
      "install|i remove|r purge|P unpack configure erase|e upgrade|U freshen|F pkg= target= root= list|l query|q",
    does: (call) => {
      if (call.told.program === "pkgutil" || has(call, "query")) return;
      if (has(call, "install", "unpack", "upgrade", "freshen", "pkg")) plays(call, "package-install");
      if (has(call, "remove", "purge", "erase")) plays(call, "delete");
      if (call.told.program === "msiexec" && call.command.args.some(({ text }) => /^https?:/i.test(text)))
        plays(call, "package-install", "network-in", "foreign-source");
    },
    examples: [["dpkg -i a.deb", "package-install"], ["dpkg -l"], ["rpm -qa"]],
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

function installs(call: Call): void {
  if (!isTrial(call)) plays(call, ...INSTALL);
}

function isTrial(call: Call): boolean {
  return call.command.args.some(({ text }) => /^(?:-s|--simulate|--dry-run|--just-print|-n)$/.test(text));
}

import { operandIs } from "./act.ts";
import { type Call, has, known, plays, someArgument, someOperand, talks, value, values, writes } from "./call.ts";
import { tellMigration } from "./migrations.ts";
import { ACCOUNT, INSTALL, PUBLISH, publish, SETTINGS, UNPUBLISH } from "./packages.ts";
import type { Program, Programs } from "./program.ts";
import { runVerb } from "./runs.ts";

/** Verbs that build tools of several languages share. */
const BUILD_VERBS: NonNullable<Program["verbs"]> = {
  "install|require|update|global require|deps.get|add package|tool install|restore|hex.install|pub get|pub add|get|global activate":
    INSTALL,
  "publish|publishToSonatype|publishToMavenCentral|publishAllPublicationsToMavenCentral|closeAndReleaseStagingRepository|uploadArchives|nuget push|push|deploy|hex.publish|upload|pub publish|trunk push|release:perform":
    { roles: PUBLISH, options: "dry-run|n", dry: "dry-run" },
  "remove|uninstall": ["delete"],
  "destroy|delete": ["cloud", "work-loss"],
};

/** Package managers and builders of languages other than JavaScript and Python. */
export const OTHER_PACKAGES = (): Programs => ({
  "gem bundle bundler": {
    readOnly:
      "list|search|info|specification|contents|environment|env|outdated|which|query|dependency|show|check|config get|config list|licenses|platform|help",
    verbs: {
      exec: runVerb("gemfile= keep-file-descriptors"),
      "install|update|add|fetch": INSTALL,
      push: PUBLISH,
      yank: UNPUBLISH,
      owner: { options: "add|a= remove|r= list|l", when: "add remove", roles: UNPUBLISH },
      "signin|signout": ACCOUNT,
      "uninstall|cleanup|clean": ["delete"],
      "config set": SETTINGS,
    },
    examples: [
      ["gem install rake", "package-install network-in"],
      ["gem yank x -v 1", "publish network-out work-loss"],
      ["bundle exec rm x", "runs rm x"],
    ],
  },
  cargo: {
    is: { "loads-unnamed": true },
    readOnly: "tree|metadata|search|info|owner|pkgid|locate-project|read-manifest|verify-project|help",
    options: "color= Z= config= C= manifest-path= verbose|v quiet|q offline locked",
    verbs: {
      "install|add|update|fetch|binstall|vendor": INSTALL,
      publish,
      yank: UNPUBLISH,
      owner: { options: "add|a= remove|r= list|l", when: "add remove", roles: UNPUBLISH },
      "login|logout": ACCOUNT,
      clean: {
        options: "target-dir= release profile= package|p= manifest-path= dry-run|n",
        dry: "dry-run",
        does: (call) => writes(call, value(call, "target-dir") ?? known("target"), { isTree: true }),
      },
      uninstall: ["delete"],
    },
    examples: [
      ["cargo build"],
      ["cargo add serde", "package-install network-in"],
      ["cargo publish", "publish network-out"],
      ["cargo owner --remove me", "publish network-out work-loss"],
      ["cargo owner --list"],
    ],
  },
  "goreleaser lerna changeset semantic-release np ansible-galaxy release-it": {
    is: { "loads-unnamed": true },
    readOnly: "list|ls|la|ll|changed|diff|info|status|search|check",
    options: "dry-run|d|n snapshot ci yes|y help|h version|v",
    dry: "dry-run snapshot",
    when: (call) =>
      /^(?:semantic-release|np|release-it)$/.test(call.report.program) ||
      someOperand(call, /^(?:release|publish)$/) ||
      (call.report.program === "goreleaser" && call.operands.length === 0 && !has(call, "help", "version")),
    roles: PUBLISH,
    examples: [["lerna publish", "publish network-out"], ["lerna run build"], ["semantic-release --dry-run"]],
  },
  "dotnet nuget": {
    is: { "runs-named": true, "loads-unnamed": true },
    does: [{ when: operandIs(0, /^ef$/), does: (call) => tellMigration(call, call.operands.slice(1)) }],
    readOnly: "list|nuget list|tool list|sln list|workload list|package list|package search|search|help",
    verbs: {
      "user-secrets list": { keys: true },
      "add package|tool install|restore|install|workload install": INSTALL,
      "nuget push|push": PUBLISH,
      "nuget delete|delete": UNPUBLISH,
      "remove|tool uninstall|uninstall": ["delete"],
    },
    examples: [["dotnet publish -c Release"], ["dotnet nuget push x.nupkg", "publish network-out"]],
  },
  "composer luarocks cpan cpanm opam stack cabal pod carthage pub dart flutter": {
    is: { "runs-named": true, "loads-unnamed": true },
    options: "dry-run|n",
    dry: "dry-run",
    readOnly:
      "show|info|list|search|outdated|why|depends|why-not|prohibits|licenses|status|audit|validate|about|switch list|var|path|query|devices|doctor|pub deps|pub outdated|diff|help",
    verbs: { ...BUILD_VERBS, "trunk push": PUBLISH, "trunk delete|trunk deprecate": UNPUBLISH },
    when: (call) => /^cpan/.test(call.report.program),
    roles: INSTALL,
    examples: [["composer require x/y", "package-install network-in"], ["composer show --installed"]],
  },
  // All other verbs are tasks of the project.
  "mvn mvnw gradle gradlew mix rebar3": {
    is: { "loads-unnamed": true },
    verbs: BUILD_VERBS,
    does: (call) => {
      if (call.operands.some(({ text }) => PUBLISHING_TASK.test(text))) plays(call, ...PUBLISH);
      tellMigration(
        call,
        call.operands
          .filter(({ text }) => /^ecto\.|\bflyway[\w.:-]*?clean$|\bliquibase[\w.:-]*?drop/i.test(text))
          .map((word) => ({ ...word, text: word.text.replace(/^.*(?=(?:clean|dropAll)$)/i, "") })),
      );
    },
    examples: [
      ["mvn flyway:clean", "database work-loss"],
      ["gradlew flywayClean -i", "database work-loss"],
      ["mvnw -q liquibase:dropAll", "database work-loss"],
      ["mvn flyway:info"],
      ["mix ecto.drop", "database work-loss"],
      ["mvn deploy", "publish network-out"],
      ["gradle test"],
    ],
  },
  "maturin jsr sbt nimble wasm-pack": {
    options: "dry-run",
    dry: "dry-run",
    does: [{ when: operandIs(0, /^(?:publish|publishSigned|\+publish\w*)$/), roles: PUBLISH }],
    examples: [
      ["jsr publish", "publish network-out"],
      ["jsr publish --dry-run"],
      ["maturin publish", "publish network-out"],
    ],
  },
  easy_install: { roles: INSTALL, examples: [["easy_install x", "package-install network-in"]] },
  "vsce ovsx": {
    readOnly: "ls|ls-publishers|show|search|verify-pat",
    verbs: { publish: PUBLISH, "unpublish|delete": UNPUBLISH, "login|create-publisher": ACCOUNT },
    examples: [["vsce publish", "publish network-out"]],
  },
});

/** Programs that install software into the system. */
export const SYSTEM_PACKAGES = (): Programs => ({
  "apt apt-get aptitude dnf yum zypper apk microdnf tdnf port brew snap flatpak nix-env choco scoop winget emerge xbps-install eopkg pkg":
    {
      readOnly:
        "list|search|show|info|policy|depends|rdepends|madison|showpkg|showsrc|provides|repoquery|history list|history info|check-update|repolist|leaves|deps|uses|desc|log|outdated|services list|source list|cat|files|contents|refs|find|connections|interfaces|which|query|tap-info|status|help",
      does: [{ names: "nix-env", when: "i install f file", unless: "q", does: installs }],
      options: "o= c= t= target-release= setopt= enablerepo= root= root-dir= yes|y quiet|q simulate|s dry-run n",
      verbs: {
        "install|add|reinstall|localinstall|in|build-dep|groupinstall|tap|bundle": { does: installs },
        "upgrade|update|dist-upgrade|full-upgrade|dup|distro-sync|refresh|system-upgrade": { roles: ["network-in"] },
        "remove|purge|autoremove|erase|del|uninstall|rm|autopurge|zap|clean|cleanup": {
          unless: isTrial,
          does: (call) => removes(call, call.operands),
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
      if (call.report.program === "pkgutil" || has(call, "query")) return;
      if (has(call, "install", "unpack", "upgrade", "freshen", "pkg")) plays(call, "package-install");
      if (has(call, "remove", "purge", "erase"))
        removes(call, [...call.operands, ...values(call, "remove", "purge", "erase")]);
      if (call.report.program === "msiexec" && someArgument(call, /^https?:/i))
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
      if (call.report.program === "softwareupdate") talks(call, "in", undefined);
      else if (!someArgument(call, /^(?:-r|--remove|list|finger|export|del)$/)) plays(call, "foreign-source");
    },
    examples: [["add-apt-repository ppa:x/y", "settings network-in foreign-source"]],
  },
});

/** Reports removed packages; removing one that the system or other packages need changes the machine. */
function removes(call: Call, packages: readonly { readonly text: string }[]): void {
  plays(call, "delete");
  const isForced = someArgument(call, AGAINST_OTHERS());
  if (isForced || packages.some(({ text }) => ESSENTIAL().test(text) || /\*/.test(text))) plays(call, "settings");
}

const AGAINST_OTHERS = () =>
  /^--(?:force-(?:all|depends|remove-\S+)|nodeps|ignore-dependencies|allow-remove-essential|cascade|all)$|^-R\w*(?:dd|c)\w*$/;
const ESSENTIAL = () =>
  /^(?:libc6|libc-bin|glibc|musl|systemd(?:-\w+)?|init|udev|coreutils|util-linux|bash|dash|sh|zsh|dpkg|apt|rpm|dnf|yum|pacman|apk-tools|zypper|login|passwd|sudo|base-files|base|filesystem|busybox|linux(?:-(?:image|generic|lts|headers|base).*)?|kernel(?:-.*)?|grub.*|shim.*|openssh-server|openssh|network-?manager|netplan\.io|iproute2|dbus|openssl|libssl.*|ca-certificates|python3(?:-minimal)?|perl-base|libgcc.*|e2fsprogs|mount|lvm2|cryptsetup|ubuntu-(?:minimal|desktop|standard|server)|gnome-shell)(?::\w+)?$/i;

function installs(call: Call): void {
  if (!isTrial(call)) plays(call, ...INSTALL);
}

function isTrial(call: Call): boolean {
  return someArgument(call, /^(?:-s|--simulate|--dry-run|--just-print|-n)$/);
}

/** Tasks of builds that publish what they make elsewhere than on this machine. */
const PUBLISHING_TASK =
  /^:?(?:[\w-]+:)*(?:publish|upload|promote|closeAndRelease)(?!\w*(?:Local|Debug|Notes|Test))[A-Z]\w*$/;

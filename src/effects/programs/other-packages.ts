import { has, known, plays, value, writes } from "./call.ts";
import { ACCOUNT, INSTALL, PUBLISH, publish, SETTINGS, UNPUBLISH } from "./packages.ts";
import { tellMigration } from "./migrations.ts";
import type { Program, Programs } from "./program.ts";
import { runVerb } from "./runs.ts";

/** Verbs that the builders of several languages share. */
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
      "yank|owner": UNPUBLISH,
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
    readOnly: "tree|metadata|search|info|pkgid|locate-project|read-manifest|verify-project|help",
    options: "color= Z= config= C= manifest-path= verbose|v quiet|q offline locked",
    verbs: {
      "install|add|update|fetch|binstall|vendor": INSTALL,
      publish,
      "yank|owner": UNPUBLISH,
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
    ],
  },
  "goreleaser lerna changeset semantic-release np ansible-galaxy release-it": {
    readOnly: "list|ls|la|ll|changed|diff|info|status|search|check",
    options: "dry-run|d|n snapshot ci yes|y help|h version|v",
    dry: "dry-run snapshot",
    does: (call) => {
      const asked = call.operands.map(({ text }) => text);
      if (
        /^(?:semantic-release|np|release-it)$/.test(call.told.program) ||
        asked.some((text) => /^(?:release|publish)$/.test(text)) ||
        (call.told.program === "goreleaser" && asked.length === 0 && !has(call, "help", "version"))
      )
        plays(call, ...PUBLISH);
    },
    examples: [["lerna publish", "publish network-out"], ["lerna run build"], ["semantic-release --dry-run"]],
  },
  "dotnet nuget": {
    does: (call) => {
      const words = call.operands.map(({ text }) => text);
      if (words[0] === "ef") tellMigration(call, call.operands.slice(1));
    },
    readOnly: "list|nuget list|tool list|sln list|workload list|package list|package search|search|help",
    verbs: {
      "add package|tool install|restore|install|workload install": INSTALL,
      "nuget push|push": PUBLISH,
      "nuget delete|delete": UNPUBLISH,
      "remove|tool uninstall|uninstall": ["delete"],
    },
    examples: [["dotnet publish -c Release"], ["dotnet nuget push x.nupkg", "publish network-out"]],
  },
  "composer luarocks cpan cpanm opam stack cabal pod carthage pub dart flutter": {
    options: "dry-run|n",
    dry: "dry-run",
    readOnly:
      "show|info|list|search|outdated|why|depends|why-not|prohibits|licenses|status|audit|validate|about|switch list|var|path|query|devices|doctor|pub deps|pub outdated|diff|help",
    verbs: BUILD_VERBS,
    does: (call) => {
      if (/^cpan/.test(call.told.program)) plays(call, ...INSTALL);
    },
    examples: [["composer require x/y", "package-install network-in"], ["composer show --installed"]],
  },
  // Other verbs are tasks of the project.
  "mvn mvnw gradle gradlew mix rebar3": {
    is: { "loads-unnamed": true },
    verbs: BUILD_VERBS,
    does: (call) =>
      tellMigration(
        call,
        call.operands
          .filter(({ text }) => /^ecto\.|\bflyway[\w.:-]*?clean$|\bliquibase[\w.:-]*?drop/i.test(text))
          .map((word) => ({ ...word, text: word.text.replace(/^.*(?=(?:clean|dropAll)$)/i, "") })),
      ),
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
    does: (call) => {
      const [verb = ""] = call.operands.map(({ text }) => text);
      if (/^(?:publish|publishSigned|\+publish\w*)$/.test(verb)) plays(call, ...PUBLISH);
    },
    examples: [
      ["jsr publish", "publish network-out"],
      ["jsr publish --dry-run"],
      ["maturin publish", "publish network-out"],
    ],
  },
  easy_install: {
    does: (call) => plays(call, ...INSTALL),
    examples: [["easy_install x", "package-install network-in"]],
  },
  "vsce ovsx": {
    readOnly: "ls|ls-publishers|show|search|verify-pat",
    verbs: { publish: PUBLISH, "unpublish|delete": UNPUBLISH, "login|create-publisher": ACCOUNT },
    examples: [["vsce publish", "publish network-out"]],
  },
});

import { type Call, has, known, pieceOf, plays, talks, value, writes } from "./call.ts";
import type { Role } from "../effect.ts";
import type { Program, Programs, Use } from "./program.ts";
import { runsFetched } from "./run-from-network.ts";

const INSTALL: readonly Role[] = ["package-install", "network-in"];
const PUBLISH: readonly Role[] = ["publish", "network-out"];
const UNPUBLISH: readonly Role[] = ["publish", "network-out", "work-loss"];
const ACCOUNT: readonly Role[] = ["account", "network-out"];
const SETTINGS: readonly Role[] = ["settings"];

/** Packages come from the registry that is named, or from the one that everybody uses. */
function installsFrom(registry: string): (call: Call) => void {
  return (call) => {
    plays(call, ...INSTALL);
    const { args } = call.command;
    const at = args.findIndex(({ text }) => /^(?:-i|--index-url|--registry|--extra-index-url)(?:=|$)/.test(text));
    const [option, next] = [args[at], args[at + 1]];
    const equals = option?.text.indexOf("=") ?? -1;
    const named =
      at < 0 || option === undefined ? undefined : equals < 0 ? next : pieceOf(option, option.text.slice(equals + 1));
    talks(call, "in", named ?? known(registry));
  };
}

const fromNpm = installsFrom("registry.npmjs.org");
/** Installs from the index of Python, or from the one that is named. */
export const fromPypi = installsFrom("pypi.org");

/** Publishing can be tried without doing it. */
const publish: Use = {
  options: "dry-run|n tag= access= otp= registry= token= allow-dirty no-verify",
  does: (call) => {
    if (!has(call, "dry-run")) plays(call, ...PUBLISH);
  },
};

const npmLike: Program["verbs"] = {
  "install|i|in|ci|add|isntall|install-test|it|update|up|upgrade|upgrade-interactive|import|link|ln|rebuild|audit fix":
    { does: fromNpm },
  "global add|dlx|x|create|init|exec": {
    does: (call) => {
      if (call.operands.length > 0) fromNpm(call);
    },
  },
  publish,
  "npm publish": publish,
  "unpublish|deprecate|dist-tag rm|npm tag": UNPUBLISH,
  "dist-tag add|owner add|owner rm|access grant|access public|access set": PUBLISH,
  "login|adduser|logout|token|owner|access|npm login|npm logout|whoami-set": ACCOUNT,
  "config set|set": {
    roles: SETTINGS,
    does: (call) => {
      if (/^(?:script-shell|onload-script)(?:$|=)/.test(call.operands[0]?.text ?? "")) plays(call, "run-code");
    },
  },
  "config delete|config edit": SETTINGS,
  "cache clean|store prune|cache rm": [],
};

/** Programs that install packages of programming languages, and publish them. */
export const PACKAGES: Programs = {
  "npm pnpm yarn bun cnpm": {
    options: "prefix= C= dir= cwd= global|g workspace|w= filter|F= loglevel= registry= silent|s",
    verbs: npmLike,
    does: (call) => {
      if (
        call.told.program === "yarn" &&
        call.operands.length === 0 &&
        call.command.args.every(({ text }) => !/^--?(?:v|version|h|help)$/.test(text))
      )
        fromNpm(call);
      if (call.told.program === "bun" && call.command.args.at(-1)?.text === "-") call.told.input = "run";
    },
    examples: [
      ["npm install left-pad", "package-install network-in", "fetches from registry.npmjs.org"],
      ["npm ci", "package-install network-in", "fetches from registry.npmjs.org"],
      ["npm test", "unknown: npm run test"],
      ["npm publish --access public", "publish network-out"],
      ["npm publish --dry-run"],
      ["npm unpublish x --force", "publish network-out work-loss"],
      ["npm token create", "account network-out"],
      ["npm config set fund false", "settings"],
      ["npm config set script-shell ./x", "settings run-code"],
      ["yarn", "package-install network-in", "fetches from registry.npmjs.org"],
      ["pnpm add -D x", "package-install network-in", "fetches from registry.npmjs.org"],
    ],
  },
  "npx bunx uvx pnpx": {
    options: "yes|y package|p= call|c= from= with= quiet|q no-install",
    style: "first",
    does: (call) => {
      if (/^(?:https?:|git\+|git@|(?:github|gitlab|bitbucket|gist):)/.test(call.operands[0]?.text ?? ""))
        runsFetched(call, call.operands[0]);
      if (has(call, "yes", "package", "from", "with") || /.@/.test(call.operands[0]?.text ?? ""))
        (call.told.program === "uvx" ? fromPypi : fromNpm)(call);
    },
    examples: [["npx tsc --noEmit"], ["npx -y evil", "package-install network-in", "fetches from registry.npmjs.org"]],
  },
  "pip pip3 pipx uv rye pdm conda mamba micromamba": {
    options: "index-url= python= verbose|v quiet|q directory=",
    verbs: {
      "install|pip install|tool install|add|sync|pip sync|update|upgrade|inject|download|wheel|lock|env create|create|run|reinstall":
        {
          does: (call) => {
            if (call.told.verb !== "run" || call.told.program === "pipx") fromPypi(call);
            const { args } = call.command;
            for (const [at, { text }] of args.entries())
              if (/^(?:-t|--target|--root|--prefix)$/.test(text) && call.told.verb !== "run")
                writes(call, args[at + 1], { isTree: true });
          },
        },
      "uninstall|pip uninstall|remove|tool uninstall|env remove": ["delete"],
      publish,
      "config set": SETTINGS,
      "auth login": ACCOUNT,
    },
    examples: [
      ["pip install -r requirements.txt", "package-install network-in", "fetches from pypi.org"],
      ["uv pip install x", "package-install network-in", "fetches from pypi.org"],
      ["pip install -i https://example.com/simple x", "package-install network-in", "fetches from example.com"],
      [
        "pip install --target lib x",
        "package-install network-in",
        "fetches from pypi.org",
        "writes lib tree",
        "network lib flows to file",
      ],
      ["uv run pytest"],
      ["pip list"],
    ],
  },
  "poetry hatch flit pipenv": {
    verbs: {
      "install|add|update|sync|lock": INSTALL,
      publish,
      "config|config set": SETTINGS,
      "env remove": ["delete"],
    },
    examples: [
      ["poetry add x", "package-install network-in"],
      ["poetry publish", "publish network-out"],
    ],
  },
  twine: {
    verbs: { "upload|register": PUBLISH },
    examples: [["twine upload dist/*", "publish network-out"]],
  },
  "gem bundle bundler": {
    verbs: {
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
    ],
  },
  cargo: {
    options: "color= Z= config= C= manifest-path= verbose|v quiet|q offline locked",
    verbs: {
      "install|add|update|fetch|binstall|vendor": INSTALL,
      publish,
      "yank|owner": UNPUBLISH,
      "login|logout": ACCOUNT,
      clean: {
        options: "target-dir= release profile= package|p= manifest-path= dry-run|n",
        does: (call) => {
          if (!has(call, "dry-run")) writes(call, value(call, "target-dir") ?? known("target"), { isTree: true });
        },
      },
      uninstall: ["delete"],
    },
    examples: [
      ["cargo build"],
      ["cargo add serde", "package-install network-in"],
      ["cargo publish", "publish network-out"],
    ],
  },
  go: {
    style: "whole",
    verbs: {
      "get|install|mod download": INSTALL,
      clean: { options: "modcache cache", style: "whole" },
      "env -w": SETTINGS,
    },
    examples: [["go test ./..."], ["go install example.com/x@latest", "package-install network-in"]],
  },
  "goreleaser lerna changeset semantic-release np ansible-galaxy release-it": {
    options: "dry-run|d|n snapshot ci yes|y",
    does: (call) => {
      if (has(call, "dry-run", "snapshot")) return;
      const asked = call.operands.map(({ text }) => text);
      if (
        /^(?:semantic-release|np|release-it)$/.test(call.told.program) ||
        asked.some((text) => /^(?:release|publish)$/.test(text))
      )
        plays(call, ...PUBLISH);
    },
    examples: [["lerna publish", "publish network-out"], ["lerna run build"], ["semantic-release --dry-run"]],
  },
  "dotnet nuget": {
    verbs: {
      "add package|tool install|restore|install|workload install": INSTALL,
      "nuget push|push": PUBLISH,
      "nuget delete|delete": UNPUBLISH,
      "remove|tool uninstall|uninstall": ["delete"],
    },
    examples: [["dotnet publish -c Release"], ["dotnet nuget push x.nupkg", "publish network-out"]],
  },
  "composer mvn mvnw gradle gradlew mix rebar3 luarocks cpan cpanm opam stack cabal pod carthage swift pub dart flutter helmfile":
    {
      verbs: {
        "install|require|update|global require|deps.get|add package|tool install|restore|hex.install|pub get|pub add|package resolve|get|global activate":
          INSTALL,
        "publish|nuget push|push|deploy|hex.publish|upload|pub publish|trunk push": PUBLISH,
        "remove|uninstall": ["delete"],
        "destroy|delete": ["cloud", "work-loss"],
      },
      does: (call) => {
        if (/^cpan/.test(call.told.program)) plays(call, ...INSTALL);
      },
      examples: [
        ["composer require x/y", "package-install network-in"],
        ["mvn deploy", "publish network-out"],
        ["gradle test"],
      ],
    },
  "maturin jsr sbt nimble wasm-pack": {
    options: "dry-run",
    does: (call) => {
      const [verb = ""] = call.operands.map(({ text }) => text);
      if (/^(?:publish|publishSigned|\+publish\w*)$/.test(verb) && !has(call, "dry-run")) plays(call, ...PUBLISH);
    },
    examples: [
      ["jsr publish", "publish network-out"],
      ["jsr publish --dry-run"],
      ["maturin publish", "publish network-out"],
    ],
  },
  "vsce ovsx": {
    verbs: { publish: PUBLISH, "unpublish|delete": UNPUBLISH, "login|create-publisher": ACCOUNT },
    examples: [["vsce publish", "publish network-out"]],
  },
};

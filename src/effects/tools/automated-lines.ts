import { once } from "../../event/once.ts";

/** Tests whether a line for a shell would have one of these effect labels, and returns the part of it that shows that. */
export type HarmIn = (line: string, labels: readonly string[]) => boolean;

/** The first line of a text that does harm whenever it is run, in a file of which programs run parts by themselves. */
export function harmfulLine(path: string, text: string, isHarm: HarmIn): string | undefined {
  const row = FILES().find(({ path: fits }) => fits.test(path));
  if (row === undefined || !TRIGGERS().test(text)) return undefined;
  return linesIn(text)
    .slice(0, MAX_LINES)
    .find((line) => !USUAL().test(line) && isHarm(line, row.labels));
}

/** What may be a line for a shell: lines without the marks of YAML and Docker, and what is in quotes. */
function linesIn(text: string): string[] {
  const joined = text.replaceAll(/\\\r?\n\s*/g, " ");
  return joined.split("\n").flatMap((line) => {
    if (line.length > MAX_LENGTH || !TRIGGERS().test(line)) return [];
    const bare = line.replace(MARKS, "").trim();
    const quoted = [...line.matchAll(QUOTED)].flatMap(([, double, single, ticks]) => {
      const inner = (double ?? single ?? ticks ?? "").replaceAll(/\\(["'\\])/g, "$1");
      return TRIGGERS().test(inner) && inner.includes(" ") ? [inner.replace(/^@(?=php\b)/, "")] : [];
    });
    return /^["'#/]/.test(bare) ? quoted : [bare, ...quoted];
  });
}

const FILES = once((): readonly { readonly path: RegExp; readonly labels: readonly string[] }[] => [
  {
    path: /(?:^|\/)(?:\.husky\/[^/]+|\.githooks\/[^/]+|\.git\/hooks\/[^/]+|\.envrc|lefthook\.ya?ml|\.pre-commit-config\.yaml|package\.json|composer\.json|\.devcontainer\/.*|\.vscode\/tasks\.json|conftest\.py|setup\.py|\.mise\.toml|mise\.toml|\.?justfile|Taskfile\.ya?ml|Procfile|\.gitattributes|\.tmuxinator\.yml)$/i,
    labels: [
      "send-secret",
      "send-environment",
      "run-download",
      "run-hidden",
      "reverse-shell",
      "delete-root",
      "delete-protected",
      "delete-personal",
      "write-startup",
      "write-key",
      "read-key",
      "start-later",
    ],
  },
  {
    path: /(?:^|\/)(?:\.github\/(?:workflows|actions)\/.*|\.gitlab-ci\.ya?ml|\.gitlab\/.*\.ya?ml|\.circleci\/.*|Jenkinsfile\S*|azure-pipelines\S*|bitbucket-pipelines\.yml|\.travis\.yml|\.drone\.yml|\.buildkite\/.*|\.woodpecker\S*|cloudbuild\.ya?ml|buildspec\.ya?ml|(?:\w+\.)?Dockerfile(?:\.\w+)?|Containerfile|docker-compose\S*\.ya?ml|compose\.ya?ml|(?:GNU)?[Mm]akefile|.*\.mk|Podfile|Fastfile|Gemfile|Rakefile|Vagrantfile|.*\.gradle(?:\.kts)?|gradlew|CMakeLists\.txt|build\.rs|binding\.gyp|pyproject\.toml|tox\.ini|noxfile\.py|meson\.build|configure|BUILD\.bazel|WORKSPACE|.*\.podspec|.*\.gemspec|extconf\.rb|pom\.xml|build\.sbt|.*\.csproj|Directory\.Build\.(?:props|targets)|mix\.exs|package\.nix|flake\.nix|shell\.nix|Tiltfile|Brewfile|Procfile\S*|netlify\.toml|vercel\.json|fly\.toml|render\.yaml|app\.json|\.devcontainer\.json)$/,
    labels: ["run-download", "run-hidden", "reverse-shell", "send-secret"],
  },
]);
/** Programs that fetch, send, decode or run; most lines of most files have none of them. */
const TRIGGERS = () =>
  /\b(?:curl|wget|nc|ncat|base64|eval|scp|rsync|ssh|tar|zip|iwr|irm|iex|Invoke-\w+|rm|dd|python3?|perl|ruby|php|node|openssl|socat|aws|gsutil|rclone|osascript|crontab|launchctl|cat|cp|tee|echo|printf|xxd)\b/;
/** Installers that many projects run as they are. */
const USUAL = () =>
  /https:\/\/(?:sh\.rustup\.rs|get\.docker\.com|deb\.nodesource\.com|rpm\.nodesource\.com|astral\.sh|bun\.sh|deno\.land|get\.pnpm\.io|install\.python-poetry\.org|get\.helm\.sh|raw\.githubusercontent\.com\/(?:helm|nvm-sh|Homebrew|pyenv|golangci|rancher|k3d-io|aquasecurity|anchore|kubernetes-sigs|cargo-bins)\/|get\.k3s\.io|fnm\.vercel\.app|get\.sdkman\.io|uploader\.codecov\.io|cli\.codecov\.io|coveralls\.io|install\.determinate\.systems|nixos\.org|taskfile\.dev|just\.systems|mise\.run|starship\.rs|fly\.io|cli\.github\.com|getcomposer\.org|bootstrap\.pypa\.io|dot\.net|sentry\.io|get\.trunk\.io|pkgx\.sh|wasmtime\.dev|rustwasm\.github\.io)\b/;
const MARKS =
  /^\s*\+?\s*(?:-\s+)?(?:(?:run|script|command|cmd|entry|before_script|after_script|task|exec|shell|bash|sh|ENTRYPOINT|CMD|RUN)\s*:?\s*(?:[|>]-?\s*$)?)?(?:@|-(?=\w))?\s*/;
const QUOTED = /"((?:[^"\\\n]|\\.){8,2000})"|'([^'\n]{8,2000})'|`([^`\n]{8,2000})`/g;
const MAX_LINES = 200;
const MAX_LENGTH = 4000;

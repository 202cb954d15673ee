import { readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { namesSecretFile } from "../../effects/index.ts";
import { realPath, statsAt } from "../../fs/resolve-path.ts";

/** For whom places are hidden. */
interface HiddenFor {
  readonly home: string;
  /** What connects agents with Sluice. */
  readonly own: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
}

/** A place that is not visible in a box; it need not exist. */
export interface HiddenPlace {
  readonly path: string;
  /** Where something is there: what it is. */
  readonly kind?: "file" | "folder" | undefined;
}

/** Everything that a contained program must not see: keys, sockets, what Sluice keeps, and the settings of agents. */
export function hiddenPlaces({ home, own, env, isRoot }: HiddenFor): HiddenPlace[] {
  const named = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isAbsolute(value) && (namesSecretFile(name) || SOCKETS.has(name)) ? [value] : [],
  );
  const homes = isRoot ? otherHomes(home) : [];
  const keys = [home, ...homes].flatMap((folder) => KEYS.map((name) => join(folder, name)));
  const paths = [...own, ...keys, ...named, ...SYSTEM, ...(isRoot ? OF_ROOT : [])];
  return [...new Set(paths)].map((path) => {
    const found = statsAt(path);
    return { path: found === undefined ? path : realPath(path), kind: kindOf(found) };
  });
}

function kindOf(found: ReturnType<typeof statsAt>): HiddenPlace["kind"] {
  if (found === undefined) return undefined;
  return found.isDirectory() ? "folder" : "file";
}

/** Root may read what is in the homes of others. */
function otherHomes(home: string): string[] {
  try {
    return ["/root", ...readdirSync("/home").map((name) => join("/home", name))].filter((one) => one !== home);
  } catch {
    return [];
  }
}

/** Places with keys, logins and what was typed, in a home. */
const KEYS: readonly string[] = [
  ...`
    .ssh .gnupg .aws .azure .kube .oci .bluemix .aliyun .s3cfg .boto .password-store .netrc _netrc .npmrc .yarnrc
    .yarnrc.yml .pypirc .git-credentials .my.cnf .pgpass .mylogin.cnf .docker .dockercfg .vault-token .terraformrc
    .terraform.d .fly .heroku .snowsql .databrickscfg .kaggle .huggingface .cargo/credentials .cargo/credentials.toml
    .gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet
    .composer/auth.json .pulumi .age .vnc .mozilla .thunderbird .bitcoin .ethereum .electrum .exodus .monero
    .local/share/keyrings .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history
    .viminfo .local/share/fish .claude/.credentials.json .claude.json .codex/auth.json .gemini/oauth_creds.json
    .qwen/oauth_creds.json .local/share/opencode/auth.json .local/share/goose .aider.conf.yml
    .cache/huggingface/token .docker/run .colima .lima .orbstack .local/share/containers Library/Keychains
  `
    .trim()
    .split(/\s+/),
  ...`
    gcloud gh glab-cli hub git/credentials op doctl hcloud flyctl scw rclone sops age github-copilot openai anthropic
    google-chrome chromium BraveSoftware microsoft-edge vivaldi slack discord 1Password Bitwarden%20CLI solana
    containers/auth.json
  `
    .trim()
    .split(/\s+/)
    .map((name) => `.config/${decodeURI(name)}`),
];
/** Variables that name the socket of a program which acts for the user. */
const SOCKETS: ReadonlySet<string> = new Set(["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "GPG_AGENT_INFO", "XAUTHORITY"]);
/** Where the sockets of the system and its services are. */
const SYSTEM = ["/run", "/var/run", "/etc/sluice", "/var/snap/lxd", "/var/lib/lxd", "/var/lib/incus"];
const OF_ROOT = ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssl/private", "/etc/wireguard"];

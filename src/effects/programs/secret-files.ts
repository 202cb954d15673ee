import { attempt } from "../../event/attempt.ts";
import { nameOf } from "../paths.ts";

/** One kind of file that contains keys, passwords or typed text, with names that match and names that do not. */
export interface SecretKind {
  readonly holds: string;
  /** Matched with the whole path in lower case, which begins with `/`. */
  readonly fits: RegExp;
  readonly examples: readonly string[];
  readonly butNot: readonly string[];
}

/** Whether a file or a folder contains keys or passwords, by its name. */
export function isSecretFile(path: string): boolean {
  const text = path.slice(-LONGEST).toLowerCase().replaceAll("\\", "/");
  const whole = text.startsWith("/") ? text : `/${text}`;
  const mayFit = SUSPICIOUS.test(whole);
  if (!mayFit && !GLOB.test(whole)) return false;
  if (OPEN().test(whole) && !PROFILES.test(whole)) return false;
  if (mayFit && SECRET_FILES.some(({ fits }) => fits.test(whole))) return true;
  return GLOB.test(whole) && couldBecomeSecret(whole);
}

/** Variables whose value is a file or a folder with keys, in lower case. */
const NAMED_FILE =
  "kubeconfig|netrc|pgpassfile|google_application_credentials|aws_config_file|npm_config_userconfig|(?:(?!public|pub_)\\w+_)?(?:key|token|secrets?|password|passphrase|credentials?|identity|keystore|keyring)_(?:json_)?(?:file|path)";
const NAMED_FOLDER = "docker_config|gnupghome|password_store_dir|azure_config_dir|cloudsdk_config|gh_config_dir";
const NAMING = new RegExp(`^(?:${NAMED_FILE}|${NAMED_FOLDER})$`, "i");

/** Whether the value of a variable is the path of keys, by its name. */
export function namesSecretFile(variable: string): boolean {
  return NAMING.test(variable);
}

/** The files that guards keep from being read or sent. */
export const SECRET_FILES: readonly SecretKind[] = [
  {
    holds: "keys of ssh",
    fits: /\/\.ssh(?:$|\/(?!(?:config|known_hosts|authorized_keys|environment)))|\/(?:id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?|ssh_host_\w+_key)(?:\.(?!pub)\w+)?$/,
    examples: [
      "~/.ssh/id_rsa",
      "/root/.ssh",
      "keys/id_ed25519",
      "/etc/ssh/ssh_host_rsa_key",
      "~/.ssh/*",
      "~/.ssh/work",
    ],
    butNot: ["~/.ssh/id_rsa.pub", "~/.ssh/config", "~/.ssh/known_hosts", "docs/ssh.md", "~/.ssh/*.pub"],
  },
  {
    holds: "variables of an application",
    fits: /\/(?:[\w-]+)?\.env(?:rc)?(?:\.[\w.-]+)?$|\/\.env[*?]*$|\/\.dev\.vars$|\/\.flaskenv$/,
    examples: [".env", ".env.local", "app/.env.production", "prod.env", ".envrc", ".env*"],
    butNot: [
      ".env.example",
      ".env.sample",
      ".env.template",
      "env.ts",
      "src/environment.ts",
      ".env.dist",
      ".env.test.example",
    ],
  },
  {
    holds: "keys of clouds",
    fits: /\/\.aws\/(?:credentials|config|sso|cli\/cache)|\/\.aws$|\/\.azure(?:$|\/)|\/gcloud(?:$|\/(?:credentials|access_tokens|application_default|legacy_credentials))|\/application_default_credentials\.json$|\/\.(?:oci|bluemix|aliyun|linode-cli|doctl|s3cfg|boto|digitalocean)(?:$|\/)|\/doctl\/config\.yaml$|\/\.config\/(?:fly|hcloud|flyctl|heroku|scw|rclone)(?:$|\/)|\/rclone\.conf$|\/\.fly\/config\.yml$|\/\.terraformrc$|\/\.terraform\.d\/credentials|\.tfstate(?:\.backup)?$|\.tfvars$|\/\.pulumi\/credentials|\/\.vault-token$/,
    examples: [
      "~/.aws/credentials",
      "~/.config/gcloud/application_default_credentials.json",
      "~/.azure/accessTokens.json",
      "~/.config/rclone/rclone.conf",
      "prod.tfstate",
    ],
    butNot: ["docs/aws.md", "src/azure/client.ts"],
  },
  {
    holds: "logins of tools",
    fits: /\/(?:\.netrc|_netrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.git-credentials|\.my\.cnf|\.pgpass|\.mylogin\.cnf|\.htpasswd|\.dockercfg|\.vnc\/passwd|\.cargo\/credentials(?:\.toml)?|\.gem\/credentials|\.config\/(?:gh|glab-cli|hub|git\/credentials|pip\/pip\.conf)(?:\/hosts\.yml)?|\.m2\/settings(?:-security)?\.xml|\.gradle\/gradle\.properties|\.?nuget\/nuget\.config|\.dbt\/profiles\.ya?ml|\.config\/(?:configstore\/[\w-]+\.json|stripe\/config\.toml)|(?:key|keystore|signing|release-signing)\.properties|\.composer\/auth\.json|auth\.json|\.rediscli_auth|\.mongorc\.js|\.snowsql\/config|\.databrickscfg|\.kaggle\/kaggle\.json|\.huggingface\/token|\.cache\/huggingface\/token|\.config\/op|\.config\/bitwarden cli|\.local\/share\/lpass|\.password-store)(?:$|\/)/,
    examples: [
      "~/.netrc",
      ".npmrc",
      "~/.pypirc",
      "~/.dbt/profiles.yml",
      "android/key.properties",
      "~/.git-credentials",
      "~/.config/gh/hosts.yml",
      "~/.pgpass",
    ],
    butNot: [".npmignore", ".gitconfig", "src/auth.ts", "gradle/wrapper/gradle-wrapper.properties"],
  },
  {
    holds: "keys of containers and clusters",
    fits: /\/\.docker\/config\.json$|\/\.kube(?:$|\/(?!cache))|\/kubeconfig(?:\.ya?ml)?$|\/containers\/auth\.json$|\/etc\/kubernetes\/(?:admin|kubelet)\.conf$|\/run\/secrets(?:$|\/)|\/serviceaccount\/token$|\/k3s\.yaml$/,
    examples: [
      "~/.docker/config.json",
      "~/.kube/config",
      "/run/secrets/db",
      "/var/run/secrets/kubernetes.io/serviceaccount/token",
    ],
    butNot: ["docker/config.json", "docs/kube.md"],
  },
  {
    holds: "private keys and certificates",
    fits: /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx?|p8|ovpn)$|\/(?:private|secret)[-_.]?keys?(?:\.\w+)?$|\/\.gnupg(?:$|\/)|\/\.age(?:$|\/)|\/age\/keys\.txt$/,
    examples: ["server.key", "cert.pem", "a.p12", "~/.gnupg", "~/.gnupg/private-keys-v1.d/x.key", "vault.kdbx"],
    butNot: [
      "certs/dev.pem",
      "test/certs/server.key",
      "localhost.key",
      "localhost+2-key.pem",
      "certs/local-ca.key",
      "src/key.ts",
      "public.key.md",
      "keyboard.ts",
      "public-cert.pem",
      "ca-bundle.pem",
      "fullchain.pem",
    ],
  },
  {
    holds: "passwords and secrets by their name",
    fits: /\/(?:credentials?|secrets?|passwords?|token|(?:[\w-]+[-_])?service[-_]?account)(?:[-_.](?!ts$|js$|tsx$|jsx$|py$|go$|rs$|rb$|java$|md$|php$|cs$|c$|h$|css$|html$|test|spec|example|sample|template)[a-z0-9]+)*\.?(?:json|ya?ml|toml|txt|ini|enc|properties|conf|xml|csv|gpg|asc|age)$|\/(?:credentials|\.secrets?|\.credentials(?:\.json)?)$|\/client_secrets?[\w.-]*\.json$|\/firebase-adminsdk[\w-]*\.json$|\/(?:master|production)\.key$|\/wp-config\.php$/,
    examples: [
      "credentials.json",
      "config/secrets.yml",
      "service-account.json",
      "client_secret_1.json",
      "config/master.key",
    ],
    butNot: ["src/secrets.ts", "tokens.css", "secrets.example.json", "docs/credentials.md", "password.test.ts"],
  },
  {
    holds: "accounts of the system",
    fits: /^\/etc\/(?:shadow-?|gshadow-?|sudoers(?:\.d(?:\/.*)?)?|master\.passwd|krb5\.keytab|security\/opasswd|ssl\/private(?:\/.*)?|ppp\/chap-secrets|wireguard(?:\/.*)?|openvpn(?:\/.*)?|networkmanager\/system-connections(?:\/.*)?)$|^\/var\/lib\/(?:sss|samba\/private)|^\/proc\/[^/]+\/(?:environ|mem)$|\/windows\/system32\/config\/(?:sam|system|security)$|^\/tmp\/krb5cc/,
    examples: ["/etc/shadow", "/etc/sudoers", "/proc/self/environ", "/etc/ssl/private/x.pem"],
    butNot: ["/etc/passwd", "/etc/hosts", "/proc/cpuinfo"],
  },
  {
    holds: "what browsers and keychains keep",
    fits: /\/library\/(?:keychains|cookies|application support\/(?:google\/chrome|firefox|bravesoftware|microsoft edge|arc|1password|slack|discord))(?:$|\/)|\/\.mozilla(?:$|\/)|\/\.config\/(?:google-chrome|chromium|bravesoftware|microsoft-edge|vivaldi|slack|discord|1password)(?:$|\/)|\/(?:login data|cookies\.sqlite|key[34]\.db|logins\.json|local state|web data)$|\/\.local\/share\/keyrings(?:$|\/)|\/appdata\/(?:local|roaming)\/(?:google\/chrome|mozilla|microsoft\/(?:credentials|protect|vault))/,
    examples: [
      "~/Library/Keychains/login.keychain-db",
      "~/.config/google-chrome/Default/Cookies",
      "~/.mozilla/firefox/x/logins.json",
      "~/.mozilla/firefox/ab12.default",
    ],
    butNot: ["~/.config/fontconfig", "src/cookies.ts"],
  },
  {
    holds: "messages, mail, contacts and visited pages",
    fits: /^(?:~|\/users\/[^/]+|\/~)\/library\/(?:messages|mail|safari\/(?:history|bookmarks|cloudtabs)|application support\/(?:addressbook|callhistorydb|com\.apple\.tcc)|calendars|containers\/com\.apple\.(?:mail|notes)|group containers\/group\.com\.apple\.notes)|\/\.(?:thunderbird|config\/signal|local\/share\/(?:evolution|telegramdesktop))(?:$|\/)/,
    examples: ["~/Library/Messages/chat.db", "~/Library/Safari/History.db", "~/.thunderbird/ab.default"],
    butNot: ["~/Library/Caches", "~/Library/Preferences"],
  },
  {
    holds: "wallets",
    fits: /\/(?:wallet\.dat|\.bitcoin|\.ethereum\/keystore|\.electrum\/wallets|\.config\/solana\/id\.json|\.exodus|\.monero)(?:$|\/)/,
    examples: ["~/.bitcoin/wallet.dat", "~/.config/solana/id.json"],
    butNot: ["src/wallet.ts"],
  },
  {
    holds: "keys in a file that a variable names",
    fits: new RegExp(`/\\$(?:${NAMED_FILE})$|/\\$(?:${NAMED_FOLDER})(?:$|/)`),
    examples: ["$KUBECONFIG", "$SSH_KEY_PATH", "$DOCKER_CONFIG/config.json"],
    butNot: ["$PUBLIC_KEY_FILE", "$SSL_CERT_FILE", "$CONFIG_FILE"],
  },
  {
    holds: "what was typed",
    fits: /\/(?:\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli|irb|dbshell)_history|\.histfile|\.zhistory|\.local\/share\/fish\/fish_history|\.lesshst|\.viminfo|consolehost_history\.txt)$/,
    examples: ["~/.bash_history", "~/.zsh_history", "~/.psql_history"],
    butNot: ["docs/history.md"],
  },
  {
    holds: "logins of agents",
    fits: /\/\.claude(?:\/\.credentials\.json|\.json)$|\/\.(?:codex|qwen|gemini|factory|cline|amp|continue|augment|opencode|kiro)\/(?:auth|oauth_creds|google_accounts|credentials|session|secrets|api_key)[\w.-]*$|\/\.local\/share\/(?:opencode|amp|goose)\/(?:auth|secrets)\.json$|\/\.config\/(?:github-copilot|openai|anthropic|amp|goose|cursor)(?:$|\/)|\/\.aider\.conf\.yml$|\/\.(?:openai|anthropic)(?:$|\/)|\/\.config\/io\.datasette\.llm\/keys\.json$/,
    examples: [
      "~/.claude/.credentials.json",
      "~/.codex/auth.json",
      "~/.gemini/oauth_creds.json",
      "~/.config/github-copilot/hosts.json",
    ],
    butNot: ["~/.claude/settings.json", ".codex/config.toml", "CLAUDE.md"],
  },
];

/** Every path that matches one of them contains one of these. Most paths do not, and compiling all expressions takes time. */
export const SUSPICIOUS =
  /\/\.|\$|id_|ssh_host_|\.env|gcloud|credential|passw|service|firebase|doctl|rclone|\.tf|netrc|auth\.json|kube|secret|token|k3s|\.p|\.k|\.jks|\.ovpn|private|keys|^\/etc\/|^\/var\/|^\/proc\/|system32|krb5|library|login|cookies|key[34]|\.properties|nuget|local state|web data|appdata|wallet|history/;

/** Files that look secret, and are meant to be public. */
const OPEN = () =>
  /\.pub$|\/(?:(?:test[-_])?fixtures?|testdata|__fixtures__|__mocks__|tests?|__tests__|e2e|spec|examples?)\/(?:[^/]+\/){0,4}[\w.-]+\.(?:pem|key|p12|pfx|jks|keystore)$|\/(?:test|dummy|fake|snakeoil)[-_.][\w.-]*\.(?:pem|key|p12|pfx)$|\/(?:[\w.-]*[-_.])?(?:localhost|dev|development|local|self-?signed|127\.0\.0\.1)(?:[-_.+](?!prod|live)[\w.+-]*)?\.(?:pem|key|p12|pfx|crt|jks|keystore)$|\/(?:public[\w.-]*|ca[-_.]?(?:cert|bundle|chain)?[\w-]*|[\w-]*(?:fullchain|ca-bundle|public[-_.]?(?:key|cert)))\.pem$|[._-](?:example|sample|template|dist|defaults?|schema)(?:\.\w+)?$|\/(?:example|sample)[._-][\w.]+$/;
/** Folders of browsers, in which such names do not mean public files. */
const PROFILES = /\/(?:\.mozilla|firefox|thunderbird|\.thunderbird)\//;
const GLOB = /[*?[]/;
const LONGEST = 1024;
const LONGEST_GLOB = 64;

/** Whether a glob matches the name of a secret file; a bare `*` and `*.json` match too much to mean one. */
function couldBecomeSecret(path: string): boolean {
  const name = nameOf(path);
  if (name.length > LONGEST_GLOB || !GLOB.test(name) || /^\*+(?:\.json)?$/.test(name)) return false;
  const source = name
    .replaceAll(/\[!/g, "[^")
    .replaceAll(/[.+^$(){}|\\]/g, "\\$&")
    .replaceAll(/\*+/g, ".*")
    .replaceAll("?", ".");
  const fits = regexOf(`^${source.replaceAll("[\\^", "[^")}$`);
  return (
    fits !== undefined &&
    NAMES.some((known) => (!known.startsWith(".") || name.startsWith(".") || name.startsWith("[")) && fits.test(known))
  );
}

function regexOf(source: string): RegExp | undefined {
  return attempt(() => new RegExp(source));
}

const NAMES =
  ".env .env.local prod.env id_rsa id_ed25519 .netrc .npmrc .pypirc .git-credentials .bash_history credentials credentials.json server.key key.pem".split(
    " ",
  );

/** No letter or digit is right before. */
export const START = "(?<![A-Za-z0-9])";
/** No letter or digit follows. */
export const END = "(?![A-Za-z0-9])";

/** Options that are followed by a password and whose names do not show it, and the programs that have them. */
const BY_OPTION: readonly (readonly [options: string, programs: string])[] = [
  ["-p[ =]", "login"],
  ["-p", "mysql mysqldump mysqladmin mariadb mariadb-dump 7z 7za 7zr 7zz"],
  ["-p\\s{0,3}", "sshpass"],
  [
    "-p\\s{1,3}",
    "mongosh mongo mongodump mongorestore cqlsh useradd usermod psexec rdesktop ncftpput ncftpget axel snowsql cadaver",
  ],
  ["-h?p", "rar unrar"],
  ["-g", "arj"],
  ["-a\\s{1,3}|--pass\\s{1,3}", "redis-cli valkey-cli"],
  ["-pass(?:in|out)?\\s{1,3}[\"']?pass:|-k\\s{1,3}", "openssl"],
  ["-w\\s{1,3}", "ldapsearch ldapmodify ldapadd ldapwhoami ldapdelete security"],
  ["-[aws]\\s{1,3}", "ldappasswd"],
  ["-\\w{0,6}P\\s{0,3}", "zip unzip"],
  ["-P\\s{0,3}", "zipcloak sqlcmd bcp tsql isql"],
  ["-P\\s{1,3}", "mosquitto_pub mosquitto_sub ipmitool"],
  ["-[AX]\\s{1,3}", "snmpwalk snmpget snmpset"],
  ["-[NP]\\s{1,3}", "ssh-keygen"],
  ["pass\\s{1,3}", "rclone"],
  ["-pw\\s{1,3}", "plink pscp psftp putty"],
  ["(?:user|owner|input)_pw\\s{1,3}", "pdftk"],
  ["-[uo]pw\\s{1,3}", "pdftotext"],
  ["--encrypt\\s{1,3}", "qpdf"],
  ["password\\s{1,3}", "nmcli"],
  ["psk\\s{1,3}", "wpa_cli"],
  ["-passwd\\s{1,3}", "vncviewer x11vnc"],
  ["-passphrase\\s{1,3}", "hdiutil"],
];

/** The options that are followed by a password, by program. */
export const PASSWORD_OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  BY_OPTION.flatMap(([options, programs]) => programs.split(" ").map((program) => [program, options])),
);

/** Programs whose names begin or end with that of another one: its hint finds them too. */
export const SHORTER_NAMES = /^(?:mysql|mariadb-|mongo)\w|^ldap[a-z]+d$|^ldapwhoami|^unzip|^7z\w|^unrar/;

/** The word for a password in other languages, as it is written before a value. */
export const PASSWORD_WORDS: readonly string[] = [
  ...["passwort", "kennwort", "passphrase", "contraseña", "contrasena", "contrasenya", "mot de passe", "motdepasse"],
  ...[
    "mdp",
    "senha",
    "palavra-passe",
    "hasło",
    "haslo",
    "wachtwoord",
    "lösenord",
    "losenord",
    "passord",
    "adgangskode",
  ],
  ...["kodeord", "salasana", "heslo", "jelszó", "jelszo", "parolă", "parola", "şifre", "sifre", "lozinka", "geslo"],
  ...["parool", "slaptažodis", "лозинка", "пароль", "парола", "κωδικός", "סיסמה", "كلمة المرور", "पासवर्ड"],
  ...["mật khẩu", "kata sandi", "รหัสผ่าน", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호"],
];

/** The form of a token: how it begins, and which signs follow at least how often. */
export interface TokenForm {
  readonly prefix: string;
  readonly alphabet: "hex" | "lower" | "mixed" | "word";
  readonly length: number;
}

/** Tokens of services that begin with letters of their own; one line for each form. */
export const SERVICE_TOKENS: readonly TokenForm[] = [
  { prefix: "oy2", alphabet: "lower", length: 43 }, // NuGet
  { prefix: "pk.eyJ", alphabet: "word", length: 40 }, // Mapbox
  { prefix: "sk.eyJ", alphabet: "word", length: 40 }, // Mapbox
  { prefix: "tk.eyJ", alphabet: "word", length: 40 }, // Mapbox
  { prefix: "tskey-", alphabet: "word", length: 20 }, // Tailscale
  { prefix: "CFPAT-", alphabet: "word", length: 40 }, // Contentful
  { prefix: "dt0c01.", alphabet: "word", length: 24 }, // Dynatrace
  { prefix: "AKCp", alphabet: "mixed", length: 60 }, // Artifactory
  { prefix: "cmVmdGtu", alphabet: "mixed", length: 50 }, // Artifactory
  { prefix: "xkeysib-", alphabet: "hex", length: 64 }, // Brevo
  { prefix: "pat-na1-", alphabet: "word", length: 36 }, // HubSpot
  { prefix: "pat-eu1-", alphabet: "word", length: 36 }, // HubSpot
  { prefix: "sgp_", alphabet: "word", length: 40 }, // Sourcegraph
  { prefix: "aio_", alphabet: "mixed", length: 28 }, // Adafruit
  { prefix: "LTAI", alphabet: "mixed", length: 16 }, // Alibaba Cloud
  { prefix: "AKID", alphabet: "mixed", length: 32 }, // Tencent Cloud
  { prefix: "phx_", alphabet: "mixed", length: 40 }, // PostHog
  { prefix: "ATTA", alphabet: "hex", length: 64 }, // Trello
  { prefix: "waka_", alphabet: "word", length: 36 }, // WakaTime
  { prefix: "glrtr-", alphabet: "word", length: 20 }, // GitLab
  { prefix: "gloas-", alphabet: "hex", length: 64 }, // GitLab
  { prefix: "GR1348941", alphabet: "word", length: 20 }, // GitLab
  { prefix: "EAACEdEose0cBA", alphabet: "mixed", length: 20 }, // Facebook
  { prefix: "sk-lf-", alphabet: "word", length: 36 }, // Langfuse
  { prefix: "ctx7sk-", alphabet: "word", length: 30 }, // Context7
  { prefix: "fc-", alphabet: "hex", length: 32 }, // Firecrawl
  { prefix: "tvly-", alphabet: "word", length: 28 }, // Tavily
  { prefix: "bkua_", alphabet: "hex", length: 40 }, // Buildkite
  { prefix: "CCIPAT_", alphabet: "word", length: 40 }, // CircleCI
  { prefix: "EZAK", alphabet: "mixed", length: 54 }, // EasyPost
  { prefix: "pnu_", alphabet: "mixed", length: 36 }, // Prefect
  { prefix: "shpltf_", alphabet: "hex", length: 32 }, // Shippo
  { prefix: "FLWSECK_TEST-", alphabet: "hex", length: 12 }, // Flutterwave
  { prefix: "rdme_", alphabet: "lower", length: 60 }, // ReadMe
  { prefix: "sk_clerk_", alphabet: "mixed", length: 24 }, // Clerk
  { prefix: "apify_api_", alphabet: "mixed", length: 36 }, // Apify
  { prefix: "nvapi-", alphabet: "word", length: 50 }, // NVIDIA
  { prefix: "vcp_", alphabet: "mixed", length: 40 }, // Vercel
];

/** The expression of each alphabet. */
const ALPHABETS: Readonly<Record<TokenForm["alphabet"], string>> = {
  hex: "[a-f0-9]",
  lower: "[a-z0-9]",
  mixed: "[A-Za-z0-9]",
  word: "[\\w.-]",
};

/** One expression for all forms of tokens. */
export function tokenForms(): string {
  const forms = SERVICE_TOKENS.map(
    ({ prefix, alphabet, length }) => `${prefix.replaceAll(".", "\\.")}${ALPHABETS[alphabet]}{${length},}`,
  );
  return `${START}(?:${forms.join("|")})`;
}

/** No letter or digit is right before. */
export const START = "(?<![A-Za-z0-9])";
/** No letter or digit follows. */
export const END = "(?![A-Za-z0-9])";

/** Programs that take a password in an option of one letter, or in one whose name does not show it. */
export const PASSWORD_OPTIONS: Readonly<Record<string, string>> = {
  login: "-p[ =]",
  mysql: "-p",
  mysqldump: "-p",
  mysqladmin: "-p",
  mariadb: "-p",
  "mariadb-dump": "-p",
  sshpass: "-p\\s{0,3}",
  mongosh: "-p\\s{1,3}",
  mongo: "-p\\s{1,3}",
  mongodump: "-p\\s{1,3}",
  mongorestore: "-p\\s{1,3}",
  cqlsh: "-p\\s{1,3}",
  useradd: "-p\\s{1,3}",
  usermod: "-p\\s{1,3}",
  "7z": "-p",
  "7za": "-p",
  "7zr": "-p",
  "7zz": "-p",
  rar: "-h?p",
  unrar: "-h?p",
  arj: "-g",
  "redis-cli": "-a\\s{1,3}|--pass\\s{1,3}",
  "valkey-cli": "-a\\s{1,3}|--pass\\s{1,3}",
  openssl: "-pass(?:in|out)?\\s{1,3}[\"']?pass:|-k\\s{1,3}",
  ldapsearch: "-w\\s{1,3}",
  ldapmodify: "-w\\s{1,3}",
  ldapadd: "-w\\s{1,3}",
  ldapwhoami: "-w\\s{1,3}",
  ldapdelete: "-w\\s{1,3}",
  ldappasswd: "-[aws]\\s{1,3}",
  security: "-w\\s{1,3}",
  zip: "-\\w{0,6}P\\s{0,3}",
  unzip: "-\\w{0,6}P\\s{0,3}",
  zipcloak: "-P\\s{0,3}",
  sqlcmd: "-P\\s{0,3}",
  bcp: "-P\\s{0,3}",
  tsql: "-P\\s{0,3}",
  mosquitto_pub: "-P\\s{1,3}",
  mosquitto_sub: "-P\\s{1,3}",
  ipmitool: "-P\\s{1,3}",
  snmpwalk: "-[AX]\\s{1,3}",
  snmpget: "-[AX]\\s{1,3}",
  snmpset: "-[AX]\\s{1,3}",
  "ssh-keygen": "-[NP]\\s{1,3}",
  rclone: "pass\\s{1,3}",
  plink: "-pw\\s{1,3}",
  pscp: "-pw\\s{1,3}",
  psftp: "-pw\\s{1,3}",
  putty: "-pw\\s{1,3}",
  psexec: "-p\\s{1,3}",
  pdftk: "(?:user|owner|input)_pw\\s{1,3}",
  pdftotext: "-[uo]pw\\s{1,3}",
  qpdf: "--encrypt\\s{1,3}",
  nmcli: "password\\s{1,3}",
  wpa_cli: "psk\\s{1,3}",
  vncviewer: "-passwd\\s{1,3}",
  x11vnc: "-passwd\\s{1,3}",
  rdesktop: "-p\\s{1,3}",
  ncftpput: "-p\\s{1,3}",
  ncftpget: "-p\\s{1,3}",
  axel: "-p\\s{1,3}",
  isql: "-P\\s{0,3}",
  snowsql: "-p\\s{1,3}",
  hdiutil: "-passphrase\\s{1,3}",
  cadaver: "-p\\s{1,3}",
};

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

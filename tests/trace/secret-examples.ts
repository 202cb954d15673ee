import type { SecretShapeName } from "../../src/trace/secret-shapes.ts";
import { SERVICE_TOKENS } from "../../src/trace/secret-tables.ts";

/** What a kind of secret looks like, and what only resembles it. */
export interface Examples {
  /** The secret in its surroundings; what stands between « and » has to go, the rest has to stay. */
  readonly secret: readonly string[];
  /** Text that only resembles one. */
  readonly clean: readonly string[];
}

/** Other letters for another turn. */
let turn = 0;

/** Made here and never written out, so that no scanner takes this file for a leak. */
const some = (alphabet: string, length: number) =>
  Array.from(
    { length },
    (_, index) => alphabet[(index * 7 + length * 3 + turn * (5 + (index % 3))) % alphabet.length],
  ).join("");
export const hex = (length: number) => some("0123456789abcdef", length);
const lower = (length: number) => some("abcdefghijklmnopqrstuvwxyz234567", length);
const upper = (length: number) => some("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", length);
export const mixed = (length: number) => some("aB3dE5gH7jK9mN1pQ2rS4tU6vW8xYz0", length);
const digits = (length: number) => some("1234567890", length);
const newUuid = () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
export const uuid = newUuid();
const begin = (what: string) => `-----BEGIN ${what}-----`;
const end = (what: string) => `-----END ${what}-----`;

/** The same kinds with other secrets, for every number. */
export function examplesFor(number: number): Readonly<Record<SecretShapeName, Examples>> {
  turn = number;
  try {
    return examples(newUuid());
  } finally {
    turn = 0;
  }
}

const examples = (uuid: string): Readonly<Record<SecretShapeName, Examples>> => ({
  private_key: {
    secret: [
      `cat <<E\n«${begin("RSA PRIVATE KEY")}\n${mixed(64)}\n${mixed(64)}\n${end("RSA PRIVATE KEY")}»\nE`,
      `"«${begin("OPENSSH PRIVATE KEY")}\\n${mixed(70)}\\n${end("OPENSSH PRIVATE KEY")}»"`,
      `«${begin("PGP PRIVATE KEY BLOCK")}\n\n${mixed(64)}\n=${mixed(4)}\n${end("PGP PRIVATE KEY BLOCK")}»`,
      `torn «${begin("EC PRIVATE KEY")}\n${mixed(64)}»`,
    ],
    clean: [`if (text.includes("${begin("RSA PRIVATE KEY")}")) refuse(text);`, `${begin("PUBLIC KEY")}\n${mixed(64)}`],
  },
  putty_key: {
    secret: [`«PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n${mixed(60)}»`],
    clean: ["PuTTY-User-Key-File"],
  },
  age_key: { secret: [`key «AGE-SECRET-KEY-1${upper(58)}»`], clean: ["AGE-SECRET-KEY-1…", `age1${mixed(58)}`] },
  aws_access_key: { secret: [`id «AKIA${upper(16)}» x`, `"«ASIA${upper(16)}»"`], clean: ["AKIA", `XAKIA${upper(16)}`] },
  aws_secret_key: {
    secret: [`aws_secret_access_key = «${mixed(40)}»`, `AWS_SECRET_KEY: "«${mixed(40)}»"`],
    clean: [`aws s3 cp ${hex(40)}`, "aws_secret_access_key = $KEY"],
  },
  aws_session_token: { secret: [`aws_session_token=«${mixed(120)}»`], clean: ["aws_session_token=$TOKEN"] },
  github_token: { secret: [`«ghp_${mixed(36)}»`, `x: «gho_${mixed(36)}»;`], clean: ["ghp_", "a_ghp_short"] },
  github_pat: { secret: [`«github_pat_${mixed(22)}_${mixed(59)}»`], clean: ["github_pat_name"] },
  gitlab_token: { secret: [`«glpat-${mixed(20)}»`, `«gldt-${mixed(20)}»`], clean: ["glpat-", "gldt-x"] },
  bitbucket_token: { secret: [`«ATBB${mixed(32)}»`], clean: ["ATBB", "atbbabcdefgh"] },
  atlassian_token: { secret: [`«ATATT3x${mixed(60)}»`], clean: ["ATATT3x"] },
  slack_token: { secret: [`«xoxb-${digits(12)}-${mixed(24)}»`, `«xapp-1-${mixed(30)}»`], clean: ["xoxb-", "boxoxb-a"] },
  slack_webhook: {
    secret: [`https://hooks.slack.com/services/«T${upper(8)}/B${upper(8)}/${mixed(24)}»`],
    clean: ["https://hooks.slack.com/services/"],
  },
  discord_webhook: {
    secret: [`https://discord.com/api/webhooks/${digits(18)}/«${mixed(68)}»`],
    clean: ["https://discord.com/api/webhooks/"],
  },
  discord_token: {
    secret: [`«M${mixed(23)}.${mixed(6)}.${mixed(27)}»`],
    clean: ["MyClass.method.call", "Net.Http.Client"],
  },
  teams_webhook: {
    secret: [`https://x.webhook.office.com/webhookb2/«${uuid}@${uuid}/IncomingWebhook/${hex(32)}»`],
    clean: ["https://x.webhook.office.com/"],
  },
  telegram_token: { secret: [`bot «${digits(10)}:AA${mixed(33)}»`], clean: ["12:AA", "time 10:AAB"] },
  stripe_key: {
    secret: [`«sk_live_${mixed(24)}»`, `«rk_test_${mixed(24)}»`, `«whsec_${mixed(32)}»`],
    clean: ["sk_live_", "risk_live_x"],
  },
  square_token: { secret: [`«sq0atp-${mixed(22)}»`, `«EAAA${mixed(60)}»`], clean: ["sq0atp-", "EAAAA"] },
  shopify_token: { secret: [`«shpat_${hex(32)}»`], clean: ["shpat_x"] },
  paypal_token: { secret: [`«access_token$production$${mixed(16)}$${hex(32)}»`], clean: ["access_token$production$"] },
  google_api_key: { secret: [`key=«AIza${mixed(35)}»`], clean: ["AIza", `xAIza${mixed(35)}`] },
  google_oauth: { secret: [`«GOCSPX-${mixed(28)}»`, `«ya29.${mixed(60)}»`], clean: ["GOCSPX-", "ya29."] },
  google_refresh: { secret: [`«1//0${mixed(60)}»`], clean: ["1//0", "http1//0a"] },
  anthropic_key: { secret: [`«sk-ant-api03-${mixed(93)}»`], clean: ["sk-ant-", "task-anthology"] },
  openai_key: {
    secret: [`«sk-${mixed(48)}»`, `«sk-proj-${mixed(60)}»`],
    clean: ["sk-", "task-manager-with-a-very-long-hyphenated-name", "sk-learn-contrib"],
  },
  groq_key: { secret: [`«gsk_${mixed(52)}»`], clean: ["gsk_short"] },
  xai_key: { secret: [`«xai-${mixed(80)}»`], clean: ["xai-grok"] },
  perplexity_key: { secret: [`«pplx-${mixed(48)}»`], clean: ["pplx-7b-online"] },
  replicate_token: { secret: [`«r8_${mixed(37)}»`], clean: ["r8_x"] },
  hugging_face_token: { secret: [`«hf_${mixed(34)}»`], clean: ["hf_hub_download", "half_open"] },
  langsmith_key: { secret: [`«lsv2_pt_${hex(32)}_${hex(10)}»`], clean: ["lsv2_pt_"] },
  npm_token: {
    secret: [`«npm_${mixed(36)}»`, `//registry.npmjs.org/:_authToken=«${uuid}»`],
    clean: ["npm_config_cache", "_authToken=${NPM_TOKEN}"],
  },
  pypi_token: { secret: [`«pypi-${mixed(80)}»`], clean: ["pypi-simple"] },
  rubygems_key: { secret: [`«rubygems_${hex(48)}»`], clean: ["rubygems_version"] },
  crates_token: { secret: [`x «cio${mixed(32)}»`], clean: ["precious", "cio"] },
  docker_token: { secret: [`«dckr_pat_${mixed(27)}»`], clean: ["dckr_pat_"] },
  digitalocean_token: { secret: [`«dop_v1_${hex(64)}»`], clean: ["dop_v1_"] },
  heroku_key: { secret: [`HEROKU_API: «${uuid}»`, `«HRKU-${mixed(60)}»`], clean: ["heroku logs", `id ${uuid}`] },
  cloudflare_token: { secret: [`CLOUDFLARE_API = "«${mixed(40)}»"`], clean: ["cloudflare workers", mixed(40)] },
  vercel_token: { secret: [`VERCEL_ACCESS: «${mixed(24)}»`], clean: ["vercel deploy --prod"] },
  netlify_token: { secret: [`«nfp_${mixed(40)}»`], clean: ["nfp_x"] },
  fly_token: { secret: [`«fm2_${mixed(60)}»`], clean: ["fm2_x"] },
  render_key: { secret: [`«rnd_${mixed(30)}»`], clean: ["rnd_seed"] },
  supabase_key: { secret: [`«sbp_${hex(40)}»`, `«sb_secret_${mixed(31)}»`], clean: ["sbp_x"] },
  planetscale_token: { secret: [`«pscale_tkn_${mixed(43)}»`], clean: ["pscale_tkn_"] },
  azure_key: { secret: [`EndpointSuffix=x;AccountKey=«${mixed(86)}==»;`], clean: ["AccountKey=<key>"] },
  azure_sas: { secret: [`?sv=2022&sig=«${mixed(43)}%3D»&se=x`], clean: ["?sig=abc"] },
  signed_url: {
    secret: [
      `https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature=«${hex(64)}»&x=1`,
      `https://storage.googleapis.com/b/o?X-Goog-Expires=1&X-Goog-Signature=«${hex(128)}»`,
      `https://d.cloudfront.net/x?Expires=1&Signature=«${mixed(60)}»&Key-Pair-Id=K`,
      `https://b.s3.amazonaws.com/k?X-Amz-Security-Token=«${mixed(120)}»&a=b`,
    ],
    clean: ["?signature=none", "X-Amz-Signature=", "function sign(signature = default_signature_of_the_file)"],
  },
  service_token: {
    secret: SERVICE_TOKENS.map(({ prefix, alphabet, length }) => {
      const make = { hex, lower, mixed, word: mixed }[alphabet];
      return `key «${prefix}${make(length)}»`;
    }),
    clean: SERVICE_TOKENS.map(({ prefix }) => `${prefix} begins it`).concat(
      "toy2000",
      "fc-cache -f",
      "the pk.eyJ form",
    ),
  },
  twitter_token: {
    secret: [`«AAAAAAAAAAAAAAAAAAAAA${"N"}${mixed(40)}%2F${mixed(30)}%3D»`],
    clean: ["A".repeat(200), `${"A".repeat(20)}BAAA/AA+`],
  },
  form_password: {
    secret: [
      "curl -d 'u=bob&pass=«hunter2»&x=1' https://x.y",
      'curl --data-urlencode "pwd=«hunter2»" https://x.y',
      "wget --post-data 'login=bob&pw=«hunter2»' x.y",
      "mount -t cifs //a/b /m -o user=a,pass=«hunter2»",
    ],
    clean: ["pwd=$(pwd)", "cd x && pwd=/tmp/y make", "curl -d 'pass=$PASS' x", "pass=rate.of(tests)"],
  },
  sent_password: {
    secret: [
      'expect "password:" { send "«hunter2»\\r" }',
      `expect -c 'spawn ssh x; expect "assword:"; send "«hunter2»\\r"; interact'`,
      "child.expect('Password:'); child.sendline('«hunter2»')",
      'expect "*?assword:*"\nsend -- "«hunter2»\\n"',
    ],
    clean: [
      'expect(password).toBe("x"); send()',
      'log("password"); resend("mail")',
      'expect "password:" { send "$pw\\r" }',
    ],
  },
  translated_password: {
    secret: [
      ...["passwort", "Kennwort", "contraseña", "mot de passe", "senha", "hasło", "wachtwoord", "lösenord"],
      ...["пароль", "密码", "パスワード", "비밀번호", "şifre", "jelszó"],
    ].map((word) => `${word}: «hunter2»`),
    clean: ["Passwort: bitte eingeben", "mot de passe : obligatoire", "пароль: введите его", "contraseña: $CLAVE"],
  },
  azure_client_secret: { secret: [`«${mixed(3)}8Q~${mixed(34)}»`], clean: ["8Q~"] },
  azure_devops_token: { secret: [`«${mixed(76)}AZDO${mixed(4)}»`], clean: ["AZDO"] },
  databricks_token: { secret: [`«dapi${hex(32)}»`, `«dapi${hex(32)}-2»`], clean: ["dapi", `dapi${hex(8)}`] },
  twilio_key: { secret: [`«SK${hex(32)}»`, `twilio.token = "«${hex(32)}»"`], clean: ["SKIP", hex(32)] },
  sendgrid_key: { secret: [`«SG.${mixed(22)}.${mixed(43)}»`], clean: ["SG.a.b", "msg.text"] },
  mailgun_key: {
    secret: [`«key-${hex(32)}»`, `mailgun «${hex(32)}-${hex(8)}-${hex(8)}»`],
    clean: ["key-value", "monkey-x"],
  },
  mailchimp_key: { secret: [`«${hex(32)}-us12»`], clean: ["en-us1", "is-us"] },
  postman_key: { secret: [`«PMAK-${hex(24)}-${hex(34)}»`], clean: ["PMAK-"] },
  linear_key: { secret: [`«lin_api_${mixed(40)}»`], clean: ["lin_api_"] },
  notion_token: { secret: [`«ntn_${mixed(46)}»`, `«secret_${mixed(43)}»`], clean: ["secret_santa", "ntn_x"] },
  airtable_token: { secret: [`«pat${mixed(14)}.${hex(64)}»`], clean: ["pattern.match", "path.join"] },
  figma_token: { secret: [`«figd_${mixed(40)}»`], clean: ["figd_"] },
  asana_token: { secret: [`«1/${digits(16)}:${hex(32)}»`], clean: ["1/2", "page 1/16"] },
  dropbox_token: { secret: [`«sl.${mixed(130)}»`], clean: ["ssl.create"] },
  new_relic_key: { secret: [`«NRAK-${upper(27)}»`], clean: ["NRAK-"] },
  datadog_key: { secret: [`DD_API_KEY: «${hex(32)}»`, `datadog "«${hex(40)}»"`], clean: ["datadog agent"] },
  grafana_token: { secret: [`«glsa_${mixed(32)}_${hex(8)}»`], clean: ["glsa_"] },
  sentry_token: { secret: [`«sntrys_${mixed(60)}»`], clean: ["sntrys_"] },
  vault_token: { secret: [`«hvs.${mixed(30)}»`], clean: ["hvs."] },
  terraform_token: { secret: [`«${mixed(14)}.atlasv1.${mixed(64)}»`], clean: [".atlasv1."] },
  pulumi_token: { secret: [`«pul-${hex(40)}»`], clean: ["pul-x"] },
  doppler_token: { secret: [`«dp.st.prd.${mixed(43)}»`], clean: ["dp.st.x"] },
  onepassword_token: { secret: [`«ops_eyJ${mixed(80)}»`], clean: ["ops_"] },
  json_web_token: {
    secret: [`x «eyJ${mixed(20)}.eyJ${mixed(40)}.${mixed(43)}» y`],
    clean: ["eyJ", "heyJude.song.mp3"],
  },
  authorization_header: {
    secret: [
      `-H "Authorization: Bearer «${mixed(20)}»"`,
      `authorization: Basic «dXNlcjpwYXNz=»`,
      `'Authorization': 'token «${mixed(12)}»'`,
    ],
    clean: ['-H "Authorization: Bearer $TOKEN"', "authorization: required", "Authorization: Bearer <token>"],
  },
  basic_credentials: {
    secret: [`-H "Authorization: Basic «QWxhZGRpbjpvcGVuc2VzYW1l»"`, `'authorization: bearer «aBcDeFgHiJkLmNoPqRsT»'`],
    clean: ["authorization: Basic authentication", 'Authorization: "Basic $AUTH"'],
  },
  bearer_token: { secret: [`Bearer «${mixed(32)}»`], clean: ["a bearer authentication-mechanism", "bearer of news"] },
  key_header: { secret: [`-H 'X-Api-Key: «abcdef»'`], clean: ["x-api-key: $KEY", "the x-api-key header"] },
  cookie: { secret: [`Cookie: «sid=${mixed(20)}; a=b»`], clean: ["cookie: string", "a cookie jar"] },
  url_password: {
    secret: [
      "git clone https://me:«hunter2»@example.com/a.git",
      "postgres://u:«pässword»@db:5432/x",
      "amqp://u:«p@ss@w0rd»@mq",
    ],
    clean: ["http://localhost:3000/@vite/client", "postgres://u:$PASS@db/x", "see http://a:80 or mail b@c.d"],
  },
  url_token: { secret: [`https://«${mixed(30)}»@github.com/x`], clean: ["https://git@github.com/x"] },
  curl_user: {
    secret: ["curl -u me:«hunter2» https://x.y"],
    clean: ["curl -u me:$PASS https://x.y", "curl -s https://x.y:80"],
  },
  command_password: {
    secret: [
      "docker login -u me -p «hunter2» x.io",
      "mysql -u root -p«hunter2» db",
      "mysql -p«-1oiwgV1kd83H» db",
      "sshpass -p «hunter2» ssh x",
      "redis-cli -a «hunter2» ping",
      "openssl rsa -passin pass:«hunter2» -in a.pem",
      "zip -rP «hunter2» a.zip src",
      "7zz a -p«hunter2» a.7z src",
      "unrar x -p«hunter2» a.rar",
      "plink -pw «hunter2» me@x",
      "pdftk a.pdf output b.pdf user_pw «hunter2»",
      "nmcli dev wifi connect x password «hunter2»",
    ],
    clean: [
      "tar xf a.tar; rar -v",
      "7z x archive.7z -o/tmp/out",
      "docker login -u me --password-stdin",
      "mysql -u root -p db",
      "mongosh -p --host db.example.com",
      "mkdir -p login/page",
      "zip -r a.zip src",
      "openssl rsa -passin env:PASS",
      "redis-cli -a $PASS ping",
    ],
  },
  piped_password: {
    secret: ["echo «hunter2» | sudo -S apt update", "echo '«me:hunter2»' | chpasswd", "echo «hunter2» | kinit me"],
    clean: ["echo $PASS | docker login --password-stdin", "echo done | sudo tee a"],
  },
  stored_secret: {
    secret: ["kubectl create secret generic a --from-literal=user=«hunter2»", "fly secrets set SESSION=«hunter2»"],
    clean: ["kubectl create secret generic a --from-literal=user=$USER", "fly secrets set SESSION=$SESSION"],
  },
  user_password: {
    secret: [
      String.raw`net use Z: \\srv\share «hunter2» /user:me`,
      String.raw`net use \\srv\share /user:me «hunter2»`,
      "smbclient //nas/x -U me%«hunter2»",
      "htpasswd -bc .htpasswd me «hunter2»",
      "lftp -u me,«hunter2» x.y",
    ],
    clean: [
      String.raw`net use Z: \\srv\share /persistent:yes`,
      "smbclient //nas/x -U me",
      "htpasswd -c .htpasswd me",
      "cd /p:",
    ],
  },
  sql_password: { secret: ["CREATE USER a IDENTIFIED BY '«hunter2»'"], clean: ["identified by name"] },
  secure_string: { secret: ['ConvertTo-SecureString "«hunter2»" -Force'], clean: ["ConvertTo-SecureString $text"] },
  server_password: { secret: ["requirepass «hunter2»\n"], clean: ["requirepass $PASS"] },
  password_hash: { secret: ["me:$2y$«05$abcdefghijklmnop»"], clean: ["price: $2 and $5", "awk '{print $1}'"] },
  postgres_password: { secret: ["db:5432:shop:app:«hunter2»\n"], clean: ["localhost:5432:shop"] },
  netrc_password: { secret: ["machine x.y login me password «hunter2»"], clean: ["machine learning"] },
  named_value: {
    secret: [
      "DB_PASSWORD=«hunter» npm start",
      "export GITHUB_TOKEN='«abcdefgh»'",
      "tool --password «hunter2» run",
      "x --api-key=«abcdef»",
      "Server=x;User=sa;Password=«hunter2!»;",
      '"password": "«hunter2»"',
      "const apiKey = '«abcd1234»';",
      "secret => `«s3cr3t»`",
      'token = "«abc12345»"',
      "https://x.y/?a=b&token=«abc123def»&c=d",
      "db:\n  password: «hunter2»\n  user: me\n",
      "<password>«hunter2»</password>",
      '<add key="SmtpPassword" value="«hunter2»"/>',
      "define('DB_PASSWORD', '«hunter2»');",
      "- name: DB_PASSWORD\n  value: «hunter2»\n",
      "SECRET_KEY = '«django-insecure-(4x»'",
      `maps_key: «${mixed(32)}»`,
    ],
    clean: [
      "DB_PASSWORD=$PASS",
      "TOKEN_FILE=/run/x",
      "API_KEY=${KEY}",
      "MAX_TOKENS=4096",
      "tool --password-file a",
      "x --token $TOKEN",
      "Server=x;Database=y;",
      'password: "string"',
      'type="password" name="x"',
      "password: process.env.PW",
      'label: "Secret santa"',
      "secretName: 'db-secret'",
      'token: "identifier"',
      "const token = tokens[0];",
      "login(password=password)",
      "token=args.token",
      "password: string;",
      "token: Uint8Array;",
      "auth: basic\n",
      'fields = ["name", "password", "email2"]',
      'key: "user-settings-2024"',
      "PWD=/home/me1/project",
    ],
  },
});

/** Every kind of secret with examples. */
export const EXAMPLES = examples(uuid);

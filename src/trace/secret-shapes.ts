import { hasSecretNames, NAME_HINTS, type NamedSecret, namedSecrets } from "./named-secrets.ts";
import {
  END,
  PASSWORD_OPTIONS,
  PASSWORD_WORDS,
  SERVICE_TOKENS,
  SHORTER_NAMES,
  START,
  tokenForms,
} from "./secret-tables.ts";

/**
 * What secrets look like, one row each. `hints` are lower-case pieces of text without which the shape cannot be there;
 * `shape` is a regular expression, and its group `keep` stays in place. If the hints are weak, `run` sets how many
 * letters and digits in a row there are at least.
 * A shape finds or gives up within a bounded distance of where it began, so that any text takes linear time.
 */
export class SecretShape {
  readonly hints: readonly string[];
  readonly run: number;
  readonly #source: string;
  readonly #flags: string;
  #made: RegExp | undefined;

  constructor(hints: readonly string[], source: string, flags: string, run: number) {
    this.hints = hints;
    this.run = run;
    this.#source = source;
    this.#flags = flags;
  }

  /** Made when its hint is first seen: most calls never need most of them. */
  get shape(): RegExp {
    this.#made ??= new RegExp(this.#source, `g${this.#flags}`);
    return this.#made;
  }

  /** Whether a secret is recognised by the text around it, and not by its own characters. */
  get isTold(): boolean {
    return this.#source.includes("(?<keep>");
  }

  isIn(text: string): boolean {
    return text.search(this.shape) >= 0;
  }

  /** Whether a text with a hint may contain such a secret, by a quick check. */
  mayBeIn(_text: string): boolean {
    return true;
  }

  /** The ranges of such secrets, without what is kept. */
  spans(text: string): NamedSecret[] {
    return [...text.matchAll(this.shape)].map(({ index, 0: found, groups }) => ({
      start: index + (groups?.keep?.length ?? 0),
      end: index + found.length,
    }));
  }
}

/** Values that are secrets only because of their names. */
class NamedShape extends SecretShape {
  override get isTold(): boolean {
    return true;
  }

  override mayBeIn(text: string): boolean {
    return hasSecretNames(text);
  }

  /** Looking would cost as much as finding. */
  override isIn(): boolean {
    return true;
  }

  override spans(text: string): NamedSecret[] {
    return namedSecrets(text);
  }
}

/** A value that only names where the secret comes from. */
const NO_REFERENCE = "(?![$<{%*(\\[])";
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Every kind of secret that is known by its shape. */
export const SECRET_SHAPES = {
  private_key: row(
    ["-----begin"],
    "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=:,.\\s>|#*]|-(?!----)|\\\\[nr]){16,}(?:-----END[^-\\n]{0,60}-----)?",
  ),
  putty_key: row(["putty-user-key-file"], "PuTTY-User-Key-File-\\d:[^\"'`]{20,}"),
  age_key: row(["age-secret-key-"], "AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
  aws_access_key: row(["akia", "asia", "abia", "acca"], `(?<![A-Za-z0-9/+])(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}${END}`),
  aws_secret_key: row(
    ["aws"],
    "(?<keep>aws.{0,20}(?:secret|key).{0,20}?[=:\"'\\s]{1,5})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])",
    "i",
  ),
  aws_session_token: row(
    ["aws_session_token"],
    "(?<keep>aws_session_token[\"']?\\s?[=:]\\s?[\"']?)[\\w/+=]{100,}",
    "i",
  ),
  github_token: row(["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], `${START}gh[pousr]_[A-Za-z0-9]{30,}`),
  github_pat: row(["github_pat_"], `${START}github_pat_[A-Za-z0-9_]{30,}`),
  gitlab_token: row(
    ["glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glcbt-", "glsoat-", "glimt-", "glagent-"],
    `${START}gl(?:pat|dt|rt|ptt|ft|cbt|soat|imt|agent)-[\\w-]{20,}`,
  ),
  bitbucket_token: row(["atbb", "atctt3x"], `${START}(?:ATBB|ATCTT3x)[\\w=.-]{24,}`),
  atlassian_token: row(["atatt3x"], `${START}ATATT3x[\\w=.-]{24,}`),
  slack_token: row(["xox", "xapp-", "xwfp-"], `${START}(?:xox[abeoprs]|xapp|xwfp)(?:\\.xox[abp])?-[A-Za-z0-9-]{10,}`),
  slack_webhook: row(["hooks.slack.com"], "(?<keep>hooks\\.slack\\.com/(?:services|workflows|triggers)/)[\\w/+-]{20,}"),
  discord_webhook: row(["/api/webhooks/"], "(?<keep>/api/webhooks/\\d{15,21}/)[\\w-]{40,}"),
  discord_token: row(["."], `${START}[MNO][A-Za-z\\d]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,45}${END}`, "", 24),
  teams_webhook: row(["webhook.office.com"], "(?<keep>webhook\\.office\\.com/webhookb2/)[\\w@/-]{40,}"),
  telegram_token: row([":aa"], `${START}\\d{8,10}:AA[\\w-]{32,35}(?![\\w-])`),
  stripe_key: row(
    ["sk_live", "sk_test", "rk_live", "rk_test", "whsec_"],
    `${START}(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})`,
  ),
  square_token: row(["eaaa", "sq0"], `${START}(?:EAAA[\\w-]{56,}|sq0(?:atp|csp|idp)-[\\w-]{22,})`),
  shopify_token: row(["shpat_", "shpca_", "shppa_", "shpss_"], `${START}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`),
  paypal_token: row(
    ["access_token$production$", "access_token$sandbox$"],
    "access_token\\$(?:production|sandbox)\\$[\\w$]{20,}",
  ),
  google_api_key: row(["aiza"], `${START}AIza[\\w-]{35}`),
  google_oauth: row(["gocspx-", "ya29."], `${START}(?:GOCSPX-[\\w-]{28}|ya29\\.[\\w-]{20,})`),
  google_refresh: row(["1//0"], `${START}1//0[\\w-]{40,}`),
  anthropic_key: row(["sk-ant-"], `${START}sk-ant-[\\w-]{20,}`),
  openai_key: row(
    ["sk-"],
    `${START}sk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1|None)-[\\w-]{20,}|[A-Za-z0-9]{32,}${END})`,
  ),
  groq_key: row(["gsk_"], `${START}gsk_[A-Za-z0-9]{40,}`),
  xai_key: row(["xai-"], `${START}xai-[A-Za-z0-9]{40,}`),
  perplexity_key: row(["pplx-"], `${START}pplx-[A-Za-z0-9]{40,}`),
  replicate_token: row(["r8_"], `${START}r8_[A-Za-z0-9]{37,}`),
  hugging_face_token: row(["hf_", "api_org_"], `${START}(?:hf|api_org)_[A-Za-z0-9]{30,}`),
  langsmith_key: row(["lsv2_"], `${START}lsv2_(?:pt|sk)_[a-f0-9]{32}(?:_[a-f0-9]{10})?`),
  npm_token: row(
    ["npm_", "_authtoken"],
    `${START}npm_[A-Za-z0-9]{36}|(?<keep>_authToken\\s?=\\s?)${NO_REFERENCE}[^\\s"']{8,}`,
  ),
  pypi_token: row(["pypi-"], `${START}pypi-[\\w-]{50,}`),
  rubygems_key: row(["rubygems_"], `${START}rubygems_[a-f0-9]{48}`),
  crates_token: row(["cio"], `${START}cio[A-Za-z0-9]{32}${END}`),
  docker_token: row(["dckr_"], `${START}dckr_(?:pat|oat)_[\\w-]{20,}`),
  digitalocean_token: row(["do_v1_", "dor_v1_", "doo_v1_", "dop_v1_"], `${START}do[opr]?_v1_[a-f0-9]{64}`),
  heroku_key: row(["heroku", "hrku-"], `${START}HRKU-[\\w-]{30,}|(?<keep>heroku.{0,30}?[=:"'\\s]{1,4})${UUID}`, "i"),
  cloudflare_token: row(
    ["cloudflare", "cf_api", "v1.0-"],
    `${START}v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}|(?<keep>(?:cloudflare|cf_api).{0,30}?[=:"'\\s]{1,4})[\\w-]{37,40}(?![\\w-])`,
    "i",
  ),
  vercel_token: row(["vercel"], "(?<keep>vercel.{0,30}?[=:\"'\\s]{1,4})[A-Za-z0-9]{24}(?![A-Za-z0-9])", "i"),
  netlify_token: row(["nfp_"], `${START}nfp_[A-Za-z0-9]{36,}`),
  fly_token: row(["fm1r_", "fm2_", "fo1_"], `${START}(?:fm1r|fm2|fo1)_[\\w+/=-]{30,}`),
  render_key: row(["rnd_"], `${START}rnd_[A-Za-z0-9]{28,}`),
  supabase_key: row(["sbp_", "sb_secret_"], `${START}(?:sbp_[a-f0-9]{40}|sb_secret_[\\w-]{20,})`),
  planetscale_token: row(["pscale_"], `${START}pscale_(?:tkn|oauth|pw)_[\\w=.-]{32,}`),
  azure_key: row(
    ["accountkey=", "sharedaccesskey="],
    "(?<keep>(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,}={0,2}",
    "i",
  ),
  azure_sas: row(["sig="], "(?<keep>[?&]sig=)[\\w%+/-]{16,}={0,2}", "i"),
  signed_url: row(
    ["signature=", "security-token="],
    "(?<keep>[?&](?:x-[a-z]{2,8}-|q-)?(?:signature|security-token)=)[\\w%+/~.-]{20,}={0,2}",
    "i",
  ),
  service_token: row([...new Set(SERVICE_TOKENS.map(({ prefix }) => prefix.toLowerCase()))], tokenForms()),
  twitter_token: row(["aaaaaaaaaaaaaaaaaaaa"], `${START}A{19,24}[B-Za-z0-9][\\w%-]{60,}`),
  azure_client_secret: row(["8q~", "7q~"], `(?<![\\w~.-])[\\w~.-]{3}[78]Q~[\\w~.-]{31,34}`),
  azure_devops_token: row(["azdo"], `${START}[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}${END}`),
  databricks_token: row(["dapi"], `${START}dapi[a-f0-9]{32}(?:-\\d)?${END}`),
  twilio_key: row(
    ["sk", "twilio"],
    `${START}SK[a-f0-9]{32}${END}|(?<keep>(?:twilio|TWILIO).{0,30}?[=:"'\\s]{1,4})[a-f0-9]{32}${END}`,
    "",
    32,
  ),
  sendgrid_key: row(["sg."], `${START}SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}`),
  mailgun_key: row(
    ["key-", "mailgun"],
    `${START}key-[a-f0-9]{32}${END}|${START}[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}${END}`,
  ),
  mailchimp_key: row(["-us"], `${START}[a-f0-9]{32}-us\\d{1,2}${END}`, "", 32),
  postman_key: row(["pmak-"], `${START}PMAK-[a-f0-9]{24}-[a-f0-9]{34}`),
  linear_key: row(["lin_api_", "lin_oauth_"], `${START}lin_(?:api|oauth)_[A-Za-z0-9]{32,}`),
  notion_token: row(["ntn_", "secret_"], `${START}(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})${END}`),
  airtable_token: row(["pat"], `${START}pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}`, "", 64),
  figma_token: row(["figd_"], `${START}figd_[\\w-]{36,}`),
  asana_token: row(["1/", "2/"], `${START}[12]/\\d{16}(?:/\\d{16})?:[a-f0-9]{32}`, "", 32),
  dropbox_token: row(["sl."], `${START}sl\\.(?:u\\.)?[\\w-]{100,}`),
  new_relic_key: row(["nrak-", "nrii-"], `${START}NR(?:AK|II)-[\\w-]{24,}`),
  datadog_key: row(
    ["datadog", "dd_ap"],
    `(?<keep>(?:datadog|dd_ap[ip]_key).{0,30}?[=:"'\\s]{1,4})[a-f0-9]{32,40}${END}`,
    "i",
  ),
  grafana_token: row(["glsa_", "glc_"], `${START}(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,})`),
  sentry_token: row(["sntrys_", "sntryu_"], `${START}sntry[su]_[\\w+/=-]{40,}`),
  vault_token: row(["hvs.", "hvb.", "hvr."], `${START}hv[sbr]\\.[\\w-]{24,}`),
  terraform_token: row([".atlasv1."], `${START}[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,}`),
  pulumi_token: row(["pul-"], `${START}pul-[a-f0-9]{40}${END}`),
  doppler_token: row(["dp."], `${START}dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,}`),
  onepassword_token: row(
    ["ops_ey", "a3-"],
    `${START}(?:ops_eyJ[\\w+/=-]{50,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-){4}[A-Z0-9]{5,6})`,
  ),
  json_web_token: row(["eyj"], "(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*){1,3}"),
  authorization_header: row(
    ["authorization"],
    `(?<keep>authorization["']?\\s{0,3}[:=]\\s{0,3}["']?(?:(?:bearer|basic|token|digest|negotiate|apikey)\\s{1,3})?)${NO_REFERENCE}(?=[^\\s"']{0,200}[\\d=])[^\\s"'\\\\,;]{6,}`,
    "i",
  ),
  basic_credentials: row(
    ["authorization"],
    `(?<keep>(?:[Aa]uthorization|AUTHORIZATION)["']?\\s{0,3}[:=]\\s{0,3}["']?(?:[Bb]asic|[Bb]earer|[Tt]oken)\\s{1,3})(?=[\\w+/.~-]{1,64}[A-Z])(?=[\\w+/.~-]{0,64}[a-z])[\\w+/.~-]{8,}={0,2}`,
  ),
  bearer_token: row(["bearer"], `(?<keep>bearer\\s{1,3})(?=[^\\s"']{0,200}\\d)[\\w.~+/=-]{16,}`, "i"),
  key_header: row(
    ["x-api-key", "x-auth-token", "private-token", "x-goog-api-key"],
    `(?<keep>(?:x-api-key|x-auth-token|private-token|x-goog-api-key)["']?\\s{0,3}:\\s{0,3}["']?)${NO_REFERENCE}[^\\s"'\\\\]{6,}`,
    "i",
  ),
  cookie: row(["cookie"], "(?<keep>cookie[\"']?\\s{0,3}:\\s{0,3}[\"']?)[\\w.-]{1,64}=[^\\r\\n\"']{6,}", "i"),
  url_password: row(["://"], `(?<keep>:\\/\\/[^\\s/:@"'<>]{0,128}:)${NO_REFERENCE}[^\\s/"'<>]{1,256}(?=@)`),
  url_token: row(["://"], "(?<keep>:\\/\\/)[\\w-]{20,256}(?=@)"),
  curl_user: row(
    ["curl"],
    `(?<keep>\\s(?:-u|--user|--proxy-user)[ =]?["']?[^\\s:"']{1,64}:)${NO_REFERENCE}[^\\s"']{1,}`,
  ),
  netrc_password: row(
    ["machine "],
    "(?<keep>machine\\s{1,3}\\S{1,128}\\s{1,8}login\\s{1,3}\\S{1,128}\\s{1,8}password\\s{1,3})\\S{3,}",
  ),
  command_password: row(
    Object.keys(PASSWORD_OPTIONS)
      .filter((name) => !SHORTER_NAMES.test(name))
      // Three letters are in many words.
      .map((name) => (/^[a-z]{3}$/.test(name) ? `${name} ` : name)),
    `(?<keep>\\b(?:${Object.entries(PASSWORD_OPTIONS)
      .map(([program, options]) => `${program}\\b[^\\n;|]{0,160}?\\s(?:${options})`)
      .join("|")})["']?)${NO_REFERENCE}(?:[^\\s"'-]|-(?=[^\\s"'-]{2}[^\\s"']{4}))[^\\s"']{2,}`,
  ),
  piped_password: row(
    [
      "-stdin",
      "sudo -",
      "chpasswd",
      "--with-token",
      "passphrase-fd",
      "cryptsetup",
      "kinit",
      "vncpasswd",
      "smbpasswd",
      "| su",
    ],
    `(?<keep>(?:echo|printf)\\s{1,3}(?:-\\w{1,3}\\s{1,3})?(?:["']%s(?:\\\\n)?["']\\s{1,3})?["']?)${NO_REFERENCE}[^\\s"'|]{3,256}(?=["']?\\s{0,3}\\|\\s{0,3}(?:sudo\\s{1,3}(?:-\\w{0,4}S|chpasswd|cryptsetup)|chpasswd|cryptsetup|kinit\\b|vncpasswd\\b|smbpasswd\\b|su\\s|[^|\\n]{1,200}?(?:-stdin\\b|--with-token\\b|passphrase-fd\\b)))|(?<=(?:-stdin|--with-token|chpasswd)[^|;\\n]{0,80}<<<\\s{0,3}["']?)[^\\s"']{3,256}`,
  ),
  stored_secret: row(
    ["--from-literal", "vault", "secrets set", "secret set", "config:set"],
    `(?<keep>(?:--from-literal[= ]["']?|\\bvault\\s{1,3}(?:kv\\s{1,3})?(?:put|write|patch)\\s[^\\n;|]{1,200}?\\s|\\bvault\\s{1,3}login\\s[^\\n;|]{0,80}?|\\bsecrets\\s{1,3}set\\s{1,3}|config:set\\s{1,3})["']?[\\w.-]{1,64}=["']?|\\bsecret\\s{1,3}set\\s[^\\n;|]{1,80}?\\s(?:--body[ =]|-b\\s{0,3})["']?)${NO_REFERENCE}[^\\s"'@][^\\s"']{2,}`,
  ),
  user_password: row(
    [
      "smbclient",
      "lftp",
      "sqlplus",
      "net user",
      "net use",
      "http -a",
      "https -a",
      "htpasswd",
      "rabbitmqctl",
      "wpa_passphrase",
      "/p:",
      "/pass:",
    ],
    `(?<keep>\\bsmbclient\\b[^\\n;|]{0,120}?\\s-U\\s{0,3}["']?[^\\s"'%]{1,64}%|\\blftp\\b[^\\n;|]{0,80}?\\s-u\\s{0,3}["']?[^\\s"',]{1,64},|\\bsqlplus\\s[^\\n;|]{0,80}?[\\w$]{1,64}\\/|\\bnet user \\S{1,64} |\\bnet use (?:[^\\s:]{1,2}: )?\\\\{2,8}[^\\s/]{1,200} (?:\\/user:\\S{1,128} )?|\\bhttps? (?:-\\w )?-a ["']?[^\\s:"']{1,64}:|\\bhtpasswd\\s{1,3}-\\w{0,4}n\\w{0,4}b\\w{0,4}\\s{1,3}\\S{1,64}\\s{1,3}["']?|\\bhtpasswd\\s{1,3}-\\w{0,4}b\\w{0,4}\\s{1,3}(?:-\\w\\s{1,3})?\\S{1,128}\\s{1,3}\\S{1,64}\\s{1,3}["']?|\\brabbitmqctl\\s[^\\n;|]{0,80}?(?:add_user|change_password|authenticate_user)\\s{1,3}\\S{1,64}\\s{1,3}["']?|\\bwpa_passphrase\\s{1,3}\\S{1,64}\\s{1,3}["']?|\\s\\/(?:p|pass|password):["']?)${NO_REFERENCE}[^\\s"'@/][^\\s"'@]{2,}`,
  ),
  sql_password: row(
    ["identified"],
    `(?<keep>identified\\s{1,3}(?:with\\s{1,3}\\S{1,40}\\s{1,3})?(?:by|as)\\s{1,3}(?:password\\s{1,3})?["'])[^"'\\n]{1,256}`,
    "i",
  ),
  secure_string: row(
    ["convertto-securestring"],
    `(?<keep>ConvertTo-SecureString\\s{1,3}(?:-String\\s{1,3})?["'])${NO_REFERENCE}[^"'\\n]{3,}`,
    "i",
  ),
  server_password: row(
    ["requirepass", "masterauth"],
    `(?<keep>(?:requirepass|masterauth)\\s{1,3}["']?)${NO_REFERENCE}[^\\s"']{3,}`,
  ),
  password_hash: row(
    ["$apr1$", "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$argon2", "{sha}", "{ssha}", "pbkdf2_"],
    "(?<keep>\\$(?:apr1|1|2[aby]|5|6|y|argon2i?d?)\\$)[\\w./$,=+#!&-]{8,}|\\{S?SHA\\}[\\w+/.=#-]{8,}|pbkdf2_sha\\d{1,3}\\$[\\w./$+=]{16,}",
  ),
  postgres_password: row(
    [":543", ":*:"],
    "(?<keep>(?<![\\w.*:-])[\\w.*-]{1,128}:(?:\\d{2,5}|\\*):[^:\\s]{1,64}:[^:\\s]{1,64}:)[^\\s:\"'\\\\]{3,256}(?=[\\s\"'\\\\]|$)",
  ),
  form_password: row(
    ["pass=", "pwd=", "pw=", "passwd=", "passw="],
    `(?<keep>(?:\\b(?:curl|wget|https?|xh)\\b[^\\n;|]{0,200}?\\s(?:-[dF]|--(?:data|form|post-data|body-data)(?:-\\w{1,10})?)[ =]?["']?(?:[^\\s"']{0,200}&)?|\\s-o[ ]?(?:[^\\s"']{0,200},)?|[?&])(?:pass|passwd|passw|pwd|pw)=)${NO_REFERENCE}[^\\s"'&,;/.~][^\\s"'&,;]{2,}`,
  ),
  sent_password: row(
    ["assword", "assphrase"],
    `(?<keep>ass(?:word|phrase)[^\\n;]{0,12}["'}][\\s;{}).,]{0,24}(?:\\w{1,24}\\.)?send(?:_?line)?(?:\\s{1,3}--)?[\\s(]{1,4}["'])${NO_REFERENCE}[^"'\\\\\\n]{3,}`,
    "i",
  ),
  translated_password: row(
    PASSWORD_WORDS.map((word) => word.toLowerCase()),
    `(?<keep>(?:${PASSWORD_WORDS.join("|")})["']?\\s{0,3}(?:=>|[:=：])\\s{0,3}["']?)${NO_REFERENCE}(?=[^\\s"',;]{0,60}[\\d!@#%^&*_+-])[^\\s"',;]{4,}`,
    "i",
  ),
  named_value: new NamedShape(NAME_HINTS, "", "", 0),
} as const satisfies Record<string, SecretShape>;

export type SecretShapeName = keyof typeof SECRET_SHAPES;

function row(hints: readonly string[], source: string, flags = "", run = 0): SecretShape {
  return new SecretShape(hints, source, flags, run);
}

/** How many places there are for pairs of letters; several pairs share one. */
export const BIGRAMS = 2 ** 12;

/** What a text has to hold before it is searched for a kind of secret. */
export interface SecretBigrams {
  readonly kind: SecretShapeName;
  readonly hints: readonly string[];
  readonly run: number;
}

/** The hints of every kind. */
export const SECRET_BIGRAMS: readonly SecretBigrams[] = (Object.keys(SECRET_SHAPES) as SecretShapeName[]).map(
  (kind) => ({
    kind,
    hints: SECRET_SHAPES[kind].hints,
    run: SECRET_SHAPES[kind].run,
  }),
);

/**
 * The same in numbers, in one row for the processor's sake: of each kind its run and how many hints it has; of each hint how
 * many pairs of letters, and their places.
 */
export const HINT_BIGRAMS: readonly number[] = hintBigrams();

/** Every process does this once, before V8 makes fast code of anything: in plain loops, without lists in between. */
function hintBigrams(): number[] {
  const row: number[] = [];
  for (const { run, hints } of SECRET_BIGRAMS) {
    row.push(run, hints.length);
    for (const hint of hints) {
      row.push(hint.length - 1);
      for (let at = 1; at < hint.length; at++) row.push(bigramOf(hint.charCodeAt(at - 1), hint.charCodeAt(at)));
    }
  }
  return row;
}

/** The index of two adjacent letters. */
export function bigramOf(one: number, other: number): number {
  return ((one << 6) ^ other) & (BIGRAMS - 1);
}

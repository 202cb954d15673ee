/** Where secrets stand in real work: command lines, settings, code, bodies, arguments of tools; and what only looks like one. */
export interface SecretPlace {
  /** What it is, for a report. */
  readonly place: string;
  /** An event's arguments with the secret in them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What may stand nowhere in a record. */
  readonly hidden: string;
}

/** A generator of numbers that gives the same ones for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

type Random = () => number;

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const MIXED = LOWER + LOWER.toUpperCase() + DIGITS;

function letters(random: Random, alphabet: string, length: number): string {
  let made = "";
  while (made.length < length) made += alphabet[Math.floor(random() * alphabet.length)];
  return made;
}

/** What people choose as a password, and what machines make. */
const PASSWORDS: readonly ((random: Random) => string)[] = [
  (random) => `Hunter${letters(random, DIGITS, 3)}!`,
  (random) => `correct-horse-${letters(random, LOWER, 5)}-staple`,
  (random) => `Tr0ub4dor&${letters(random, DIGITS, 2)}x`,
  (random) => `S0mmer.${letters(random, DIGITS, 4)}#`,
  (random) => letters(random, MIXED, 16),
  (random) => `${letters(random, MIXED, 10)}+${letters(random, MIXED, 9)}`,
];
const RANDOM: readonly ((random: Random) => string)[] = [
  (random) => letters(random, MIXED, 32),
  (random) => letters(random, "0123456789abcdef", 32),
  (random) => letters(random, "0123456789abcdef", 64),
  (random) => `${letters(random, `${MIXED}+/`, 43)}=`,
  (random) => letters(random, `${MIXED}-_`, 40),
];
const KNOWN: readonly ((random: Random) => string)[] = [
  (random) => `ghp_${letters(random, MIXED, 36)}`,
  (random) => `AKIA${letters(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)}`,
  (random) => `sk-ant-api03-${letters(random, MIXED, 60)}`,
  (random) => `glpat-${letters(random, MIXED, 20)}`,
  (random) => `xoxb-${letters(random, DIGITS, 12)}-${letters(random, MIXED, 24)}`,
];

/** Commands with a password: § stands for it. */
const COMMANDS: readonly string[] = [
  "openssl pkcs12 -in a.p12 -passin pass:§ -nodes",
  "openssl rsa -in key.pem -passin 'pass:§' -out plain.pem",
  "openssl genrsa -aes256 -passout pass:§ 4096",
  "openssl enc -aes-256-cbc -in a -out b -k §",
  "openssl enc -d -aes-256-cbc -pass pass:§ -in a.enc",
  "redis-cli -h cache -a § ping",
  "redis-cli -a '§' --no-auth-warning info",
  "redis-cli --pass § -n 2 keys '*'",
  "redis-cli CONFIG SET requirepass §",
  "mysql -u root -p§ shop",
  "mysqldump --user=root --password=§ shop > dump.sql",
  "mariadb -uroot -p'§' -e 'select 1'",
  "PGPASSWORD=§ psql -h db -U app",
  "psql 'host=db user=app password=§ dbname=shop'",
  "psql postgresql://app:§@db/shop",
  "mongosh mongodb://localhost/shop -u admin -p §",
  "mongodump --uri mongodb://admin:§@db:27017",
  "sqlcmd -S db -U sa -P '§' -Q 'select 1'",
  "sqlplus app/§@//db:1521/X",
  "clickhouse-client --user app --password '§'",
  "htpasswd -bc .htpasswd admin §",
  "htpasswd -nbB admin '§'",
  "sshpass -p '§' ssh me@host uptime",
  "echo '§' | sudo -S apt-get update",
  "echo § | docker login -u me --password-stdin",
  "docker login -u me -p § registry.example.com",
  "helm registry login x.io -u me -p '§'",
  "printf '%s' '§' | gh auth login --with-token",
  "gh secret set DEPLOY_KEY --body '§'",
  "gh secret set DEPLOY_KEY -b§",
  "echo 'app:§' | chpasswd",
  "echo 'root:§' | sudo chpasswd",
  "useradd -m -p '§' deploy",
  "ldapsearch -x -D cn=admin -w § -b dc=example",
  "smbclient //nas/share -U 'me%§'",
  "mount -t cifs //nas/share /mnt -o username=me,password=§",
  "zip -P § out.zip a.txt",
  "unzip -P '§' in.zip",
  "7z x -p§ in.7z",
  "gpg --batch --passphrase '§' -d a.gpg",
  "gpg --batch --passphrase=§ -c a.txt",
  "ssh-keygen -t ed25519 -N '§' -f key",
  "keytool -genkey -keystore a.jks -storepass § -keypass §",
  "jarsigner -storepass '§' app.jar key",
  "kubectl create secret generic db --from-literal=password=§",
  "kubectl create secret generic db --from-literal=DB_PASS='§' --from-literal=user=app",
  "kubectl create secret docker-registry r --docker-username=me --docker-password=§",
  "kubectl config set-credentials me --token=§",
  "oc login https://api:6443 -u admin -p §",
  "vault kv put secret/app password=§ user=app",
  "vault login token=§",
  "aws configure set aws_secret_access_key §",
  "az login --service-principal -u app -p § --tenant t",
  "az sql server create --admin-password '§' -n db",
  "gcloud sql users set-password app --instance=i --password=§",
  "rabbitmqctl add_user app §",
  "rabbitmqctl change_password app '§'",
  "mosquitto_pub -h mq -u me -P § -t a -m b",
  "ipmitool -H 10.0.0.5 -U admin -P § power status",
  "lftp -u me,§ ftp.example.com",
  "curl -u me:§ https://example.com/api",
  "curl --user 'me:§' https://example.com/api",
  "curl -d 'user=me&password=§' https://example.com/login",
  `curl -H 'Content-Type: application/json' -d '{"user":"me","password":"§"}' https://example.com/login`,
  "wget --user=me --password=§ https://example.com/a",
  "http -a me:§ example.com/api",
  "ansible-playbook site.yml -e ansible_become_password=§",
  "ansible all -m ping --extra-vars 'ansible_ssh_pass=§'",
  "helm install db bitnami/postgresql --set auth.postgresPassword=§",
  "terraform apply -var 'db_password=§'",
  "export DB_PASSWORD='§' && npm start",
  "set -x DB_PASSWORD §",
  "setx DB_PASSWORD §",
  '$env:DB_PASSWORD = "§"',
  "fly secrets set SESSION=§",
  "heroku config:set ADMIN_PASSWORD=§ -a shop",
  "net user deploy § /add",
  "security add-generic-password -a me -s x -w '§'",
  "passwd --stdin me <<< '§'",
  "rclone config create r webdav user me pass §",
  "snmpwalk -v3 -u me -A '§' -l authNoPriv host",
  "wpa_passphrase home '§'",
  "nmcli dev wifi connect home password '§'",
  "xfreerdp /v:host /u:me /p:§",
  "snowsql -a x -u me --variable password=§",
  "bcp t in f -S db -U sa -P §",
  "influx -username admin -password '§'",
  "cqlsh -u cassandra -p § host",
  "docker run -e MYSQL_ROOT_PASSWORD=§ mysql:8",
  "docker run --env POSTGRES_PASSWORD='§' -d postgres",
  "psql -c \"ALTER USER app WITH PASSWORD '§'\"",
  "mysql -e \"CREATE USER 'a'@'%' IDENTIFIED BY '§'\"",
];

/** Files with a password. */
const FILES: Readonly<Record<string, string>> = {
  ".env": "NODE_ENV=production\nDB_PASSWORD=§\nPORT=3000\n",
  ".env, quoted": 'SMTP_PASS="§"\nSMTP_USER=me\n',
  "compose.yaml, a map": "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: §\n      POSTGRES_USER: app\n",
  "compose.yaml, a list": "services:\n  db:\n    environment:\n      - MYSQL_ROOT_PASSWORD=§\n",
  "application.yaml": "spring:\n  datasource:\n    username: app\n    password: §\n",
  "application.yaml, quoted": 'spring:\n  datasource:\n    password: "§"\n',
  "application.properties": "spring.datasource.username=app\nspring.datasource.password=§\n",
  "application.properties, spaces": "db.user = app\ndb.password = §\n",
  "settings.xml":
    "<settings><servers><server><id>x</id><username>me</username><password>§</password></server></servers></settings>",
  "web.config": '<configuration><appSettings><add key="SmtpPassword" value="§" /></appSettings></configuration>',
  "web.config, single quotes": "<add key='AdminPassword' value='§'/>",
  "context.xml": '<Resource name="jdbc/x" username="app" password="§" driverClassName="x"/>',
  "beans.xml": '<bean><property name="password" value="§"/></bean>',
  "beans.xml, a body": '<property name="dbPassword">\n  <value>§</value>\n</property>',
  "strings.xml": '<string name="signing_password">§</string>',
  "settings.py": "DATABASES = {'default': {'ENGINE': 'x', 'PASSWORD': '§', 'USER': 'app'}}\n",
  "settings.py, a key": "DEBUG = False\nSECRET_KEY = '§'\nALLOWED_HOSTS = []\n",
  "settings.py, mail": "EMAIL_HOST_USER = 'me'\nEMAIL_HOST_PASSWORD = '§'\n",
  "wp-config.php": "define( 'DB_USER', 'wp' );\ndefine( 'DB_PASSWORD', '§' );\n",
  "database.php": "'mysql' => ['username' => 'app', 'password' => '§'],",
  "database.yml": "production:\n  adapter: postgresql\n  password: '§'\n",
  "secrets.yml": "production:\n  secret_key_base: §\n",
  "my.cnf": "[client]\nuser=root\npassword=§\n",
  ".pgpass": "db.example.com:5432:shop:app:§\n",
  ".netrc": "machine example.com\n  login me\n  password §\n",
  ".htpasswd, apr1": "admin:$apr1$Zx1Kq9aa$§\n",
  ".htpasswd, bcrypt": "admin:$2y$05$§\n",
  ".htpasswd, sha": "admin:{SHA}§\n",
  shadow: "root:$6$Qw3rTyUi$§:19000:0:99999:7:::\n",
  "terraform.tfvars": 'region = "eu"\ndb_password = "§"\n',
  "variables.tf": 'variable "db_password" {\n  type    = string\n  default = "§"\n}\n',
  "secret.yaml": "apiVersion: v1\nkind: Secret\nstringData:\n  username: app\n  password: §\n",
  "deployment.yaml": "env:\n  - name: DB_PASSWORD\n    value: §\n  - name: PORT\n    value: '80'\n",
  "deployment.yaml, quoted": 'env:\n  - name: REDIS_PASSWORD\n    value: "§"\n',
  "task-definition.json": '{"environment":[{"name":"DB_PASSWORD","value":"§"},{"name":"PORT","value":"80"}]}',
  "appsettings.json": '{"ConnectionStrings":{"Default":"Server=db;Database=shop;User Id=app;Password=§;"}}',
  "config.json": '{\n  "smtp": {\n    "user": "me",\n    "password": "§"\n  }\n}',
  "config.toml": '[database]\nuser = "app"\npassword = "§"\n',
  "config.ini": "[mail]\nuser = me\npassword = §\n",
  "inventory.ini": "web1 ansible_host=10.0.0.1 ansible_user=me ansible_password=§\n",
  "rabbitmq.conf": "default_user = app\ndefault_pass = §\n",
  "redis.conf": "port 6379\nrequirepass §\n",
  "pip.conf": "[global]\nindex-url = https://me:§@pypi.example.com/simple\n",
  "wpa_supplicant.conf": 'network={\n  ssid="home"\n  psk="§"\n}\n',
  "seed.sql": "CREATE ROLE app WITH LOGIN PASSWORD '§';\n",
  "grants.sql": "CREATE USER 'app'@'%' IDENTIFIED BY '§';\n",
  "db.ts": 'const pool = new Pool({ user: "app", password: "§", port: 5432 });',
  "db.py": 'conn = psycopg2.connect(host="db", user="app", password="§")',
  "Db.java": 'DriverManager.getConnection(url, props.setProperty("password", "§"));',
  "Db2.java": 'dataSource.setPassword("§");',
  "db.go": 'cfg := Config{User: "app", Password: "§"}',
  "db.rb": "Mysql2::Client.new(username: 'app', :password => '§')",
  "db.cs": 'var connection = "Server=db;User Id=sa;Password=§;Encrypt=true";',
  "db.rs": 'let db_password = "§";',
  "db.swift": 'let adminPassword: String = "§"',
  "db.kt": 'val password = "§"',
  "db.c": '#define WIFI_PASSWORD "§"',
  "db.sh": "readonly ADMIN_PASSWORD='§'\n",
  "db.ps1": '$cred = ConvertTo-SecureString "§" -AsPlainText -Force',
  "login.html": '<input type="password" name="password" value="§">',
  Dockerfile: "FROM node:20\nENV ADMIN_PASSWORD=§\n",
  "Dockerfile, old": "FROM node:20\nENV ADMIN_PASSWORD §\n",
  Jenkinsfile: "environment { NEXUS_PASSWORD = '§' }",
};

/** Where a random value stands under a name that says key or token. */
const NAMED: readonly string[] = [
  "API_KEY=§",
  "export OPENWEATHER_KEY=§",
  "const apiKey = '§';",
  'stripe_key: "§"',
  "maps_key: §\n",
  "encryption_key = §\n",
  'ENCRYPTION_KEY="§"',
  "signingKey: '§',",
  'client = Client(api_key="§")',
  "https://api.example.com/v1?api_key=§&q=berlin",
  "https://api.example.com/v1?q=berlin&access_token=§",
  "https://api.example.com/v1?key=§",
  "curl -H 'X-Api-Key: §' https://example.com",
  "curl -H 'X-Acme-Token: §' https://example.com",
  "curl -H 'apikey: §' https://example.com",
  "curl -H 'Authorization: Token §' https://example.com",
  "curl -H 'Authorization: §' https://example.com",
  "curl -F token=§ https://example.com/upload",
  "tool --api-key § run",
  "tool --token=§ run",
  "tool --auth-token '§' run",
  "tool --access-key § --secret-key x",
  "npm config set //registry.example.com/:_authToken §",
  "//registry.example.com/:_authToken=§",
  "_auth=§",
  "[pypi]\nusername = __token__\npassword = §\n",
  "<apiKey>§</apiKey>",
  '<add key="ApiKey" value="§"/>',
  '<meta-data android:name="com.google.android.geo.API_KEY" android:value="§"/>',
  '"access_token": "§"',
  "'refresh_token': '§'",
  '"private_key_id": "§"',
  "app.jwt.secret=§",
  "JWT_SECRET: §\n",
  "jwt_secret = '§'",
  "session.cookie_secret = '§'",
  "SESSION_SECRET='§'",
  "WEBHOOK_SECRET=§",
  "hmac_key: §\n",
  "client_secret: §\n",
  'clientSecret = "§"',
  "consumer_secret => '§'",
  "aws_session_token = §",
  "TF_VAR_cloud_token=§ terraform plan",
  'SENTRY_AUTH_TOKEN="§"',
  "set -gx DEPLOY_TOKEN §",
  "setx DEPLOY_TOKEN §",
  "azure_storage_key: '§'",
  'storage_account_access_key = "§"',
  "kind: Secret\ndata:\n  token: §\n",
  "env:\n  - name: API_TOKEN\n    value: §\n",
  '{"name":"API_KEY","value":"§"}',
  '{"Key":"api_token","Value":"§"}',
  "config['api_key'] = '§'",
  "config.api_token = '§'",
  'os.environ["SERVICE_TOKEN"] = "§"',
  "process.env.SERVICE_TOKEN = '§'",
  "define('AUTH_KEY', '§');",
  "define('SECURE_AUTH_SALT', '§');",
  'System.setProperty("api.token", "§");',
  "Bearer §",
  '#define API_TOKEN "§"',
  'const char* apiKey = "§";',
  'apiKey := "§"',
  'let token: String = "§"',
  'private static final String API_KEY = "§";',
];

/** Arguments of tools that carry a secret as a value of their own. */
const TOOLS: readonly ((secret: string) => Readonly<Record<string, unknown>>)[] = [
  (secret) => ({ auth: { token: secret } }),
  (secret) => ({ headers: { "X-Api-Key": secret } }),
  (secret) => ({ headers: [{ name: "X-Auth-Token", value: secret }] }),
  (secret) => ({ env: { SERVICE_API_KEY: secret } }),
  (secret) => ({ env: [`SERVICE_TOKEN=${secret}`] }),
  (secret) => ({ config: { credentials: { password: secret } } }),
  (secret) => ({ environment: [{ name: "DB_PASSWORD", value: secret }] }),
  (secret) => ({ variables: [{ key: "DEPLOY_TOKEN", value: secret }] }),
  (secret) => ({ connectionString: `Server=db;User Id=app;Password=${secret};` }),
  (secret) => ({ url: `https://me:${encodeURIComponent(secret)}@example.com/` }),
  (secret) => ({ apiKey: secret }),
  (secret) => ({ clientSecret: secret, clientId: "app" }),
  (secret) => ({ args: ["--password", secret] }),
  (secret) => ({ args: ["redis-cli", "-a", secret] }),
  (secret) => ({ argv: ["mysql", `-p${secret}`] }),
];

/** Ways of writing a text into another one; the secret must not be there as it stands then. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  hex: (text) => Buffer.from(text).toString("hex"),
  url: (text) => encodeURIComponent(text),
  "every byte of an address": (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "JSON in JSON": (text) => JSON.stringify({ body: JSON.stringify({ text }) }),
  "JSON in JSON in JSON": (text) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ text }) }) }),
  "escaped letters": (text) => text.replaceAll(/["'&=:<>]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  "escaped bytes": (text) => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  HTML: (text) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;").replaceAll("<", "&lt;"),
};

/** Texts that hold a secret and may be encoded whole. */
const ENCODED: readonly string[] = [
  "password=§",
  '{"user":"me","password":"§"}',
  "DB_PASSWORD=§\nPORT=3000\n",
  "postgres://app:§@db/shop",
  "<password>§</password>",
  "Authorization: Bearer §",
];

/** Every place for this seed. */
export function secretPlaces(seed: number): SecretPlace[] {
  const random = numbers(seed);
  const of = (makers: readonly ((random: Random) => string)[], index: number) =>
    (makers[index % makers.length] as (random: Random) => string)(random);
  const found: SecretPlace[] = [];
  const add = (place: string, args: Readonly<Record<string, unknown>>, hidden: string) =>
    found.push({ place, args, hidden });
  for (const [index, command] of COMMANDS.entries())
    for (const turn of [0, 1, 4]) {
      const bare = of(PASSWORDS, index + turn);
      const secret = command.includes("://") || !/['"]§/.test(command) ? bare.replaceAll(/[&#]/g, "_") : bare;
      add(command, { command: command.replaceAll("§", secret) }, secret);
    }
  for (const [index, [name, text]] of Object.entries(FILES).entries())
    for (const turn of [0, 4]) {
      const bare = of(PASSWORDS, index + turn);
      const secret = text.includes("://") || name.startsWith(".ht") ? bare.replaceAll(/[&#+!]/g, "x") : bare;
      add(name, { file_path: name.split(",")[0], content: text.replaceAll("§", secret) }, secret);
    }
  for (const [index, text] of NAMED.entries())
    for (const turn of [0, 2, 3]) {
      const secret = of(RANDOM, index + turn);
      const shown = /[?&]/.test(text) ? encodeURIComponent(secret) : secret;
      add(text, { content: `before\n${text.replaceAll("§", shown)}\nafter` }, shown);
    }
  for (const [index, make] of TOOLS.entries())
    for (const turn of [0, 1]) {
      const secret = of(turn === 0 ? RANDOM : KNOWN, index + turn);
      add(`arguments of a tool, ${index}`, make(secret), secret);
    }
  for (const [name, encode] of Object.entries(ENCODINGS))
    for (const [index, text] of [...ENCODED, "§"].entries()) {
      const secret =
        text === "§" || text.includes("Bearer") ? of(KNOWN, index) : of(PASSWORDS, index).replaceAll(/[&#]/g, "x");
      const encoded = encode(text.replaceAll("§", secret));
      const isWhole = encoded.includes(secret);
      add(
        `${name} of ${text}`,
        { command: `send '${encoded}' now` },
        isWhole ? secret : hiddenPart(encode, encoded, text, secret),
      );
    }
  return found;
}

/** What of an encoded text is the secret: all of it where one letter cannot be told from another. */
function hiddenPart(encode: (text: string) => string, encoded: string, text: string, secret: string): string {
  const alone = encode(secret);
  return text !== "§" && encoded.includes(alone) ? alone : encoded.slice(8, -8);
}

/** Long strings that are no secrets, for this seed: at least `count` of them. */
export function harmlessTexts(seed: number, count: number): string[] {
  const random = numbers(seed);
  const hex = (length: number) => letters(random, "0123456789abcdef", length);
  const word = () => WORDS[Math.floor(random() * WORDS.length)] as string;
  const words = (number: number, by: string) => Array.from({ length: number }, word).join(by);
  const camel = (number: number) =>
    Array.from({ length: number }, word)
      .map((one, index) => (index === 0 ? one : `${one[0]?.toUpperCase()}${one.slice(1)}`))
      .join("");
  const number = () => Math.floor(random() * 10_000);
  const makers: readonly (() => string)[] = [
    () => `git show ${hex(40)}`,
    () => `"integrity": "sha512-${letters(random, `${MIXED}+/`, 86)}=="`,
    () => `docker pull ghcr.io/acme/app@sha256:${hex(64)}`,
    () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    () => `src/${words(3, "/")}/${camel(3)}.ts:${number()}`,
    () => `import { ${camel(4)} } from "./${words(3, "-")}.js";`,
    () => `const ${camel(3)}Key = "${words(3, "-")}";`,
    () => `key: "${words(2, ".")}.${word()}"`,
    () => `<Row key="${words(3, "_")}" name="${camel(2)}" />`,
    () => `localStorage.getItem("${words(3, ":")}:token")`,
    () => `function ${camel(3)}Token(token: string, key: keyof ${camel(2)}): Promise<string> {`,
    () => `const token = await ${camel(3)}(request.headers.authorization);`,
    () => `password: z.string().min(${number()}).max(128),`,
    () => `passwordHash = await bcrypt.hash(password, ${number()});`,
    () => `if (password !== confirmPassword) throw new ${camel(3)}("${words(5, " ")}");`,
    () => `expect(screen.getByLabelText("Password")).toHaveValue("");`,
    () => `SECRET_KEY = os.environ["${words(2, "_").toUpperCase()}_SECRET_KEY"]`,
    () => `api_key: \${{ secrets.${words(2, "_").toUpperCase()}_API_KEY }}`,
    () => `DB_PASSWORD=\${DB_PASSWORD:?${words(3, " ")}}`,
    () => `--token-file /run/secrets/${words(2, "_")}`,
    () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${letters(random, MIXED, 43)} me@host`,
    () => `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${letters(random, `${MIXED}+/`, 200)}`,
    () => `https://cdn.example.com/assets/index-${letters(random, MIXED, 8)}.js?v=${hex(8)}`,
    () => `https://example.com/search?q=${words(4, "%20")}&page=${number()}&sort=${word()}`,
    () => `echo ${Buffer.from(words(6, " ")).toString("base64")} | base64 -d`,
    () => `printf '${Buffer.from(words(4, " ")).toString("hex")}' | xxd -r -p`,
    () => `SELECT id, password_hash, token FROM ${word()} WHERE key = ${number()} ORDER BY ${word()}`,
    () => `ALTER TABLE ${word()} ADD COLUMN reset_token varchar(${number()})`,
    () => `max_tokens: ${number()}, token_count: ${number()}, cache_key: "${words(3, "-")}"`,
    () => `npm install ${words(2, "-")}@${number()}.${number()}.${number()} --save-exact`,
    () => `kubectl get secret ${words(2, "-")} -o jsonpath='{.metadata.name}'`,
    () => `The password field of ${camel(2)} is required and must have ${number()} characters.`,
    () => `ETag: W/"${hex(32)}"\nX-Request-Id: ${hex(16)}-${hex(16)}`,
    () => `toolu_01${letters(random, MIXED, 22)}`,
    () => `${hex(7)}..${hex(7)} ${words(2, "/")} -> origin/${words(2, "-")}`,
    () => `key=${word()} value=${words(2, "-")} primaryKey=${camel(2)}`,
    () => `author: ${word()} auth: basic, keyboard: ${words(2, "-")}, monkey: ${word()}`,
    () => `pass: ${number()}, fail: ${number()}, skipped: ${number()}`,
    () => `PWD=/home/${word()}/${words(2, "/")}${number()} OLDPWD=/home/${word()}${number()}`,
    () => `sk-${words(4, "-")}-${word()}`,
    () => `class="${words(3, "-")} ${words(3, "-")} key-${word()}"`,
    () => `foreign key (${word()}_id) references ${word()}(id), unique key ${words(2, "_")}_${number()}`,
  ];
  return Array.from({ length: count }, (_, index) => (makers[index % makers.length] as () => string)());
}

const WORDS: readonly string[] =
  "account action branch button cache channel client column commit config context cursor customer decision device editor element engine event export factory feature filter folder format handler header history image import index invoice journal kernel layout ledger level library listener manager market matcher member message metric module monitor network notice object option order output package parser payment picture policy process product project query reader record region render report request result router sample schema screen search section server session setting sidebar signal source stream string style summary symbol system table target template thread ticket timer token toolbar tracker update upload user value vector version widget window worker writer".split(
    " ",
  );

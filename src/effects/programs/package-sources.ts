import type { SimpleCommand, Word } from "../parse/command.ts";
import { hostOf } from "../paths.ts";
import { addRoles, type RunReport } from "./call.ts";

/** Reports foreign sources of packages and skipped checks, by the arguments of a package manager. */
export function tellPackageSources({ args }: SimpleCommand, report: RunReport): void {
  const isInstalling = report.roles.includes("package-install");
  let matters = false;
  for (const { text } of args) matters ||= mayMatter(text) || (isInstalling && /[/.]/.test(text));
  if (!matters) return;
  const registries = registriesIn(args);
  if (args.some(isUnchecked)) addRoles(report, ["unverified"]);
  // A package in a file may run code: the origin of the file matters.
  if (isInstalling) report.scripts.push(...args.filter(({ text }) => PACKAGE_FILE().test(text)));
  if (isInstalling && args.some((word) => isPackageAddress(word.text) && !registries.includes(word)))
    addRoles(report, ["foreign-source"]);
  if (registries.some((registry) => !isUsualRegistry(registry))) addRoles(report, ["foreign-source"]);
  if (
    isInstalling &&
    packageWords(args).some(({ text }, at) => isShorthand(report.program, text, args[at - 1]?.text ?? ""))
  )
    addRoles(report, ["foreign-source"]);
  const settings = args.map(({ text }) => text).join(" ");
  if (!SETTING().test(settings)) return;
  if (UNCHECKED_SETTING().test(settings)) addRoles(report, ["unverified"]);
  const registry = args.findLast(({ text }) => /^(?:[\w.-]+=)?[a-z+]+:\/\//i.test(text));
  if (registry !== undefined && !isUsualRegistry({ ...registry, text: registry.text.replace(/^[\w.-]+=/, "") }))
    addRoles(report, ["foreign-source"]);
}

/** The arguments that may name a package: after `exec` only the first one does, and the rest belongs to the program. */
function packageWords(args: readonly Word[]): readonly Word[] {
  const verb = args.findIndex(({ text }) => !text.startsWith("-"));
  if (!/^(?:exec|x|dlx)$/.test(args[verb]?.text ?? "")) return args;
  const named = args.findIndex(({ text }, at) => at > verb && !text.startsWith("-"));
  return named < 0 ? args : args.slice(0, named + 1);
}

/** `npm i owner/repo` is a repository, `brew install owner/tap/name` comes from someone's own collection. */
function isShorthand(program: string, text: string, before: string): boolean {
  if (before.startsWith("-") && !/^-[DSEOgyf]$|^--(?:save|global|dev)/.test(before)) return false;
  if (program === "brew") return /^[\w-]+\/[\w-]+(?:\/[\w@.-]+)?$/.test(text) && !isUsualOwner(text);
  return REPOSITORY_NAMES.test(program) && /^[A-Za-z\d][\w-]*\/[\w.-]+(?:#\S+)?$/.test(text);
}

/** Whether a repository belongs to an owner of widely used tools. */
export function isUsualOwner(repository: string): boolean {
  return USUAL_OWNERS().test(repository);
}

const REPOSITORY_NAMES = /^(?:npm|pnpm|yarn|bun)$/;
/** Owners of widely used tools. */
const USUAL_OWNERS = () =>
  /^(?:homebrew|hashicorp|mongodb|aws|azure|stripe|heroku|supabase|github|oven-sh|vercel|facebook|elastic|fluxcd|derailed|goreleaser|golangci|cloudflare|pulumi|aquasecurity|superfly|doppler\w*|microsoft|google|argoproj|infisical|dagger|grafana|kubernetes|kubernetes-sigs|projectcalico|metallb|cert-manager|jetstack|istio|traefik|longhorn|rook|prometheus-operator|prometheus|prometheus-community|knative|linkerd|flannel-io|cilium|kedacore|nginxinc|nginx|rancher|tektoncd|strimzi|cloudnative-pg|apache|open-telemetry|jaegertracing|datadog|k3s-io|nvidia|googlecloudplatform|googlecontainertools|kubeflow|kyverno|open-policy-agent|external-secrets|crossplane|bitnami\w*|helm|docker|spf13|cli|golang|go-delve|golang-migrate|sqlc-dev|swaggo|air-verse|cosmtrek|a-h|mgechev|securego|gotestyourself|vektra|jesseduffield|charmbracelet|onsi|pressly|bazelbuild|protocolbuffers|grpc-ecosystem|twitchtv|deepmap|oapi-codegen|99designs|google\w*|getsentry|bufbuild|dart-lang|shivammathur)\//i;

/** Most arguments name packages, scripts and files; a path can be a repository only if something is installed. */
function mayMatter(text: string): boolean {
  if (text.charCodeAt(0) === DASH)
    return text.length > 2 ? HINTS().test(text) || text.includes("://") : SHORT.test(text);
  return text.includes(":") || text.includes("=") || SETTING_VERB.test(text);
}

/** Whether an argument is an address from which a package is installed without the registry. */
function isPackageAddress(text: string): boolean {
  return ADDRESS().test(text) && !isLocalAddress(text);
}

/** Whether an address is not encrypted, or names a machine by its IP address: anyone may control its content. */
export function isPlainAddress(text: string): boolean {
  return /^(?:http|ftp|git):\/\/|^https:\/\/\d+\.\d+\.\d+\.\d+(?:[:/]|$)/i.test(text) && !isLocalAddress(text);
}

/** Whether a registry or an index is one that most projects use, or one on this machine. */
export function isUsualRegistry(word: Word): boolean {
  const host = hostOf(word)?.text ?? "";
  return isLocalAddress(word.text) || (USUAL().test(host) && !/^http:/i.test(word.text));
}

/** Registries that the arguments of an installation name, by the options that all package managers share. */
function registriesIn(args: readonly Word[]): readonly Word[] {
  const found: Word[] = [];
  for (const [at, word] of args.entries()) {
    if (word.text.charCodeAt(0) !== DASH) continue;
    const [, name = "", value] = /^(-{1,2}[\w.:@/-]+)(?:=(.*))?$/s.exec(word.text) ?? [];
    if (!REGISTRY_OPTION().test(name)) continue;
    const registry = value === undefined ? args[at + 1] : { ...word, text: value };
    if (registry !== undefined && /^[a-z+]+:\/\//i.test(registry.text)) found.push(registry);
  }
  return found;
}

/** Whether an option makes an installer skip the check of a certificate, a signature or a checksum. */
export function isUnchecked({ text }: Word): boolean {
  return text.charCodeAt(0) === DASH && UNCHECKED().test(text);
}

/** Whether an address is one of this machine, or a file. */
export function isLocalAddress(text: string): boolean {
  return /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?![^/]*@)(?:[:/]|$)|^(?:git\+)?file:/i.test(
    text,
  );
}

const DASH = 45;
const PACKAGE_FILE = () =>
  /^[^-].*\.(?:deb|rpm|apk|pkg|snap|flatpak\w*|msi|vsix|whl|gem|crate|nupkg|t(?:ar\.)?gz|t?xz|zip|jar|conda|AppImage)$/;
const HINTS = () =>
  /^--?(?:no-?(?:gpg|sig|verify|digest|check|ssl|strict|quarantine)|unsafe|tls-|verify|server|additional|Dmaven|DremoteRep|P$|trust|allow|force-yes|insecure|strict|disable|skip|ignore|danger|devmode|accept|set|add|fetch|index|default-index|extra|registry|source|find-links|repo(?:sitory)?(?:=|$)|channel|mirror|git(?:=|$)|o(?:$|[A-Z])|@)/i;
const SHORT = /^-[ifscoxP]$/;
const SETTING_VERB =
  /^(?:config|configure|set|tap|addrepo|add-repository|sources?|remote|remote-add|repo|repository|pin)$/;
/** `config set registry …`, `config --set ssl_verify false`, `tap name address`. */
const SETTING = () =>
  /(?:^|\s)(?:config(?:ure)?(?:-manager)?|set|tap|addrepo|add-repository|sources? (?:add|--add|-a)|(?:remote|repo|repository|pin) add|remote-add|add source|-o|--setopt|--add-repo|--fetch-keys)(?:\s|=|$)/;
const UNCHECKED_SETTING = () =>
  /\b(?:strict-ssl|strictSsl|enableStrictSsl|ssl[-_]?verify|verify[-_]ssl|secure-http|gpgcheck|sslverify)[\s=]+["']?(?:false|0|no|off)\b|\b(?:disable-tls|disable_checksum_validation|AllowInsecureRepositories|AllowUnauthenticated|disable-ssl|http-insecure)[\s=]+["']?(?:true|1|yes)\b|\bssl_verify_mode[\s=]+(?:0|none)\b|\bignore-scripts[\s=]+false\b|\btrusted-host\b|Verify-Peer[\s=]+["']?false/i;
/** `name @ https://…` names a package of Python by its address. */
const ADDRESS = () =>
  /^(?:[\w.[\]-]+\s*@\s*)?(?:(?:git|hg|svn|bzr)\+)?(?:https?|ftp|git|ssh|git\+ssh):\/\/|^(?:\w[\w.-]*@)?git@[\w.-]+:|^(?:gist|bitbucket|gitlab|github):/i;
const REGISTRY_OPTION = () =>
  /^(?:-i|--index-url|--index|--default-index|--extra-index-url|--extra-index|--server|--sources|--additional-urls|-DremoteRepositories|--find-links|-f|--registry|--source|-s|--repository|--repo|--clear-sources|--mirror|-c|--channel|--add-source|--(?:@[\w.-]+:)registry)$/;
const UNCHECKED = () =>
  /^(?:--trusted-host|--allow-unauthenticated|--allow-insecure-repositories|--allow-untrusted|--force-yes|--no-?gpg-?checks?|--no-?signature|--no-?verify-?signatures?|--no-?digest|--no-check-certificate|--no-ssl-verify|--allow-insecure(?:-host)?|--insecure(?:-skip-tls-verify)?|--trust-policy|--strict-ssl=false|--no-strict-ssl|--disable-ssl|--skip-verify|--no-verify-ssl|--ignore-checksums?|--allow-downgrades-unauthenticated|--dangerous|--devmode|--no-verify|--no-quarantine|--allow-empty-checksums|--ignore-security-hash|--no-gpg-verify|--ignore-certs|--unsafe-https|--disable-signing-check|--disable-content-trust|--tls-verify=false|--verify-plugins=false|--unsafely-ignore-certificate-errors|-Dmaven\.wagon\.http\.ssl\.(?:insecure|allowall)|-Dmaven\.resolver\.transport\.http\.ssl\.insecure|--accept-flake-config)(?:=(?!false$).*)?$|^--strict-ssl$/i;
const USUAL = () =>
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|npm\.pkg\.github\.com|pkg\.github\.com|jsr\.io|npmmirror\.com|pypi\.org|pythonhosted\.org|pytorch\.org|pypi\.nvidia\.com|rubygems\.org|crates\.io|anaconda\.org|anaconda\.com|conda\.io|maven\.org|repo\.maven\.apache\.org|gradle\.org|nuget\.org|packagist\.org|hex\.pm|pub\.dev|hackage\.haskell\.org|proxy\.golang\.org|debian\.org|ubuntu\.com|alpinelinux\.org|fedoraproject\.org|archlinux\.org|tuna\.tsinghua\.edu\.cn|mirrors\.aliyun\.com|mirrors\.cloud\.tencent\.com|ustc\.edu\.cn|amazonaws\.com|pkg\.dev|azure\.com|jfrog\.io|r-project\.org|rstudio\.com|posit\.co|bioconductor\.org|r-universe\.dev|julialang\.org|jitpack\.io|google\.com|gstatic\.com|gitlab\.com|github\.com|docker\.io|ghcr\.io)$/;

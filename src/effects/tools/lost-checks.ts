import type { CallPlace, Effect } from "../effect.ts";
import { isDisposable, isOutside } from "../path-class.ts";
import { isSecretFile } from "../programs/secret-files.ts";
import type { CalledTool, ToolAct } from "./tool-call.ts";

/** What a tool for files takes away: a check of the project or of the agent, or the content of a file that is kept nowhere else. */
export function lostFileActs(call: CalledTool, place: CallPlace, known: readonly Effect[]): ToolAct[] {
  const acts: ToolAct[] = [];
  const { input } = call;
  const text = textIn(input, NEW_KEYS);
  const old = textIn(input, OLD_KEYS);
  for (const effect of known) {
    if (effect.does !== "write" && effect.does !== "delete") continue;
    const path = effect.path.text;
    const isKept = effect.by === undefined && isRemoved(effect.does, path, old, text);
    if (isKept) acts.push({ kind: "check-loss", text: path });
    if (effect.does !== "write" || effect.by !== undefined) continue;
    if (DEVICE.test(path)) acts.push({ kind: "file-loss", text: path });
    if (old !== undefined || text === undefined || isDisposable(effect.path, place)) continue;
    const isEmpty = text.trim() === "";
    const isOther = isOutside(effect.path, place);
    if ((isEmpty && (isOther || isSecretFile(path) || BINARY.test(path))) || (isOther && OTHER_DISK.test(path)))
      acts.push({ kind: "file-loss", text: path });
  }
  return acts;
}

/** Whether a file that checks is removed, is left without what it did, or loses the line that checks for keys and flaws. */
function isRemoved(does: "write" | "delete", path: string, old: string | undefined, text: string | undefined): boolean {
  if (does === "delete") return CHECK_FILE().test(path) || SECURITY_FILE().test(path);
  if (text === undefined || !(CHECK_FILE().test(path) || SECURITY_FILE().test(path) || PIPELINE.test(path)))
    return false;
  if (CHECK_FILE().test(path) && isIdle(text)) return true;
  const lost = old?.match(SCANNERS()) ?? [];
  if (lost.some((scanner) => !text.includes(scanner))) return true;
  return SECURITY_FILE().test(path) && SWITCHED_OFF().test(text) && !SWITCHED_OFF().test(old ?? "");
}

/** A script that does nothing but succeed. */
function isIdle(text: string): boolean {
  const lines = text.split(/[\n;]/).map((line) => line.trim());
  return lines.every((line) => /^(?:#.*|exit(?: 0)?|true|:|return(?: 0)?|\. .*husky\.sh.*|set [-+]\w+)?$/.test(line));
}

function textIn(input: CalledTool["input"], keys: readonly string[]): string | undefined {
  return keys.map((key) => input[key]).find((value) => typeof value === "string");
}

const NEW_KEYS =
  "content contents file_text fileText text data new_string newString new_str newStr newText code_edit codeEdit code".split(
    " ",
  );
const OLD_KEYS = "old_string oldString old_str oldStr oldText".split(" ");
/** What git, an editor or an agent runs as a check. */
const CHECK_FILE = () =>
  /(?:^|\/)(?:\.husky\/(?!_\/)[^/]+|\.githooks\/[^/]+|\.git\/hooks\/[^/]+|lefthook\.ya?ml|\.pre-commit-config\.yaml|\.(?:claude|codex|gemini|cursor|qwen|factory|opencode|kiro|windsurf|cline|copilot|amp)\/hooks(?:\/.+|\.json))$/;
/** What a service checks, and who has to look at a change. */
const SECURITY_FILE = () =>
  /(?:^|\/)(?:\.github\/workflows\/[^/]*(?:codeql|secur|gitleaks|trufflehog|secret|scan|semgrep|snyk|trivy|audit|sast|dast|sbom|scorecard|sonar|dependency-review|licen[sc]e|compliance)[^/]*\.ya?ml|(?:\.github\/|docs\/|\.gitlab\/)?CODEOWNERS|\.github\/(?:dependabot\.ya?ml|settings\.ya?ml|rulesets\/.+)|\.gitleaks\.toml|\.snyk|sonar-project\.properties|\.semgrep\.ya?ml|\.trivyignore|\.checkov\.ya?ml|\.secrets\.baseline|SECURITY\.md)$/i;
const PIPELINE =
  /(?:^|\/)(?:\.github\/workflows\/|\.gitlab-ci|\.circleci\/|Jenkinsfile|azure-pipelines|bitbucket-pipelines|\.drone\.yml|\.buildkite\/)/;
/** Programs that look for keys and flaws. */
const SCANNERS = () =>
  /\b(?:gitleaks|trufflehog|detect-secrets|ggshield|codeql|semgrep|snyk|trivy|grype|bandit|brakeman|gosec|checkov|tfsec|kics|sonar\w*|dependency-review|npm audit|pip-audit|cargo audit|cargo deny|govulncheck|osv-scanner|cosign verify|slsa-verifier|commitlint|@[\w-]+\/security[\w-]*)\b/g;
const SWITCHED_OFF = () =>
  /^on:\s*(?:\[\s*\]|\{\s*\}|workflow_dispatch)\s*$|\bif:\s*(?:\$\{\{\s*)?false\b|continue-on-error:\s*true|open-pull-requests-limit:\s*0|\bexit-code:\s*["']?0|\|\|\s*true\s*$/m;
/** Disks and partitions, which hold everything. */
const DEVICE = /^\/dev\/(?:r?disk|[shv]d[a-z]|xvd|nvme|mmcblk|mapper\/|dm-|md\d|loop\d)|^\\\\[.?]\\physicaldrive/i;
/** What no editor of text makes. */
const BINARY =
  /\.(?:keystore|jks|p12|pfx|p8|pem|key|mobileprovision|cer|crt|db|sqlite3?|realm|mdb|png|jpe?g|gif|webp|ico|pdf|zip|t?gz|docx?|xlsx?|pptx?|mp[34]|mov|wav|psd|ai|sketch|fig|parquet|npy|pt|onnx|h5|pkl|bin|dmg|exe|tfstate|kdbx)$/i;
/** Disks that several machines or people use. */
const OTHER_DISK =
  /^(?:\/(?:mnt|media|Volumes|data|nfs|net|srv|backups?|exports?|shares?)\/|\\\\[\w.-]+\\|\/\/[\w.-]+\/)/;

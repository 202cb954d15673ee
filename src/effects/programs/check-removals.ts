/**
 * Whether a run takes checks away: it uninstalls or removes hooks, or makes them unable to run, it switches signatures off, or it
 * starts an agent that acts without a question.
 */
export function removesChecks(program: string, verb: string | undefined, args: readonly string[]): boolean {
  if (HOOK_MANAGERS.test(program)) return args.some((arg) => /^(?:--)?uninstall$/.test(arg));
  if (AGENTS.test(program)) return args.some((arg) => ASKS_NOBODY.test(arg));
  if (verb === "config") return UNSIGNED.test(args.join(" "));
  if (!CHANGES_FILES.test(program) || !args.some((arg) => HOOK_FILE().test(arg.slice(-MAX_PATH)))) return false;
  return program !== "chmod" || args.some((arg) => /^[augo]*-[rw]*x|^0?[0246]{3}$/.test(arg));
}

const MAX_PATH = 300;
const HOOK_MANAGERS = /^(?:husky|lefthook|pre-commit|overcommit|simple-git-hooks)$/;
const AGENTS =
  /^(?:claude|codex|gemini|qwen|opencode|cursor-agent|amp|droid|copilot|aider|goose|cline|kiro-cli|auggie|crush)$/;
const ASKS_NOBODY =
  /^--(?:dangerously-skip-permissions|dangerously-bypass-approvals-and-sandbox|dangerously-allow-all|allow-all-tools|yolo|skip-permissions-unsafe)$|^--(?:approval-mode|permission-mode|ask-for-approval|sandbox)=(?:yolo|bypassPermissions|never|danger-full-access)$|^danger-full-access$/;
const UNSIGNED = /\b(?:commit|tag)\.gpgsign (?:false|0|no|off)\b/i;
const CHANGES_FILES = /^(?:rm|chmod|unlink|shred|truncate|trash)$/;
/** Hooks of git and of agents, and the settings that name the latter. */
const HOOK_FILE = () =>
  /(?:^|\/)(?:\.git\/hooks|\.husky|\.githooks)\/(?!.*\.sample$)[^/]+$|(?:^|\/)\.(?:claude|codex|cursor|gemini|factory)\/(?:hooks(?:\/|$)|settings(?:\.local)?\.json$|hooks\.json$)/;

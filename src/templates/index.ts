import type { Hook } from "../hook/hook.ts";
import { formatAfterEdit, noTodoLeft, testsBeforeDone, typecheckAfterEdit } from "./after-edit-templates.ts";
import { limitFileSize, noKeysInCode, protectPaths, protectSecrets, stayInProject } from "./file-templates.ts";
import { checkCommitMessage, noEditOnMain, noForcePush, noGitDiscard, noPushToMain } from "./git-templates.ts";
import { commitAfterEdit, contextGitStatus, gitAutoCommit } from "./git-work-templates.ts";
import { desktopNotification, logAll, logPrompts, notifySessionStart, sessionSummary } from "./session-templates.ts";
import { blockSudo, noCurlPipeShell, noRmRf, noSudo, onePackageManager } from "./shell-templates.ts";
import type { Template } from "./template.ts";

export type { Template, TemplateExample } from "./template.ts";

/** Every template, by its hook's name. */
export const TEMPLATES = Object.freeze({
  log_all: logAll,
  notify_session_start: notifySessionStart,
  git_auto_commit: gitAutoCommit,
  block_sudo: blockSudo,
  no_sudo: noSudo,
  no_rm_rf: noRmRf,
  no_curl_pipe_shell: noCurlPipeShell,
  no_force_push: noForcePush,
  no_push_to_main: noPushToMain,
  no_git_discard: noGitDiscard,
  no_edit_on_main: noEditOnMain,
  check_commit_message: checkCommitMessage,
  one_package_manager: onePackageManager,
  protect_secrets: protectSecrets,
  protect_paths: protectPaths,
  stay_in_project: stayInProject,
  no_keys_in_code: noKeysInCode,
  limit_file_size: limitFileSize,
  commit_after_edit: commitAfterEdit,
  format_after_edit: formatAfterEdit,
  typecheck_after_edit: typecheckAfterEdit,
  no_todo_left: noTodoLeft,
  tests_before_done: testsBeforeDone,
  context_git_status: contextGitStatus,
  desktop_notification: desktopNotification,
  log_prompts: logPrompts,
  session_summary: sessionSummary,
} as const satisfies Record<string, Template>);

/** A template's name, such as `block_sudo`. */
export type TemplateName = keyof typeof TEMPLATES;

/** Hooks that are ready to be registered as they are. They are shared and frozen: a copy can be changed. */
export const HOOK_TEMPLATES = Object.freeze(
  Object.fromEntries(Object.entries(TEMPLATES).map(([name, { hook }]) => [name, hook])),
) as Readonly<Record<TemplateName, Hook>>;

import type { Hook } from "../hook/hook.ts";
import { blockSudo, noSudo } from "./block-sudo.ts";
import { checkCommitMessage } from "./check-commit-message.ts";
import { contextGitStatus } from "./context-git-status.ts";
import { desktopNotification } from "./desktop-notification.ts";
import { formatAfterEdit } from "./format-after-edit.ts";
import { commitAfterEdit, gitAutoCommit } from "./git-auto-commit.ts";
import { limitFileSize } from "./limit-file-size.ts";
import { logAll } from "./log-all.ts";
import { logPrompts } from "./log-prompts.ts";
import { noCurlPipeShell } from "./no-curl-pipe-shell.ts";
import { noEditOnMain } from "./no-edit-on-main.ts";
import { noForcePush } from "./no-force-push.ts";
import { noGitDiscard } from "./no-git-discard.ts";
import { noKeysInCode } from "./no-keys-in-code.ts";
import { noPushToMain } from "./no-push-to-main.ts";
import { noRmRf } from "./no-rm-rf.ts";
import { noTodoLeft } from "./no-todo-left.ts";
import { notifySessionStart } from "./notify-session-start.ts";
import { onePackageManager } from "./one-package-manager.ts";
import { protectPaths } from "./protect-paths.ts";
import { protectSecrets } from "./protect-secrets.ts";
import { sessionSummary } from "./session-summary.ts";
import { stayInProject } from "./stay-in-project.ts";
import type { Template } from "./template.ts";
import { testsBeforeDone } from "./tests-before-done.ts";
import { typecheckAfterEdit } from "./typecheck-after-edit.ts";

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

/** The door of this room: what policies ask about a call. They import nothing else of it. */

export { withoutCases } from "./any-case.ts";
export { callContents } from "./call-content.ts";
export { callEffects, fileToolEffects, toolEffects } from "./call-effects.ts";
export { commandLineOf } from "./command-line.ts";
export { type CommandRun, isCode, isOpaque, isPathChange, runsOf } from "./command-runs.ts";
export { deceptiveParts } from "./deceptive-text.ts";
export {
  type CallEffects,
  type CallPlace,
  type Effect,
  effectText,
  isPathEffect,
  type LookupsFor,
  type PathChange,
  type PathEffect,
  type Role,
  type ToolChanges,
} from "./effect.ts";
export { effectsOf, wrappersOf } from "./effects-by-command.ts";
export { bareName, fromAddress, kindOfCall } from "./file-tools.ts";
export { effectsLabelled, MAX_EFFECTS } from "./labels/effect-labels.ts";
export { isByOwnScript } from "./labels/file-effect-labels.ts";
export { keysIn } from "./labels/key-files.ts";
export { currentBranch, isSharedBranch } from "./labels/shared-branches.ts";
export { linksMade, type MadeLink } from "./made-links.ts";
export { namedFiles } from "./named-files.ts";
export {
  isOurName,
  isRunner,
  isUnclear,
  type OwnCommand,
  onlyShows,
  ownCallsIn,
  ownCommands,
} from "./own-command.ts";
export { GAP, type SimpleCommand, type Word } from "./parse/command.ts";
export { NUL_SIGN } from "./parse/read-command-line.ts";
export { shellWord } from "./parse/value.ts";
export { patchedFiles } from "./patched-files.ts";
export { isDisposable, isEveryName, isOutside, MADE_FOLDERS, MAY_BE_MADE } from "./path-class.ts";
export { compilePathPattern } from "./path-test.ts";
export { climbsBehindName, isAtOrUnder, isStream, pathsInWord, resolvedPath } from "./paths.ts";
export { isReadOnlyRun } from "./programs/apply-row.ts";
export { takesStaged } from "./programs/git-refs.ts";
export { isPackageManager, languageOfEnding, namesOf } from "./programs/index.ts";
export { runsTexts } from "./programs/loaded-code.ts";
export { opensAccess } from "./programs/permissions.ts";
export { killsAll, processOwner } from "./programs/processes.ts";
export { canonicalProgram, isProgram, mayChangeNamed, programNamed } from "./programs/program-name.ts";
export { ITEM } from "./programs/runs.ts";
export { namesSecretFile } from "./programs/secret-files.ts";
export { TERMINAL_HOSTS, TERMINAL_REACH, type TerminalReach } from "./programs/terminals.ts";
export { ROLE_WEIGHTS } from "./role-weight.ts";
export { type SetVariable, variablesSetFor } from "./set-variables.ts";
export { changesPrintedPath, giversOf, originsOf, takesWordsFromInput } from "./substitution-sources.ts";
export { toolSays } from "./tool-meaning.ts";
export { SHOWS_HIDDEN } from "./tree-files.ts";
export { isPlainCode, undescribedChanges } from "./undescribed-changes.ts";

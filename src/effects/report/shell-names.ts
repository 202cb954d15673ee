/** The shells whose command lines can be read; `bash` includes sh, zsh and similar shells. */
export const SHELL_NAMES = ["bash", "powershell", "cmd"] as const;

/** One of the shells in `SHELL_NAMES`. */
export type ShellName = (typeof SHELL_NAMES)[number];

/** The shells of Windows among them. */
export type WindowsShellName = Exclude<ShellName, "bash">;

/** The shell whose language a tool of that name is given, if its name shows it; bash otherwise. */
export function shellOfTool(toolName = ""): ShellName {
  return /power_?shell|pwsh/i.test(toolName) ? "powershell" : "bash";
}

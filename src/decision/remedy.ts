/** A reason that says what to do instead, where somebody wrote that down; what it says already is not said again. */
export function withRemedy(reason: string | undefined, remedies: readonly string[]): string | undefined {
  const unsaid = remedies.filter((remedy) => !reason?.includes(remedy));
  if (unsaid.length === 0) return reason;
  const step = `Do instead: ${unsaid.join(", or ")}`;
  const said = reason?.trim() ?? "";
  if (said === "") return step;
  return /[\p{L}\p{N})"'`]$/u.test(said) ? `${said}. ${step}` : `${said} ${step}`;
}

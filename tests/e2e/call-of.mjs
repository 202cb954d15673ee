/** Command lines of calls that every agent makes with its own shell tool. */
export const SHELL_LINES = { show: "cat read.txt" };

/** One call as this agent's model would ask for it. */
export function callOf(agent, kind, place) {
  return agent.calls[kind]?.(place) ?? shellCall(agent, SHELL_LINES[kind], place);
}

/** The agent's shell call with another command line. */
export function shellCall(agent, line, place) {
  return JSON.parse(JSON.stringify(agent.calls.shell(place)).replaceAll("touch shell.txt", () => line));
}

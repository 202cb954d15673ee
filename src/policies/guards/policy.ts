/** What the user may say about a rule: `monitor` records what it would have said. */
export const SEVERITIES = ["off", "monitor", "warn", "ask", "deny"] as const;
export type Severity = (typeof SEVERITIES)[number];

// Stands where a model would be: whatever is asked, it answers with the same message of texts and calls.

/** One message of an assistant: text, and calls of tools. */
export function scriptedAnswer(prompt) {
  return [
    { type: "text", text: `You said “${prompt}”. I look at the middleware, and begin at once.` },
    { type: "tool_use", name: "read_file", input: { path: "src/auth/middleware.ts" } },
    { type: "tool_use", name: "write_file", input: { path: "src/auth/middleware.ts", content: BEARER } },
    { type: "text", text: "If that was stopped, then for want of an intent. I select one and try again." },
    { type: "tool_use", name: "select_active_intent", input: { intent_id: "INT-001" } },
    { type: "tool_use", name: "write_file", input: { path: "src/auth/middleware.ts", content: BEARER } },
    { type: "text", text: "While I am here, the invoices could be rounded as well." },
    { type: "tool_use", name: "write_file", input: { path: "src/billing/invoice.ts", content: "export {};\n" } },
    { type: "text", text: "That belongs to somebody else. The old cookie can go." },
    { type: "tool_use", name: "delete_file", input: { path: "src/auth/old/cookie.ts" } },
  ];
}

/** Calls that the page offers. */
export const EXAMPLES = [
  {
    title: "write in scope",
    tool: "write_file",
    input: { path: "src/auth/token.ts", content: 'export const SCHEME = "Bearer";\n' },
  },
  { title: "write outside", tool: "write_file", input: { path: "src/billing/invoice.ts", content: "export {};\n" } },
  { title: "delete a file", tool: "delete_file", input: { path: "src/auth/old/cookie.ts" } },
  { title: "rm -rf", tool: "run_command", input: { command: "rm -rf src/auth/old" } },
  { title: "read", tool: "read_file", input: { path: "src/auth/middleware.ts" } },
];

const BEARER = `export function isSignedIn(request: { headers: Record<string, string> }): boolean {
  const header = request.headers.authorization ?? "";
  return header.startsWith("Bearer ");
}
`;

// The hooks of every example: what is denied, changed, asked about and added.
import { Hook, HookExecutor, HookRegistry } from "sluice";

const answer = (said) => `cat > /dev/null; echo '${JSON.stringify(said)}'`;

/** Hooks for the tools of the examples, which are named `delete`, `write` and `send`. */
export function exampleExecutor(prefix = "") {
  const registry = new HookRegistry();
  const hooks = [
    { event: `tool:pre_execute:${prefix}delete`, command: 'echo "nothing is deleted on a Friday"; exit 1' },
    {
      event: `tool:pre_execute:${prefix}write`,
      command: answer({ action: "modify", modified_data: { patch: { path: "drafts/a.txt" } } }),
    },
    { event: `tool:post_execute:${prefix}write`, command: answer({ context: "drafts are read every Monday" }) },
    { event: `tool:pre_execute:${prefix}send`, command: answer({ action: "ask", reason: "mail leaves the house" }) },
    { event: "tool:error", command: answer({ context: "the disk is full" }) },
  ];
  registry.loadHooks(hooks.map((hook) => Hook.fromJSON(hook)));
  return new HookExecutor({ registry });
}

/** The calls that every example makes. */
export const CALLS = [
  ["delete", { path: "a.txt" }],
  ["write", { path: "a.txt" }],
  ["send", { path: "a.txt" }],
  ["read", { path: "a.txt" }],
];

/** What the tools would do. */
export const TOOLS = {
  delete: async ({ path }) => `deleted ${path}`,
  write: async ({ path }) => `wrote ${path}`,
  send: async ({ path }) => `sent ${path}`,
  read: async ({ path }) => {
    throw new Error(`${path} is not there`);
  },
};

/** Shows one call, and what its caller was told. */
export function show(name, told) {
  console.log(`${name.padEnd(7)} ${told.replaceAll(/\n+/g, " | ")}`);
}

import { postMessage } from "./channel.mjs";
import { element, fill } from "./element.mjs";

let offered = [];

/** Builds the form once the host has said which tools there are; later states leave what is typed alone. */
export function showTools({ tools }) {
  if (offered.length > 0) return;
  offered = tools;
  fill("examples", ...EXAMPLES.map(exampleButton));
  const options = tools.map(({ name, does }) => element("option", { value: name, title: does }, name));
  const choice = element("select", { name: "tool", "aria-label": "Tool" }, ...options);
  choice.addEventListener("change", () => showFields(choice.value));
  fill("tool-form", choice, element("div", { id: "fields" }), element("button", { type: "submit" }, "Call"));
  document.getElementById("tool-form").addEventListener("submit", call);
  use("write_file", EXAMPLES[0].input);
}

function exampleButton({ title, tool, input }) {
  return element("button", { class: "example", type: "button", onclick: () => use(tool, input) }, title);
}

function use(tool, input) {
  const form = document.getElementById("tool-form");
  form.elements.namedItem("tool").value = tool;
  showFields(tool, input);
}

function showFields(tool, values = {}) {
  const { does, input } = offered.find(({ name }) => name === tool);
  const fields = input.map((name) => {
    const field = element(name === "content" ? "textarea" : "input", { name, rows: name === "content" && "4" });
    field.value = values[name] ?? "";
    return element("label", {}, name, field);
  });
  fill("fields", element("p", { class: "quiet" }, does), ...fields);
}

function call(happening) {
  happening.preventDefault();
  const { tool, ...input } = Object.fromEntries(new FormData(happening.target));
  postMessage({ kind: "call_tool", tool, input });
}

const EXAMPLES = [
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

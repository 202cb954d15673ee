import { postMessage } from "./channel.mjs";
import { element } from "./element.mjs";

/** One card for each intent; the one that the session works on is marked. */
export function intentCards({ intents, selected }) {
  if (intents.length === 0) return [element("p", { class: "quiet" }, "No intent is declared.")];
  return intents.map((intent) => card(intent, intent.id === selected));
}

function card({ id, name, status, owned_scope = [], constraints = [], acceptance_criteria = [] }, isSelected) {
  const select = () => postMessage({ kind: "call_tool", tool: "select_active_intent", input: { intent_id: id } });
  return element(
    "article",
    { class: "intent", "data-intent": id, "data-selected": String(isSelected), "data-status": status },
    element(
      "header",
      {},
      element("strong", {}, id),
      element("span", { class: "badge" }, status.replace("_", " ").toLowerCase()),
      element("button", { onclick: select, disabled: isSelected }, isSelected ? "Selected" : "Select"),
    ),
    element("p", {}, name),
    element("p", { class: "paths" }, ...owned_scope.map((path) => element("code", {}, path))),
    ...[...constraints, ...acceptance_criteria].map((text) => element("p", { class: "quiet" }, text)),
  );
}

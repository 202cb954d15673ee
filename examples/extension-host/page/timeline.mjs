import { postMessage } from "./channel.mjs";
import { element } from "./element.mjs";

/** What was said and called, the latest first. */
export function timelineItems({ timeline, questions }) {
  if (timeline.length === 0) return [element("li", { class: "quiet" }, "Nothing was called yet.")];
  const waiting = new Set(questions.map((question) => question.call));
  return timeline.toReversed().map((entry) => (entry.type === "text" ? words(entry) : call(entry, waiting)));
}

/** What waits for a person, with the two answers. */
export function questionCards({ questions }) {
  return questions.map(({ id, tool, input, reasons }) => {
    const answer = (approved) => () => postMessage({ kind: "answer", question: id, approved });
    return element(
      "article",
      { class: "question", role: "alertdialog", "aria-label": `May ${tool} run?` },
      element("p", {}, element("strong", {}, `May ${tool} run? `), element("code", {}, inputText(input))),
      ...reasons.map((reason) => element("p", {}, reason)),
      element(
        "p",
        {},
        element("button", { class: "approve", onclick: answer(true) }, "Approve"),
        element("button", { class: "deny", onclick: answer(false) }, "Deny"),
      ),
    );
  });
}

function words({ who, text }) {
  return element("li", { class: "words", "data-who": who }, element("span", { class: "badge" }, who), text);
}

function call({ id, tool, input, steps, decision, approved, result }, waiting) {
  const outcome = waiting.has(id) ? "waits for you" : outcomeOf(decision, result);
  return element(
    "li",
    { class: "call", "data-tool": tool, "data-outcome": outcome },
    element(
      "header",
      {},
      element("strong", {}, tool),
      element("code", {}, inputText(input)),
      element("span", { class: "outcome" }, outcome),
    ),
    element("p", { class: "steps" }, ...STEPS.map((step) => stepMark(step, steps))),
    approved === undefined ? "" : element("p", { class: "quiet" }, approved ? "approved by you" : "denied by you"),
    result === undefined ? "" : element("pre", {}, result.text),
  );
}

function outcomeOf(decision, result) {
  if (decision?.allow === false) return decision.code;
  if (result === undefined) return "running";
  return result.ok ? "allowed" : "failed";
}

function stepMark(step, done) {
  return element("span", { "data-done": String(done.includes(step)) }, step);
}

function inputText(input) {
  const { path, command, intent_id } = input;
  return path ?? command ?? intent_id ?? JSON.stringify(input);
}

const STEPS = ["pre-hooks", "dispatch", "tool", "post-hooks", "sidecar", "result"];

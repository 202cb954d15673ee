// What a person has to approve. A question stays open over a reload of the page; an unanswered one is denied.
import { randomUUID } from "node:crypto";

/** The open questions of a host. */
export class Questions {
  #open = new Map();
  #state;
  #seconds;
  #changed;

  constructor(state, { seconds, changed }) {
    this.#state = state;
    this.#seconds = seconds;
    this.#changed = changed;
  }

  /** Puts a decision before the person at the page; true when it is approved. */
  ask({ event, reasons }) {
    const { tool_args: input, tool_use_id: call } = event.data;
    const question = { id: randomUUID(), call, tool: event.toolName, input, reasons: [...reasons] };
    this.#state.questions.push(question);
    this.#changed();
    return new Promise((done) => {
      const timer = setTimeout(() => this.answer(question.id, false), this.#seconds * 1000);
      this.#open.set(question.id, { done, timer });
    });
  }

  /** Answers once; a second answer, or one to a question that was never asked, changes nothing. */
  answer(id, approved) {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    clearTimeout(open.timer);
    const { questions, timeline } = this.#state;
    const [question] = questions.splice(
      questions.findIndex((each) => each.id === id),
      1,
    );
    const entry = timeline.find((each) => each.id === question.call);
    if (entry !== undefined) entry.approved = approved;
    this.#changed();
    open.done(approved);
  }

  /** Denies everything that is still open. */
  close() {
    for (const id of [...this.#open.keys()]) this.answer(id, false);
  }
}

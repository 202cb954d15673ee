// One session of the host, whatever carries its messages: what a page says comes in, what it has to show goes out.
import { basename } from "node:path";
import { createHookEngine } from "sluice";
import { presentAssistantMessage } from "./assistant-message.mjs";
import { Questions } from "./questions.mjs";
import { scriptedAnswer } from "./scripted-assistant.mjs";
import { Sidecar } from "./sidecar.mjs";
import { TOOLS } from "./tools.mjs";

/** Starts a session; `post` sends a message to the page. */
export async function startSession({ root, sessionId, answerWithin = 300, post }) {
  const state = {
    project: basename(root),
    session: sessionId,
    tools: Object.entries(TOOLS).map(([name, { does, input }]) => ({ name, does, input: Object.keys(input) })),
    selected: null,
    intents: [],
    timeline: [],
    questions: [],
    trace: { records: [], verdict: "", map: "" },
  };
  const show = () => post({ kind: "state", state });
  const sidecar = new Sidecar(root);
  const questions = new Questions(state, { seconds: answerWithin, changed: show });
  const engine = createHookEngine({ root, sessionId, onAsk: (decision) => questions.ask(decision) });
  const host = { root, engine, sidecar, state, show };
  let presented = Promise.resolve();
  const present = (blocks) => {
    presented = presented.then(() => presentAssistantMessage(blocks, host)).catch((error) => console.error(error));
  };

  /** What each message of the page sets going. The assistant's calls wait for each other. */
  const received = {
    prompt: ({ text }) => present([{ type: "text", who: "you", text }, ...scriptedAnswer(text)]),
    call_tool: ({ tool, input }) => present([{ type: "tool_use", name: tool, input }]),
    answer: ({ question, approved }) => questions.answer(question, approved),
    ready: show,
  };

  Object.assign(state, await sidecar.read());
  return {
    state,
    /** Takes a message that `checkedMessage` has let pass. */
    receive: (message) => received[message.kind](message),
    /** The page is gone for good: open questions are denied. */
    close: () => questions.close(),
  };
}

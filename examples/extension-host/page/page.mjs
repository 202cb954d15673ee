// The page: shows what the host says, and says what the person does. It decides nothing.
import { onMessage, postMessage } from "./channel.mjs";
import { element, fill } from "./element.mjs";
import { intentCards } from "./intents.mjs";
import { questionCards, timelineItems } from "./timeline.mjs";
import { showTools } from "./tool-form.mjs";
import { traceTable } from "./trace.mjs";

/** What each message of the host changes on the page. */
const SHOWN = {
  state: ({ state }) => {
    const { project, session, trace } = state;
    document.title = `${project} – extension host`;
    fill("project", project);
    fill("session", `session ${session.slice(0, 8)}`);
    fill("verdict", trace.verdict.replace(/^\S+: /, ""));
    fill("questions", ...questionCards(state));
    fill("intents", ...intentCards(state));
    fill("timeline", ...timelineItems(state));
    fill("trace", ...traceTable(state));
    showTools(state);
  },
  heard: () => fill("notices"),
  refused: ({ what, fix }) =>
    fill("notices", element("p", { class: "refused" }, element("strong", {}, what), ` ${fix}`)),
};

onMessage((message) => SHOWN[message.kind]?.(message));

document.getElementById("prompt-form").addEventListener("submit", (happening) => {
  happening.preventDefault();
  postMessage({ kind: "prompt", text: new FormData(happening.target).get("text") });
});

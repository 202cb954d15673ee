import { element, fill, openChannel, showState } from "./parts.ts";

// The page shows what the host sends, and sends what the person does. It decides nothing.
const channel = openChannel();

channel.onMessage((reply) => {
  if (reply.kind === "state") showState(reply.state, channel);
  else if (reply.kind === "heard") fill("notices");
  else fill("notices", element("p", { class: "refused" }, element("strong", {}, reply.what), ` ${reply.fix}`));
});

document.getElementById("prompt-form")?.addEventListener("submit", (happening) => {
  happening.preventDefault();
  const text = new FormData(happening.target as HTMLFormElement).get("text");
  channel.postMessage({ kind: "prompt", text: String(text) });
});

// Shows the effects of the command line in the input, as it is typed.
import { readCommand } from "./effects.js";

const line = document.getElementById("line");
const answer = document.getElementById("answer");

function show() {
  const { effects, unknown, readOnly } = readCommand(line.value);
  const texts = [
    ...effects.map(({ text }) => text),
    ...unknown.map(({ why, what }) => `Not known: ${[why, what].filter(Boolean).join(", ")}`),
    ...(readOnly ? ["It changes nothing."] : []),
  ];
  answer.replaceChildren(
    ...texts.map((text) => {
      const item = document.createElement("p");
      item.textContent = text;
      return item;
    }),
  );
}

line.addEventListener("input", show);
show();

/* The page that `sluice approve setup --passkey` and every confirmation by passkey open. */
import { askPasskey, whyNoPasskey } from "./webauthn.ts";

interface Begun {
  readonly kind: "create" | "use";
  readonly text: string;
  readonly options: object;
}

const app = document.getElementById("app");

/** Asks the server what is wanted; without the code of the terminal it does not say it. */
async function begin(code?: string): Promise<void> {
  const { status, body } = await post("/begin", code === undefined ? {} : { code });
  if (status === 200) return ask(body as unknown as Begun);
  showCode(code === undefined ? undefined : String(body.error ?? ""));
}

function ask({ kind, text, options }: Begun): void {
  const isNew = kind === "create";
  const status = element("p", { role: "status" });
  const confirm = button(isNew ? "Create the passkey" : "Confirm with your passkey", async () => {
    try {
      const answer = await askPasskey(kind, options);
      const { status: code, body } = await post("/end", { answer });
      end(code === 200 ? "Done. Go back to the terminal." : `${body.error ?? "It failed."} Run the command again.`);
    } catch (error) {
      status.textContent = `${(error as Error).message} Try again, or cancel.`;
    }
  });
  confirm.className = "main";
  const cancel = button("Cancel", async () => {
    await post("/cancel", {});
    end("Cancelled. Nothing was changed.");
  });
  const why = whyNoPasskey();
  if (why !== undefined) {
    status.textContent = why;
    confirm.disabled = true;
  }
  show(element("h1", {}, "Sluice"), element("p", { class: "question" }, text), confirm, cancel, status);
  confirm.focus();
}

function showCode(wrong: string | undefined): void {
  const field = element("input", { id: "code", autocomplete: "off", placeholder: "XXXX-XXXX" }) as HTMLInputElement;
  const form = element("form", {});
  const send = element("button", { type: "submit", class: "main" }, "Continue");
  form.append(element("label", { for: "code" }, "The code that the terminal shows"), field, send);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin(field.value);
  });
  show(
    element("h1", {}, "Sluice"),
    form,
    ...(wrong === undefined ? [] : [element("p", { class: "bad", role: "alert" }, wrong)]),
  );
  field.focus();
}

function end(text: string): void {
  show(element("h1", {}, "Sluice"), element("p", { role: "status" }, text));
}

function show(...parts: readonly HTMLElement[]): void {
  app?.replaceChildren(...parts);
}

function button(text: string, act: () => Promise<void>): HTMLButtonElement {
  const made = element("button", { type: "button" }, text) as HTMLButtonElement;
  made.addEventListener("click", () => void act());
  return made;
}

function element(name: string, attributes: Readonly<Record<string, string>>, text = ""): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

async function post(
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

void begin();

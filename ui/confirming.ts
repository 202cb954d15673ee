import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PersonAsks } from "../src/ui-server/wire-summary.ts";
import { post } from "./api.ts";
import { html } from "./html.ts";
import { askPasskey, whyNoPasskey } from "./webauthn.ts";

/** The PIN that a person types beside what it confirms. */
export interface TypedPin {
  /** What goes with the request. */
  readonly typed: { readonly pin?: string };
  readonly clear: () => void;
  /** Nothing is typed, and nothing else can confirm it. */
  readonly isMissing: boolean;
  /** How the passkey comes into it. */
  readonly note: VNode | false;
  readonly field: VNode | false;
}

/** What a person types to confirm something that weakens a protection; `name` says of what it is the PIN. */
export function usePin({ pin, passkey }: PersonAsks, name: string): TypedPin {
  const [text, setText] = useState("");
  const noPasskey = passkey ? whyNoPasskey() : undefined;
  return {
    typed: text === "" ? {} : { pin: text },
    clear: () => setText(""),
    isMissing: text === "" && (pin ? !passkey || noPasskey !== undefined : noPasskey !== undefined),
    note:
      passkey &&
      html`<p class="dim">${noPasskey ?? (pin ? "Without the PIN, the browser asks for your passkey." : "The browser asks for your passkey.")}</p>`,
    field:
      pin &&
      html`<label class="field">PIN <input type="password" inputmode="numeric" autocomplete="off" aria-label=${`PIN for ${name}`} value=${text} onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} /></label>`,
  };
}

interface ToConfirm {
  /** Where the server makes the question for a passkey about this body. */
  readonly path: string;
  readonly body: object;
  readonly asks: PersonAsks;
  readonly pin?: string;
}

/** The proof of a person that goes with a request: a passkey where no PIN was typed; with neither, the terminal asks. */
export async function confirming({ path, body, asks, pin }: ToConfirm, tell: (text: string) => void): Promise<object> {
  if (pin !== undefined) return {};
  if (asks.passkey) {
    const { options } = await post<{ options: { challenge: string } }>(path, body);
    return { proof: { challenge: options.challenge, answer: await askPasskey("use", options) } };
  }
  if (!asks.pin) tell("Answer the question in the terminal in which sluice ui runs…");
  return {};
}

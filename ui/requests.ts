import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RequestList, WireRequest } from "../src/ui-server/wire-summary.ts";
import { get, isLoggedIn, post } from "./api.ts";
import { countText, pathText, plain, spanText } from "./format.ts";
import { html } from "./html.ts";
import { linked } from "./request-link.ts";
import { askPasskey, whyNoPasskey } from "./webauthn.ts";

/** The requests as the server knows them, and what a page does with them. */
export interface Requests {
  /** Undefined before the first answer of the server. */
  readonly list: RequestList | undefined;
  /** How the last answer ended, or what went wrong. */
  readonly message: VNode | false;
  readonly answer: AnswerRequest;
  readonly revoke: (id: string) => void;
}

/** What approving takes. */
type Asks = Pick<RequestList, "pin" | "passkey">;

type AnswerRequest = (
  request: WireRequest,
  how: string,
  more: { readonly pin?: string; readonly reason?: string },
) => void;

/** Reads the requests every few seconds. With the link of a notification it reads one request, once. */
export function useRequests(): Requests {
  const link = isLoggedIn.value ? undefined : linked();
  const [list, setList] = useState<RequestList | undefined>(undefined);
  const [told, setTold] = useState<{ readonly text: string; readonly isBad: boolean } | undefined>(undefined);
  const fail = (error: unknown) => {
    const { message, fix } = error as Error & { fix?: string };
    setTold({ text: [message, fix].filter(Boolean).join(" "), isBad: true });
  };
  const load = async () => {
    if (link === undefined) return setList(await get<RequestList>("/api/requests"));
    const { request, ...asks } = await post<Asks & { readonly request: WireRequest }>("/link", link);
    setList({ pending: [request], grants: [], ...asks });
  };
  useEffect(() => {
    load().catch(fail);
    if (link !== undefined) return;
    const timer = setInterval(() => void load().catch(fail), LOOK_MS);
    return () => clearInterval(timer);
  }, []);

  const answer: AnswerRequest = async (request, how, more) => {
    const usesPasskey = how !== "deny" && list?.passkey === true && !more.pin;
    if (how !== "deny" && list?.pin === false && !usesPasskey)
      setTold({ text: "Answer the question in the terminal in which sluice ui runs…", isBad: false });
    try {
      const proof = usesPasskey ? { proof: await proofFor(request.id, how) } : {};
      const { answered } = await post<{ answered: string[] }>(link === undefined ? "/api/requests/answer" : "/link", {
        ...link,
        ...{ id: request.id, answer: how, ...more, ...proof },
      });
      const others = answered.length > 1 ? ` (${answered.length} calls of the same shape)` : "";
      const text = how === "deny" ? `Denied${others}.` : `Approved${others}. The agent may try again.`;
      setTold({ text, isBad: false });
      if (link === undefined) await load();
      else setList({ pending: [], grants: [], pin: false, passkey: false });
    } catch (error) {
      fail(error);
    }
  };
  const revoke = (id: string) => void post("/api/requests/revoke", { id }).then(load).catch(fail);
  const message =
    told !== undefined &&
    html`<p role=${told.isBad ? "alert" : "status"} class=${told.isBad ? "bad pad" : "note pad"}>${plain(told.text)}</p>`;
  return { list, message, answer, revoke };
}

/** One call that waits, with the buttons that answer it. */
export function RequestCard({
  request,
  asks: { pin, passkey },
  answer,
}: {
  readonly request: WireRequest;
  readonly asks: Asks;
  readonly answer: AnswerRequest;
}): VNode {
  const { id, at, until, agent, root, text, reasons, together, mayShape, isShown, failed } = request;
  const [proof, setProof] = useState("");
  const [reason, setReason] = useState("");
  const typed = (set: (text: string) => void) => (event: Event) => set((event.target as HTMLInputElement).value);
  const approve = (how: string) => {
    answer(request, how, proof === "" ? {} : { pin: proof });
    setProof("");
  };
  const noPasskey = passkey ? whyNoPasskey() : undefined;
  const isMissing = proof === "" && (pin ? !passkey || noPasskey !== undefined : noPasskey !== undefined);
  const deny = () => answer(request, "deny", reason === "" ? {} : { reason });
  const submit = (run: () => void) => (event: SubmitEvent) => {
    event.preventDefault();
    run();
  };
  return html`<article class="request" aria-label=${`Request ${id}`}>
    <p class="dim">${agent || "an agent"} in ${pathText(root)}, waits ${spanText(Date.now() - at)}; ends in ${spanText(Math.max(0, until - Date.now()))}${isShown ? "; the agent shows the question too" : ""}</p>
    <pre class="said" tabindex="0">${plain(text)}</pre>
    ${reasons.map((one) => html`<p>${plain(one)}</p>`)}
    ${together.length > 0 && html`<p>Answered together with ${countText(together.length, "other call")} of the same shape:</p>${together.map((one) => html`<pre class="said" tabindex="0">${plain(one)}</pre>`)}`}
    ${failed.map((one) => html`<p class="bad">A notification failed: ${plain(one)}</p>`)}
    ${passkey && html`<p class="dim">${noPasskey ?? (pin ? "Without the PIN, the browser asks for your passkey." : "The browser asks for your passkey.")}</p>`}
    <form class="answers" aria-label=${`Approve request ${id}`} onSubmit=${submit(() => !isMissing && approve("once"))}>
      ${pin && html`<label class="field">PIN <input type="password" inputmode="numeric" autocomplete="off" aria-label=${`PIN for request ${id}`} value=${proof} onInput=${typed(setProof)} /></label>`}
      ${ANSWERS.filter(([how]) => how !== "shape" || mayShape).map(
        ([how, title]) =>
          html`<button type=${how === "once" ? "submit" : "button"} class=${how === "once" ? "main" : ""} disabled=${isMissing} onClick=${how === "once" ? undefined : () => approve(how)}>${title}</button>`,
      )}</form>
    <form class="answers" aria-label=${`Deny request ${id}`} onSubmit=${submit(deny)}><input type="text" placeholder="Reason for the agent (optional)" aria-label=${`Reason for denying request ${id}`} value=${reason} onInput=${typed(setReason)} /><button type="submit">Deny</button></form>
  </article>`;
}

/** The browser's proof of a passkey for one answer. */
async function proofFor(id: string, answer: string): Promise<{ challenge: string; answer: unknown }> {
  const { options } = await post<{ options: { challenge: string } }>("/api/requests/proof", { id, answer });
  return { challenge: options.challenge, answer: await askPasskey("use", options) };
}

const ANSWERS = [
  ["once", "Approve once"],
  ["30m", "Approve for 30 minutes"],
  ["3 times", "Approve 3 times"],
  ["shape", "Approve this shape in this session"],
] as const;
const LOOK_MS = 3000;

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PersonAsks, RequestList, WireRequest } from "../src/ui-server/wire-summary.ts";
import { get, isLoggedIn, post } from "./api.ts";
import { confirming, usePin } from "./confirming.ts";
import { countText, pathText, plain, spanText } from "./format.ts";
import { html } from "./html.ts";
import { linked } from "./request-link.ts";

/** The requests as the server knows them, and what a page does with them. */
export interface Requests {
  /** Undefined before the first answer of the server. */
  readonly list: RequestList | undefined;
  /** How the last answer ended, or what went wrong. */
  readonly message: VNode | false;
  readonly answer: AnswerRequest;
  readonly revoke: (id: string) => void;
}

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
    const { request, ...asks } = await post<PersonAsks & { readonly request: WireRequest }>("/link", link);
    setList({ pending: [request], grants: [], ...asks });
  };
  useEffect(() => {
    load().catch(fail);
    if (link !== undefined) return;
    const timer = setInterval(() => void load().catch(fail), LOOK_MS);
    return () => clearInterval(timer);
  }, []);

  const answer: AnswerRequest = async (request, how, more) => {
    const body = { id: request.id, answer: how };
    try {
      const proof =
        how === "deny" || list === undefined
          ? {}
          : await confirming({ path: "/api/requests/proof", body, asks: list, ...more }, (text) =>
              setTold({ text, isBad: false }),
            );
      const { answered } = await post<{ answered: string[] }>(link === undefined ? "/api/requests/answer" : "/link", {
        ...link,
        ...{ ...body, ...more, ...proof },
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
  asks,
  answer,
}: {
  readonly request: WireRequest;
  readonly asks: PersonAsks;
  readonly answer: AnswerRequest;
}): VNode {
  const { id, at, until, agent, root, text, reasons, together, mayShape, isShown, failed } = request;
  const { typed, clear, isMissing, note, field } = usePin(asks, `request ${id}`);
  const [reason, setReason] = useState("");
  const approve = (how: string) => {
    answer(request, how, typed);
    clear();
  };
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
    ${note}
    <form class="answers" aria-label=${`Approve request ${id}`} onSubmit=${submit(() => !isMissing && approve("once"))}>
      ${field}
      ${ANSWERS.filter(([how]) => how !== "shape" || mayShape).map(
        ([how, title]) =>
          html`<button type=${how === "once" ? "submit" : "button"} class=${how === "once" ? "main" : ""} disabled=${isMissing} onClick=${how === "once" ? undefined : () => approve(how)}>${title}</button>`,
      )}</form>
    <form class="answers" aria-label=${`Deny request ${id}`} onSubmit=${submit(deny)}><input type="text" placeholder="Reason for the agent (optional)" aria-label=${`Reason for denying request ${id}`} value=${reason} onInput=${(event: Event) => setReason((event.target as HTMLInputElement).value)} /><button type="submit">Deny</button></form>
  </article>`;
}

const ANSWERS = [
  ["once", "Approve once"],
  ["30m", "Approve for 30 minutes"],
  ["3 times", "Approve 3 times"],
  ["shape", "Approve this shape in this session"],
] as const;
const LOOK_MS = 3000;

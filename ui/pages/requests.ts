import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RequestList, WireRequest } from "../../src/ui-server/wire.ts";
import { address, go } from "../address.ts";
import { get, isLoggedIn, post } from "../api.ts";
import { countText, pathText, plain } from "../format.ts";
import { html } from "../html.ts";
import { linked } from "../request-link.ts";

/** Calls that wait for an answer, and the answers that are in force. With the link of a notification, one call. */
export function RequestsPage(): VNode {
  const link = isLoggedIn.value ? undefined : linked();
  const [list, setList] = useState<RequestList | undefined>(undefined);
  const [told, setTold] = useState<{ readonly text: string; readonly isBad: boolean } | undefined>(undefined);
  const fail = (error: unknown) => {
    const { message, fix } = error as Error & { fix?: string };
    setTold({ text: [message, fix].filter(Boolean).join(" "), isBad: true });
  };
  const load = async () => {
    if (link === undefined) return setList(await get<RequestList>("/api/requests"));
    const { request, pin } = await post<{ request: WireRequest; pin: boolean }>("/link", link);
    setList({ pending: [request], grants: [], pin });
  };
  useEffect(() => {
    load().catch(fail);
    if (link !== undefined) return;
    const timer = setInterval(() => void load().catch(fail), LOOK_MS);
    return () => clearInterval(timer);
  }, []);

  const answer = async (
    request: WireRequest,
    how: string,
    more: { readonly pin?: string; readonly reason?: string },
  ) => {
    if (how !== "deny" && list?.pin === false)
      setTold({ text: "Answer the question in the terminal in which sluice ui runs…", isBad: false });
    try {
      const body = { id: request.id, answer: how, ...more };
      const { answered } = await post<{ answered: string[] }>(link === undefined ? "/api/requests/answer" : "/link", {
        ...link,
        ...body,
      });
      const others = answered.length > 1 ? ` (${answered.length} calls of the same shape)` : "";
      setTold({
        text: `${how === "deny" ? "Denied" : "Approved"}${others}. ${how === "deny" ? "" : "The agent may try again."}`,
        isBad: false,
      });
      if (link === undefined) await load();
      else setList({ pending: [], grants: [], pin: false });
    } catch (error) {
      fail(error);
    }
  };
  const end = (id: string) => post("/api/requests/revoke", { id }).then(load).catch(fail);

  const message =
    told !== undefined &&
    html`<p role=${told.isBad ? "alert" : "status"} class=${told.isBad ? "bad pad" : "note pad"}>${plain(told.text)}</p>`;
  if (list === undefined)
    return html`<div class="page">${message || html`<p class="waiting" role="status">Looking for requests…</p>`}</div>`;
  const [, , chosen] = address.value.path.split("/");
  const pending = chosen === undefined ? list.pending : list.pending.filter(({ id }) => id === chosen);
  return html`<div class="page requests">
    <header class="page-head"><h1>${chosen === undefined ? "Requests" : "Request"}</h1>
      <span class="dim" role="status">${countText(pending.length, "call")} ${pending.length === 1 ? "waits" : "wait"} for an answer</span>
      ${chosen !== undefined && link === undefined && html`<button type="button" class="quiet" onClick=${() => go("/requests")}>all requests</button>`}</header>
    ${message}
    ${pending.map((request) => html`<${Request} key=${request.id} request=${request} pin=${list.pin} answer=${answer} />`)}
    ${pending.length === 0 && html`<p class="empty">No call waits for an answer here.</p>`}
    ${
      list.grants.length > 0 &&
      html`<section aria-label="Answers in force"><h2>In force</h2><ul class="grants">${list.grants.map(
        ({ id, answer: kind, on, shape, left, until, by, channel }) =>
          html`<li class="grant"><code>${plain(shape || id)}</code> <span>${kind === "deny" ? "denied" : on === "shape" ? "this shape" : "this call"}, ${left} left, until ${new Date(until).toLocaleTimeString()}, ${by} through ${channel}</span> <button type="button" onClick=${() => end(id)} aria-label=${`End the answer ${id}`}>End</button></li>`,
      )}</ul></section>`
    }
  </div>`;
}

function Request({
  request,
  pin,
  answer,
}: {
  readonly request: WireRequest;
  readonly pin: boolean;
  readonly answer: (request: WireRequest, how: string, more: { pin?: string; reason?: string }) => void;
}): VNode {
  const { id, at, agent, root, text, reasons, together, mayShape, isShown, failed } = request;
  const [proof, setProof] = useState("");
  const [reason, setReason] = useState("");
  const typed = (set: (text: string) => void) => (event: Event) => set((event.target as HTMLInputElement).value);
  const approve = (how: string) => {
    answer(request, how, pin ? { pin: proof } : {});
    setProof("");
  };
  return html`<article class="request" aria-label=${`Request ${id}`}>
    <p class="dim">${agent || "an agent"} in ${pathText(root)}, ${new Date(at).toLocaleTimeString()}${isShown ? "; the agent shows the question too" : ""}</p>
    <pre class="said">${plain(text)}</pre>
    ${reasons.map((one) => html`<p>${plain(one)}</p>`)}
    ${together.length > 0 && html`<p>Answered together with ${countText(together.length, "other call")} of the same shape:</p>${together.map((one) => html`<pre class="said">${plain(one)}</pre>`)}`}
    ${failed.map((one) => html`<p class="bad">A notification failed: ${plain(one)}</p>`)}
    ${pin && html`<label class="field">PIN <input type="password" inputmode="numeric" autocomplete="off" aria-label=${`PIN for request ${id}`} value=${proof} onInput=${typed(setProof)} /></label>`}
    <div class="answers" role="group" aria-label="Approve">${Object.entries(ANSWERS)
      .filter(([how]) => how !== "shape" || mayShape)
      .map(
        ([how, title]) =>
          html`<button type="button" class=${how === "once" ? "main" : ""} disabled=${pin && proof === ""} onClick=${() => approve(how)}>${title}</button>`,
      )}</div>
    <div class="answers" role="group" aria-label="Deny"><input type="text" placeholder="Why, for the model" aria-label=${`Reason for denying request ${id}`} value=${reason} onInput=${typed(setReason)} /><button type="button" onClick=${() => answer(request, "deny", reason === "" ? {} : { reason })}>Deny</button></div>
  </article>`;
}

const ANSWERS: Readonly<Record<string, string>> = {
  once: "Once",
  "30m": "For 30 minutes",
  "3 times": "3 times",
  shape: "This shape, this session",
};
const LOOK_MS = 3000;

/** Messages over HTTP: out with POST /messages, in on one long answer to GET /messages. */
export const httpChannel = () => ({ postMessage, onMessage });

const listeners = new Set();

/** The answer is a message too: `heard`, or `refused` with the reason. */
async function postMessage(message) {
  const body = JSON.stringify(message);
  const headers = { authorization: `Bearer ${token()}`, "content-type": "application/json" };
  const response = await fetch("/messages", { method: "POST", headers, body }).catch(() => undefined);
  if (response === undefined) return tell(GONE);
  tell(response.ok ? HEARD : await response.json());
}

function onMessage(listener) {
  if (listeners.size === 0) listen();
  listeners.add(listener);
}

async function listen() {
  for (;;) {
    const response = await fetch("/messages", { headers: { authorization: `Bearer ${token()}` } }).catch(
      () => undefined,
    );
    if (response === undefined) tell(GONE);
    else if (!response.ok) return tell(await response.json());
    else await hear(response.body.pipeThrough(new TextDecoderStream())).catch(() => tell(GONE));
    await new Promise((done) => setTimeout(done, 1000));
  }
}

/** One line is one message; lines do not come in one piece. */
async function hear(stream) {
  tell(HEARD);
  let rest = "";
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const line of lines) tell(JSON.parse(line));
  }
}

function tell(message) {
  for (const listener of listeners) listener(message);
}

/** Comes once behind the # of the address, which is not sent; a reload finds it in the tab's own storage. */
function token() {
  if (location.hash.length > 1) {
    sessionStorage.setItem("token", location.hash.slice(1));
    history.replaceState(null, "", "/");
  }
  return sessionStorage.getItem("token") ?? "";
}

const HEARD = { kind: "heard" };
const GONE = { kind: "refused", what: "The host does not answer.", fix: "Start it again, and open the new address." };

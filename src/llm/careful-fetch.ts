/** `fetch` that never takes a key to another address, and never reads without end. */
export async function carefulFetch(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...init, redirect: "error" });
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded()), { status, statusText, headers });
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > MOST_BYTES) controller.error(new Error(`the answer is larger than ${MOST_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

const MOST_BYTES = 1024 * 1024;

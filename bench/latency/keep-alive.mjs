import { connect } from "node:net";

/** Posts the same call again and again on one connection; gives the milliseconds from the first byte out to the last one in. */
export async function keepAlive(url, headers, body, rounds) {
  const { hostname, port, host, pathname } = new URL(url);
  const given = {
    Host: host,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
  const request = [`POST ${pathname} HTTP/1.1`, ...lines, "", body].join("\r\n");
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await answered(socket, request);
    samples.push(performance.now() - began);
    // The engine writes its journal right after an answer; no call comes on the heels of another.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  socket.destroy();
  return samples;
}

function answered(socket, request) {
  return new Promise((resolve, reject) => {
    let heard = "";
    const hear = (piece) => {
      heard += piece.toString("latin1");
      const [head, ...rest] = heard.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (rest.length === 0 || rest.join("\r\n\r\n").length < length) return;
      socket.off("data", hear);
      if (head.startsWith("HTTP/1.1 200")) resolve();
      else reject(new Error(`the engine answered ${head.split("\r\n")[0]}`));
    };
    socket.on("data", hear);
    socket.write(request);
  });
}

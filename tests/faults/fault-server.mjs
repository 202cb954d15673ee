// Answers each path with one broken reply, in a thread of its own, for a caller that waits for its children.
import { createServer } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (data) => {
    const index = Number(/^POST \/(\d+)/.exec(data.toString("latin1"))?.[1] ?? 0);
    const { text = "", encoding = "utf8", then = "end" } = workerData[index] ?? {};
    socket.write(Buffer.from(text.replaceAll("PORT", String(server.address().port)), encoding));
    if (then === "end") socket.end();
    if (then === "reset") socket.resetAndDestroy();
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));

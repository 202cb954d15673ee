import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { PlainConnection } from "./plain-connection.ts";

const CALL = "POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}";

it.each([
  ["with another one behind it", [CALL, CALL], { status: 200, body: "" } as const],
  ["which nobody knows", [CALL], undefined],
])("an agent that goes away while its call is answered, %s, is handed to nobody", async (_, pieces, reply) => {
  let answer: (given: typeof reply) => void = () => {};
  const answered = new Promise<typeof reply>((resolve) => {
    answer = resolve;
  });
  const seen: string[] = [];
  const server = createServer((socket) => {
    new PlainConnection(socket, {
      take: () => () => {
        seen.push("asked");
        return answered;
      },
      handOver: () => seen.push("handed over"),
      isOpen: () => true,
      onClose: () => seen.push("closed"),
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(client, "connect");
  for (const piece of pieces) {
    client.write(piece);
    await expect.poll(() => seen).toEqual(["asked"]);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  client.resetAndDestroy();
  // A connection that is not read tells of its end when it is; the answer comes before or after, and says nothing to anybody.
  await new Promise((resolve) => setTimeout(resolve, 50));
  answer(reply);
  await expect.poll(() => seen).toContain("closed");
  expect(seen).toEqual(["asked", "closed"]);
});

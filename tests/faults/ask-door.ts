import { connect } from "node:net";
import type { DoorRequest } from "./door-requests.ts";

/** What is wrong with the answer to a request; nothing where it was denied, or refused as it had to be. */
export async function wrongAnswer(port: number, request: DoorRequest): Promise<string | undefined> {
  const answers = (await answered(port, request.pieces))
    .replace(/^HTTP\/1\.1 100[^\r]*\r\n\r\n/, "")
    .split(/(?=HTTP\/1\.[01] \d{3})/);
  const [first = ""] = answers;
  const isDenied = /^HTTP\/1\.[01] 200[\s\S]*("permissionDecision":\s*"deny"|"decision":\s*"(?:block|deny)")/.test(
    first,
  );
  const told = first.slice(0, 200).replaceAll(/\s+/g, " ");
  if (request.isHonest) return isDenied ? undefined : `was not denied: ${told}`;
  if (request.isForeign && isDenied) return `was answered: ${told}`;
  const passed = answers.find((answer) => /^HTTP\/1\.[01] 2/.test(answer) && !isDenied);
  return passed === undefined ? undefined : `passed: ${passed.slice(0, 200).replaceAll(/\s+/g, " ")}`;
}

/** What comes back until the other side closes, says enough, or is silent for a while. */
function answered(port: number, pieces: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((done) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", async () => {
      for (const piece of pieces) {
        socket.write(piece);
        if (pieces.length > 2) await new Promise((next) => setTimeout(next, 5));
      }
    });
    const end = () => {
      socket.destroy();
      done(text);
    };
    socket.setTimeout(SILENCE, end);
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const [, length] = /^HTTP\/1\.1 (?!100)[\s\S]*?content-length: (\d+)/i.exec(text) ?? [];
      const begin = text.indexOf("\r\n\r\n") + 4;
      if (length !== undefined && begin > 3 && text.length >= begin + Number(length)) setTimeout(end, 30);
    });
    socket.on("error", end);
    socket.on("close", end);
  });
}

/** Longer than any answer takes, shorter than the door waits for the rest of a header. */
const SILENCE = 4000;

import { expect, it } from "vitest";
import { stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { BEST, daemonHome } from "../daemon/daemon-home.ts";
import { addressOf, sluice } from "../daemon/posting.ts";
import { wrongAnswer } from "./ask-door.ts";
import { singleRequests } from "./door-requests.ts";

const HOOKS = `hooks:
  - name: "no"
    event: tool:pre_execute:@shell
    rules: args.command contains "forbidden-program" -> deny("no")
`;
/** What takes long to send, or to be given up, is left to `npm run campaign doors`. */
const LONG =
  /(?<!3,)000|MB|more than|too long|no last chunk|no length|20 digits|go-ahead|huge|each byte|below zero|no number/;

it("refuses or denies a denied call, in whichever way it is posted", async () => {
  const at = daemonHome(HOOKS, BEST);
  expect(sluice(at, "install", "claude-code", "--http", "--yes")).toMatchObject({ code: 0 });
  const door = addressOf(at);
  const wrong: string[] = [];
  try {
    const requests = singleRequests(door, at.root).filter(({ name }) => !LONG.test(name));
    for (const request of requests) {
      const why = await wrongAnswer(door.port, request);
      if (why !== undefined) wrong.push(`${request.name}: ${why}`);
    }
    expect(requests.length).toBeGreaterThan(100);
  } finally {
    await stopDaemon(at.runtimeDir);
  }
  expect(wrong).toEqual([]);
});

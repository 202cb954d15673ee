import { aggregate } from "../../src/decision/aggregate.ts";
import { HookEvent } from "../../src/event/event.ts";
import { remember } from "../../src/trace/remember.ts";

// Remembers 200 decisions as fast as it can: one of several processes that do so at once.
for (let turn = 0; turn < 200; turn++) {
  const command = [process.argv[2], turn, "x".repeat(turn * 40)].join(" ");
  const { problem } = remember(aggregate({ event: HookEvent.toolPreExecute("bash", { command }), results: [] }));
  if (problem) throw problem;
}

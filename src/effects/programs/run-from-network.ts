import { type Call, plays, talks } from "./call.ts";
import type { Word } from "../parse/command.ts";

/** A program fetches code by its address, and runs it at once. */
export function runsFetched(call: Call, address: Word | undefined): void {
  talks(call, "in", address);
  plays(call, "run-code");
  call.told.effects.push({ does: "flow", from: "network", path: undefined, to: "shell", command: call.told.at });
}

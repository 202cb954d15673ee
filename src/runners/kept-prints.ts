import { AsyncLocalStorage } from "node:async_hooks";
import { KeptOutput } from "./kept-output.ts";

/** What was printed while something ran in this process. */
export interface Prints {
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
}

/** Runs code of a hook in this process, and keeps what it prints: standard output belongs to the agent. */
export function keepingPrints<T>(run: () => T): { readonly prints: Prints; readonly value: T } {
  listen();
  const prints = { stdout: new KeptOutput(MOST), stderr: new KeptOutput(MOST) };
  return { prints, value: RUNNING.run(prints, run) };
}

/** From then on each stream asks who is writing; everybody else writes as before. */
function listen(): void {
  if (isListening) return;
  isListening = true;
  for (const name of ["stdout", "stderr"] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
    const instead = (...given: unknown[]): boolean => {
      const prints = RUNNING.getStore();
      if (prints === undefined) return write(...given);
      const [chunk] = given;
      prints[name].add(typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk as Uint8Array));
      const done = given.find((value): value is () => void => typeof value === "function");
      if (done) process.nextTick(done);
      return true;
    };
    stream.write = instead as typeof stream.write;
  }
}

let isListening = false;
const RUNNING = new AsyncLocalStorage<Prints>();
const MOST = 256 * 1024;

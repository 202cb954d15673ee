import { type Call, plays } from "./call.ts";

/** A debugger that other machines reach runs whatever they ask it to. */
export function tellDebugger(call: Call): void {
  if (call.command.args.some(({ text }) => opensDebugger(text))) plays(call, "expose");
}

/** Whether options of a runtime let every machine reach its debugger: `address=*:5005` of Java, `--inspect=0.0.0.0` of Node. */
export function opensDebugger(options: string): boolean {
  return /jdwp\S*\baddress=(?:0\.0\.0\.0|\*|\[?::\]?:)|--inspect(?:-brk|-wait|-port)?=(?:0\.0\.0\.0|\*|\[?::\]?(?::|$))/.test(
    options,
  );
}

/** Whether a word is an address at which every machine is listened to: `0.0.0.0:5678`, `:5678`. */
export function isEveryAddress(text: string): boolean {
  return /^(?:tcp:\/\/)?(?:0\.0\.0\.0|\*|\[?::\]?)?:\d+$|^(?:0\.0\.0\.0|\*|\[?::\]?)$/.test(text);
}

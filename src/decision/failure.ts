/** How a run broke. A fact: what it means for the call is decided elsewhere. */
export type Failure =
  | { readonly why: "exited"; readonly exitCode: number }
  | { readonly why: "timeout"; readonly afterMs: number }
  | { readonly why: "signal"; readonly signal: string; readonly aborted?: true }
  | { readonly why: "not_found"; readonly program: string }
  | { readonly why: "not_executable"; readonly program: string }
  | { readonly why: "spawn_error"; readonly message: string }
  | { readonly why: "output_overflow"; readonly bytes: number }
  | { readonly why: "bad_json"; readonly message: string; readonly got: string }
  | {
      readonly why: "exception";
      readonly message: string;
      /** The hook's own text cannot be read, which was known before the call: its `onError` does not apply. */
      readonly isUncompiled?: true;
    };

/** The fact as a sentence without its subject: `did not finish within 1.5 s`. */
export function describeFailure(failure: Failure): string {
  switch (failure.why) {
    case "exited":
      return `exited with code ${failure.exitCode}`;
    case "timeout":
      return `did not finish within ${failure.afterMs / 1000} s`;
    case "signal":
      return failure.aborted ? "was aborted" : `was ended by ${failure.signal}`;
    case "not_found":
      return `could not find ${failure.program}`;
    case "not_executable":
      return `may not execute ${failure.program}`;
    case "spawn_error":
      return `could not be started: ${failure.message}`;
    case "output_overflow":
      return `printed more than ${Math.floor(failure.bytes / MIB)} MiB and was ended`;
    case "bad_json":
      return `gave an answer that cannot be read (${failure.message}): ${failure.got}`;
    case "exception":
      return `${failure.isUncompiled ? "cannot be read" : "broke"}: ${failure.message}`;
  }
}

const MIB = 1024 * 1024;

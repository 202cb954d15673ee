/** One run of the command, as `spawnSync` would be asked for it. */
export interface CommandRequest {
  readonly args: readonly string[];
  /** A module that is run instead of the command. */
  readonly module?: string;
  /** The launcher of another copy of the command, for which the run takes itself. */
  readonly launcher?: string;
  readonly cwd: string;
  /** The whole environment of the run. */
  readonly env: Readonly<Record<string, string>>;
  /** What the run reads from standard input, in base64. */
  readonly input: string;
  /** The file that the answer is written to. */
  readonly reply: string;
}

/** How the run ended. */
export interface CommandReply {
  readonly code: number;
  /** What it has written to standard output (1) and standard error (2), in order. */
  readonly printed: readonly Printed[];
  /** The run has ended its process: the next one needs another. */
  readonly ended: boolean;
}

export type Printed = readonly [fd: 1 | 2, text: string];

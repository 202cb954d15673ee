/** Changes that no test can notice, by the reason for it: file, what stands there, what the change puts in its place, and on which line. */
export const SURVIVORS: readonly {
  readonly why: string;
  readonly survivors: readonly (readonly [file: string, before: string, after: string, line?: string])[];
}[];

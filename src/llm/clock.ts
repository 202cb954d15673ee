/** Two clocks, in milliseconds. Either alone can lie: people set the one, a restart sets back the other. */
export interface Clock {
  /** Since 1970. */
  wall(): number;
  /** Since the machine started; never set back, and the same for all its processes. */
  steady(): number;
}

/** The clocks of this machine. */
export const SYSTEM_CLOCK: Clock = {
  wall: () => Date.now(),
  steady: () => Number(process.hrtime.bigint() / 1000n) / 1000,
};

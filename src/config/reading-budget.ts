/** What one reading of the configuration may take. */
export interface ReadingBudget {
  /** Whether the processor has worked for longer than a call may wait; asked before each file and each hook. */
  readonly isSpent: () => boolean;
}

/** Begins to count. It is the processor's time: a machine with other work does not make a configuration unreadable. */
export function readingBudget(milliseconds: number): ReadingBudget {
  const began = process.cpuUsage();
  let asked = 0;
  let spent = false;
  return {
    isSpent: () => {
      if (spent || ++asked % BETWEEN_LOOKS !== 0) return spent;
      const { user, system } = process.cpuUsage(began);
      spent = user + system > milliseconds * 1000;
      return spent;
    },
  };
}

/** Asking the system takes longer than reading a hook. */
const BETWEEN_LOOKS = 128;

/** What reading the configuration, or the files of approved hooks, may take in one call. */
export interface ReadingBudget {
  /** Whether the processor has worked for longer than a call may wait; asked before each file and each hook. */
  readonly isSpent: () => boolean;
}

/** Begins to count. It is the processor's time: a machine with other work does not make a configuration unreadable. */
export function readingBudget(milliseconds: number, betweenLooks = BETWEEN_LOOKS): ReadingBudget {
  const began = process.cpuUsage();
  let asked = 0;
  let spent = false;
  return {
    isSpent: () => {
      if (spent || ++asked % betweenLooks !== 0) return spent;
      const { user, system } = process.cpuUsage(began);
      spent = user + system > milliseconds * 1000;
      return spent;
    },
  };
}

/** Asking the system takes longer than reading a hook. */
const BETWEEN_LOOKS = 128;

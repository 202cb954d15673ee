/** Daemons and workers of one home, or only those with these words. */
export function processesOf(home: string, words?: RegExp): number[];

// How V8 runs a program that ends with its first answer: what it would compile for later never pays.
/** Each flag, and what it is otherwise. */
const FLAGS = [
  ["--no-sparkplug", "--sparkplug"],
  ["--no-regexp-peephole-optimization", "--regexp-peephole-optimization"],
  ["--regexp-tier-up-ticks=50", "--regexp-tier-up-ticks=1"],
];

export const RUN_ONCE = FLAGS.map(([flag]) => flag).join(" ");
export const RUN_LONG = FLAGS.map(([, flag]) => flag).join(" ");

/** How much of a command line is read; what goes beyond becomes a doubt. */
export const LIMITS = {
  /** Characters of the line. */
  length: 65_536,
  /** Scripts within scripts. */
  depth: 24,
  commands: 1_200,
  /** Nodes that are visited, with repetitions. */
  steps: 8_000,
  /** Characters of a value that is followed. */
  value: 65_536,
  /** Characters that are parsed altogether, with the texts that are run. */
  parsed: 196_608,
  /** Words that one word may become. */
  fields: 1_024,
  /** Elements of a list that are followed. */
  elements: 256,
  /** Turns of a loop that are followed one by one. */
  turns: 64,
  /** How often the rest of a line is run again after a choice. */
  ways: 6,
} as const;

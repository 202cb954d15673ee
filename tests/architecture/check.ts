import type { SourceFile } from "./source-tree.ts";

/** One rule of the house, with a tree that breaks it: a rule that cannot fail is none. */
export interface Check {
  /** The violations, each as one line that begins with the file. */
  readonly find: (tree: readonly SourceFile[]) => readonly string[];
  /** Made-up files, path to text, that break the rule. */
  readonly breaks: Readonly<Record<string, string>>;
  /** The violations that they cause. */
  readonly violations: readonly string[];
  /** Made-up files that come close and keep the rule. */
  readonly keeps: Readonly<Record<string, string>>;
  /** Violations that are known and on their way out: entries leave this list, none join it. */
  readonly excused?: readonly string[];
}

import { readFileSync } from "node:fs";
import { type OpenBundle, openBundle } from "../../bundle/open-bundle.ts";
import { Problem, problems } from "../../problem/problem.ts";
import type { ReplayChange } from "../../replay/replay-report.ts";

/** Opens a bundle in a file. */
export function openFile(file: string, keys: readonly string[]): OpenBundle {
  try {
    return openBundle(readFileSync(file), keys);
  } catch (error) {
    throw error instanceof Problem ? error.at({ file }) : error;
  }
}

/** What is wrong with a command line of `sluice bundle`. */
export const BUNDLE_USAGE = problems("usage", {
  noSubcommand: ({ known }: { known: readonly string[] }) => ({
    what: "`sluice bundle` needs to know what to do.",
    fix: `There are: ${known.join(", ")}.`,
  }),
  needs: ({ subcommand, option, value }: { subcommand: string; option: string; value: string }) => ({
    what: `\`sluice bundle ${subcommand}\` needs --${option}.`,
    fix: `Write --${option} <${value}>.`,
  }),
  noFolder: ({ folder }: { folder: string }) => ({
    what: folder === "" ? "`sluice bundle build` needs a folder." : `${folder} is no folder.`,
    fix: "Name the folder with hooks.yaml in it.",
  }),
  noNumber: ({ option, text }: { option: string; text: string }) => ({
    what: `--${option} ${text}: not a number.`,
    fix: `Write --${option} 10, for example.`,
  }),
  noTime: ({ text }: { text: string }) => ({
    what: `--expires ${text}: neither a time nor a date.`,
    fix: "Write --expires 30d, or a date such as 2027-01-31.",
  }),
});

/** What stands in the way of a command that was understood. */
export const BUNDLE_PROBLEMS = problems("bundle", {
  opens: ({
    opened,
    hash,
    total,
    sample,
  }: {
    opened: readonly ReplayChange[];
    hash: string;
    total: number;
    sample: string;
  }) => ({
    what: `This bundle would let pass what the published one stops, among the ${total} recorded calls of ${sample}: ${opened
      .slice(0, 5)
      .map(({ from, to, count, shape, said }) => `${count} × ${from} → ${to}: ${shape} (${said})`)
      .join("; ")}. Nothing was published.`,
    fix: `If that is meant, say so: --accept ${hash}.`,
  }),
  keyThere: () => ({
    what: "There is a file already, which may be a key that machines know.",
    fix: "Name another file.",
  }),
  notManaged: () => ({
    what: "No `managed` is configured, in /etc/sluice/hooks.yaml or in your own configuration.",
    fix: 'Write `managed: { url: …, keys: ["ed25519:…"] }` there; docs/bundles.md shows how.',
  }),
  hasExpired: ({ expires }: { expires: string }) => ({
    what: `The bundle has expired on ${expires}; no machine takes it.`,
    fix: "Build a new one.",
  }),
});

import { GAP, type Word } from "../parse/command.ts";
import { patchedFiles, type Strip } from "../patched-files.ts";
import { type Call, deletes, known, reads, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Where the text of a patch is, and how its paths are interpreted. */
interface Patch {
  /** Files that contain it; the standard input if there are none. */
  readonly files?: readonly (Word | undefined)[];
  /** The text itself. */
  readonly text?: string | undefined;
  readonly strip: Strip;
  /** The folder in which its paths begin. */
  readonly folder?: Word | undefined;
}

/** Reports the files that a patch changes; a patch that cannot be read may change any file below the folder. */
export function tellPatch(call: Call, { files = [], text, strip, folder }: Patch): void {
  const named = files.filter((file) => file !== undefined && file.text !== "-");
  for (const file of named) reads(call, file);
  const { report } = call;
  const found = named.length > 0 ? named.map((file) => file && report.textOf(file)) : [text ?? report.handed()];
  const changed = found.flatMap((one) => (one === undefined ? [] : patchedFiles(one, strip)));
  for (const { path, act } of changed) {
    const word = placed(path, folder);
    if (act === "delete") deletes(call, word);
    else writes(call, word);
  }
  if (changed.length > 0 && found.every(isWhole)) return;
  if (changed.length === 0) writes(call, folder ?? known("."), { isTree: true });
  const what = call.command.source.replaceAll(GAP, "…").slice(0, LONGEST_SOURCE);
  report.effects.push({ does: "unknown", doubt: { why: "unread patch", what }, command: report.at });
}

function placed(path: string, folder: Word | undefined): Word {
  const text = folder === undefined || /^[/~]/.test(path) ? path : `${folder.text}/${path}`;
  return { text, isKnown: !text.includes(GAP), isGlob: false };
}

/** Whether the text is known completely, and was not cut off. */
function isWhole(text: string | undefined): boolean {
  return text !== undefined && !text.includes(GAP) && new TextEncoder().encode(text).length < MAX_READ;
}

const LONGEST_SOURCE = 80;
/** A file is read up to this length. */
const MAX_READ = 65_530;

/** The program with which agents change files: its argument or its input is the patch. */
export const AGENT_PATCHES = (): Programs => ({
  "apply_patch applypatch": {
    does: (call) => tellPatch(call, { text: call.command.args[0]?.text, strip: "prefix" }),
    examples: [
      ["apply_patch '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch'", "deletes a.ts"],
      ["applypatch <<'E'\n*** Begin Patch\n*** Add File: b.ts\n+x\n*** End Patch\nE", "writes b.ts"],
      [
        "printf '*** Begin Patch\\n*** Update File: c\\n*** Move to: d\\n@@\\n-a\\n+b\\n*** End Patch' | apply_patch",
        "deletes c",
        "writes d",
      ],
      ["apply_patch", "writes . tree", "unknown: apply_patch"],
    ],
  },
});

import { dirname, resolve } from "node:path";
import type { CallEffects } from "../../effects/effect.ts";
import { readOnce } from "../../fs/read-once.ts";
import { modulesBeside } from "../../trust/code-modules.ts";
import { languagesOf } from "../../trust/script-file.ts";

/**
 * Whether a script that a call runs, or a module beside it that it loads, has a function in it that writes over or removes
 * files: which ones is known only when it runs.
 */
export function scriptsMayDestroy({ scripts }: CallEffects, cwd: string): boolean {
  if (scripts.length === 0) return false;
  const read = readOnce();
  const texts = new Map(scripts.map(({ path, text }) => [resolve(cwd, path), text]));
  // Modules are added while they are looked through.
  for (const [path, text] of texts) {
    if (DESTROYING.test(text)) return true;
    for (const language of languagesOf({ path, text }))
      for (const module of modulesBeside({ path, text, language }, [dirname(path)], read))
        if (texts.size < MOST_FILES && !texts.has(module) && !INSTALLED.test(module))
          texts.set(module, read(module)?.text ?? "");
  }
  return false;
}

const MOST_FILES = 40;
const INSTALLED = /\/(?:node_modules|site-packages|dist-packages|vendor)\//;

/** How the usual languages call what removes, empties, writes over, moves and unpacks files, and start programs. */
const DESTROYING = new RegExp(
  [
    String.raw`\bunlink|\brm(?:tree|_)|\b(?:file_put_contents|extractall|unpack_archive|fileinput|inplace|rimraf)`,
    String.raw`\b(?:r(?:m|emove|ename)|del(?:ete)?|trash|empty|move|copy|truncat)\w{0,30}!?\s{0,9}[({]|\bcp(?:Sync)?\(`,
    String.raw`\b(?:write|append|output)_?(?:Text)?(?:[bB]ytes|File|Json|JSON|String|All|Lines)|\bwrite_text|\bcreateWriteStream`,
    String.raw`\b(?:shutil|FileUtils|shelljs|fs-extra)\b|\b(?:File|Files|IO|Bun|Deno|Pathname)\.(?:write|open|new|create)`,
    String.raw`\bf?open\s{0,9}\(?[^\n;]{0,200}?["'][rbt]{0,3}[wax+>][^"'\n]{0,80}["']`,
    String.raw`\bos\.(?:replace|Create|WriteFile|OpenFile)|\.to_(?:csv|json|excel|parquet|pickle|feather|hdf)\(|\.save\w{0,10}\(`,
    String.raw`\b(?:subprocess|child_process|popen|system|exec(?:a|File|Sync|FileSync)?|spawn(?:Sync)?|shell_exec|passthru|qx|zx|Open3)\b`,
  ].join("|"),
  "m",
);

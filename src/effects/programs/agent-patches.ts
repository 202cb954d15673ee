import type { Programs } from "./program.ts";
import { tellPatch } from "./patch-text.ts";

/** The program by which agents change files: its argument or its input is the patch. */
export const AGENT_PATCHES: Programs = {
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
};

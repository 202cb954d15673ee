import { type Call, has, plays, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that change who may do what with files. */
export const PERMISSIONS: Programs = {
  chmod: {
    options: "recursive|R reference= verbose|v changes|c quiet|f",
    by: "access",
    does: (call) => changes(call, has(call, "reference") || isDashMode(call) ? 0 : 1),
    examples: [
      ["chmod +x run.sh", "permission", "writes run.sh"],
      ["chmod -R 777 /", "permission", "writes / tree"],
      ["chmod -x hook", "permission", "writes hook"],
    ],
  },
  "chown chgrp": {
    options: "recursive|R reference= from= no-dereference|h verbose|v",
    by: "access",
    does: (call) => changes(call, has(call, "reference") ? 0 : 1),
    examples: [["chown -R me:me .", "permission", "writes . tree"]],
  },
  "chattr chflags": {
    options: "R V f v= p=",
    by: "access",
    does: (call) => changes(call, isMode(call) ? 1 : 0),
    examples: [
      ["chattr -i a", "permission", "writes a"],
      ["chattr +i a", "permission", "writes a"],
    ],
  },
  "setfacl nfs4_setfacl": {
    options: "modify|m= remove|x= set= recursive|R default|d remove-all|b remove-default|k modify-file|M= restore=",
    by: "access",
    does: (call) => changes(call, 0),
    examples: [["setfacl -m u:me:rw a", "permission", "writes a"]],
  },
  xattr: {
    options: "r d= w= c p= l s x v",
    by: "access",
    does: (call) => {
      if (has(call, "d", "w", "c")) changes(call, has(call, "w") ? 1 : 0);
    },
    examples: [["xattr -d com.apple.quarantine app", "permission", "writes app"], ["xattr -l app"]],
  },
  "setcap icacls takeown setfattr": {
    options: "r n= v= x=",
    by: "access",
    does: (call) => changes(call, call.told.program === "setcap" ? 1 : 0),
    examples: [["setcap cap_net_raw+ep tool", "permission", "writes tool"]],
  },
};

/** `chmod -x file`: the mode looks like an option. */
function isDashMode({ command }: Call): boolean {
  return command.args.some(({ text }) => /^-[rwxXst]+$/.test(text));
}

/** The flags of `chattr` stand behind `+`, `-` or `=`; those of `chflags` are words. */
function isMode({ told, operands }: Call): boolean {
  return told.program === "chflags" || /^[+=]/.test(operands[0]?.text ?? "");
}

function changes(call: Call, after: number): void {
  plays(call, "permission");
  const isTree = has(call, "recursive", "R", "r");
  for (const path of call.operands.slice(after)) writes(call, path, { isTree });
}

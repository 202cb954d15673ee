import { type Call, has, plays, someArgument, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that change permissions of files. */
export const PERMISSIONS = (): Programs => ({
  chmod: {
    prints: "nothing",
    is: { "uses-keys": true },
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
    is: { "uses-keys": true },
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
      if (someArgument(call, /^-\w*r/) && call.command.args.some(({ text }) => text === "com.apple.quarantine"))
        plays(call, "unverified");
    },
    examples: [["xattr -d com.apple.quarantine app", "permission", "writes app"], ["xattr -l app"]],
  },
  "setcap icacls takeown setfattr": {
    options: "r n= v= x=",
    by: "access",
    does: (call) => {
      // The grants of icacls follow the files.
      const isSwitch = ({ text }: { readonly text: string }) => /^\/[a-z]{1,9}(?::|$)/i.test(text);
      const switches = call.operands.findIndex((word) => isSwitch(word) && call.report.program === "icacls");
      const isTakeown = call.report.program === "takeown";
      const named = isTakeown
        ? call.operands.filter((_, at, all) => /^\/f$/i.test(all[at - 1]?.text ?? ""))
        : call.operands;
      const operands = switches < 0 ? named : named.slice(0, switches);
      changes({ ...call, operands }, call.report.program === "setcap" ? 1 : 0);
    },
    examples: [["setcap cap_net_raw+ep tool", "permission", "writes tool"]],
  },
});

/** `chmod -x file`: the mode looks like an option. */
function isDashMode({ command }: Call): boolean {
  return command.args.some(({ text }) => /^-[rwxXst]+$/.test(text));
}

/** The flags of `chattr` follow `+`, `-` or `=`; those of `chflags` are names. */
function isMode({ report, operands }: Call): boolean {
  return report.program === "chflags" || /^[+=]/.test(operands[0]?.text ?? "");
}

function changes(call: Call, after: number): void {
  plays(call, "permission");
  const isTree = has(call, "recursive", "R", "r") || someArgument(call, /^\/[tr]$/i);
  for (const path of call.operands.slice(after)) writes(call, path, { isTree });
}

/** Whether a run that changes permissions lets every user write, or lets a program act as its owner. */
export function opensAccess(program: string, args: readonly string[]): boolean {
  const opens = OPENS[program];
  return opens !== undefined && args.some((arg) => opens(arg));
}

/** Whether a mode or an entry of an access list lets others read. */
export function showsToOthers(mode: string): boolean {
  return /^0?[0-7]{2}[4567]$|^[ug]*[oa][ugoa]*[+=][wxXst]*r|^\+r|(?:^|[,=m])(?:d(?:efault)?:)?(?:(?:u|user|g|group):[^:,]+|o|other):{1,2}[wx-]*r|(?:everyone|users|\*s-1-1-0|\*s-1-5-11):.*r/i.test(
    mode,
  );
}

/** Groups of Windows that every user belongs to. */
const OPEN_GRANT = /(?:everyone|users|\*s-1-1-0|\*s-1-5-11):.*[fmw]/i;

/** An entry of an access list by which others may write. */
const OPEN_ENTRY = () => /(?:^|[,=])(?:-[mM])?(?:d(?:efault)?:)?o(?:thers?)?::?[rx-]*w|EVERYONE@:[a-zA-Z]*w/;

/** Others may write, or the set-user and set-group bits are set. */
const OPEN_MODE = () =>
  /^(?:[0-7]{0,2}[0-7][0-7][2367]|[2467][0-7]{3}|[2-7][0-7]{4})$|^[ug]*[oa][ugoa]*[+=][rxXst]*w|^\+[rxXst]*w[rxXst]*s?$|[+=][rwxX]*s/;

/** By program, the arguments with which it gives others access. A mask without the bit of others opens every new file to them. */
const OPENS: Readonly<Record<string, (arg: string) => boolean>> = {
  __proto__: null as never,
  chmod: (arg) => isOpenMode(arg) || /^everyone allow\b.*\bwrite/.test(arg),
  install: isOpenMode,
  mkdir: isOpenMode,
  umask: (mask) => /^[0-7]{0,3}[0145]$/.test(mask),
  icacls: (grant) => OPEN_GRANT.test(grant),
  setfacl: (entry) => OPEN_ENTRY().test(entry),
  nfs4_setfacl: (entry) => OPEN_ENTRY().test(entry),
  setcap: () => true,
};

function isOpenMode(arg: string): boolean {
  return OPEN_MODE().test(arg.replace(/^(?:-m|--mode)=?(?=.)/, ""));
}

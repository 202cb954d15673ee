import { fieldOf } from "../parse/value.ts";
import type { Inner } from "../programs/program.ts";

/** What a Tcl or Expect script runs and removes: `exec`, `spawn`, `system`, `file delete`. */
export function readTcl(code: string): Inner[] {
  return code.split(/[;\n[\]]+/).flatMap((piece): Inner[] => {
    const [, run] = /^[\s{]*(?:exec|spawn|system|open\s+["{]?\|)\s*([^{}]+)/.exec(piece) ?? [];
    if (run !== undefined) return [{ runs: "shell", text: fieldOf(bare(run)), via: "" }];
    const [, sent] = /^[\s{]*send\s+(?:--\s+)?"((?:[^"\\]|\\.)*)"/.exec(piece) ?? [];
    if (sent !== undefined) return [{ runs: "shell", text: fieldOf(sent.replaceAll(/\\[rn]/g, "\n")), via: "" }];
    const [, force, path] = /^[\s{]*file\s+delete\s+(-force\s+)?(?:--\s+)?(\S+)/.exec(piece) ?? [];
    if (path === undefined) return [];
    return [{ runs: "words", words: ["rm", force === undefined ? "-f" : "-rf", bare(path)].map(fieldOf), via: "" }];
  });
}

/** Without the options that are Tcl's own, and without what a whole line may be quoted with. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^(?:-(?:ignorestderr|keepnewline|noecho|nottycopy|--)\s+)+/, "")
    .replace(/^"([^"]*)"$/, "$1")
    .replace(/["}]$/, (sign) => (text.includes(sign === "}" ? "{" : '"') && !/^["{]/.test(text.trim()) ? sign : ""));
}

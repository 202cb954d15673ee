import type { Act } from "../act/act.ts";
import { GAP } from "../shell/command.ts";
import { isSubstitutedIn } from "../shell/insertions.ts";
import { nameOf } from "../shell/paths.ts";
import type { Run } from "./effect-word.ts";

/** Whether a run shows a variable that by its name holds a key or a password; what is piped on is not shown. */
export function printsKey({ program, command: at }: Run, { commands }: Act): boolean {
  const name = nameOf(program);
  if (!PRINTERS.test(name)) return false;
  const command = commands[at];
  if (command === undefined || command.redirects.some(({ way }) => way !== "read")) return false;
  const names =
    name === "printenv"
      ? command.args.map(({ text }) => text)
      : command.args.some(({ text }) => text.includes(GAP))
        ? [...command.source.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map(([, braced, bare]) => braced ?? bare ?? "")
        : [];
  if (!names.some((each) => KEY.test(each))) return false;
  return !commands.some(
    (other) =>
      other !== command &&
      ((other.input.from === "commands" && other.input.of.includes(at)) || isSubstitutedIn(command, other)),
  );
}

const PRINTERS = /^(?:echo|printf|printenv)$/;
const KEY = /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|(?:ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING)_KEY)$/i;

import { type Field, fieldOf } from "../../parse/value.ts";
import { optionsOf, type Wrapper } from "./wrapper.ts";

interface RemoteShell {
  /** The words that must stand first. */
  readonly verbs: readonly string[];
  /** Options whose value is a command line. */
  readonly text?: string;
  /** Other options that take a value. */
  readonly valued?: string;
  /** Words of its own before the command; nothing when only an option holds it. */
  readonly skips?: number;
  readonly example: string;
}

/** Programs that bring a command to a device, a cloud or many machines, to be run by a shell there. */
const SHELLS: Readonly<Record<string, RemoteShell>> = {
  adb: { verbs: ["shell"], valued: "-s -t -H -P", skips: 0, example: "adb shell rm x" },
  heroku: { verbs: ["run"], valued: "-a --app -s --size --type", skips: 0, example: "heroku run -a app 'rm x'" },
  fly: { verbs: ["ssh", "console"], text: "-C --command", valued: "-a --app", example: "fly ssh console -C 'rm x'" },
  flyctl: { verbs: ["ssh", "console"], text: "-C --command", example: "flyctl ssh console --command 'rm x'" },
  gcloud: {
    verbs: ["compute", "ssh"],
    text: "--command",
    valued: "--zone --project",
    example: "gcloud compute ssh vm --command='rm x'",
  },
  doctl: { verbs: ["compute", "ssh"], text: "--ssh-command", example: "doctl compute ssh vm --ssh-command 'rm x'" },
  az: {
    verbs: ["vm", "run-command", "invoke"],
    text: "--scripts",
    valued: "-g -n --name --resource-group --command-id",
    example: "az vm run-command invoke -n vm --scripts 'rm x'",
  },
  pdsh: { verbs: [], valued: "-w -x -f -l -u -t", skips: 0, example: "pdsh -w a,b rm x" },
  clush: { verbs: [], valued: "-w -x -f -l -g", skips: 0, example: "clush -w a,b rm x" },
  pssh: { verbs: [], valued: "-h -H -l -p -t -o -e -O", skips: 0, example: "pssh -h hosts rm x" },
  "parallel-ssh": { verbs: [], valued: "-h -H -l -p -t -o -e -O", skips: 0, example: "parallel-ssh -h hosts rm x" },
};

function unwrapWith({ verbs, text = "", valued = "", skips }: RemoteShell): Wrapper["unwrap"] {
  const texts = text.split(" ").filter(Boolean);
  return ({ name, args }) => {
    const options = optionsOf(args, [...texts, ...valued.split(" ")], true);
    if (verbs.some((verb, at) => options.operands[at]?.text !== verb)) return [];
    const lines = options.values(...texts);
    if (lines.length > 0 || skips === undefined) return lines.map((line) => ({ runs: "shell", text: line, via: name }));
    const { operands } = optionsOf(args, valued.split(" "));
    const words = operands.slice(verbs.length + skips);
    const rest = optionsOf(words, valued.split(" ")).operands;
    return rest.length === 0 ? [] : [{ runs: "shell", text: joined(rest), via: name }];
  };
}

function joined(words: readonly Field[]): Field {
  return { ...fieldOf(words.map(({ text }) => text).join(" ")), isKnown: words.every(({ isKnown }) => isKnown) };
}

/** One row per way to a shell elsewhere. */
export const REMOTE_SHELLS: Readonly<Record<string, Wrapper>> = Object.fromEntries(
  Object.entries(SHELLS).map(([name, shell]) => [
    name,
    { unwrap: unwrapWith(shell), examples: [[shell.example, "rm x"]] as const },
  ]),
);

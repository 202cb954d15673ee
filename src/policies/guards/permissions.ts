import type { Guard } from "./guard.ts";
import { lineOf, lineOver, named, type Part } from "./part.ts";

/** Files stay closed to whom they are closed. */
export const permissions: Guard = {
  title: "Opening permissions",
  why: "A file that every user may write is a file that any program can put code into.",
  rules: [
    {
      name: "open-permission",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "Lets every user write, or lets a program run as its owner.",
      tells: (part) => ({
        does: isSetId(part)
          ? `lets ${named(part)} run with the rights of its owner`
          : `lets every user write ${named(part)}`,
        instead: isTree(part) ? [lineOver(part.paths, "chmod", "-R", "u+rwX")] : [closed(part)],
        ask: `who needs ${named(part)}, and for what`,
      }),
    },
    {
      name: "permission-tree",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "Changes the permissions of a whole tree outside of the project.",
      tells: (part) => ({
        does: `changes the permissions of all that lies in ${named(part)}, outside of the project`,
        ask: `to change them, or which file in ${named(part)} needs it`,
      }),
    },
  ],
  get stops() {
    return [
      "chmod 777 run.sh",
      "chmod -R 777 .",
      "chmod a+w config",
      "chmod o+w x",
      "chmod 4755 tool",
      "chmod u+s tool",
      "chmod -R 755 /",
      "chown -R me ~",
      "chmod 666 data.db",
    ];
  },
  get passes() {
    return [
      "chmod +x run.sh",
      "chmod 755 run.sh",
      "chmod 644 a.txt",
      "chmod -R u+rwX build",
      "chmod 600 key.pem",
      "chown me a.txt",
    ];
  },
};

/** The same rights for the owner, and none to write for others. */
function closed(part: Part): string | undefined {
  if (part.program !== "chmod") return undefined;
  return lineOf(part, "chmod", ...part.words.map((word) => ({ ...word, text: narrowed(word.text) })));
}

function narrowed(mode: string): string {
  if (/^[0-7]{3,4}$/.test(mode))
    return mode.slice(-3).replace(/(?<=^.{1,2})[2367]/g, (digit) => String(Number(digit) - 2));
  return /^[ugoa]*[+=][rwxXst]+$/.test(mode)
    ? `u+${mode.replace(/^[^+=]*[+=]/, "").replaceAll(/[st]/g, "") || "x"}`
    : mode;
}

function isTree({ words }: Part): boolean {
  return words.some(({ text }) => /^-\w*R/.test(text));
}

function isSetId({ words }: Part): boolean {
  return words.some(({ text }) => /^[2-7][0-7]{3}$|^[ugoa]*[+=]\w*s/.test(text));
}

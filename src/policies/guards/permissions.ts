import { opensAccess } from "../../effects/index.ts";
import { DENY, type Guard } from "./guard.ts";
import { lineOf, lineOver, named, type Part } from "./part.ts";

/** File permissions are not widened. */
export const permissions: Guard = {
  title: "Opening permissions",
  why: "A file that every user may write is a file that any program can put code into.",
  rules: [
    {
      name: "open-permission",
      ...DENY,
      reason: "Lets every user write, or read keys, or lets a program run as its owner.",
      does: (part) =>
        isSetId(part)
          ? `lets ${named(part)} run with the rights of its owner`
          : opensWriting(part)
            ? `lets every user write ${part.paths.length === 0 ? "what is made from now on" : named(part)}`
            : `lets every user read ${named(part)}, which holds keys or passwords`,
      instead: (part) => (isTree(part) ? [lineOver(part.paths, "chmod", "-R", "u+rwX")] : [closed(part)]),
      ask: "who needs {paths}, and for what",
    },
    {
      name: "permission-tree",
      ...DENY,
      reason: "Changes the permissions of a whole tree outside the project.",
      does: "changes the permissions of everything in {paths}, outside the project",
      ask: "to change them, or which file in {paths} needs it",
    },
  ],
  stops: () => [
    "chmod 777 run.sh",
    "chmod -R 777 .",
    "chmod a+w config",
    "chmod o+w x",
    "chmod 4755 tool",
    "chmod u+s tool",
    "chmod -R 755 /",
    "chown -R me ~",
    "chmod 666 data.db",
  ],
  passes: () => [
    "chmod +x run.sh",
    "chmod 755 run.sh",
    "chmod 644 a.txt",
    "chmod -R u+rwX build",
    "chmod 600 key.pem",
    "chown me a.txt",
  ],
};

/** The same permissions for the owner, without write access for others. */
function closed(part: Part): string | undefined {
  if (part.program !== "chmod") return undefined;
  return lineOf(
    part,
    "chmod",
    ...part.words.map((word) => ({ ...word, text: narrowed(word.text, !opensWriting(part)) })),
  );
}

function opensWriting({ program, words }: Part): boolean {
  return opensAccess(
    program,
    words.map(({ text }) => text),
  );
}

function narrowed(mode: string, isSecret: boolean): string {
  if (isSecret && /^[0-7]{3,4}$/.test(mode)) return `${mode.slice(-3, -2)}00`;
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

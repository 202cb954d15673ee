import type { Command } from "../command.ts";
import { weakensUnless } from "../weakens.ts";

const PACK_OPTIONS = {
  scope: { type: "string", value: "user|project", means: "for this project (the default) or for all of yours" },
  "dry-run": { type: "boolean", means: "only show what would change" },
  offline: { type: "boolean", means: "fetch nothing: only folders and archives on the disk" },
} as const;

/** The verbs about hooks of others: packs, for projects that use them and for their authors, and templates. */
export const PACK_COMMANDS: readonly Command[] = [
  {
    name: "add",
    group: "set up",
    summary: "add packs of hooks: from the registry, a folder or a .tgz; without a name, put back what the lock pins",
    usage: "[name[@range] | ./folder | ./file.tgz]… [--with word=value]… [--scope user|project] [--dry-run]",
    options: {
      with: {
        type: "string",
        multiple: true,
        value: "word=value",
        means: "the value of a parameter; a list has commas",
      },
      ...PACK_OPTIONS,
    },
    words: 99,
    load: () => import("./add.ts"),
  },
  {
    name: "update",
    group: "set up",
    summary: "look for new versions of packs; show what each changes and what it would have meant for the last 30 days",
    usage: "[name…] [--dry-run] [--yes] [--scope user|project]",
    options: { ...PACK_OPTIONS, yes: { type: "boolean", means: "install what is shown, without a question" } },
    words: 99,
    ...weakensUnless("dry-run"),
    load: () => import("./update.ts"),
  },
  {
    name: "remove",
    group: "set up",
    summary: "take packs out again: from `extends`, from the lock and from the disk",
    usage: "<name…> [--scope user|project] [--dry-run]",
    options: { scope: PACK_OPTIONS.scope, "dry-run": PACK_OPTIONS["dry-run"] },
    words: 99,
    ...weakensUnless("dry-run"),
    load: () => import("./remove.ts"),
  },
  {
    name: "packs",
    group: "set up",
    aliasOf: "pack list",
    summary: "list the packs whose hooks are in use here, what each brings, and where it comes from",
    usage: "[--scope user|project]",
    options: { scope: PACK_OPTIONS.scope },
    load: () => import("./packs.ts"),
  },
  {
    name: "pack",
    group: "set up",
    summary: "list the packs whose hooks are in use here; for authors: begin one, check it, try its examples",
    usage: "[list] [--scope user|project] | init <name> | check [folder] | test [folder]",
    options: {
      scope: PACK_OPTIONS.scope,
      name: {
        type: "string",
        value: "name",
        means: "with `init`: the name of the package; that of the folder when left out",
      },
      only: { type: "string", value: "text", means: "with `test`: only hooks and tests with this text in their name" },
    },
    completes: ["list", "init", "check", "test"],
    words: 3,
    load: () => import("./pack.ts"),
  },
  {
    name: "templates",
    group: "set up",
    summary: "list hooks to begin with, show one, or add some to the project",
    usage: "[show <name> | add <name>…]",
    options: {},
    completes: ["show", "add"],
    completesFrom: "templates",
    words: 99,
    load: () => import("./templates.ts"),
  },
];

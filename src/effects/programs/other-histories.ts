import { nameOf } from "../paths.ts";
import { anyOperand, operand, paths } from "./act.ts";
import { argumentText, type Call, known, pieceOf, talks, value, values, writes } from "./call.ts";
import { readOptions } from "./options.ts";
import type { Inner, Programs } from "./program.ts";

/** Version control other than git, and programs that rewrite the history of git. */
export const OTHER_HISTORIES = (): Programs => ({
  bfg: {
    is: { "version-control": true },
    roles: ["history-rewrite", "work-loss"],
    examples: [["bfg --delete-files a", "history-rewrite work-loss"]],
  },
  hg: {
    readOnly:
      "status|st|log|diff|cat|annotate|blame|heads|tip|parents|branches|tags|identify|id|summary|root|manifest|files|grep|locate|paths|showconfig|verify|outgoing|incoming|version|help",
    is: { "version-control": true },
    options: "cwd= repository|R= config=",
    runs: ({ name, args }) =>
      values(readOptions(args, "config="), "config").flatMap((setting): Inner[] => {
        const [, code] =
          /^(?:alias\.[^=]*=!|hooks\.[^=]*=|ui\.(?:editor|ssh)=|pager\.pager=)([\s\S]*)$/.exec(setting.text) ?? [];
        return code === undefined ? [] : [{ runs: "shell", text: { ...setting, text: code }, via: `${name} --config` }];
      }),
    verbs: {
      "strip|prune|evolve|histedit": ["history-rewrite", "work-loss"],
      "update|up|checkout|co": {
        options: "clean|C rev|r= check|c",
        does: [{ when: "clean", roles: ["work-loss"], writes: paths("."), tree: true, forced: true }],
      },
      revert: { options: "all|a rev|r= no-backup|C", when: "all no-backup", roles: ["work-loss"] },
      purge: {
        options: "all print|p",
        does: [{ unless: "print", roles: ["delete", "work-loss"], deletes: paths("."), tree: true, forced: true }],
      },
      push: {
        options: "force|f rev|r=",
        roles: ["network-out"],
        does: [{ when: "force", roles: ["history-rewrite"] }],
      },
      clone: { options: "rev|r= updaterev|u= branch|b= ssh|e= remotecmd= noupdate|U pull", does: arrives },
      "pull|incoming": ["network-in"],
    },
    examples: [
      ["hg pull", "network-in"],
      ["hg strip tip", "history-rewrite work-loss"],
      ["hg update --clean", "work-loss", "writes . tree forced"],
      ["hg update"],
      ["hg --config alias.x='!rm x' x", "runs rm x"],
    ],
  },
  svn: {
    readOnly: "status|stat|st|log|diff|di|info|cat|list|ls|blame|praise|annotate|ann|proplist|propget|help",
    is: { "version-control": true },
    verbs: {
      "delete|del|remove|rm": {
        options: "m|message= force keep-local",
        when: anyOperand(/^[a-z+]+:\/\//),
        roles: ["network-out", "work-loss"],
      },
      revert: {
        options: "recursive|R depth= q remove-added",
        does: [{ when: "recursive depth", roles: ["work-loss"], writes: operand(0, "."), tree: true, forced: true }],
      },
      cleanup: {
        options: "remove-unversioned remove-ignored",
        when: "remove-unversioned remove-ignored",
        roles: ["delete", "work-loss"],
      },
      "checkout|co|export": {
        options: "revision|r= depth= username= password= config-dir= config-option= quiet|q force ignore-externals",
        does: arrives,
      },
      "update|up": ["network-in"],
      "commit|ci": ["network-out"],
    },
    examples: [
      ["svn update", "network-in"],
      [
        "svn export https://h.test/a dir",
        "network-in",
        "fetches from h.test",
        "writes dir tree",
        "network dir flows to file",
      ],
      [
        "svn co https://h.test/a && cd a && make",
        "network-in",
        "fetches from h.test",
        "writes a tree",
        "network a flows to file",
        "network a flows to shell",
        "unknown: make",
      ],
      ["svn revert -R .", "work-loss", "writes . tree forced"],
    ],
  },
  "bzr brz fossil p4 sl darcs": {
    readOnly:
      "status|st|log|diff|info|annotate|blame|cat|root|ls|show|timeline|changes|describe|opened|where|heads|version|help",
    is: { "version-control": true },
    verbs: {
      "revert|uncommit|obliterate|strip|unrecord|amend": ["work-loss"],
      "clean|clean-tree|purge": {
        options: "force|f verily|x dry-run|n preview",
        dry: "dry-run preview",
        roles: ["delete", "work-loss"],
      },
      // With bzr the target is a folder, with fossil a file from which another verb extracts the content.
      "branch|checkout|co|clone|get": { options: "revision|r= user|u|A= private stacked lightweight", does: arrives },
      open: { reads: operand(0), does: [{ writes: paths("."), tree: true, by: "unpack" }] },
      "goto|update|up": { options: "clean|C", when: "clean", roles: ["work-loss"] },
      push: {
        options: "overwrite force|f",
        roles: ["network-out"],
        does: [{ when: "overwrite force", roles: ["history-rewrite"] }],
      },
    },
    examples: [["p4 revert //...", "work-loss"], ["fossil clean --force", "delete work-loss"], ["sl status"]],
  },
  cvs: {
    readOnly: "status|log|diff|annotate|history|version",
    is: { "version-control": true },
    options: "d= z= q Q n r w",
    verbs: {
      "checkout|co|get|export": {
        options: "d= r= D= P A",
        does: (call) => {
          talks(call, "in", known(CVS_HOST.exec(argumentText(call))?.[1] ?? "cvs"));
          writes(call, value(call, "d") ?? call.operands[0], { isTree: true, by: "unpack" });
        },
      },
      "update|up": ["network-in"],
      "commit|ci|import": ["network-out"],
    },
    examples: [
      ["cvs status"],
      [
        "cvs -d :pserver:a@h.test:/cvs co x",
        "network-in",
        "fetches from h.test",
        "writes x tree",
        "network x flows to file",
      ],
    ],
  },
  dvc: {
    readOnly:
      "status|diff|dag|list|ls|root|doctor|check-ignore|metrics show|metrics diff|params diff|data status|remote list|exp show|experiments show|version|help",
    is: { "version-control": true },
    verbs: {
      gc: {
        options: "force|f dry workspace|w all-commits|A all-branches|a all-tags|T cloud|c",
        dry: "dry",
        roles: ["delete", "work-loss"],
      },
      "push|import-url": ["network-out"],
      "pull|fetch|import|get": ["network-in"],
    },
    examples: [["dvc gc -w -f", "delete work-loss"], ["dvc gc -w --dry"], ["dvc status"]],
  },
  jj: {
    readOnly:
      "log|status|st|diff|show|evolog|obslog|interdiff|op log|operation log|file list|file show|file annotate|bookmark list|branch list|tag list|workspace list|workspace root|config list|config get|root|version|help",
    is: { "version-control": true },
    verbs: {
      "abandon|op abandon|operation abandon|util gc": ["history-rewrite", "work-loss"],
      "git push": ["network-out"],
      "git fetch|git clone": ["network-in"],
      restore: ["work-loss"],
    },
    examples: [["jj log"], ["jj abandon", "history-rewrite work-loss"]],
  },
});

const CVS_HOST = /(?:^|[\s:])(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+):/;

/** Reports a fetched repository: it is written to the last operand, or to a folder of the same name. */
function arrives(call: Call): void {
  const [from, to] = call.operands;
  if (from === undefined) return;
  const isFar = /^(?:[a-z][\w+-]*:|[\w.-]+@[\w.-]+:)/.test(from.text);
  if (isFar) talks(call, "in", /^lp:/.test(from.text) ? known("launchpad.net") : from);
  writes(call, to ?? pieceOf(from, nameOf(from.text)), { isTree: true, by: "unpack" });
}

import type { NamedRemote } from "../effect.ts";
import type { Word } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { isRemote, nameOf } from "../paths.ts";
import { paths } from "./act.ts";
import { type Call, has, known, plays, talks, value, values, writes } from "./call.ts";
import type { Use } from "./program.ts";

/** Verbs of git that talk to other repositories. */
export const GIT_REMOTE = (): Readonly<Record<string, Use>> => ({
  "push|send-pack|http-push": {
    records: () => true,
    options:
      "force|f force-with-lease? force-if-includes delete|d mirror all|branches tags prune set-upstream|u no-verify dry-run|n push-option|o= repo= receive-pack|exec= quiet|q verbose|v atomic follow-tags signed? porcelain recurse-submodules= thin ipv4|4 ipv6|6",
    does: (call) => {
      const to = call.operands[0] ?? value(call, "repo");
      talks(call, "out", address(to), named(call, to));
      if (has(call, "dry-run")) return;
      const place = call.operands[0]?.text ?? "";
      if (/^(?:[a-z+]+:\/\/|[\w.-]+@[\w.-]+:)/.test(place) && (has(call, "all", "mirror") || !HOSTINGS().test(place)))
        call.report.effects.push({
          does: "flow",
          from: "data",
          path: undefined,
          to: "network",
          command: call.report.at,
        });
      const refs = call.operands.slice(1).map(({ text }) => text);
      // A platform builds and serves what is pushed to it.
      if (
        refs.some((ref) => RELEASES.test(ref)) ||
        /^(?:heroku|dokku|production|prod|live|gigalixir|piku|caprover)$/.test(place)
      )
        plays(call, "publish");
      if (has(call, "force", "force-with-lease", "mirror", "prune", "delete") || refs.some((ref) => /^[+:]./.test(ref)))
        plays(call, "history-rewrite");
      if (has(call, "receive-pack")) plays(call, "run-code");
    },
  },
  clone: {
    by: "unpack",
    runs: ({ name, operands }) => {
      // `ext::` is followed by the program that connects to the remote.
      const [, line] = /^ext::([\s\S]+)$/.exec(operands[0]?.text ?? "") ?? [];
      return line === undefined
        ? []
        : [{ runs: "shell", text: fieldOf(line.replaceAll("% ", "\\ ").replaceAll(/%\w/g, "")), via: `${name} clone` }];
    },
    options:
      "branch|b= depth= origin|o= config|c= reference= template= upload-pack|u= jobs|j= filter= shallow-since= shallow-exclude= separate-git-dir= recurse-submodules? bare mirror quiet|q verbose|v single-branch no-checkout|n local|l sparse",
    does: (call) => {
      const [from, to] = call.operands;
      talks(call, "in", address(from));
      writes(call, to ?? known(nameOf(from?.text ?? ".").replace(/\.git$/, "")), { isTree: true });
      if (has(call, "upload-pack", "template") || values(call, "config").some(({ text }) => runsValue(text)))
        plays(call, "run-code");
    },
  },
  "fetch|pull|ls-remote": {
    options: "all prune|p tags|t depth= force|f upload-pack= jobs|j= rebase|r? strategy|s= strategy-option|X= quiet|q",
    does: (call) => {
      talks(call, "in", address(call.operands[0]), named(call, call.operands[0]));
      if (has(call, "upload-pack")) plays(call, "run-code");
      const refs = call.operands.slice(1).map(({ text }) => text);
      // Into a local branch, not into a remote-tracking one.
      if (refs.some((ref) => /^\+[^:]+:(?!refs\/remotes\/)./.test(ref))) plays(call, "history-rewrite");
    },
  },
  "submodule add|submodule update|lfs fetch|lfs pull": {
    does: (call) =>
      talks(
        call,
        "in",
        call.operands.find(({ text }) => text.includes("/")),
      ),
  },
  "lfs prune": {
    options: "force|f no-verify-remote verify-remote dry-run|d",
    dry: "dry-run",
    when: "force no-verify-remote",
    roles: ["work-loss"],
  },
  "lfs push|send-email|svn dcommit": { talks: "out" },
  // Puts the files of a commit on a server for websites.
  "ftp push|ftp init": { roles: ["network-out", "publish"] },
  "submodule deinit": { options: "force|f all", when: "force", roles: ["work-loss"] },
  "remote add|remote set-url|remote rename|remote remove|remote rm": {
    roles: ["settings"],
    does: (call) => {
      if (/ (?:remove|rm)$/.test(call.report.verb ?? "")) plays(call, "history-rewrite");
      writes(call, known(".git/config"));
      const named = address(call.operands[1]);
      if (named !== undefined) talks(call, "in", named);
    },
  },
  "credential fill|credential-store get|credential-osxkeychain get|credential-libsecret get|credential-manager get|credential-wincred get|credential-cache get":
    { reads: paths("~/.git-credentials") },
});

/** Branches whose content is released to the users of a project. */
const RELEASES = /^(?:.+:)?(?:refs\/heads\/)?(?:production|prod|live|release|releases|stable|gh-pages)$/;

/** The hosts of most repositories. */
const HOSTINGS = () =>
  /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:[\w.-]+\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|dev\.azure\.com|visualstudio\.com|heroku\.com|sr\.ht|localhost)[:/]/i;

/** Whether a host has most repositories, by its name. */
export function isHosting(host: string): boolean {
  return HOSTINGS().test(`${host}/`);
}

/** Whether a remote has one of the usual names. */
export function isUsualRemote(name: string): boolean {
  return /^(?:origin|upstream|github|gitlab|bitbucket|fork|mirror|heroku|dokku|deploy|staging)$/.test(name);
}

/** Whether git runs the value of this setting, which is given as `name=value`. */
export function runsValue(setting: string): boolean {
  return RUNS().test(setting) && !HARMLESS().test(setting);
}

const HARMLESS = () =>
  /=\s*(?:cat|less(?:\s.*)?|true|false|:|echo|vi|vim|nano|\/dev\/null|cache|osxkeychain|manager)?\s*$/i;
const RUNS = () =>
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|pager|editor|askpass|gitproxy|attributesfile)|alias\..*=\s*!|sequence\.editor|credential\..*helper|credential\.helper|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|gpg\.(?:.*\.)?program|init\.templatedir|uploadpack\.|receive\.|remote\..*\.(?:uploadpack|receivepack|proxy)|pager\.|mergetool\..*cmd|difftool\..*cmd|include(?:if\..*)?\.path|protocol\..*allow|url\..*insteadof)/i;

/** A remote that is given by its name; undefined if the line itself may define that name. */
function named({ command, given, report }: Call, word: Word | undefined): NamedRemote | undefined {
  const { args } = command;
  const before = word === undefined ? args : args.slice(0, args.indexOf(word) + 1);
  if (given.has("all") || before.some(({ text, isKnown }) => !isKnown || CONFIGURES.test(text))) return undefined;
  if (word === undefined) return { name: undefined, folder: report.folder };
  const isName = address(word) === undefined && /^\w[\w.-]*$/.test(word.text);
  return isName ? { name: word.text, folder: report.folder } : undefined;
}

/** Options of git that contain settings or select another repository, and options of its verbs that select several. */
const CONFIGURES = /^(?:-c.*|--(?:config-env|git-dir|namespace|exec-path|bare|multiple|recurse-submodules)\b.*)$/;

function address(word: Word | undefined): Word | undefined {
  return word !== undefined && isRemote(word.text) ? word : undefined;
}

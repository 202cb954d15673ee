import { nameOf } from "../paths.ts";
import { allValues, argumentsAre, operandIs, operands, operandsAre, paths, valueIs } from "./act.ts";
import { type Call, has, known, pieceOf, plays, reads, reveals, sends, talks, value, values, writes } from "./call.ts";
import { isUsualOwner } from "./package-sources.ts";
import type { Programs } from "./program.ts";

/** Verbs that only look something up. */
const ASKS =
  "search|status|help|pr view|pr list|pr ls|pr status|pr diff|pr checks|issue view|issue list|issue ls|issue status|repo view|repo list|repo ls|run view|run list|run ls|run watch|workflow view|workflow list|release view|release list|release ls|gist view|gist list|auth status|alias list|config get|config list|label list|cache list|secret list|variable list|extension list|extension search|ruleset list|ruleset view|ruleset check|org list|project list|project view|project item-list|ssh-key list|gpg-key list|mr view|mr list|mr ls|mr diff|ci view|ci list|ci status|ci get|ci trace";

/** Programs for hosts of repositories. */
export const HOSTING = (): Programs => ({
  "jira acli notify-send terminal-notifier espeak": { is: { "takes-text": true }, examples: [["notify-send done"]] },
  "gh glab": {
    is: { "takes-text": true },
    readOnly: ASKS,
    options: "repo|R= hostname=",
    verbs: {
      "repo delete|release delete|gist delete|project delete": ["network-out", "cloud", "work-loss", "publish"],
      "issue delete|secret delete|ruleset delete|variable delete|run delete|label delete|mr delete|ssh-key delete": [
        "network-out",
        "cloud",
        "work-loss",
      ],
      "token create": { options: "scope|S= user|u= duration=", roles: ["network-out", "account", "expose"] },
      "repo create|repo edit|repo fork|release create|release upload|release edit|gist create|snippet create": {
        options: "public private internal visibility= notes|n= title|t= source|s= description|d= file= org=",
        does: (call) => {
          talks(call, "out", undefined);
          plays(call, "cloud");
          const isOpen = has(call, "public") || value(call, "visibility")?.text === "public";
          if (isOpen || /release|gist|snippet/.test(call.report.verb ?? "")) plays(call, "publish");
          if (has(call, "org")) plays(call, "publish");
          if (/gist|snippet|release (?:create|upload)/.test(call.report.verb ?? "")) uploads(call);
        },
      },
      "repo rename|codespace delete|codespace stop|secret set|ci trigger": ["network-out", "cloud", "outage"],
      "workflow disable": ["network-out", "cloud", "unverified"],
      "pr merge": {
        options: "admin squash|s merge|m rebase|r auto delete-branch|d",
        roles: ["network-out", "cloud"],
        does: [{ when: "admin", roles: ["unverified"] }],
      },
      "workflow run": {
        options: "field|F= raw-field|f= ref|r= json",
        roles: ["network-out", "cloud"],
        does: [{ when: operandIs(0, /release|publish|deploy/i), roles: ["publish"] }],
      },
      "repo deploy-key|codespace ports": {
        options: "title|t= allow-write|w",
        roles: ["network-out"],
        does: [{ when: operandsAre(/^(?:add|visibility .*:(?:public|org))/), roles: ["expose"] }],
      },
      "extension install": {
        options: "force pin=",
        roles: ["network-in", "package-install"],
        does: [{ unless: (call) => isUsualOwner(call.operands[0]?.text ?? ""), roles: ["foreign-source"] }],
      },
      "variable set": {
        options: "masked? protected? value|v= scope|s= group|g=",
        roles: ["network-out", "account"],
        does: (call) => {
          if (call.report.program === "glab") plays(call, "outage");
          if (values(call, "masked", "protected").some(({ text }) => text === "false")) plays(call, "unverified");
        },
      },
      // The cache of a pipeline is created again by the next one.
      "cache delete": ["network-out", "cloud"],
      "repo archive": ["network-out", "cloud", "outage"],
      "mr merge|mr approve": {
        options: "yes|y squash|s when-pipeline-succeeds= auto-merge= sha= remove-source-branch|d",
        roles: ["network-out", "cloud"],
        does: [{ when: "yes", roles: ["unverified"] }],
      },
      "pr close|issue close": {
        roles: ["network-out", "cloud"],
        // One after the other, all that a list contains.
        does: [
          {
            when: isForMany,
            roles: ["outage"],
          },
        ],
      },
      "repo unarchive|workflow enable|mr close": ["network-out", "cloud"],
      "pr create|pr comment|pr review|pr edit|pr ready|issue create|issue comment|issue edit|mr create|mr note": {
        options:
          "title|t= body|b= body-file|F= base|B= head|H= label|l= assignee|a= reviewer|r= milestone|m= project|p= template|T= message= description|d= draft fill|f web|w editor|e",
        talks: "out",
        reads: allValues("body-file"),
        does: [
          { when: isForMany, roles: ["message"] },
          { when: "body-file", sends: "reads" },
          { when: (call) => value(call, "body-file")?.text === "-", sends: "input" },
        ],
      },
      "auth login|auth logout|auth refresh|gpg-key add|auth setup-git": {
        options: "scopes|s= hostname|h= web|w with-token git-protocol|p= remove-scopes|r= reset-scopes",
        roles: ["network-out", "account"],
        does: [{ when: valueIs("scopes", /delete|admin|write:org/), roles: ["expose"] }],
      },
      "ssh-key add": {
        options: "title|t= type=",
        roles: ["account", "expose"],
        talks: "out",
        reads: operands,
        sends: "reads",
      },
      // These print texts that other people have written.
      "issue view|pr view|pr diff|gist view|release view|run view|mr view|mr diff|search": {
        does: (call) => talks(call, "in", known(call.report.program === "glab" ? "gitlab.com" : "github.com")),
      },
      "auth token": { does: reveals },
      "auth status": { options: "show-token|t hostname|h=", when: "show-token", keys: true },
      "ci run": {
        options: "variables= variables-env= branch|b= ref=",
        talks: "out",
        does: [{ when: argumentsAre(/prod/i), roles: ["cloud", "outage"] }],
      },
      "pr checkout|release download|run download|gist view": { talks: "in" },
      "repo clone|gist clone": {
        does: (call) => {
          const [from, to] = call.operands;
          talks(call, "in", undefined);
          writes(call, to ?? known(nameOf(from?.text ?? ".")), { isTree: true, by: "unpack" });
        },
      },
      api: {
        options:
          "method|X= field|F= raw-field|f= header|H= input= jq|q= template|t= paginate hostname= preview|p= silent include|i",
        does: (call) => {
          const method =
            value(call, "method")?.text.toUpperCase() ?? (has(call, "field", "raw-field", "input") ? "POST" : "GET");
          talks(call, method === "GET" ? "in" : "both", value(call, "hostname"));
          if (method !== "GET") plays(call, "cloud");
          const fields = values(call, "field", "raw-field").map(({ text }) => text);
          if (
            method !== "GET" &&
            fields.some((text) => /\[status\]=disabled$|^(?:allow_)?force(?:_push(?:es)?)?=true$/.test(text))
          )
            plays(call, "outage");
          if (method === "POST" && /\/transfer$/.test(call.operands[0]?.text ?? "")) plays(call, "outage");
          if (
            method === "DELETE" ||
            values(call, "field", "raw-field").some(({ text }) => /mutation[\s\S]*delete/i.test(text))
          )
            plays(call, "work-loss");
          if (
            method !== "GET" &&
            /\/(?:actions\/permissions|actions\/secrets|merge\b|collaborators\/|keys\b|hooks\b|protection\b)/.test(
              call.operands[0]?.text ?? "",
            )
          )
            plays(call, "expose");
          if (values(call, "field", "raw-field").some(({ text }) => /^(?:private=false|visibility=public)$/.test(text)))
            plays(call, "publish");
          // The repository itself.
          if (method === "DELETE" && /^\/?repos\/[^/]+\/[^/]+\/?$/.test(call.operands[0]?.text ?? ""))
            plays(call, "publish");
          const files = [
            ...values(call, "input"),
            ...values(call, "field").flatMap((word) => {
              const at = word.text.indexOf("=@");
              return at < 0 ? [] : [pieceOf(word, word.text.slice(at + 2))];
            }),
          ];
          for (const file of files) reads(call, file);
          if (files.length > 0) sends(call, "reads");
          if (files.some(({ text }) => text === "-")) sends(call, "input");
        },
      },
      "alias set": ["settings", "persistence"],
      "config set": { roles: ["settings"], writes: paths("~/.config/gh/config.yml") },
    },
    examples: [
      ["gh pr view 3", "network-in", "fetches from github.com"],
      ["gh repo delete me/x --yes", "network-out cloud work-loss publish"],
      ["gh api -X DELETE repos/me/x", "network-in network-out cloud work-loss publish", "talks to ?"],
      ["gh api -X DELETE repos/me/x/labels/a", "network-in network-out cloud work-loss", "talks to ?"],
      ["gh api repos/me/x", "network-in", "fetches from ?"],
      ["gh repo create x --public", "network-out cloud publish", "sends to ?"],
      [
        "gh gist create notes.md",
        "network-out cloud publish",
        "sends to ?",
        "reads notes.md",
        "file notes.md flows to network",
      ],
      ["gh pr merge 3 --squash", "network-out cloud"],
      [
        "gh ssh-key add a.pub",
        "account expose network-out",
        "sends to ?",
        "reads a.pub",
        "file a.pub flows to network",
      ],
      ["gh issue create -t x -b y", "network-out", "sends to ?"],
      ["gh pr create -F a.md", "network-out", "sends to ?", "reads a.md", "file a.md flows to network"],
    ],
  },
});

/** Whether it runs for everything that a list contains. */
function isForMany({ command }: Call): boolean {
  return command.via.some((wrapper) => /^(?:xargs|parallel)\b/.test(wrapper));
}

function uploads(call: Call): void {
  const named = /release/.test(call.report.verb ?? "") ? call.operands.slice(1) : call.operands;
  const files = [...values(call, "file"), ...named];
  for (const file of files) reads(call, file);
  if (files.length > 0) sends(call, "reads");
  if (files.length === 0 || files.some(({ text }) => text === "-")) sends(call, "input");
}

import { anyArgument, anyOperand } from "./act.ts";
import { someOperand, valueText } from "./arguments.ts";
import { type Call, has, plays, reads, talks, values } from "./call.ts";
import { PUBLISH } from "./packages.ts";
import type { Programs } from "./program.ts";

/** Programs that bring something to where others get it: stores, registries, pages, servers; and keepers of backups. */
export const RELEASES = (): Programs => ({
  "fastlane eas altool iTMSTransporter web-ext chrome-webstore-upload shopify": {
    readOnly: "list|lanes|env|whoami|build:list|update:list|channel:list|lint|help",
    options: "upload-app upload-package validate-app f= t= u= p= type= platform= latest non-interactive version",
    when: (call) => has(call, "upload-app", "upload-package") || someOperand(call, RELEASING()),
    roles: PUBLISH,
    examples: [
      ["eas submit --platform all", "publish network-out"],
      ["fastlane ios release", "publish network-out"],
      ["eas build:list"],
    ],
  },
  xcrun: {
    when: [
      (call) => /^(?:altool|iTMSTransporter)$/.test(call.command.args.map(({ text }) => text)[0] ?? ""),
      anyArgument(/^--?upload/),
    ],
    roles: PUBLISH,
    examples: [["xcrun altool --upload-app -f a.ipa", "publish network-out"], ["xcrun simctl list"]],
  },
  "oras snapcraft anaconda electron-builder electron-forge": {
    readOnly: "list|whoami|show|manifest fetch|discover|status|search|check|healthcheck|build|help",
    options: "publish|p= snapshot skip? help|h version|v skip-publish",
    when: (call) =>
      (has(call, "publish") && !["never", "onTag"].includes(valueText(call, "publish"))) ||
      /^(?:push|upload|publish|release create)\b/.test(call.operands.map(({ text }) => text).join(" ")),
    unless: (call) => has(call, "snapshot", "skip-publish", "help", "version") || someOperand(call, /^build$/),
    roles: PUBLISH,
    examples: [
      ["oras push ghcr.io/a/b:1 a.txt", "publish network-out"],
      ["electron-builder --publish always", "publish network-out"],
      ["electron-builder --linux"],
    ],
  },
  "gh-pages angular-cli-ghpages huggingface-cli hf asciinema transfer.sh": {
    readOnly: "whoami|env|scan-cache|download|play|cat|help",
    options: "d|dist= b|branch= r|repo= m|message= version|V help|h",
    does: (call) => {
      const [verb = ""] = call.operands.map(({ text }) => text);
      const isPages = /pages$/.test(call.report.program);
      if (!has(call, "version", "help") && (isPages || /^(?:upload|upload-large-folder|repo-files)$/.test(verb)))
        sendsOut(call);
    },
    examples: [["gh-pages -d dist", "publish network-out", "sends to ?"], ["hf download a/b"]],
  },
  "skopeo crane regctl": {
    readOnly: "inspect|list-tags|ls|digest|manifest|config|catalog|validate|version|help",
    options: "src-tls-verify? dest-tls-verify? insecure all|a format= insecure-policy",
    does: (call) => {
      const [verb = "", ...rest] = call.operands.map(({ text }) => text);
      const isOut = call.report.program === "skopeo" ? /^docker:\/\/(?!localhost)/.test(rest.at(-1) ?? "") : true;
      if (/^(?:push|copy|cp|sync|append|tag|mutate|rebase)$/.test(verb) && isOut) plays(call, ...PUBLISH);
      if (/^(?:delete|rm)$/.test(verb)) plays(call, "publish", "network-out", "work-loss");
    },
    examples: [
      ["crane push a.tar ghcr.io/a/b", "publish network-out"],
      ["skopeo inspect docker://a"],
      ["skopeo copy docker://a dir:b"],
    ],
  },
  "cap capistrano mina deployer": {
    readOnly: "list|config|help",
    options: "T tasks help|h",
    when: anyOperand(/^(?:deploy(?::\w+)*|rollback)$/),
    roles: ["publish", "cloud"],
    examples: [["cap staging deploy", "publish cloud"], ["cap -T"]],
  },
  "ipfs arweave": {
    readOnly: "cat|ls|id|stats|swarm peers|pin ls|refs|version|help",
    verbs: { "add|pin add|dag put|name publish|upload": { does: sendsOut, options: "r recursive Q quieter" } },
    examples: [
      ["ipfs add a", "publish network-out", "sends to ?", "reads a tree", "file a flows to network"],
      ["ipfs id"],
    ],
  },
  "restic borg kopia duplicity rustic": {
    readOnly: "snapshots|list|ls|stats|check|diff|info|find|status|version|help",
    options: "repo|r= prune keep-last= keep-daily= password-file|p= dry-run|n force",
    dry: "dry-run",
    does: (call) => {
      const [verb = "", second = ""] = call.operands.map(({ text }) => text);
      if (
        /^(?:forget|prune|delete|remove-all-but-n-full|cleanup)$/.test(verb) ||
        (verb === "snapshot" && second === "delete")
      )
        plays(call, "cloud", "work-loss");
    },
    examples: [["restic forget --keep-last 1 --prune", "cloud work-loss"], ["restic snapshots"]],
  },
  "logger finger": {
    options: "n|server= P= f|file= t= p= u= d T s i",
    does: (call) => {
      if (call.report.program === "finger" ? call.operands.some(({ text }) => text.includes("@")) : has(call, "n")) {
        talks(call, "out", values(call, "n")[0]);
        for (const path of values(call, "f")) reads(call, path);
        call.report.sendsReads = true;
        call.report.input = "sent";
      }
    },
    examples: [["logger hello"], ["logger -n h.test x", "network-out", "sends to h.test"]],
  },
  packer: {
    is: { "runs-named": true, "loads-unnamed": true },
    readOnly: "validate|inspect|fmt|console|version|help",
    verbs: {
      build: {
        style: "whole",
        options: "force var= var-file= only= except= on-error=",
        does: (call) => plays(call, "cloud", ...(has(call, "force") ? (["work-loss"] as const) : [])),
      },
    },
    examples: [["packer build a.pkr.hcl", "cloud"], ["packer validate ."]],
  },
  mkcert: {
    is: { "system-settings": true },
    style: "whole",
    options: "install uninstall CAROOT cert-file= key-file=",
    when: "install uninstall",
    roles: ["settings"],
    examples: [["mkcert -install", "settings"], ["mkcert localhost"]],
  },
});

const RELEASING = () =>
  /^(?:release|submit|deliver|upload|publish|sign|production|update|upload_to_\w+|supply|theme push|deploy)$/;

function sendsOut(call: Call): void {
  plays(call, "publish");
  talks(call, "out", undefined);
  if (!/^(?:ipfs|arweave)$/.test(call.report.program)) return;
  for (const path of call.operands) reads(call, path, { isTree: true });
  call.report.sendsReads = true;
}

import {
  allValues,
  anyArgument,
  anyOperand,
  argumentIs,
  either,
  operandIs,
  operands,
  operandsAre,
  programIs,
  valueIs,
} from "./act.ts";
import { has, someOperand, values } from "./call.ts";
import { PUBLISH, UNPUBLISH } from "./packages.ts";
import type { Programs } from "./program.ts";

/** Programs that publish something in stores, registries, pages and on servers, and programs that keep backups. */
export const RELEASES = (): Programs => ({
  "fastlane eas altool iTMSTransporter web-ext chrome-webstore-upload shopify": {
    readOnly: "list|lanes|env|whoami|build:list|update:list|channel:list|lint|help",
    options: "upload-app upload-package validate-app f= t= u= p= type= platform= latest non-interactive version",
    when: either("upload-app upload-package", anyOperand(RELEASING()), operandsAre(/^theme (?:push|publish)/)),
    roles: PUBLISH,
    examples: [
      ["eas submit --platform all", "publish network-out"],
      ["fastlane ios release", "publish network-out"],
      ["eas build:list"],
    ],
  },
  xcrun: {
    when: [argumentIs(0, /^(?:altool|iTMSTransporter)$/), anyArgument(/^--?upload/)],
    roles: PUBLISH,
    examples: [["xcrun altool --upload-app -f a.ipa", "publish network-out"], ["xcrun simctl list"]],
  },
  "oras snapcraft anaconda electron-builder electron-forge": {
    readOnly: "list|whoami|show|manifest fetch|discover|status|search|check|healthcheck|build|help",
    options: "publish|p= snapshot skip? help|h version|v skip-publish",
    when: either(valueIs("publish", /^(?!(?:never|onTag)$)/), operandsAre(/^(?:push|upload|publish|release create)\b/)),
    unless: ["snapshot skip-publish help version", anyOperand(/^build$/)],
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
    does: [
      {
        when: either(programIs(/pages$/), operandIs(0, /^(?:upload|upload-large-folder|repo-files)$/)),
        unless: "version help",
        roles: ["publish"],
        talks: "out",
      },
      { when: anyOperand(/^delete$/), roles: ["cloud", "work-loss"] },
    ],
    examples: [["gh-pages -d dist", "publish network-out", "sends to ?"], ["hf download a/b"]],
  },
  "skopeo crane regctl": {
    readOnly: "inspect|list-tags|ls|digest|manifest|config|catalog|validate|version|help",
    options: "src-tls-verify? dest-tls-verify? insecure all|a format= insecure-policy",
    does: [
      {
        when: [
          operandIs(0, /^(?:push|copy|cp|sync|append|tag|mutate|rebase)$/),
          either(programIs(/^(?!skopeo$)/), operandIs(-1, /^docker:\/\/(?!localhost)/)),
        ],
        roles: PUBLISH,
      },
      { when: operandIs(0, /^(?:delete|rm)$/), roles: UNPUBLISH },
    ],
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
    verbs: {
      "add|pin add|dag put|name publish|upload": {
        options: "r recursive Q quieter",
        roles: ["publish"],
        talks: "out",
        reads: operands,
        tree: true,
        sends: "reads",
      },
    },
    examples: [
      ["ipfs add a", "publish network-out", "sends to ?", "reads a tree", "file a flows to network"],
      ["ipfs id"],
    ],
  },
  "restic borg kopia duplicity rustic": {
    readOnly: "snapshots|list|ls|stats|check|diff|info|find|status|version|help",
    options: "repo|r= prune keep-last= keep-daily= password-file|p= dry-run|n force",
    dry: "dry-run",
    when: operandsAre(/^(?:forget|prune|delete|remove-all-but-n-full|cleanup|snapshot delete)(?: |$)/),
    roles: ["cloud", "work-loss"],
    examples: [["restic forget --keep-last 1 --prune", "cloud work-loss"], ["restic snapshots"]],
  },
  "logger finger": {
    options: "n|server= P= f|file= t= p= u= d T s i",
    when: (call) => (call.report.program === "finger" ? someOperand(call, /@/) : has(call, "n")),
    talks: "out",
    to: (call) => values(call, "n").slice(0, 1),
    reads: allValues("f"),
    sends: "both",
    examples: [["logger hello"], ["logger -n h.test x", "network-out", "sends to h.test"]],
  },
  packer: {
    is: { "runs-named": true, "loads-unnamed": true },
    readOnly: "validate|inspect|fmt|console|version|help",
    verbs: {
      build: {
        style: "whole",
        options: "force var= var-file= only= except= on-error=",
        roles: ["cloud"],
        does: [{ when: "force", roles: ["work-loss"] }],
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
  /^(?:release|submit|deliver|upload|publish|sign|production|update|upload_to_\w+|supply|theme push|deploy|(?:\w+_)?(?:deploy|release|production|publish|submit)(?:_\w+)?)$/;

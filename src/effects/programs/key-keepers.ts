import { operands, option } from "./act.ts";
import { type Call, has, known, plays, reads, reveals } from "./call.ts";
import type { Programs } from "./program.ts";
import { runVerb } from "./runs.ts";

/** Programs that store passwords and keys of the user and can print them. */
export const PASSWORD_KEEPERS = (): Programs => ({
  "pass gopass passage bw keyring secret-tool vault-cli lpass": {
    is: { "keeps-passwords": true },
    readOnly: "ls|list|show|find|search|grep|status|get|item list|item get|help",
    does: tellStore,
    examples: [
      ["pass work/db", "reads ~/.password-store"],
      ["gopass show -o x", "reads ~/.password-store"],
      ["pass git log"],
      ["secret-tool search --all x y", "reads ~/.local/share/keyrings"],
      ["bw list items", "reads ~/.config/Bitwarden CLI"],
      ["bw get password x", "reads ~/.config/Bitwarden CLI"],
      ["pass show x", "reads ~/.password-store"],
      ["pass ls"],
      ["pass rm x", "account work-loss"],
    ],
  },
  "kwallet-query kwalletcli rbw bws keepassxc-cli dcli pass-cli lssecret ykman wg wg-quick enpass-cli": {
    is: { "keeps-passwords": true },
    does: (call) => {
      const words = call.command.args.map(({ text }) => text).join(" ");
      if (SHOWN_BY[call.report.program]?.test(words)) reveals(call);
      if (/^(?:set|setconf|addconf|syncconf|up|down|save)\b/.test(words)) plays(call, "settings");
    },
    examples: [
      ["kwallet-query -r github kdewallet", "reveal"],
      ["kwallet-query -l kdewallet"],
      ["rbw get github", "reveal"],
      ["rbw list"],
      ["wg show wg0 private-key", "reveal"],
      ["wg showconf wg0", "reveal"],
      ["wg show interfaces"],
      ["wg"],
    ],
  },
  "age rage": {
    options: "decrypt|d encrypt|e output|o= identity|i= recipient|r= recipients-file|R= armor|a passphrase|p",
    reads: operands,
    writes: option("output"),
    does: [{ when: "decrypt", unless: "output", keys: true }],
    examples: [
      ["age -d -i key.txt a.age", "reveal", "reads a.age"],
      ["age -d -o a -i key.txt a.age", "reads a.age", "writes a"],
      ["age -r age1x -o a.age a", "reads a", "writes a.age"],
    ],
  },
  op: {
    is: { "keeps-passwords": true },
    readOnly: "item list|item get|vault list|account list|user list|user get|read|whoami",
    options: "account= cache? config= format= session= vault=",
    verbs: { run: runVerb("env-file= account= environment= no-masking") },
    does: tellStore,
    examples: [
      ["op run -- ls"],
      ["op run --env-file .env -- rm x", "runs rm x"],
      ["op read op://a/b", "reads ~/.config/op"],
      ["op item get x --reveal", "reads ~/.config/op"],
      ["op item list"],
    ],
  },
});

/** Reports which passwords are printed, and which are changed. */
function tellStore(call: Call): void {
  const [first = "", second = ""] = call.operands.map(({ text }) => text);
  // Only some verbs of `item` print something; a name without a verb is printed.
  const isNamed = /^(?:pass|gopass|passage)$/.test(call.report.program) && first !== "" && !STORE_VERBS().test(first);
  const asked = isNamed ? "show" : first === "item" && second === "list" ? second : first;
  const store = STORES[call.report.program];
  if (/^(?:show|read|get|lookup|search|list|export|inject|run|item|cp)$/.test(asked)) call.report.gives = "environment";
  if (store !== undefined && (SHOWS[call.report.program] ?? /^(?:show|read|get|lookup|export|item)$/).test(asked))
    reads(call, known(store));
  if (/^(?:rm|delete|del|insert|edit|create|set|store|clear)$/.test(asked)) plays(call, "account");
  if (/^(?:rm|delete|del|clear)$/.test(asked) || (asked === "item" && call.operands[1]?.text === "delete"))
    plays(call, "account", "work-loss");
}

/** Programs with a wallet: payments are final, unless they are on a test network. */
export const COINS = (): Programs => ({
  "bitcoin-cli litecoin-cli dogecoin-cli elements-cli bitcoin-tx lncli lightning-cli eclair-cli monero-wallet-cli electrum zcash-cli":
    {
      style: "whole",
      does: tellWallet,
      examples: [
        ["bitcoin-cli sendtoaddress bc1q 0.5", "payment"],
        ["bitcoin-cli -regtest sendtoaddress bcrt1q 0.5"],
        ["bitcoin-cli getbalance"],
        ["bitcoin-cli dumpprivkey bc1q", "reveal"],
        ["lncli payinvoice lnbc1", "payment"],
        ["lncli --network=testnet payinvoice lnbc1"],
      ],
    },
  "solana spl-token aptos sui starkli tronbox flow-cli stellar soroban": {
    does: tellWallet,
    examples: [
      ["solana transfer 9xQe 100", "payment"],
      ["solana transfer 9xQe 1 --url devnet"],
      ["solana balance"],
      ["spl-token transfer tok 5 9xQe", "payment"],
      ["sui client transfer --to 0x1 --object-id 0x2", "payment"],
    ],
  },
  "cast forge hardhat truffle brownie ape anchor": {
    options: "broadcast network= rpc-url= private-key= fork-url= interactive",
    does: tellWallet,
    examples: [
      ["cast send 0xa f 1 --rpc-url mainnet", "payment"],
      ["cast send 0xa f 1 --rpc-url http://localhost:8545"],
      ["cast call 0xa f"],
      ["forge script s.sol --broadcast --rpc-url mainnet", "payment"],
      ["forge script s.sol --rpc-url mainnet"],
      ["forge test"],
      ["hardhat run scripts/deploy.js --network mainnet", "payment"],
      ["hardhat run scripts/deploy.js --network sepolia"],
      ["hardhat test"],
    ],
  },
});

function tellWallet(call: Call): void {
  const words = call.command.args.map(({ text }) => text);
  if (words.some((word) => SHOWS_KEY().test(word))) reveals(call);
  if (words.some((word) => FOR_TESTS().test(word))) return;
  const isSent = call.operands.slice(0, 3).some(({ text }) => SENDS().test(text)) || has(call, "broadcast");
  const isMain = words.some((word) => /(?:^|[=/.-])mainnet/i.test(word));
  if (isSent || (isMain && call.operands.some(({ text }) => /^(?:run|deploy|migrate|create)$/.test(text))))
    plays(call, "payment");
}

const SENDS = () =>
  /^(?:send|sendtoaddress|sendmany|sendall|sendrawtransaction|z_sendmany|sendpayment|payinvoice|sendcoins|pay|paytomany?|withdraw|transfer|transfer-sui|pay-sui|pay-all-sui|publish|broadcast|withdraw-stake|close-account|burn|sweep|sweep_all|payto)$/;
const SHOWS_KEY = () =>
  /^(?:dumpprivkey|dumpwallet|getprivatekeys?|getseed|seed|viewkey|spendkey|private-key|dumphdinfo|exportseed)$/;
/** A network whose coins have no value, or one of this machine. */
const FOR_TESTS = () =>
  /regtest|testnet|signet|devnet|sepolia|holesky|hoodi|goerli|mumbai|amoy|fuji|chapel|alfajores|localhost|127\.0\.0\.1|^(?:--?(?:u|url|network)=?)?(?:local|localnet|l|d|t|anvil|hardhat|development|simnet)$|^-(?:ul|ud|ut)$/i;

/** Verbs that print passwords, if they differ from the usual ones. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  "secret-tool": /^(?:lookup|search)$/,
  bw: /^(?:get|list|export)$/,
  gopass: /^(?:show|cat|env|otp)$/,
};

/** Verbs of `pass` and its relatives; any other operand is the name of a password. */
const STORE_VERBS = () =>
  /^(?:ls|list|show|find|search|grep|insert|add|edit|generate|rm|remove|delete|mv|move|cp|copy|git|init|help|version|otp|import|tail|audit|sync|fsck|history|mounts?|recipients|config|setup|env|cat|create|link|process|templates|completion|update|clone|unclip|sum|sha256|convert|--?\w+)$/;

/** Arguments with which a password manager prints passwords. */
const SHOWN_BY: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  "kwallet-query": /(?:^|\s)(?:-\w*r|--read-password)/,
  kwalletcli: /(?:^|\s)-e(?!.*\s-[pP])/,
  rbw: /^(?:get|code|show)\b/,
  bws: /^(?:secrets? (?:get|list)|get|list)\b/,
  "keepassxc-cli": /^(?:show|clip|export|attachment-export)\b/,
  dcli: /^(?:p|password|n|note|s|secret|o|otp|read|inject)\b/,
  "pass-cli": /^(?:item (?:view|get)|view|get|inject|run)\b/,
  "enpass-cli": /^(?:pass|show|copy)\b/,
  lssecret: /(?:^|\s)-\w*s/,
  ykman: /^oath accounts code\b|^piv keys export\b/,
  wg: /^showconf\b|^show \S+ (?:private-key|preshared-keys|dump)\b|^genkey$/,
  "wg-quick": /^strip\b/,
};

/** The paths at which password managers store passwords. */
const STORES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  pass: "~/.password-store",
  gopass: "~/.password-store",
  passage: "~/.password-store",
  op: "~/.config/op",
  "secret-tool": "~/.local/share/keyrings",
  keyring: "~/.local/share/keyrings",
  bw: "~/.config/Bitwarden CLI",
  lpass: "~/.local/share/lpass",
};

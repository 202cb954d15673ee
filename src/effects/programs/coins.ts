import { type Call, has, plays, reveals } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that hold a wallet: what they send is gone, unless it is of a network for tests. */
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
  if (words.some((word) => SHOWS_KEY.test(word))) reveals(call);
  if (words.some((word) => FOR_TESTS.test(word))) return;
  const isSent = call.operands.slice(0, 3).some(({ text }) => SENDS.test(text)) || has(call, "broadcast");
  const isMain = words.some((word) => /(?:^|[=/.-])mainnet/i.test(word));
  if (isSent || (isMain && call.operands.some(({ text }) => /^(?:run|deploy|migrate|create)$/.test(text))))
    plays(call, "payment");
}

const SENDS =
  /^(?:send|sendtoaddress|sendmany|sendall|sendrawtransaction|z_sendmany|sendpayment|payinvoice|sendcoins|pay|paytomany?|withdraw|transfer|transfer-sui|pay-sui|pay-all-sui|publish|broadcast|withdraw-stake|close-account|burn|sweep|sweep_all|payto)$/;
const SHOWS_KEY =
  /^(?:dumpprivkey|dumpwallet|getprivatekeys?|getseed|seed|viewkey|spendkey|private-key|dumphdinfo|exportseed)$/;
/** A network whose coins are worth nothing, or one of this machine. */
const FOR_TESTS =
  /regtest|testnet|signet|devnet|sepolia|holesky|hoodi|goerli|mumbai|amoy|fuji|chapel|alfajores|localhost|127\.0\.0\.1|^(?:--?(?:u|url|network)=?)?(?:local|localnet|l|d|t|anvil|hardhat|development|simnet)$|^-(?:ul|ud|ut)$/i;

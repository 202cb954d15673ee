import type { ToolActKind } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";
import { BOOKS, MAKES_PAYMENT, MAY_PAY, PAYS, type WordTest, words } from "./verbs.ts";

/** Whether a verb moves money, by the thing that it is about and by the sums in the input. */
export function moneyAct(verb: string, has: WordTest, call: CalledTool): ToolActKind | undefined {
  if (PAYS.has(verb) || (verb === "place" && has(DEALS))) return "payment";
  if (BOOKS.has(verb) && has(BOOKED)) return "payment";
  const isAboutMoney = has(MONEY_SERVICES) || call.leaves.some(({ key }) => MONEY_KEY.test(key));
  if (MAY_PAY.has(verb) && (has(SUMS) || isAboutMoney)) return "payment";
  if (!MAKES_PAYMENT.has(verb)) return undefined;
  if (has(PAYMENTS)) return "payment";
  if (has(BILLS) && !DRAFTS.has(verb)) return "payment";
  return has(DEALS) && isAboutMoney ? "payment" : undefined;
}

const BOOKED = words("flight hotel room ticket trip ride car restaurant train domain food pizza grocery item cab taxi");
const PAYMENTS = words(
  "payment payout refund charge withdrawal purchase reimbursement giftcard remittance paymentintent",
);
/** What is only written down when it is made, and is money when it is sent. */
const BILLS = words("invoice bill creditnote");
const DRAFTS = words("create add update modify make");
const DEALS = words(
  "order trade subscription transaction transfer wire dispute credit balance swap checkout card bid offer loan",
);
const SUMS = words("fund money balance amount eth btc usdc bank ach wallet crypto coin payment charge sol erc20");
const MONEY_SERVICES = words(`
  stripe paypal square adyen braintree plaid wise revolut coinbase binance kraken alpaca robinhood shopify xero quickbooks
  chargebee paddle razorpay mollie gocardless brex mercury bank banking wallet crypto ethereum solana web3 metamask trading
  broker brokerage payment payments billing finance treasury`);
const MONEY_KEY =
  /^(?:amount\w*|currency|iban|paymentintent\w*|paymentmethod\w*|chargeid|charge|sidebuysell|qty|lamports|amountcents|totalamount|pricecents)$/;

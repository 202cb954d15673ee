import { SERVICE_ROWS } from "./service-rows.ts";
import type { CalledTool, ToolActKind } from "./tool-call.ts";
import {
  BOOKS,
  CHANGES,
  LOOKS,
  MAKES_PAYMENT,
  MAY_PAY,
  PAYS,
  SENDS,
  SPEAKS,
  verbOf,
  type WordTest,
  words,
} from "./verbs.ts";

/** What is named: the words of a tool, of an operation or of an address, and the call that contains them. */
export interface NamedAct {
  readonly name: readonly string[];
  readonly call: CalledTool;
}

/** What the verb of a name does to the thing that it names; undefined for verbs that look and for unknown ones. */
export function serviceAct(named: NamedAct): ToolActKind | undefined {
  const { name, call } = named;
  const verb = verbOf(name);
  if (verb === undefined || isRehearsal(call)) return undefined;
  const has = wordTest(named, verb);
  if (LOOKS.has(verb)) return showsSecrets(verb, has, named) ? "show-secret" : undefined;
  const money = moneyAct(verb, has, call);
  if (money !== undefined) return money;
  for (const { kind, verbs, on, also, without, when } of SERVICE_ROWS()) {
    if (!verbs.has(verb)) continue;
    if (on !== undefined && !has(on)) continue;
    if (also !== undefined && !has(also)) continue;
    if (without !== undefined && has(without)) continue;
    if (when === undefined || when(call)) return kind;
  }
  return messageAct(verb, has, call);
}

/** Whether a verb that looks shows what is kept secret: a thing with such a name, or any that is asked for decrypted. */
function showsSecrets(verb: string, has: WordTest, { name, call }: NamedAct): boolean {
  if (call.leaves.some(({ key, value }) => DECRYPTS().test(key) && (value === true || value === "true"))) return true;
  // Codes and passwords in the letters and notes of the user.
  if (has(LETTERS) && call.leaves.some(({ value }) => PASSWORDS_IN().test(String(value)))) return true;
  const isWith = name.includes("with") || name.includes("include");
  if (!(SHOWS.has(verb) || isWith) || !has(SECRETS)) return false;
  // What the input names does not show how much is returned.
  return isWith || ![...name, ...call.server].some((word) => ABOUT_SECRETS.has(word));
}

const LETTERS = words("gmail mail email inbox outlook note notes imessage message sms");
const PASSWORDS_IN = () =>
  /\bpass(?:word|code)s?\b|\bverification code|\b(?:2fa|otp|one-time) ?codes?\b|\brecovery (?:code|phrase|key)/i;
const DECRYPTS = () =>
  /^(?:withdecryption|decrypt|reveal|showsecrets?|includesecrets?|(?:show|include)values?|revealsecrets?|plaintext)$/;

function wordTest({ name, call }: NamedAct, verb: string): WordTest {
  const at = name.indexOf(verb);
  const all = [...name.filter((_, index) => index !== at), ...call.server, ...kindWords(call)];
  return (any) => all.some((word) => any.has(word));
}

/** `resource_type: "namespace"`: what a general tool acts on. */
function kindWords({ leaves }: CalledTool): string[] {
  return leaves.flatMap(({ key, value }) =>
    KIND_KEY().test(key) && typeof value === "string" && value.length < 60
      ? value
          .toLowerCase()
          .split(/[^a-z]+/)
          .map(singular)
      : [],
  );
}

function singular(word: string): string {
  return word.length > 3 && !word.endsWith("ss") ? word.replace(/s$/, "") : word;
}

/** `dry_run: true` and its like. */
function isRehearsal({ leaves }: CalledTool): boolean {
  return leaves.some(
    ({ key, value }) =>
      /^(?:dryrun|preview|validateonly|simulate|whatif|checkonly|noop|testonly)$/.test(key) &&
      (value === true || /^(?:true|all|client|server|yes)$/i.test(String(value))),
  );
}

/** Whether a verb writes to people; comments on issues and pull requests are the daily work of an agent. */
function messageAct(verb: string, has: WordTest, call: CalledTool): ToolActKind | undefined {
  const isDraft = has(DRAFTS) || isUnsent(call);
  if (has(SOCIAL) && has(POSTS) && (SENDS.has(verb) || WRITES.has(verb)) && !isDraft) return "message";
  if ((SENDS.has(verb) || WRITES.has(verb)) && call.leaves.some(({ value }) => CALLS_ALL().test(String(value))))
    return "message";
  // In documents, comments reach everyone with whom the documents are shared.
  if (has(DOCUMENTS) && call.words.includes("comment") && (SENDS.has(verb) || WRITES.has(verb))) return "message";
  const isPublic = call.leaves.some(({ key, value }) => key === "public" && value === true);
  if (isPublic && has(DESKS) && (SENDS.has(verb) || WRITES.has(verb))) return "message";
  if (OWN_TALK().test(call.tool) || has(NO_MESSAGES)) return undefined;
  if (SPEAKS.has(verb)) return "message";
  if ((verb === "share" || verb === "upload") && has(SOCIAL)) return "message";
  if (verb === "invite") return "message";
  const isToPeople = call.leaves.some(({ key }) => RECIPIENT_KEY().test(key));
  if (MEETS.has(verb) && has(MEETINGS))
    return call.leaves.some(({ key, above }) => GUEST_KEY().test(key) || above.some((outer) => GUEST_KEY().test(outer)))
      ? "message"
      : undefined;
  if (SENDS.has(verb)) {
    if (isDraft && verb !== "send") return undefined;
    if (has(MESSAGES) || has(SERVICES) || has(SOCIAL)) return "message";
    return verb === "send" && call.isMcp && (isToPeople || !has(TO_PROGRAMS)) ? "message" : undefined;
  }
  if (!WRITES.has(verb) || isDraft) return undefined;
  if (has(POSTED)) return "message";
  return has(SERVICES) && has(TALK) ? "message" : undefined;
}

/** Whether a verb moves money, by the thing that it is about and by the sums in the input. */
function moneyAct(verb: string, has: WordTest, call: CalledTool): ToolActKind | undefined {
  if (PAYS.has(verb) || (verb === "place" && has(DEALS))) return "payment";
  if (BOOKS.has(verb) && has(BOOKED)) return "payment";
  const isAboutMoney = has(MONEY_SERVICES) || call.leaves.some(({ key }) => MONEY_KEY().test(key));
  if (MAY_PAY.has(verb) && (has(SUMS) || isAboutMoney)) return "payment";
  if (
    verb !== "create" &&
    CHANGES.has(verb) &&
    (has(PRICES) || (has(BUDGETS) && (has(MONEY_SERVICES) || has(ADVERTISING))))
  )
    return "payment";
  if (CHANGES.has(verb) && has(ACCOUNTS) && has(MONEY_SERVICES)) return "payment";
  if (!MAKES_PAYMENT.has(verb)) return undefined;
  if (has(PAYMENTS)) return "payment";
  if (has(BILLS) && !DRAFT_PAYMENTS.has(verb)) return "payment";
  return has(DEALS) && isAboutMoney ? "payment" : undefined;
}

function isUnsent({ leaves }: CalledTool): boolean {
  return leaves.some(
    ({ key, value }) => (key === "draft" && value === true) || (/^(?:status|state)$/.test(key) && value === "draft"),
  );
}

const BOOKED = words("flight hotel room ticket trip ride car restaurant train domain food pizza grocery item cab taxi");
const PAYMENTS = words(
  "payment payout refund charge withdrawal purchase reimbursement giftcard remittance paymentintent",
);
/** What is only written down when it is made, and is money when it is sent. */
const BILLS = words("invoice bill creditnote");
const DRAFT_PAYMENTS = words("create add update modify make");
const DEALS = words(
  "order trade subscription transaction transfer wire dispute credit balance swap checkout card bid offer loan",
);
const SUMS = words("fund money balance amount eth btc usdc bank ach wallet crypto coin payment charge sol erc20");
const MONEY_SERVICES = words(`
  stripe paypal square adyen braintree plaid wise revolut coinbase binance kraken alpaca robinhood shopify xero quickbooks
  chargebee paddle razorpay mollie gocardless brex mercury bank banking wallet crypto ethereum solana web3 metamask trading
  broker brokerage payment payments billing finance treasury`);
/** What costs more or brings in less from then on. */
const PRICES = words("price pricing bid");
const BUDGETS = words("budget");
/** Where money arrives. */
const ACCOUNTS = words("account bank payout iban beneficiary payee recipient");
const ADVERTISING = words("ads ad adwords campaign");
const MONEY_KEY = () =>
  /^(?:amount\w*|currency|iban|paymentintent\w*|paymentmethod\w*|chargeid|charge|sidebuysell|qty|lamports|amountcents|totalamount|pricecents)$/;

/** What is shared with other people. */
const DOCUMENTS = words("figma notion drive gdrive docs document confluence sharepoint dropbox miro airtable coda");
/** A text that calls everyone in a channel or a document. */
const CALLS_ALL = () => /(?:^|\s)<?[@!](?:everyone|channel|here|all)\b/;
/** Where customers are answered. */
const DESKS = words("zendesk intercom freshdesk helpscout front servicenow gorgias hubspot ticket");
const WRITES = words("create add write make execute update");
const MEETS = words("create add insert schedule update send book move");
const MEETINGS = words("event meeting appointment calendar");
const DRAFTS = words("draft");
const MESSAGES = words(`
  email mail message sms mms tweet post dm chat newsletter campaign announcement notification voicemail invitation invite
  reply text status story thread call fax broadcast press statement survey`);
const POSTED = words("tweet toot newsletter invite invitation");
const POSTS = words("post status story thread update comment reply video message");
const TALK = words("call message reply post thread dm channelmessage");
const SERVICES = words(
  "slack discord telegram whatsapp teams gmail outlook twilio sendgrid mailgun mailchimp postmark resend intercom zendesk signal mattermost line messenger smtp imap ses mail email",
);
const SOCIAL = words(
  "twitter mastodon bluesky linkedin facebook instagram reddit tiktok youtube threads medium devto hackernews wordpress substack buffer hootsuite producthunt social x",
);
/** What is sent to programs, and what describes a change. */
const NO_MESSAGES = words(`
  key keystroke input command request http signal prompt issue comment pr pull review mr discussion event_handler click packet
  metric log heartbeat commit patch diff line terminal tmux session process stdin dialog cell action keys`);
const TO_PROGRAMS = words(
  "data event telemetry file transaction code query payload body rpc tcp udp back backward front pty serial socket websocket mqtt",
);
const RECIPIENT_KEY = () =>
  /^(?:to|recipients?|recipientid|channel|channelid|channelname|phone\w*|chatid|cc|bcc|emailaddress|toemail|userid|roomid)$/;
const GUEST_KEY = () => /^(?:attendees?|guests?|invitees?|participants?|attendeeemails|recipients|emails)$/;
/** Agents talk to their own helpers and to their user. */
const OWN_TALK = () =>
  /^(?:SendMessage|send_message|SendUserMessage|send_input|notify_user|message_user|send_message_to_user|PushNotification|message_notify_user|message_ask_user)$/;

const KIND_KEY = () => /^(?:kind|resource|resourcetype|objecttype|entity|entitytype|type|service|module)$/;
/** Verbs that show what something holds. */
const SHOWS = words("get read fetch retrieve view show export download access reveal print lookup");
const SECRETS = words(
  "secret vault credential password apikey privatekey configvar rolekey 1password bitwarden lastpass doppler keychain onepassword keepass servicekey",
);
/** What describes secrets without showing them. */
const ABOUT_SECRETS = words(
  "health seal mount leader capability info scanning alert list doc metadata name policy rotation version count scan scanner leak public push_protection status audit file github docs",
);

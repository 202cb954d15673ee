/** Verbs that only look, also under other names of services. */
export const LOOKS = words(`
  get list describe search read fetch view count explain show find query check inspect lookup look retrieve browse status
  stat head peek preview validate verify lint diff compare simulate estimate ping watch tail analyze analyse summarize
  whoami info exists exist download export print render screenshot navigate open scroll hover wait ask suggest help
  plan poll monitor audit trace test dryrun highlight extract parse translate calculate convert format detect classify`);

/** Verbs that remove. */
export const REMOVES = words(`
  delete remove destroy drop purge terminate wipe erase empty flush nuke uninstall teardown decommission deprovision prune
  obliterate rm unpublish yank undeploy truncate expunge trash discard bulkdelete`);

/** Verbs that stop or switch off, or put something else in its place. */
export const STOPS = words(`
  stop shutdown halt reboot restart suspend pause disable drain detach deregister failover reset restore rollback revert
  deactivate cancel close archive ban block kick lock freeze poweroff scale cordon evict taint mute silence snooze resolve
  ignore kill deprecate retire unlist`);

/** Verbs that make or change. */
export const CHANGES = words(`
  create add set update put change edit modify rotate regenerate revoke grant attach assign invite share transfer
  enable upsert import sync configure register write insert replace make issue authorize allow associate bind apply patch
  upload provision promote elevate impersonate unprotect unlock disarm toggle start expose reset save disable remove delete install link unlink detach bypass disassociate unbind
  override resize upgrade downgrade rename adjust move activate`);

/** Verbs by which something reaches people. */
export const SENDS = words(`
  send post reply forward broadcast notify publish announce blast submit schedule dispatch deliver respond`);

/** What is a message by itself, as a verb too. */
export const SPEAKS = words("tweet retweet dm sms broadcast fax");

/** Verbs of money. */
export const PAYS = words("refund payout pay charge withdraw remit purchase buy reimburse");
/** Verbs that are about money where the rest of the call is. */
export const MAY_PAY = words("transfer wire capture sell trade swap stake bridge approve deposit mint sign");
/** Verbs that cost money where they are about a journey, a ticket or a name. */
export const BOOKS = words("book reserve register renew order");
/** Verbs by which payments are made, changed or taken back. */
export const MAKES_PAYMENT = words(`
  create send make issue process initiate execute confirm submit finalize place add approve trigger update modify cancel void
  release schedule broadcast sign complete capture redeem resume upgrade accept concede`);

/** The verb of a name: its first word that is a verb, or a looking verb at its end: `charge_list` lists. */
export function verbOf(name: readonly string[]): string | undefined {
  const last = name.at(-1) ?? "";
  const isJoined = name.includes("and") || name.includes("then") || name.includes("or");
  const verbs = name.filter(isVerb);
  if (
    name.length > 1 &&
    LOOKS.has(last) &&
    !ALSO_NOUNS.has(last) &&
    verbs.slice(0, -1).every((verb) => NOUN_VERBS.has(verb))
  )
    return last;
  if (isJoined) return verbs.find((verb) => !LOOKS.has(verb)) ?? verbs[0];
  return verbs[0];
}

function isVerb(word: string): boolean {
  return ALL.some((set) => set.has(word));
}

const ALL = [
  LOOKS,
  REMOVES,
  STOPS,
  CHANGES,
  SENDS,
  SPEAKS,
  PAYS,
  MAY_PAY,
  MAKES_PAYMENT,
  words("merge deploy release accept revoke dismiss ship execute run trigger push dispatch clear play up manage rerun"),
  BOOKS,
];
/** Verbs that are names of things before another one: `refund_get`, `API-post-search`. */
const NOUN_VERBS = words(`
  refund charge payout transfer order tweet sms purchase post message release trade stake wire deposit fax dm transaction
  swap bridge sign lock book order play block test plan query trace status view monitor audit alert patch put share archive export import`);
/** Looking words that are names of things at the end: `create_view`, `delete_test`, `update_status`. */
const ALSO_NOUNS = words(
  "status view test plan query trace info monitor head audit export format watch search check diff help",
);

/** Words that something may be. */
export interface WordSet {
  has(word: string): boolean;
}

/** The words of a text; they are taken apart when one is looked for, which most calls never do. */
export function words(text: string): WordSet {
  let all: ReadonlySet<string> | undefined;
  return {
    has: (word) => {
      all ??= new Set(text.trim().split(/\s+/));
      return all.has(word);
    },
  };
}

/** Whether a name, its server or a kind that the input states is one of these words. */
export type WordTest = (any: WordSet) => boolean;

/** The words of several sets. */
export function union(...sets: readonly WordSet[]): WordSet {
  return { has: (word) => sets.some((set) => set.has(word)) };
}

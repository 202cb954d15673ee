import type { ToolAct } from "./tool-act.ts";
import { textUnder, type CalledTool } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** What a tool does that drives a browser: code in a page, and buttons that pay or delete. */
export function browserActs(call: CalledTool): ToolAct[] {
  const all = [...call.words, ...call.server];
  if (!all.some((word) => BROWSERS.has(word))) return [];
  const code = textUnder(call, /^(?:function|script|code|expression|javascript|js|body)$/);
  if (code !== undefined && KEPT_BY_PAGE.test(code) && SENDS.test(code))
    return [{ kind: "page-secret", text: code.replaceAll(/\s+/g, " ").slice(0, LONGEST) }];
  if (code !== undefined && /\.(?:click|press|tap|submit|fill)\s*\(/.test(code)) {
    const [text] = PAYS.exec(code) ?? [];
    if (text !== undefined) return [{ kind: "payment", text }];
  }
  if (call.words.some((word) => TYPES.has(word))) {
    const isCard = call.leaves.some(({ key, value }) => FIELD_KEY.test(key) && CARD.test(String(value)));
    const number = call.leaves.find(({ value }) => isCardNumber(String(value).replaceAll(/[\s-]/g, "")));
    if (isCard && number !== undefined) return [{ kind: "payment", text: "card number" }];
  }
  const task = textUnder(call, /^(?:task|instructions?|goal|action|prompt|objective)$/);
  if (task !== undefined && SHOPS.test(task)) return [{ kind: "payment", text: task.slice(0, LONGEST) }];
  if (!call.words.some((word) => PRESSES.has(word))) return [];
  const element = textUnder(call, /^(?:element|text|name|label|description|selector|target)$/) ?? task ?? "";
  if (PAYS.test(element)) return [{ kind: "payment", text: element.slice(0, LONGEST) }];
  if (SPEAKS.test(element)) return [{ kind: "message", text: element.slice(0, LONGEST) }];
  return DELETES.test(element) ? [{ kind: "resource-loss", text: element.slice(0, LONGEST) }] : [];
}

/** The number of a card, and none of those that services give out for tests. */
function isCardNumber(text: string): boolean {
  return /^\d{13,19}$/.test(text) && !/^(?:4242|4111|40000[0-9]|5555555555554444|378282246310005|6011)/.test(text);
}

const BROWSERS = words(
  "browser playwright puppeteer chrome devtool devtools page selenium webdriver stagehand browserbase computer",
);
const PRESSES = words("click tap press submit dblclick act");
const TYPES = words("type fill input enter form");
const FIELD_KEY = /^(?:element|name|label|selector|field|description|target|placeholder)$/;
const CARD = /\bcard\b|credit[\s_-]?card|cardnumber/i;
const KEPT_BY_PAGE = /document\.cookie|localStorage|sessionStorage|indexedDB|type=["']?password/;
const SENDS = /\bfetch\s*\(|XMLHttpRequest|sendBeacon|new Image\b|WebSocket|\.src\s*=|axios|location(?:\.href)?\s*=/;
const PAYS =
  /\b(?:pay[\s_-]?now|buy[\s_-]?(?:it[\s_-]?)?now|place[\s_-]?(?:your |the )?order|confirm[\s_-]?(?:and[\s_-]?pay|payment|purchase|transfer|order)|complete[\s_-]?(?:purchase|payment|order)|send[\s_-]?money|transfer[\s_-]?funds|submit[\s_-]?payment|purchase[\s_-]?now|checkout[\s_-]?(?:submit|confirm|button))\b/i;
/** What a browser is told to buy, in plain words. */
const SHOPS =
  /\b(?:buy|purchase|order|book|pay for|subscribe to|bid on)\s+(?:me\s+|us\s+)?(?:an?|the|one|two|\d+|some|this|that|my)\b|\b(?:check ?out the cart|complete the purchase|make (?:a|the) payment|transfer \$?\d)/i;
/** Buttons by which something is said in public. */
const SPEAKS =
  /\b(?:post|publish|send|share|submit)[\s_-]?(?:(?:the|this|that|my|your|an?) )?(?:tweet|post|reply|message|e-?mail|comment|review|story|invitation|invite)s?\b|^(?:tweet|toot|post all|publish now)$/i;
const DELETES =
  /\b(?:delete|close|remove|destroy) (?:this |my |your |the )?(?:account|organi[sz]ation|repository|workspace|project|database|tenant|everything|bucket|cluster|production)\b|\bi understand.{0,40}delete\b|\btransfer ownership\b/i;
const LONGEST = 2000;

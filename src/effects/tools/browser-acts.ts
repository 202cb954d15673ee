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
  if (!call.words.some((word) => PRESSES.has(word))) return [];
  const element = textUnder(call, /^(?:element|text|name|label|description|selector|target)$/) ?? "";
  if (PAYS.test(element)) return [{ kind: "payment", text: element.slice(0, LONGEST) }];
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
  /\b(?:pay now|buy now|place (?:your |the )?order|confirm (?:and pay|payment|purchase|transfer|order)|complete (?:purchase|payment|order)|send money|transfer funds|submit payment|purchase now)\b/i;
const DELETES =
  /\b(?:delete|close|remove|destroy) (?:this |my |your |the )?(?:account|organi[sz]ation|repository|workspace|project|database|tenant|everything|bucket|cluster|production)\b|\bi understand.{0,40}delete\b|\btransfer ownership\b/i;
const LONGEST = 2000;

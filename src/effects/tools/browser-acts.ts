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
  if (!call.words.some((word) => PRESSES.has(word))) return [];
  const element = textUnder(call, /^(?:element|text|name|label|description|selector|target)$/) ?? "";
  if (PAYS.test(element)) return [{ kind: "payment", text: element.slice(0, LONGEST) }];
  return DELETES.test(element) ? [{ kind: "resource-loss", text: element.slice(0, LONGEST) }] : [];
}

const BROWSERS = words(
  "browser playwright puppeteer chrome devtool devtools page selenium webdriver stagehand browserbase computer",
);
const PRESSES = words("click tap press submit dblclick act");
const KEPT_BY_PAGE = /document\.cookie|localStorage|sessionStorage|indexedDB|type=["']?password/;
const SENDS = /\bfetch\s*\(|XMLHttpRequest|sendBeacon|new Image\b|WebSocket|\.src\s*=|axios|location(?:\.href)?\s*=/;
const PAYS =
  /\b(?:pay now|buy now|place (?:your |the )?order|confirm (?:and pay|payment|purchase|transfer|order)|complete (?:purchase|payment|order)|send money|transfer funds|submit payment|purchase now)\b/i;
const DELETES =
  /\b(?:delete|close|remove|destroy) (?:this |my |your |the )?(?:account|organi[sz]ation|repository|workspace|project|database|tenant|everything|bucket|cluster|production)\b|\bi understand.{0,40}delete\b|\btransfer ownership\b/i;
const LONGEST = 2000;

import type { ToolActKind } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";
import { SENDS, SPEAKS, type WordTest, words } from "./verbs.ts";

/** Whether a verb writes to people; comments on issues and pull requests are the daily work of an agent. */
export function messageAct(verb: string, has: WordTest, call: CalledTool): ToolActKind | undefined {
  if (has(SOCIAL) && has(POSTS) && (SENDS.has(verb) || WRITES.has(verb)) && !has(DRAFTS)) return "message";
  const isPublic = call.leaves.some(({ key, value }) => key === "public" && value === true);
  if (isPublic && has(DESKS) && (SENDS.has(verb) || WRITES.has(verb))) return "message";
  if (OWN_TALK.test(call.tool) || has(NO_MESSAGES)) return undefined;
  if (SPEAKS.has(verb)) return "message";
  if ((verb === "share" || verb === "upload") && has(SOCIAL)) return "message";
  if (verb === "invite") return "message";
  const isToPeople = call.leaves.some(({ key }) => RECIPIENT_KEY.test(key));
  if (MEETS.has(verb) && has(MEETINGS))
    return call.leaves.some(({ key, above }) => GUEST_KEY.test(key) || above.some((outer) => GUEST_KEY.test(outer)))
      ? "message"
      : undefined;
  const isDraft = has(DRAFTS) || call.leaves.some(({ key, value }) => key === "draft" && value === true);
  if (SENDS.has(verb)) {
    if (isDraft && verb !== "send") return undefined;
    if (has(MESSAGES) || has(SERVICES) || has(SOCIAL)) return "message";
    return verb === "send" && call.isMcp && (isToPeople || !has(TO_PROGRAMS)) ? "message" : undefined;
  }
  if (!WRITES.has(verb) || isDraft) return undefined;
  if (has(POSTED)) return "message";
  return has(SERVICES) && has(TALK) ? "message" : undefined;
}

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
/** What is sent to programs, and what is said about a change. */
const NO_MESSAGES = words(`
  key keystroke input command request http signal prompt issue comment pr pull review mr discussion event_handler click packet
  metric log heartbeat commit patch diff line terminal tmux session process stdin dialog cell action keys`);
const TO_PROGRAMS = words(
  "data event telemetry file transaction code query payload body rpc tcp udp back backward front pty serial socket websocket mqtt",
);
const RECIPIENT_KEY =
  /^(?:to|recipients?|recipientid|channel|channelid|channelname|phone\w*|chatid|cc|bcc|emailaddress|toemail|userid|roomid)$/;
const GUEST_KEY = /^(?:attendees?|guests?|invitees?|participants?|attendeeemails|recipients|emails)$/;
/** Agents talk to their own helpers and to their user. */
const OWN_TALK =
  /^(?:SendMessage|send_message|SendUserMessage|send_input|notify_user|message_user|send_message_to_user|PushNotification|message_notify_user|message_ask_user)$/;

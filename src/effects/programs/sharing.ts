import type { RunCondition } from "./act.ts";
import { allValues, each, operand, operandIs, operandsFrom, option, without } from "./act.ts";
import { operandText, values } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that send files to other people: by mail, by chat, by paste services. */
export const SHARING = (): Programs => ({
  "telegram-send slackcat slack-cli": {
    options: "file|f= image|i= channel|c= stdin",
    talks: "out",
    reads: each(allValues("file image"), operandsFrom(1, "channel")),
    sends: "both",
    examples: [["telegram-send --file a", "network-out", "sends to ?", "reads a", "file a flows to network"]],
  },
  "mail mailx sendmail mutt msmtp swaks": {
    options: "s= a= A= r= c= b= S= t from= to= attach=",
    does: [
      { when: addressIs(/@/), talks: "out", to: ADDRESS, otherwise: { talks: "out" } },
      { when: addressIs(/^/), roles: ["message"] },
      // The addresses are in the letter.
      { names: "sendmail msmtp", when: "t", roles: ["message"] },
    ],
    reads: without(/^@/, allValues("a A attach")),
    sends: "both",
    examples: [
      [
        "mail -s x -A a.txt me@h.test",
        "network-out message",
        "sends to h.test",
        "reads a.txt",
        "file a.txt flows to network",
      ],
    ],
  },
  "gist pastebinit pastebin-cli pastebin hastebin haste ix.io 0x0 transfer transfer-sh croc wormhole ffsend magic-wormhole termbin dpaste":
    {
      options: "p P d= t= f= i= a= b= c code= title= private public",
      talks: "out",
      does: [
        {
          unless: operandIs(0, /^(?:receive|recv|download|get|relay)$/),
          reads: (call) => [
            ...values(call, "i", "f"),
            ...call.operands.slice(/^(?:send|upload)$/.test(operandText(call)) ? 1 : 0),
          ],
          tree: true,
          sends: "both",
          roles: ["publish"],
        },
      ],
      examples: [
        ["croc send a", "network-out publish", "sends to ?", "reads a tree", "file a flows to network"],
        ["gist a", "network-out publish", "sends to ?", "reads a tree", "file a flows to network"],
      ],
    },
});

const ADDRESS = operand(0, option("to"));

function addressIs(pattern: RegExp): RunCondition {
  return (call) => ADDRESS(call).some((address) => address !== undefined && pattern.test(address.text));
}

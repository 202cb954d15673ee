import { has, pieceOf, plays, reads, sends, talks, value, values } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that hand files to other people: by mail, by chats, by places for texts. */
export const SHARING = (): Programs => ({
  "telegram-send slackcat slack-cli": {
    options: "file|f= image|i= channel|c= stdin",
    does: (call) => {
      talks(call, "out", undefined);
      for (const path of [
        ...values(call, "file", "image"),
        ...(has(call, "channel") ? call.operands : call.operands.slice(1)),
      ])
        reads(call, path);
      sends(call, "reads");
      sends(call, "input");
    },
    examples: [["telegram-send --file a", "network-out", "sends to ?", "reads a", "file a flows to network"]],
  },
  "mail mailx sendmail mutt msmtp swaks": {
    options: "s= a= A= r= c= b= S= t from= to= attach=",
    does: (call) => {
      const address = call.operands[0] ?? value(call, "to");
      talks(call, "out", address?.text.includes("@") ? address : undefined);
      if (address !== undefined) plays(call, "message");
      for (const path of values(call, "a", "A", "attach")) reads(call, pieceOf(path, path.text.replace(/^@/, "")));
      sends(call, "input");
      sends(call, "reads");
    },
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
  "gist pastebinit transfer croc wormhole ffsend magic-wormhole termbin dpaste": {
    options: "p P d= t= f= i= a= b= c code= title= private public",
    does: (call) => {
      talks(call, "out", undefined);
      const [verb, ...rest] = call.operands;
      if (/^(?:receive|recv|download|get|relay)$/.test(verb?.text ?? "")) return;
      for (const path of /^(?:send|upload)$/.test(verb?.text ?? "") ? rest : call.operands)
        reads(call, path, { isTree: true });
      sends(call, "reads");
      sends(call, "input");
    },
    examples: [
      ["croc send a", "network-out", "sends to ?", "reads a tree", "file a flows to network"],
      ["gist a", "network-out", "sends to ?", "reads a tree", "file a flows to network"],
    ],
  },
});

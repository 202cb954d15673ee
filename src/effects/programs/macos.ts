import { fieldOf } from "../parse/value.ts";
import {
  anyArgument,
  anyOperand,
  argumentsAre,
  either,
  lastValueIs,
  operand,
  operandIs,
  operandsFrom,
  operandsLike,
  paths,
  valueIs,
} from "./act.ts";
import {
  type Call,
  deletes,
  known,
  operandText,
  plays,
  reads,
  runsFetched,
  someArgument,
  talks,
  values,
  writes,
} from "./call.ts";
import { tellCode } from "./interpreters.ts";
import type { Inner, Programs } from "./program.ts";

/** Programs of macOS and of desktops. */
export const MACOS = (): Programs => ({
  defaults: {
    readOnly: "read|read-type|domains|find|help",
    is: { scheduler: true },
    options: "currentHost host=",
    style: "whole",
    does: [
      { when: operandIs(0, /^(?:write|delete|import|rename)$/), roles: ["settings"] },
      // Marks of downloaded files, and all settings together.
      {
        when: argumentsAre(
          /LSQuarantine|askForPassword.{0,40}(?:0|false)|^delete (?:-g|NSGlobalDomain|-globalDomain)$/,
        ),
        roles: ["unverified"],
      },
      // A program that runs at every login or logout.
      { when: [operandIs(0, /^write$/), anyOperand(/^Log(?:in|out)Hook$/)], roles: ["persistence"] },
    ],
    examples: [
      ["defaults write com.apple.loginwindow LoginHook x", "settings persistence"],
      ["defaults write com.apple.dock autohide -bool true", "settings"],
      ["defaults read com.apple.dock"],
    ],
  },
  "plutil PlistBuddy": {
    options: "replace= insert= remove= convert= c= o= lint p",
    style: "whole",
    reads: operand(-1),
    does: [
      { when: either("replace insert remove", lastValueIs("c", /^(?:Set|Add|Delete|Merge)/)), writes: operand(-1) },
    ],
    examples: [
      ["plutil -p a.plist", "reads a.plist"],
      ["plutil -remove Label a.plist", "reads a.plist", "writes a.plist"],
    ],
  },
  security: {
    readOnly:
      "list-keychains|show-keychain-info|find-generic-password|find-internet-password|find-certificate|dump-keychain|help",
    is: { "system-account": true },
    options: "g",
    when: operandIs(0, /^(?:find-\S+-password|dump-keychain|export)$/),
    reads: paths("~/Library/Keychains"),
    tree: true,
    gives: "environment",
    otherwise: {
      when: operandIs(0, /^(?:add|delete|set|import|unlock|create|remove|authorizationdb)/),
      roles: ["account"],
    },
    examples: [
      ["security find-generic-password -s x -w", "reads ~/Library/Keychains tree"],
      ["security delete-keychain x", "account"],
      ["security list-keychains"],
    ],
  },
  "open xdg-open start": {
    options: "a= b= R e t n g W h=",
    does: (call) => {
      if (someArgument(call, /^--remote-debugging-address=(?:0\.0\.0\.0|\[?::)/)) plays(call, "expose");
      for (const word of call.operands) {
        if (/^https?:/.test(word.text)) talks(call, "out", word);
        else reads(call, word);
        // Such a file is run, not shown.
        if (/\.(?:command|terminal|scpt|workflow|pkg|mpkg|desktop|tool)$/.test(word.text))
          call.report.scripts.push(word);
        if (/(?:^\/(?:var\/)?tmp|\/Downloads)\/.*\.(?:command|terminal|tool|pkg|mpkg|app)$/.test(word.text))
          runsFetched(call, undefined);
      }
    },
    examples: [
      ["open https://example.com/x", "network-out", "sends to example.com"],
      ["xdg-open a.pdf", "reads a.pdf"],
    ],
  },
  gio: {
    options: "a= b= R e t n g W h=",
    does: [
      { when: anyOperand(/^https?:/), talks: "out", to: operandsLike(/^https?:/) },
      {
        when: operandIs(0, /^trash$/),
        unless: "list restore",
        roles: ["delete"],
        deletes: operandsFrom(1),
        tree: true,
        by: "trash",
        does: [{ when: "empty", does: emptiesTrash }],
      },
      { when: operandIs(0, /^remove$/), roles: ["delete"], deletes: operandsFrom(1), forced: "f force" },
      { when: operandIs(0, /^cat$/), reads: operandsFrom(1) },
      {
        when: operandIs(0, /^(?:copy|move|save|rename)$/),
        does: (call) => {
          for (const path of call.operands.slice(1, -1)) {
            reads(call, path);
            if (operandText(call) === "move") deletes(call, path);
          }
          if (call.operands.length > 1) writes(call, call.operands.at(-1));
        },
      },
    ],
    examples: [
      ["gio trash a", "delete", "deletes a tree"],
      ["gio trash --empty", "delete", "deletes ~/.local/share/Trash tree"],
      ["gio remove -f a", "delete", "deletes a forced"],
      ["gio cat a", "reads a"],
    ],
  },
  "pbpaste xclip xsel wl-paste": {
    does: (call) => {
      const { program } = call.report;
      const out = program === "xsel" ? /^-[a-z]*o|^--output$/ : /^-o(?:ut)?$/;
      if (!program.endsWith("paste") && !call.command.args.some(({ text }) => out.test(text))) return;
      call.report.gives = "environment";
      // The clipboard contains text that other people may have written.
      call.report.fetches = true;
    },
    examples: [
      ["pbpaste"],
      ["pbpaste | sh", "run-code", "network flows to shell", "unknown: sh"],
      ["xclip -o | jq ."],
      ["xclip -selection clipboard"],
    ],
  },
  "gsettings dconf": {
    readOnly: "get|read|list|list-schemas|list-keys|list-recursively|range|describe|dump|writable|monitor|help",
    verbs: { "set|reset|write|load|reset-recursively": ["settings"] },
    examples: [["gsettings set a b c", "settings"], ["dconf read /a"]],
  },
  "screencapture scrot grim maim import imagesnap fswebcam gnome-screenshot arecord parecord pw-record wf-recorder": {
    style: "whole",
    options: "window=",
    writes: operand(-1),
    does: [{ when: either((call) => call.report.program !== "import", "window"), roles: ["record"] }],
    examples: [["screencapture a.png", "record", "writes a.png"]],
  },
  osascript: {
    is: { scheduler: true, "takes-code": true, "runs-named": true },
    options: "e= language|l= i s=",
    style: "first",
    does: [
      { when: valueIs("e", /do shell script/), roles: ["run-code"] },
      { when: valueIs("e", /\bto (?:shut down|restart|sleep|log out)\b/), roles: ["power"] },
      { when: valueIs("e", /\bwith administrator privileges\b/), roles: ["privilege"] },
      { when: valueIs("e", /\bmake (?:new )?login item\b/), roles: ["persistence"] },
      {
        when: valueIs(
          "e",
          /\bsend\b[^\n]{0,200}\bto (?:buddy|participant|chat)\b|\bsend \(?make new outgoing message|tell application "Mail" to send\b/,
        ),
        roles: ["message"],
      },
      {
        when: valueIs(
          "e",
          /tell application "(?:Contacts|Mail|Notes|Messages|Calendar|Photos|Reminders)"[^\n]{0,80}\bget\b/,
        ),
        reads: paths("~/Library/Messages"),
      },
      {
        when: valueIs("e", /\bdelete (?:every item|items?|folder|entire contents) of\b[^\n]*\bhome\b/),
        deletes: paths("~"),
        tree: true,
      },
      { when: valueIs("e", /\bempty (?:the )?trash\b/), deletes: paths("~/.Trash"), tree: true },
      tellCode({ language: "compiled", code: ["e"] }),
    ],
    runs: (run) =>
      values(run, "e").flatMap(({ text }) =>
        [...text.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/g)].map(
          ([, line = ""]): Inner => ({
            runs: "shell",
            text: fieldOf(line.replaceAll(/\\(.)/g, "$1")),
            via: "osascript -e",
          }),
        ),
      ),
    examples: [
      [`osascript -e 'do shell script "id" with administrator privileges'`, "run-code privilege"],
      [`osascript -e 'do shell script "rm x"'`, "runs rm x"],
    ],
  },
  "tccutil nvram systemsetup scutil pmset": {
    is: { "system-settings": "tccutil nvram systemsetup scutil" },
    does: [
      { when: anyArgument(/^(?:reset|-c|-d|-set\w*|--set|-a|.+=.*)$/), roles: ["settings"] },
      { when: anyArgument(/^(?:sleepnow|schedule|restart|-setrestart\w*)$/), roles: ["power"] },
    ],
    examples: [["tccutil reset All", "settings"], ["pmset sleepnow", "power"], ["pmset -g"]],
  },
});

/** Files in the trash can be restored, emptied ones cannot. */
function emptiesTrash(call: Call): void {
  deletes({ ...call, report: { ...call.report, program: "rm" } }, known("~/.local/share/Trash"), { isTree: true });
}

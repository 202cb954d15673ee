import { anyArgument, operand, operandIs, paths } from "./act.ts";
import { argText, operandText, someOperand, valueText } from "./arguments.ts";
import { type Call, deletes, has, known, plays, reads, runsFetched, talks, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs of macOS and of desktops. */
export const MACOS = (): Programs => ({
  defaults: {
    readOnly: "read|read-type|domains|find|help",
    is: { scheduler: true },
    options: "currentHost host=",
    style: "whole",
    does: (call) => {
      if (/^(?:write|delete|import|rename)$/.test(operandText(call))) plays(call, "settings");
      // Marks of what was downloaded, and all settings at once.
      const words = argText(call);
      if (/LSQuarantine|^delete (?:-g|NSGlobalDomain|-globalDomain)$/.test(words)) plays(call, "unverified");
      // A program that every login or logout runs.
      if (/^write$/.test(operandText(call)) && someOperand(call, /^Log(?:in|out)Hook$/)) plays(call, "persistence");
    },
    examples: [
      ["defaults write com.apple.loginwindow LoginHook x", "settings persistence"],
      ["defaults write com.apple.dock autohide -bool true", "settings"],
      ["defaults read com.apple.dock"],
    ],
  },
  "plutil PlistBuddy": {
    options: "replace= insert= remove= convert= c= o= lint p",
    style: "whole",
    does: (call) => {
      const path = call.operands.at(-1);
      reads(call, path);
      const isChanging =
        has(call, "replace", "insert", "remove") || /^(?:Set|Add|Delete|Merge)/.test(valueText(call, "c"));
      if (isChanging) writes(call, path);
    },
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
  "open xdg-open start gio": {
    options: "a= b= R e t n g W h=",
    does: (call) => {
      for (const word of call.operands) {
        if (/^https?:/.test(word.text)) talks(call, "out", word);
        else if (call.report.program !== "gio") reads(call, word);
        // Such a file is run, not shown.
        if (/\.(?:command|terminal|scpt|workflow|pkg|mpkg|desktop|tool)$/.test(word.text))
          call.report.scripts.push(word);
        if (/(?:^\/(?:var\/)?tmp|\/Downloads)\/.*\.(?:command|terminal|tool|pkg|mpkg|app)$/.test(word.text))
          runsFetched(call, undefined);
      }
      if (call.report.program === "gio") tellGio(call);
    },
    examples: [
      ["open https://example.com/x", "network-out", "sends to example.com"],
      ["xdg-open a.pdf", "reads a.pdf"],
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
      // What was copied is text that others wrote.
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
  "screencapture scrot import": {
    writes: operand(-1),
    examples: [["screencapture a.png", "writes a.png"]],
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

function tellGio(call: Call): void {
  const [verb, ...paths] = call.operands;
  switch (verb?.text) {
    case "trash":
      if (has(call, "list", "restore")) return;
      plays(call, "delete");
      for (const path of paths) deletes(call, path, { isTree: true, by: "trash" });
      // What is emptied cannot be taken back any more.
      if (has(call, "empty"))
        deletes({ ...call, report: { ...call.report, program: "rm" } }, known("~/.local/share/Trash"), {
          isTree: true,
        });
      return;
    case "remove":
      plays(call, "delete");
      for (const path of paths) deletes(call, path, { isForced: has(call, "f", "force") });
      return;
    case "cat":
      for (const path of paths) reads(call, path);
      return;
    case "copy":
    case "move":
    case "save":
    case "rename":
      for (const path of paths.slice(0, -1)) {
        reads(call, path);
        if (verb.text === "move") deletes(call, path);
      }
      writes(call, paths.at(-1));
  }
}

import { deletes, has, known, plays, reads, talks, value, writes } from "../call.ts";
import type { Programs } from "../program.ts";

/** Programs of macOS and of desktops. */
export const MACOS: Programs = {
  defaults: {
    options: "currentHost host=",
    style: "whole",
    does: (call) => {
      if (/^(?:write|delete|import|rename)$/.test(call.operands[0]?.text ?? "")) plays(call, "settings");
    },
    examples: [["defaults write com.apple.dock autohide -bool true", "settings"], ["defaults read com.apple.dock"]],
  },
  "plutil PlistBuddy": {
    options: "replace= insert= remove= convert= c= o= lint p",
    style: "whole",
    does: (call) => {
      const path = call.operands.at(-1);
      reads(call, path);
      const isChanging =
        has(call, "replace", "insert", "remove") || /^(?:Set|Add|Delete|Merge)/.test(value(call, "c")?.text ?? "");
      if (isChanging) writes(call, path);
    },
    examples: [
      ["plutil -p a.plist", "reads a.plist"],
      ["plutil -remove Label a.plist", "reads a.plist", "writes a.plist"],
    ],
  },
  security: {
    options: "g",
    does: (call) => {
      const asked = call.operands[0]?.text ?? "";
      if (/^(?:find-\S+-password|dump-keychain|export)$/.test(asked)) {
        reads(call, known("~/Library/Keychains"), { isTree: true });
        call.told.gives = "environment";
      } else if (/^(?:add|delete|set|import|unlock|create|remove|authorizationdb)/.test(asked)) plays(call, "account");
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
        else if (call.told.program === "gio" && call.operands[0]?.text === "trash" && word !== call.operands[0]) {
          plays(call, "delete");
          deletes(call, word, { isTree: true });
        } else if (call.told.program !== "gio") reads(call, word);
      }
    },
    examples: [
      ["open https://example.com/x", "network-out", "sends to example.com"],
      ["xdg-open a.pdf", "reads a.pdf"],
      ["gio trash a", "delete", "deletes a tree"],
    ],
  },
  "pbpaste xclip xsel wl-paste": {
    options: "o out selection= sel= b i in clipboard",
    does: (call) => {
      if (/paste/.test(call.told.program) || has(call, "o", "out")) call.told.gives = "environment";
    },
    examples: [["pbpaste"]],
  },
  "gsettings dconf": {
    verbs: { "set|reset|write|load|reset-recursively": ["settings"] },
    examples: [["gsettings set a b c", "settings"], ["dconf read /a"]],
  },
  "screencapture scrot import": {
    does: (call) => {
      writes(call, call.operands.at(-1));
    },
    examples: [["screencapture a.png", "writes a.png"]],
  },
  "tccutil nvram systemsetup scutil pmset": {
    does: (call) => {
      const words = call.command.args.map(({ text }) => text);
      if (words.some((text) => /^(?:reset|-c|-d|-set\w*|--set|-a|.+=.*)$/.test(text))) plays(call, "settings");
    },
    examples: [["tccutil reset All", "settings"]],
  },
};

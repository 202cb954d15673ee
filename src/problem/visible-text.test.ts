import { expect, test } from "vitest";
import { withoutControls } from "./visible-text.ts";

test.each([
  ["one line\r\nand another\n\tindented", "one line\r\nand another\n\tindented"],
  ["hidden\rshown", "hidden\\u000dshown"],
  ["\r\r\n", "\\u000d\r\n"],
  ["\u001b[2J\u0007 \u009b1m", "\\u001b[2J\\u0007 \\u009b1m"],
  ["\u202eback\u2066", "\\u202eback\\u2066"],
  ["👩‍💻 ünïcødé", "👩‍💻 ünïcødé"],
])("a text for an agent spells out what moves the cursor or turns the writing, and nothing else: %j", (text, shown) => {
  expect(withoutControls(text)).toBe(shown);
});

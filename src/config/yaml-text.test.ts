import { expect, test } from "vitest";
import { withItems, withKey, withoutItem, withoutKey } from "./yaml-text.ts";

const LIST = `hooks:
  # About the first.
  # In two lines.
  - name: first
    rules: | # the rules
      # inside
      a -> deny("no")

    timeout: 5 # seconds
  # About the second.
  - # inside
    name: second
    timeout: 5
`;
const first = ["hooks", 0];

test.each<[string, string | undefined, string, string]>([
  [
    "a text in lines",
    withKey(LIST, first, "rules", "b\nc\n"),
    '      # inside\n      a -> deny("no")\n',
    "      b\n      c\n",
  ],
  [
    "a text in lines by one in a line",
    withKey(LIST, first, "rules", "b"),
    'rules: | # the rules\n      # inside\n      a -> deny("no")\n',
    "rules: b # the rules\n",
  ],
  [
    "a text in a line by one in lines",
    withKey(LIST, first, "name", "a\nb"),
    "- name: first\n",
    "- name: |-\n      a\n      b\n",
  ],
  ["a number", withKey(LIST, first, "timeout", 7), "timeout: 5 #", "timeout: 7 #"],
  [
    "a number by a list",
    withKey(LIST, first, "timeout", ["a"]),
    "timeout: 5 # seconds\n",
    "timeout: # seconds\n      - a\n",
  ],
  ["a key that is new", withKey(LIST, first, "enabled", false), "# seconds\n", "# seconds\n    enabled: false\n"],
  ["a key that goes", withoutKey(LIST, first, "timeout"), "    timeout: 5 # seconds\n", ""],
  ["the key behind a dash", withoutKey(LIST, first, "name"), "name: first\n    rules", "rules"],
  [
    "an item that is new",
    withItems(LIST, ["hooks"], [{ name: "x" }]),
    "\n    timeout: 5\n",
    "\n    timeout: 5\n  - name: x\n",
  ],
])("%s changes its own lines", (_, after, old, now) => {
  expect(LIST).toContain(old);
  expect(after).toBe(LIST.replace(old, () => now));
});

const FLOW = `hooks: [{ name: a, event: x }, { name: b }] # both
map: {
  one: 1, # first
  two: 2 # last
}
none: {}
off: [a, b]
`;

test.each<[string, string | undefined, string, string]>([
  ["a key", withKey(FLOW, first, "enabled", false), "event: x }", "event: x, enabled: false }"],
  ["a value", withKey(FLOW, first, "event", "a, b: c"), "event: x", 'event: "a, b: c"'],
  ["a key on lines of their own", withKey(FLOW, ["map"], "three", 3), "two: 2 # last", "two: 2, # last\n  three: 3"],
  ["a key of nothing", withKey(FLOW, ["none"], "a", [1, "x"]), "{}", "{ a: [1, x] }"],
  [
    "an item",
    withItems(FLOW, ["hooks"], [{ name: "c", n: null }]),
    "{ name: b }]",
    "{ name: b }, { name: c, n: null }]",
  ],
  ["a key that goes", withoutKey(FLOW, first, "name"), "name: a, ", ""],
  ["the last key", withoutKey(FLOW, first, "event"), ", event: x", ""],
  ["an item that goes", withoutItem(FLOW, ["off"], 0), "a, b]", "b]"],
])("between brackets, %s changes its own place", (_, after, old, now) => {
  expect(after).toBe(FLOW.replace(old, () => now));
});

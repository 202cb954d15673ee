import { expect, test } from "vitest";
import { judged } from "./judged.ts";

const SHOWN: readonly string[] = [
  "echo $TOKEN | base64",
  "echo ${TOKEN:0:40}",
  "echo ${API_KEY%%x*}",
  "printenv GITHUB_TOKEN | head -c 10",
  "env | grep TOKEN",
  "env | grep -i api_key",
  "printenv | grep SECRET | sort",
  'echo "$AWS_SECRET_ACCESS_KEY" | rev',
  "printf '%s' \"$TOKEN\" | xxd",
  "export | grep TOKEN",
  "echo $TOKEN | grep -v nothing",
  "set | grep -i passw",
  "echo $TOKEN | tr a-z A-Z | cat",
  "echo ${GITHUB_TOKEN:-none}",
  "env | grep -E 'TOKEN|KEY'",
];

const KEPT: readonly string[] = [
  'echo "${GITHUB_TOKEN:+set}"',
  "echo ${#GITHUB_TOKEN}",
  'echo "$TOKEN" | wc -c',
  "env | grep TOKEN | cut -d= -f1",
  "env | grep -c TOKEN",
  "env | grep -q TOKEN && echo yes",
  "echo $TOKEN | docker login --password-stdin",
  'echo "$TOKEN" | gh auth login --with-token',
  "env | grep PATH",
  "printenv | grep NODE",
  "env | grep TOKEN | sed 's/=.*//'",
  "env | awk -F= '{print $1}' | grep KEY",
  "echo $TOKEN > .token",
  "echo '$TOKEN'",
  "X=$(echo $TOKEN | base64)",
  "echo $KEYBOARD | base64",
  "set -e",
  "export FOO=1",
  "env FOO=1 npm test",
  'echo "$TOKEN" | sha256sum',
  "env | grep -v TOKEN",
];

test.each(SHOWN)(
  "a key in a variable is not shown without a question, whole, cut up or written otherwise: %s",
  async (command) => {
    expect(await judged("standard", command)).toMatchObject({ action: "ask" });
  },
);

test.each(KEPT)("a key that is used, counted or only named passes: %s", async (command) => {
  expect(await judged("standard", command)).toMatchObject({ action: "continue" });
});

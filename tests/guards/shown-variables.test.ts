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
  "python3 -c \"import os; print('API_KEY' in os.environ, os.environ)\"",
  "python3 -c \"import os; print(bool(os.getenv('API_KEY')) and os.getenv('API_KEY'))\"",
  "python3 -c \"import os; print(os.environ['API_KEY'] if os.getenv('API_KEY') else 0)\"",
  "python3 -c \"import os; print(bool(os.getenv('X') or os.getenv('API_KEY')), os.getenv('API_KEY'))\"",
  'python3 -c "import os; e = os.environ; print(e)"',
  'python3 -c "import os; print(os.environ.copy())"',
  'python3 -c "import os; [print(k, v) for k, v in os.environ.items()]"',
  "python3 -c \"from os import environ as e; print(e['API_KEY'])\"",
  'python3 -c "from os import environ; print(environ)"',
  'node -e "console.log(!!process.env.API_KEY || 1, process.env.API_KEY)"',
  'node -e "console.log(process.env.API_KEY ? process.env.API_KEY : 0)"',
  'node -e "console.log(process.env.API_KEY || 1)"',
  'node -e "console.log(!process.env.API_KEY || process.env.API_KEY)"',
  "deno eval 'console.log(Deno.env.toObject())'",
  "bun -e 'console.log(Bun.env.API_KEY)'",
  "python3 - <<'E'\nimport os\nkey = os.environ['API_KEY']\nprint(key)\nE",
  "python3 <<< 'import os; print(os.environ)'",
  "node <<'E'\nconsole.log(`key ${process.env.API_KEY}`)\nE",
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
  "python3 -c \"import os; print('API_KEY' in os.environ)\"",
  "python3 -c \"import os; print('API_KEY' not in os.environ, 'KEY' in os.environ)\"",
  "python3 -c \"import os; print(bool(os.environ.get('API_KEY')), len(os.getenv('API_KEY', '')))\"",
  "python3 -c \"import os; print('set' if os.getenv('API_KEY') else 'unset')\"",
  "python3 -c \"import os; print(os.environ.get('API_KEY') is not None)\"",
  "python3 -c \"import os, subprocess; subprocess.run(['ls'], env=os.environ.copy()); print('done')\"",
  "python3 -c \"import os, subprocess; subprocess.run(['ls'], env={**os.environ, 'CI': '1'}); print('done')\"",
  'node -e "console.log(!!process.env.API_KEY)"',
  "node -e \"console.log('API_KEY' in process.env, process.env.API_KEY?.length)\"",
  "node -e \"console.log(process.env.API_KEY ? 'set' : 'unset')\"",
  "node -e \"console.log(require('child_process').execSync('ls', { env: { ...process.env, CI: '1' } }).toString())\"",
  "node -p 'Boolean(process.env.API_KEY)'",
  "ruby -e 'puts ENV[\"API_KEY\"].nil?'",
  "perl -e 'print defined $ENV{API_KEY}'",
  "python3 - <<'E'\nimport os, requests\nkey = os.environ['API_KEY']\nr = requests.get('http://localhost', headers={'Authorization': key})\nprint(r.status_code, 'key is set')\nE",
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

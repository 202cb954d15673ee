import { expect, test } from "vitest";
import { effectsOf } from "./effects.ts";
import { readCommandLine } from "./parse/read-command-line.ts";
import { isPlainCode } from "./undescribed-changes.ts";

test.each<[line: string, isPlain: boolean]>([
  [`python3 -c "open('a/p.py','w').write('x')"`, true],
  [`python3 -c "open('./a/p.py', 'a').write('x;\\n # y')"`, true],
  [`python3 -c "with open('a', 'w') as f: f.write('x')"`, true],
  [`cd src && python3 -c "open('a','w').write('x'); print('done')"`, true],
  [`python3 -c "print(open('a').read())"`, true],
  [`ruby -e 'File.write("a", "x")'`, true],
  [`python3 -c "open('a','w').write('x'); helper()"`, false],
  [`python3 -c "import evil; open('a','w').write('x')"`, false],
  [`python3 -c "open('a','w').write(f())"`, false],
  [`python3 -c "open(p,'w').write('x')"`, false],
  [`python3 -c "open('a' 'b','w').write('x')"`, false],
  [`python3 -c "open('\\x61','w').write('x')"`, false],
  [`python3 -c "open('$X','w').write('x')"`, false],
  [`PYTHONPATH=. python3 -c "open('a','w').write('x')"`, false],
  [`./python3 -c "open('a','w').write('x')"`, false],
  [`python3 -i -c "open('a','w').write('x')"`, false],
  [`node -e "require('fs').writeFileSync('a/b','x')"`, true],
  [`node -e "fs.writeFileSync('a', 'x\\n'); console.log('done')"`, true],
  [`node -e "const fs = require('node:fs'); fs.appendFileSync('a', 'x', 'utf8')"`, true],
  [`node -e "const { writeFileSync } = require('fs'); writeFileSync('a', 'x');"`, true],
  [`node -e 'import fs from "node:fs"; fs.writeFileSync("a", \`x\`)'`, true],
  [`node -e "console.log(fs.readFileSync('a', 'utf8'))"`, true],
  // What is written is not known, or what writes it.
  [`node -e "fs.writeFileSync('a', f())"`, false],
  [`node -e 'fs.writeFileSync("a", \`\${f()}\`)'`, false],
  [`node -e "fs.writeFileSync(p, 'x')"`, false],
  [`node -e "fs.writeFileSync('a', 'x'); f()"`, false],
  [`node -e "require('./fs').writeFileSync('a', 'x')"`, false],
  [`node -e "require('fs-extra').writeFileSync('a', 'x')"`, false],
  [`node -e "fs.writeFileSync = f; fs.writeFileSync('a', 'x')"`, false],
  [`node -e "require('fs').writeFileSync('\\x61', 'x')"`, false],
  [`NODE_OPTIONS=--require=./x node -e "fs.writeFileSync('a', 'x')"`, false],
  [`node -r ./x.cjs -e "fs.writeFileSync('a', 'x')"`, false],
  [`./node -e "fs.writeFileSync('a', 'x')"`, false],
  ["python3 -c ''", true],
  [`ruby -e 'File.write("a", "#{system(1)}")'`, false],
  ["python3 p.py", false],
])("%s: nothing but what stands there: %s", (line, isPlain) => {
  const reading = readCommandLine(line, {});
  const effects = effectsOf(reading);
  const command = reading.commands.find(({ program }) => /python|ruby|node/.test(program?.text ?? ""));
  expect(command !== undefined && isPlainCode(command, effects)).toBe(isPlain);
});

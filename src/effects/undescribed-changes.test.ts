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
  ["python3 -c ''", true],
  [`ruby -e 'File.write("a", "#{system(1)}")'`, false],
  ["python3 p.py", false],
])("%s: nothing but what stands there: %s", (line, isPlain) => {
  const reading = readCommandLine(line, {});
  const effects = effectsOf(reading);
  const command = reading.commands.find(({ program }) => /python|ruby/.test(program?.text ?? ""));
  expect(command !== undefined && isPlainCode(command, effects)).toBe(isPlain);
});

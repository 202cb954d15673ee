import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { protectedProject } from "./project.ts";

const { bash, put, root, home } = protectedProject();

put(".sluice/hooks/guard.ts", "export default {};\n");
put(".claude/settings.json", "{}");
put(".claude/notes.md", "");
put("packages/a/.sluice/hooks.yaml", "hooks: []\n");
put("packages/b/.claude/settings.json", "{}");
put("~/.claude/settings.json", "{}");
put("~/.local/state/sluice/resident/1234/client-9", "");
put("~/.local/state/sluice/trust/x.json", "{}");
put("src/a.ts", "export {};\n");
put("src/b.tmp", "");
put("src/deep/c.o", "");
put("docs/a.md", "");
put("docs/b.md", "");
put("evil/settings.json", "{}");
put("evil.yaml", "hooks: []\n");
mkdirSync(join(root, "ways"));
symlinkSync("../.sluice", join(root, "ways/one"));

describe("a glob that could name something at or below a protected folder", () => {
  it.each([
    "ln -sf /bin/true ~/.local/state/sluice/resident/*/client-*",
    "ln -sf /bin/true ~/.local/state/sluice/resident/*/client-?",
    "ln -sf -t ~/.local/state/sluice/resident/* /bin/true",
    "ln -sf /bin/true -t ~/.local/state/sluice/resident/*/",
    "cp /bin/true ~/.local/state/sluice/resident/*/client-*",
    "cp -t ~/.local/state/sluice/resident/* /bin/true",
    "mv evil.yaml ~/.local/state/sluice/tru[st]t/x.json",
    "mv ~/.local/state/sluice/resident/*/client-* /tmp/",
    "install -m 755 /bin/true ~/.local/*/sluice/resident/1234/client-9",
    "rm -f ~/.local/state/sluice/*/*.json",
    "rm -f ~/.local/*/sluice/*/*",
    "rm -rf ~/.local/{state,share}/sluice/{trust,resident}/*",
    "rm -rf ~/.local/st*",
    "rm -rf ~/.loc*/state/sl??c?/trust",
    "rm -rf ~/.local/state/sluice/**",
    "chmod 000 ~/.local/*/sluice/*",
    "chmod -R a-x ~/.local/state/sluice/res*",
    "echo x > ~/.local/state/sluice/resident/*/client-9",
    "echo x >> ~/.local/sta?e/sluice/trust/x.json",
    "echo x | tee ~/.local/state/sluice/trust/*.json",
    "sed -i s/a/b/ ~/.local/state/sluice/trust/*",
    "truncate -s 0 ~/.local/state/slu*/trust/x.json",
    "find ~/.local -name 'client-*' -delete",
    "find ~/.local/state/sluice -name '*.none' -delete",
    "find ~ -name x.json -exec rm {} +",
    "find .sluice -type f -name '*.ts' -exec sed -i s/a/b/ {} +",
    "find packages -name hooks.yaml -delete",
    "cd ~/.local/state/sluice && rm -f */*",
    "cd ~/.local/state && rm -rf sl*",
    "cd .sluice/hooks; echo x > *.ts",
    "cd src && rm -f ../.sluice/hooks/*.ts",
    "rm -f src/*/../../.sluice/hooks/*",
    "rm -f .sluice/hooks/[[:alpha:]]*",
    "rm -rf .@(sluice|x)",
    "shopt -s dotglob; rm -rf *",
    "rm -f .sluice/nothing-is-called-so-*",
    "rm -f ~/.config/sluice/*.yaml",
    "touch .sluice/hooks/*.sh",
    "rm -f packages/*/.sluice/*",
    "echo x > packages/*/.claude/settings.json",
    "rm -f ways/*/hooks.yaml",
    "cp evil/* .claude/",
    "cp evil/*.json .gemini/",
    "cp evil.yaml .slu*/hooks.yaml",
    "ln -sfn /tmp/evil .cla*",
    "rsync -a evil/ .clau*/",
    "rm -rf $(echo ~)/.local/state/sluice/resident/*",
    "for f in ~/.local/state/sluice/*/*; do rm $f; done",
    "dd if=evil.yaml of=$HOME/.local/state/sluice/trust/*",
    "find . -name '*luice' -exec rm -rf {} +",
    "find . -name '?sluice' -exec mv {} /tmp/x ';'",
    "find . -name '.sluic\\e' -exec rm -rf {} +",
    "find . -iname '.SLUICE' -exec rm -rf {} +",
    "find . -iregex '.*/\\.SLUICE' -exec rm -rf {} +",
    "find . | grep '\\.sluice' | xargs rm -rf",
    "find . | grep -i '\\.SLUICE$' | xargs rm -rf",
    `find . ${Array.from({ length: 70 }, (_, at) => `-name ${at}.o -o`).join(" ")} -name hooks.yaml | xargs rm`,
    "fd -H -g '*luice' -X rm -rf",
    "fd -H -i -g .SLUICE -X rm -rf",
    "ls -A | grep luice | xargs rm -rf",
    "ls -A | while read f; do rm -rf $f; done",
    "find docs .sluice | while read f; do rm -rf $f; done",
    "while read f; do rm -rf $f; done < <(find docs .sluice)",
    "for f in $(find docs .sluice); do rm -rf $f; done",
    "find docs -type f | cat - <(find .sluice) | xargs rm",
    "python3 -c \"import pathlib, shutil; [shutil.rmtree(p) for p in pathlib.Path('.').glob('*luice')]\"",
    "python3 -c \"import os, shutil; [shutil.rmtree(f) for f in os.listdir('.') if 'luice' in f]\"",
    "node -e \"for (const f of fs.globSync('*luice')) fs.rmSync(f, { recursive: true })\"",
  ])("is denied: %s", (command) => {
    expect(bash(command)).toMatchObject({ action: "deny", reason: expect.stringContaining("Sluice protects itself") });
  });

  it.each([
    "rm -f src/*.tmp",
    "rm -rf src/*",
    "rm -rf *",
    "rm -f src/**/*.o",
    "ls ~/.local/state/sluice/*",
    "cat .claude/*.json",
    "cat ~/.local/*/sluice/*/*.json",
    "cp docs/* /tmp/x/",
    "cp .claude/*.json /tmp/x/",
    "cp docs/*.md .claude/",
    "rm -f .claude/*.md",
    "find . -name '*.o' -delete",
    "find src -type f -delete",
    "find . -name '*.tmp' -not -path './node_modules/*' -exec rm {} +",
    "find . -name '*.yaml' -exec grep -l x {} +",
    "sed -i s/a/b/ src/*.ts docs/?.md",
    "mv docs/*.md src/",
    "chmod +x src/*",
    "rm -rf packages/*/dist",
    "rm -rf /tmp/x-*/y",
    "rm -f *.log",
    "ln -s ../docs/* src/",
    "echo x | tee src/a.* docs/[ab].md",
    "cd docs && rm -f *.md",
    "touch ~/.cache/other/*",
    "rm -f ~/.local/state/other/*",
    "rm -rf *luice",
    "find . -iname '*.O' -delete",
    "find . -name '*.o' -o -name '*.tmp' | while read f; do rm -f $f; done",
    "for f in $(find . -name '*.o' -o -name '*.tmp'); do rm -f $f; done",
    "ls -a | grep '\\.log$' | xargs rm -f",
    "python3 -c \"import os; [os.remove(f) for f in os.listdir('.') if f.endswith('.log')]\"",
    "python3 -c \"import os, shutil; [shutil.move('docs/' + f, '.') for f in os.listdir('docs')]\"",
    "node -e \"for (const f of fs.readdirSync('.')) if (/\\.log$/.test(f)) fs.unlinkSync(f)\"",
  ])("a harmless neighbour passes: %s", (command) => {
    expect(bash(command)).toMatchObject({ action: "continue" });
  });
});

describe("a link to a protected place is a second way to it", () => {
  it.runIf(existsSync("/dev/shm"))("from the system's shared memory too", () => {
    const folder = mkdtempSync("/dev/shm/sluice-way-");
    symlinkSync(join(root, ".sluice"), join(folder, "way"));
    expect(bash(`echo 'hooks: []' > ${folder}/way/hooks.yaml`)).toMatchObject({ action: "deny" });
    expect(bash(`echo 'hooks: []' > ${folder}/way.yaml`)).toMatchObject({ action: "continue" });
    rmSync(folder, { recursive: true });
  });

  it.each([
    () => `ln -s ${root}/.sluice x`,
    () => `cd src && ln -s ${root}/.sluice/hooks.yaml x`,
    () => `cd src && ln -s ${home}/.local/state/sluice x`,
    () => "cd src && ln -s ~/.local/state/sluice/trust ../docs/x",
    () => "ln -s ../.sluice src/x",
    () => "ln -s ../.claude/settings.json src/",
    () => "ln -s ~/.local/*/sluice x",
    () => "ln .sluice/h* docs/",
    () => "cp -s $PWD/.sluice/hooks.yaml x",
  ])("%s", (command) => {
    expect(bash(command())).toMatchObject({ action: "deny" });
  });

  it.each([
    () => `cd .. && ln -s ${root}/src/a.ts third`,
    () => `ln -s ${root}/docs src/docs`,
    () => "ln -s ../docs/a.md src/a.md",
    () => "cp -s $PWD/src/a.ts src/second.ts",
  ])("to another place it passes: %s", (command) => {
    expect(bash(command())).toMatchObject({ action: "continue" });
  });
});

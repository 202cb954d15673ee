import { isPackName } from "../config/pack-lock.ts";
import { problems } from "../problem/problem.ts";

/** The files of a new pack, by their paths. Its examples pass, so that the first run of `sluice pack test` is green. */
export function scaffold(name: string): Readonly<Record<string, string>> {
  if (!isPackName(name)) throw PROBLEMS.noNewName({ name });
  return {
    "package.json": `${JSON.stringify(manifest(name), null, 2)}\n`,
    "sluice.yaml": HOOKS,
    "README.md": readme(name),
    [`${name.replace(/^@[^/]*\//, "")}.hooks.test.yaml`]: TESTS,
    ".github/workflows/publish.yml": WORKFLOW,
  };
}

function manifest(name: string): object {
  return {
    name,
    version: "0.1.0",
    description: "What agents should not do here, as hooks of Sluice.",
    license: "MIT",
    keywords: ["sluice-pack"],
    files: ["sluice.yaml", "README.md"],
  };
}

const HOOKS = `# A pack of hooks. It can only tighten: its rules deny, ask and warn.
# \`sluice pack check\` reads it, \`sluice pack test\` tries the examples, \`sluice add .\` uses it in a project.
description: Branches that only people push to.

parameters:
  branches:
    type: list
    default: [main]
    description: the branches that agents do not push to

hooks:
  - name: no-push
    event: tool:pre_execute:@shell
    description: Denies git push to the branches.
    rules: |
      args.command matches "\\bgit push\\b.*\\b\${branches}\\b" -> deny("Push a branch of your own, and open a pull request.")
    examples:
      deny: ["git push origin main"]
      allow: ["git push origin fix/typo", "git status"]
`;

const TESTS = `tests:
  - name: a push of another branch passes
    tool: bash
    args: { command: git push origin feature }
    expect: allow
`;

function readme(name: string): string {
  return `# ${name}

Hooks for coding agents, used with [Sluice](https://www.npmjs.com/package/sluice).

\`\`\`sh
sluice add ${name}
\`\`\`

| hook | what it stops |
|---|---|
| \`no-push\` | \`git push\` to the branches under \`branches\` |

\`\`\`yaml
extends:
  - pack: "${name}"
    with: { branches: [main, release] }
\`\`\`
`;
}

const WORKFLOW = `# Publishes with provenance: users see which commit and which workflow a version was built from.
name: publish
on:
  release:
    types: [published]
permissions:
  contents: read
  id-token: write
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          registry-url: https://registry.npmjs.org
      - run: npx --yes sluice pack test .
      - run: npm publish --provenance --access public
        env:
          NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }}
`;

const PROBLEMS = problems("pack", {
  noNewName: ({ name }: { name: string }) => ({
    what: `${JSON.stringify(name.slice(0, 80))} is not a name for a pack.`,
    fix: "Write one like `git-safety` or `@acme/git-safety`: small letters, digits, and - _ . between them.",
  }),
});

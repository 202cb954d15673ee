// Makes what other package managers install: a plugin marketplace for Claude Code, an extension for Gemini CLI, a formula for
// Homebrew. Usage: distribution.mjs [--out folder] [--tarball file] [--url address] [--manifests]
// With --manifests only the files are written that the repository itself has (.claude-plugin, distribution/).
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadSource } from "./load-source.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: flags } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "out/distribution") },
    tarball: { type: "string" },
    url: { type: "string" },
    manifests: { type: "boolean" },
    check: { type: "boolean" },
  },
});
const { version, description, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { ADAPTERS, pluginHooks, PLUGIN_STARTER } = await loadSource(root, [
  "adapters/index.ts",
  "install/own-plugin.ts",
]);
const REPOSITORY = "https://github.com/sluice-hooks/sluice";
const summary = description.replace(/\.$/, "");

const CLAUDE = { folder: "distribution/claude-code" };
const GEMINI = { folder: "distribution/gemini-cli" };
const hooksOf = (id) => ({ hooks: pluginHooks(ADAPTERS.find((one) => one.id === id)) });

/** The files that the repository has, so that it is a marketplace itself. */
const manifests = {
  ".claude-plugin/marketplace.json": json({
    name: "sluice",
    owner: { name: "Sluice" },
    plugins: [{ name: "sluice", source: `./${CLAUDE.folder}`, description: summary, version }],
  }),
  [`${CLAUDE.folder}/.claude-plugin/plugin.json`]: json({ name: "sluice", version, description: summary, license }),
  [`${CLAUDE.folder}/hooks/hooks.json`]: json({
    description: "Guards, rules and hooks of Sluice",
    ...hooksOf("claude-code"),
  }),
  [`${CLAUDE.folder}/bin/sluice`]: PLUGIN_STARTER,
  [`${GEMINI.folder}/gemini-extension.json`]: json({ name: "sluice", version, description: summary }),
  [`${GEMINI.folder}/hooks/hooks.json`]: json(hooksOf("gemini-cli")),
  [`${GEMINI.folder}/bin/sluice`]: PLUGIN_STARTER,
};

if (flags.check) {
  const stale = Object.entries(manifests).filter(([path, text]) => read(path) !== text);
  for (const [path] of stale) console.error(`${path} is not what scripts/distribution.mjs writes`);
  process.exit(stale.length > 0 ? 1 : 0);
}
if (flags.manifests) writeAll(root, manifests);
else release(resolve(flags.out));

function release(out) {
  if (!existsSync(join(root, "dist/sluice.cjs"))) throw new Error("Build first: npm run build");
  rmSync(out, { recursive: true, force: true });
  writeAll(out, manifests);
  for (const { folder } of [CLAUDE, GEMINI]) copyCommand(join(out, folder));
  const tarball = flags.tarball ?? join(root, `sluice-${version}.tgz`);
  if (!existsSync(tarball)) return console.log(`${out}: plugin and extension; no formula, as ${tarball} is not there`);
  const sha256 = createHash("sha256").update(readFileSync(tarball)).digest("hex");
  const url = flags.url ?? `${REPOSITORY}/releases/download/v${version}/sluice-${version}.tgz`;
  writeAll(out, { "homebrew/Formula/sluice.rb": formula({ url, sha256 }) });
  console.log(`${out}: plugin, extension, formula`);
}

/** The command's bundles need no packages: what they load besides is optional. */
function copyCommand(folder) {
  const names = readdirSync(join(root, "dist")).filter((name) => name.endsWith(".cjs"));
  for (const name of [...names, "native", "ui"])
    cpSync(join(root, "dist", name), join(folder, "dist", name), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

function formula({ url, sha256 }) {
  return `class Sluice < Formula
  desc "${summary.replaceAll('"', "'")}"
  homepage "${REPOSITORY}"
  url "${url}"
  sha256 "${sha256}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
  end

  def caveats
    <<~EOS
      To guard your agents, run:
        sluice setup
    EOS
  end

  test do
    ENV["XDG_CONFIG_HOME"] = testpath/"config"
    ENV["XDG_STATE_HOME"] = testpath/"state"
    system bin/"sluice", "init", "--scope", "user", "--yes"
    output = shell_output("#{bin}/sluice fire 'rm -rf /'", 2)
    assert_match "deny", output
    assert_match "continue", shell_output("#{bin}/sluice fire 'ls'")
  end
end
`;
}

function read(path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
}

function writeAll(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    if (path.endsWith("/bin/sluice")) chmodSync(place, 0o755);
  }
}

function json(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

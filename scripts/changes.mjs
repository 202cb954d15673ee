// Changes that users should know of, one file each in .changeset, in the format of the changesets project (its command needs 130
// packages; this needs none). Usage: changes.mjs check | version | notes
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = process.env.SLUICE_CHANGES_ROOT ?? fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, ".changeset");
const LEVELS = ["patch", "minor", "major"];
const manifest = JSON.parse(read("package.json"));

const [command] = process.argv.slice(2);
const COMMANDS = { check, version, notes };
if (command === undefined || !Object.hasOwn(COMMANDS, command)) {
  console.error(`Write one of: ${Object.keys(COMMANDS).join(", ")}`);
  process.exit(64);
}
try {
  COMMANDS[command]();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Every file can be read, and says something. */
function check() {
  console.log(`${changes().length} changes wait for the next version`);
}

/** Gives the package its next version, and the changelog a section with everything that waits. */
function version() {
  const waiting = changes();
  if (waiting.length === 0) throw new Error("No change waits for a version: .changeset has no files.");
  const next = bumped(manifest.version, Math.max(...waiting.map(({ level }) => LEVELS.indexOf(level))));
  const changelog = read("CHANGELOG.md");
  const unreleased = /^## Unreleased\n+([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog);
  const written = (unreleased?.[1] ?? "").trim();
  const lines = waiting.map(({ text }) => `- ${text.replaceAll("\n", "\n  ")}`);
  const section = [
    `## ${next} (${new Date().toISOString().slice(0, 10)})`,
    "",
    ...lines,
    ...(written ? [written] : []),
    "",
    "",
  ].join("\n");
  const head = "# Changelog\n\n";
  const rest =
    unreleased === null ? changelog.slice(head.length) : changelog.slice(head.length).replace(unreleased[0], "");
  writeFileSync(join(root, "CHANGELOG.md"), head + section + rest.trimStart());
  const replaced = (file) =>
    writeFileSync(join(root, file), read(file).replaceAll(`"version": "${manifest.version}"`, `"version": "${next}"`));
  replaced("package.json");
  if (existsSync(join(root, "package-lock.json"))) lockVersion(next);
  for (const { file } of waiting) rmSync(join(folder, file));
  console.log(next);
}

/** What the changelog says of the present version, for the release. */
function notes() {
  const sections = read("CHANGELOG.md").split(/^(?=## )/m);
  const own = sections.find(
    (text) => text.startsWith(`## ${manifest.version} `) || text.startsWith(`## ${manifest.version}\n`),
  );
  if (own === undefined)
    throw new Error(`CHANGELOG.md has no section for ${manifest.version}: run changes.mjs version.`);
  console.log(own.replace(/^## .*\n+/, "").trim());
}

function changes() {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md")
    : [];
  return files.sort().map((file) => {
    const [, level, text] = /^---\n"sluice": (\w+)\n---\n+([\s\S]+)$/.exec(read(join(".changeset", file))) ?? [];
    if (!LEVELS.includes(level) || text.trim() === "")
      throw new Error(
        `.changeset/${file}: write "---", "\\"sluice\\": patch, minor or major", "---", then what a user should know.`,
      );
    return { file, level, text: text.trim() };
  });
}

/** Before 1.0.0 a change that breaks something raises the minor version. */
function bumped(text, level) {
  const [major, minor, patch] = text.split(".").map(Number);
  if (level === 0) return `${major}.${minor}.${patch + 1}`;
  if (level === 1 || major === 0) return `${major}.${minor + 1}.0`;
  return `${major + 1}.0.0`;
}

function lockVersion(next) {
  const lock = JSON.parse(read("package-lock.json"));
  lock.version = next;
  lock.packages[""].version = next;
  writeFileSync(join(root, "package-lock.json"), `${JSON.stringify(lock, undefined, 2)}\n`);
}

function read(path) {
  return readFileSync(join(root, path), "utf8");
}

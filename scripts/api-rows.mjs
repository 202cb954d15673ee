// What the entry points of the package export, with the sentence above each declaration.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Rows of the table of the API: entry point, name, kind, sentence. */
export function apiRows(root) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.entries(exports).flatMap(([entry, target]) => {
    const types = target.types?.replace("./dist/types/", "src/").replace(/\.d\.ts$/, ".ts");
    // The parts of a page run in a browser.
    const file = entry === "./extension-host/page" ? "ui/extension-host/parts.ts" : types;
    if (file === undefined) return [];
    const name = entry === "." ? "sluice" : `sluice${entry.slice(1)}`;
    return exported(join(root, file)).map((one) => [`\`${name}\``, `\`${one.name}\``, one.kind, one.sentence]);
  });
}

/** Every name that a module exports, its own and those that it passes on. */
function exported(file) {
  const text = readFileSync(file, "utf8");
  const passed = [...text.matchAll(/^export (type )?\{([^}]*)\} from "(\.[^"]+)";/gm)].flatMap(([, , names, from]) =>
    names
      .split(",")
      .map((name) => name.replaceAll(/\/\*[\s\S]*?\*\//g, "").trim())
      .filter(Boolean)
      .map((name) => {
        const [original, alias = original] = name.replace(/^type /, "").split(/ as /);
        return { name: alias, ...declared(join(dirname(file), from), original) };
      }),
  );
  const own = [...text.matchAll(DECLARATION)].map(([, name]) => ({ name, ...declared(file, name) }));
  return [...passed, ...own].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A declaration's kind, and the first sentence of what is written above it. */
function declared(file, name) {
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  const text = readFileSync(file, "utf8");
  const found = new RegExp(
    `(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*(?://.*\\s*)*)?^export (?:declare )?(?:abstract )?(?:async )?(function|class|const|interface|type)\\*? ${name}\\b`,
    "m",
  ).exec(text);
  if (found === null) {
    const passedOn = new RegExp(
      `export (?:type )?\\{[^}]*?(?:type )?(\\w+ as )?\\b${name}\\b[^}]*\\} from "(\\.[^"]+)"`,
    ).exec(text);
    if (passedOn === null) throw new Error(`${file} does not declare ${name}`);
    return declared(join(dirname(file), passedOn[2]), passedOn[1]?.slice(0, -" as ".length) ?? name);
  }
  const [, comment = "", kind] = found;
  const words = comment
    .replaceAll(/^\s*\* ?/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return { kind: kind === "const" ? "value" : kind, sentence: /^.*?[.?](?= [A-Z`]|$)/.exec(words)?.[0] ?? words };
}

const DECLARATION = /^export (?:abstract )?(?:async )?(?:function|class|const|interface|type)\*? (\w+)/gm;

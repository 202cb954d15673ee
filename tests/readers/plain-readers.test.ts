import { expect, test } from "vitest";
import { stringify } from "yaml";
import { readJson } from "../../src/config/document.ts";
import { readPlainJson } from "../../src/config/plain-json.ts";
import { readPlainYaml } from "../../src/config/read-document.ts";
import { readYaml } from "../../src/config/read-yaml.ts";
import { HOOK_TEMPLATES } from "../../src/templates/index.ts";
import { cases, everyNth } from "../cases.ts";
import { compared, type Readers } from "./compared.ts";
import { type Dice, diceFor } from "./dice.ts";
import { jsonSoup, jsonText } from "./json-texts.ts";
import { mutated } from "./mutated.ts";
import { quotedTexts, textsIn } from "./repository-texts.ts";
import { yamlBrackets, yamlOutline, yamlSoup, yamlText } from "./yaml-texts.ts";

const YAML: Readers = { plain: readPlainYaml, library: readYaml };
const JSONC: Readers = { plain: readPlainJson, library: readJson };

/** How many files are made up per row, or a multiple of it. */
const MANY = cases(25, 10_000);
const PIECES = cases(80, 200_000);
const SPECS = Object.values(HOOK_TEMPLATES).map((hook) => ({ hooks: [hook.toJSON()] }));

/** Texts, and the share of them that has to be taken on: a reader that leaves everything to the library proves nothing. */
const ROWS: readonly (readonly [string, Readers, () => Iterable<string>, number])[] = [
  ["the YAML of this repository", YAML, () => textsIn("yaml"), 0.5],
  ["the JSON of this repository", JSONC, () => textsIn("json"), 0.5],
  ["templates as they are saved in YAML", YAML, () => SPECS.map((spec) => stringify(spec, { lineWidth: 0 })), 0.95],
  ["templates as they are saved in JSON", JSONC, () => SPECS.map((spec) => JSON.stringify(spec, null, 2)), 1],
  ["texts of the code, taken for YAML", YAML, someQuoted, 0.01],
  ["texts of the code, taken for JSON", JSONC, someQuoted, 0.01],
  ["YAML as people write it", YAML, () => made(MANY, (dice) => yamlText(dice, "tidy")), 0.95],
  ["YAML full of oddities", YAML, () => made(MANY, (dice) => yamlText(dice, "wild")), 0.05],
  ["YAML with slips of the hand", YAML, () => made(2 * MANY, (dice) => mutated(yamlText(dice, "tidy"), dice)), 0.1],
  ["odd YAML with slips of the hand", YAML, () => made(MANY, (dice) => mutated(yamlText(dice, "wild"), dice)), 0.02],
  ["pieces of YAML", YAML, () => made(PIECES, yamlSoup), 0.02],
  ["pieces of YAML inside a hook", YAML, () => made(PIECES, (dice) => inHook(yamlSoup(dice))), 0.02],
  ["lines of YAML", YAML, () => made(PIECES, yamlOutline), 0.05],
  ["YAML in brackets", YAML, () => made(4 * MANY, (dice) => yamlBrackets(dice, "tidy")), 0.8],
  ["odd YAML in brackets", YAML, () => made(10 * MANY, (dice) => yamlBrackets(dice, "wild")), 0.1],
  [
    "YAML in brackets with slips of the hand",
    YAML,
    () => made(4 * MANY, (dice) => mutated(yamlBrackets(dice, "tidy"), dice)),
    0.1,
  ],
  ["JSON as people write it", JSONC, () => made(MANY, jsonText), 0.95],
  ["JSON with slips of the hand", JSONC, () => made(2 * MANY, (dice) => mutated(jsonText(dice), dice)), 0.1],
  ["pieces of JSON", JSONC, () => made(PIECES, jsonSoup), 0.02],
];

test.each(ROWS)(
  "whatever a plain reader takes on, the library reads the same, values and places: %s",
  (_, readers, texts, least) => {
    const { all, taken, otherwise } = compared(texts(), readers);
    expect(otherwise).toBeUndefined();
    expect(taken / all).toBeGreaterThanOrEqual(least);
  },
  20_000 + 20 * MANY,
);

function someQuoted(): readonly string[] {
  return everyNth(8, quotedTexts());
}

function* made(count: number, make: (dice: Dice) => string): Iterable<string> {
  for (let seed = 0; seed < count; seed++) yield make(diceFor(seed));
}

function inHook(text: string): string {
  return `hooks:\n  - name: a\n    env:\n${text.replaceAll(/^(?=.)/gm, "    ")}`;
}

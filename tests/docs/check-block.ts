import { checkConfiguration } from "./configuration-block.ts";
import { runModule } from "./module-block.ts";
import type { Block } from "./page.ts";
import { runShell } from "./shell-block.ts";
import type { Workshop } from "./workshop.ts";

/** Does what a block's language asks for; throws with the block's place when the page does not keep its word. */
export async function checkBlock(block: Block, workshop: Workshop): Promise<void> {
  try {
    if (block.words.file !== undefined) workshop.write(block.words.file, block.text);
    const check = Object.hasOwn(LANGUAGES, block.language) ? LANGUAGES[block.language] : undefined;
    if (check === undefined) throw new Error(unknownLanguage(block.language));
    await check(block.text, workshop, block);
  } catch (error) {
    if (error instanceof Error) error.message = `${block.place} ${error.message}`;
    throw error;
  }
}

type BlockCheck = (text: string, workshop: Workshop, block: Block) => unknown;

/** Every language that a page may show. Only `text` is taken on trust. */
const LANGUAGES: Readonly<Record<string, BlockCheck>> = {
  ts: runUnlessFile(runModule),
  js: runUnlessFile(runModule),
  sh: runUnlessFile(runShell),
  yaml: checkConfiguration,
  json: checkConfiguration,
  jsonl: (text) => {
    for (const line of text.trim().split("\n")) JSON.parse(line);
  },
  text: () => {},
};

/** A block that is a file of the project is written, and used by blocks that follow. */
function runUnlessFile(check: BlockCheck): BlockCheck {
  return (text, workshop, block) => (block.words.file === undefined ? check(text, workshop, block) : undefined);
}

function unknownLanguage(language: string): string {
  const known = Object.keys(LANGUAGES).join(", ");
  return `is a block ${language === "" ? "without a language" : `in "${language}"`}; pages show ${known}`;
}

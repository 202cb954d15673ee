import type { CallPlace } from "../effect.ts";
import { hasKey } from "../literal-keys.ts";
import type { Word } from "../parse/command.ts";
import { isOutside } from "../path-class.ts";
import { isSecretFile } from "../secret-files.ts";

/**
 * Whether a file holds keys or passwords, by its name. A file of the project whose name stands for settings as often holds
 * them when a login stands in it; one that cannot be read does not.
 */
export function holdsKeys(path: Word, place: CallPlace): boolean {
  if (!isSecretFile(path.text)) return false;
  const [, , variables] = MIXED.exec(path.text) ?? [undefined, undefined, "none"];
  if (variables === "none") return true;
  if (isOutside(path, place)) return true;
  const text = (place.textAt?.(path.text) ?? "").replaceAll(REFERENCE, "=");
  return hasKey(text) || (variables === undefined && LOGIN.test(text));
}

/** Settings of package managers, and variables for tests. */
const MIXED =
  /(?:^|\/)(?:(\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|settings\.xml|nuget\.config|gradle\.properties|\.terraformrc|\.aws\/config)|(\.env\.(?:test|testing|ci|e2e)))$/i;
/** What is to be taken from a variable stands nowhere in the file. */
const REFERENCE = /[=:>]\s*["']?\$\{[\w.:-]+\}/g;
const LOGIN =
  /(?:_auth(?:Token)?|_password|npmAuth(?:Token|Ident)|passw\w*|passphrase|token|secret\w*|api_?key|private_?key|credential\w*)["']?\s*[=:>]\s*["']?[^\s"'<]|:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@/i;

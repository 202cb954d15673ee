import type { CallPlace } from "../effect.ts";
import { hasKey } from "../literal-keys.ts";
import type { Word } from "../parse/command.ts";
import { isOutside } from "../path-class.ts";
import { isSecretFile } from "../secret-files.ts";

/**
 * Whether a file holds keys or passwords, by its name. A file whose name stands for settings as often holds them when a
 * login stands in it; one that cannot be read does not. What a package manager logs in with, outside of the project,
 * counts until its text says otherwise.
 */
export function holdsKeys(path: Word, place: CallPlace): boolean {
  if (!isSecretFile(path.text)) return false;
  const [, , variables, logins] = MIXED.exec(path.text) ?? [undefined, undefined, "none"];
  if (variables === "none") return true;
  const given = place.textAt?.(path.text);
  if (isOutside(path, place) && (variables !== undefined || (logins !== undefined && given === undefined))) return true;
  const text = (given ?? "").replaceAll(REFERENCE, "=");
  return hasKey(text) || (variables === undefined && LOGIN.test(text));
}

/** Settings of tools, variables for tests, and settings of package managers with the login to their registry. */
const MIXED =
  /(?:^|\/)(?:(pip\.conf|settings\.xml|nuget\.config|gradle\.properties|\.terraformrc|\.aws\/config)|(\.env\.(?:test|testing|ci|e2e))|(\.npmrc|\.yarnrc(?:\.yml)?))$/i;
/** What is to be taken from a variable stands nowhere in the file. */
const REFERENCE = /[=:>]\s*["']?\$\{[\w.:-]+\}/g;
const LOGIN =
  /(?:_auth(?:Token)?|_password|npmAuth(?:Token|Ident)|passw\w*|passphrase|token|secret\w*|api_?key|private_?key|credential\w*)["']?\s*[=:>]\s*["']?[^\s"'<]|:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@/i;

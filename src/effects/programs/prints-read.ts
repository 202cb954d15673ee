import { byEachName } from "../../event/each-name.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { canonicalProgram } from "./program-name.ts";

/** Whether a run prints what it reads, by its arguments; undefined for programs that always or never do. */
export function printsRead({ program, args, input }: SimpleCommand): boolean | undefined {
  const row = PRINTS_READ[canonicalProgram(program?.text ?? "")];
  if (row === undefined) return undefined;
  const words = args.map(({ text }) => text);
  return row(words, input.from === "text" ? input.text.text : "");
}

/** Whether a run uses a key without printing its private part. */
export function usesKeyQuietly(command: SimpleCommand | undefined): boolean {
  return command !== undefined && command.program?.text === "openssl" && printsRead(command) === false;
}

/** Whether a filter of structured data prints only names, or a field whose name does not mean a key. */
export function picksOpenField({ program, args }: SimpleCommand): boolean {
  if (!/^(?:jq|yq|gojq)$/.test(canonicalProgram(program?.text ?? ""))) return false;
  const filter = args.map(({ text }) => text).find((text) => !/^-|^(?:e|eval)$/.test(text)) ?? "";
  if (/(?:^|\|\s*)(?:keys(?:_unsorted)?|length|to_entries\[\]\s*\|\s*\.key)\s*(?:\[\])?$/.test(filter.trim()))
    return true;
  const names = /^\.[\w-]+(?:\.[\w-]+)*$/.test(filter) ? filter.slice(1).split(".") : [];
  const field = names.at(-1) === "value" ? names.at(-2) : names.at(-1);
  return field !== undefined && !names.some((name) => SECRET_FIELD().test(name)) && !WHOLE_FIELD.test(field);
}

const SECRET_FIELD = () => /passw|secret|token|key|credential|connection|dsn|private|(?:^|_)(?:url|uri|auth|cert)/i;
/** Fields that contain everything. */
const WHOLE_FIELD = /^(?:data|stringData|values?|outputs?|env|config|items|parameters?)$/i;

/** Whether code of another language prints something, by its calls. */
export function printsInCode(code: string): boolean {
  return CODE_PRINTS().test(code);
}

const CODE_PRINTS = () =>
  /\b(?:print|puts|echo|say|pp|p|var_dump|print_r|printf|dump|warn|readfile|write)\b|console\.\w+|stdout|^(?:require|fs\.|open|File\.|readFileSync)/;

type Prints = (words: readonly string[], typed: string) => boolean;

const given = (words: readonly string[], option: RegExp) => words.some((word) => option.test(word));
const unlessInPlace: Prints = (words) => !given(words, /^-[a-zA-Z]*i|^--in-?place/);
const unlessOutput: Prints = (words) => !given(words, /^-[a-zA-Z]*o$|^--output(?:-file)?(?:=|$)/);
const toOutput: Prints = (words) => given(words, /^-[a-z0-9]*c|^--(?:std|to-std)out$/);
const byLines: Prints = (words) => given(words, /^-[a-zA-Z0]*[np]/) && !given(words, /^-[a-zA-Z]*i/);
const byTyped: Prints = (words, typed) =>
  /(?:^|[\s:,%$\d])(?:p|print|P)\b/m.test(`${words.slice(0, -1).join("\n")}\n${typed}`);

const PRINTS_READ: Readonly<Record<string, Prints>> = byEachName({
  openssl: ([asked = "", ...options]) =>
    (given(options, /^-text$/) && !given(options, /^-pubin$/) && /^(?:rsa|ec|dsa|pkey)$/.test(asked)) ||
    (/^(?:rsa|ec|dsa|pkey|pkcs8|pkcs12|base64|enc)$/.test(asked) && !given(options, /^-(?:pubout|noout|out|check)$/)),
  dd: (words) => !given(words, /^of=(?!\/dev\/(?:stdout|tty)$)/),
  "sed yq jq": unlessInPlace,
  "sort iconv base64 shuf": unlessOutput,
  gpg: (words) => given(words, /^(?:-[a-z]*d[a-z]*|--decrypt)$/) && unlessOutput(words, ""),
  "perl ruby": byLines,
  diff: (words) => !given(words, /^(?:-[a-zA-Z]*q|--brief)/),
  "vim vi ex nvim ed": byTyped,
  tar: (words) =>
    // An archive without a file is printed, too.
    (given(words, /^-?[a-zA-Z]*c[a-zA-Z]*$|^--create$/) &&
      (given(words, /^-$|^-O$|^--to-stdout$/) || !given(words, /^-?[a-zA-Z]*f|^--file/))) ||
    given(words, /^-?[a-zA-Z]*x[a-zA-Z]*O|^-?[a-zA-Z]*O[a-zA-Z]*x|^--to-stdout$|^-O$/),
  "gzip bzip2 xz zstd gunzip bunzip2 unxz": toOutput,
  cmp: (words) => given(words, /^-[a-z]*[lb]|^--(?:verbose|print-bytes)$/),
  age: (words) => given(words, /^-[a-z]*d|^--decrypt$/) && !given(words, /^-[a-z]*o$|^--output/),
  unzip: (words) => given(words, /^-[a-z]*[pc]/),
  "7z": (words) => given(words, /^-so$/),
  "uniq xxd": (words) => words.filter((word) => !word.startsWith("-")).length < 2,
});

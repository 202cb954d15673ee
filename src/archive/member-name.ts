/** Why a member of an archive cannot get the name that it asks for; nothing for a name that is safe on every system. */
export function whyUnsafeName(name: string): string | undefined {
  if (name === "") return "has no name";
  if (Buffer.byteLength(name) > LONGEST_NAME) return "has a name of more than 1,024 bytes";
  if (name.startsWith("/")) return "has an absolute path";
  if (UNSAFE_SIGNS.test(name)) return "has a backslash, a colon or a control character in its name";
  const parts = name.split("/");
  if (parts.length > DEEPEST) return `lies more than ${DEEPEST} folders deep`;
  return parts.map(whyUnsafePart).find((why) => why !== undefined);
}

function whyUnsafePart(part: string): string | undefined {
  if (part === "..") return "leaves its folder with `..`";
  if (part === "" || part === ".") return "has an empty part in its name";
  if (Buffer.byteLength(part) > LONGEST_PART) return "has a part of more than 255 bytes in its name";
  if (/[. ]$/.test(part)) return "has a part that ends in a dot or a blank, which Windows leaves out";
  return DEVICES.test(part) ? "is called like a device of Windows" : undefined;
}

/** What two names have in common when a file system that ignores case and composition takes them for one. */
export function foldedName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

const LONGEST_NAME = 1024;
const LONGEST_PART = 255;
const DEEPEST = 32;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a name with one of them is refused.
const UNSAFE_SIGNS = /[\\:\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

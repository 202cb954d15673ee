/** What a system means that will not do something, in words; nothing where it is no such refusal. */
export function systemWords(error: unknown): string | undefined {
  const { code = "" } = Object(error) as NodeJS.ErrnoException;
  return SYSTEM[code];
}

const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  EEXIST: "something else is in its place",
  ELOOP: "its links lead in a circle",
  ENOENT: "it is not there, or is a link that leads nowhere",
};

/** What a system will not do something with: a path, or what a command reads and writes. */
export function systemPlace(error: unknown): string | undefined {
  const { path, syscall = "" } = Object(error) as NodeJS.ErrnoException;
  return path ?? STREAMS[syscall];
}

const STREAMS: Readonly<Record<string, string>> = { read: "Standard input", write: "Standard output" };

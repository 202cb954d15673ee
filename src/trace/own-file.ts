import { constants } from "node:fs";

/** How a file of our own is opened to append: a link is not followed, and a pipe is not waited for. */
export const APPENDING =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Why the system does not let it be written, by its code. */
export const WHY_UNWRITABLE: Readonly<Record<string, string>> = {
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EFBIG: "it may not grow any more",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a part of the path is a file",
  EISDIR: "it is a folder",
};

import { resolve } from "node:path";
import { realPath, realPathBytes } from "../../fs/resolve-path.ts";
import { type BytePath, bytePath, bytesOf, isInside, parentOf, pathText } from "./byte-path.ts";
import { entryAt, type LostPath, NotKept, Unclear } from "./snapshot.ts";

/** The project of a call, and the home of its user. */
interface Place {
  readonly root: string;
  readonly home: string | undefined;
}

/** The folder of the project; no path is in it if the call works in a home or at the root. */
export function projectOf({ root, home }: Place): BytePath {
  const project = bytePath(realPath(root));
  return project === "/" || (home !== undefined && project === bytePath(realPath(home))) ? NO_PROJECT : project;
}

/** A loss at its real place, also if that is a single file of the user's home. */
export function inReach(lost: LostPath, project: BytePath, { home }: Pick<Place, "home">): LostPath {
  const path = realPlace(lost.path);
  if (isInside(path, project) || home === undefined) return inProject(lost, project);
  if (!isInside(path, bytePath(realPath(home))) || path.includes("/.git/")) return inProject(lost, project);
  if (entryAt(path)?.isDirectory()) throw new NotKept(`${pathText(lost.path)} is a folder outside of the project`);
  return { ...lost, path, isTree: false };
}

function realPlace(path: BytePath): BytePath {
  const folder = bytePath(realPathBytes(bytesOf(parentOf(path))));
  return `${folder === "/" ? "" : folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
}

/** A loss at its real place; throws where that is not in the project, or holds its repository. */
export function inProject(lost: LostPath, project: BytePath): LostPath {
  const path = realPlace(lost.path);
  const repository = `${project}/.git`;
  if (!isInside(path, project)) throw new NotKept(`${pathText(lost.path)} is outside of the project`);
  if (isInside(path, repository)) throw new NotKept(`${pathText(lost.path)} belongs to the project's repository`);
  if (path === project && lost.isTree) throw new Unclear("it is about the whole project, with its repository");
  return { ...lost, path };
}

/** The absolute path of a path as a call names it. */
export function wholePath(text: string, cwd: string, home: string | undefined): string {
  const path = home !== undefined && /^~(?=\/|$)/.test(text) ? home + text.slice(1) : text;
  if (path.startsWith("~")) throw new NotKept(`${text} is the home of another user`);
  return resolve(cwd, path);
}

/** The name of no folder. */
export const NO_PROJECT: BytePath = "\0";

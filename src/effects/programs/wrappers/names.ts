import { namesIn } from "../row-finder.ts";
import { TABLES } from "./tables.ts";

/** The names in each table; the build works them out, so that a call makes no table to see that it has no such name. */
export const NAMES: readonly string[] = namesIn(TABLES);

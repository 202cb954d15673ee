import { oncePerObject } from "../../event/once.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { ACCOUNTS } from "./accounts.ts";
import { isPlain, perform } from "./act.ts";
import { ARCHIVES } from "./archives.ts";
import { BREAK_INS } from "./break-ins.ts";
import type { Call } from "./call.ts";
import { CLOUDS } from "./clouds.ts";
import { CLUSTERS } from "./clusters.ts";
import { COMPILERS } from "./compilers.ts";
import { CONTAINERS } from "./containers.ts";
import { CONVERTERS } from "./converters.ts";
import { CURL } from "./curl.ts";
import { DATABASES } from "./databases.ts";
import { DISKS } from "./disks.ts";
import { EDITORS } from "./editors.ts";
import { ENVIRONMENTS } from "./environments.ts";
import { DOCUMENTS, DUMPS } from "./file-viewers.ts";
import { FILES } from "./files.ts";
import { FINDERS } from "./finders.ts";
import { GIT } from "./git.ts";
import { HOSTING } from "./hosting.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { KERNEL } from "./kernel.ts";
import { COINS, PASSWORD_KEEPERS } from "./key-keepers.ts";
import { FLEETS, MACHINES } from "./machines.ts";
import { MACOS } from "./macos.ts";
import { MIGRATIONS } from "./migrations.ts";
import { NETWORK } from "./network.ts";
import { OTHER_HISTORIES } from "./other-histories.ts";
import { OTHER_LANGUAGES } from "./other-languages.ts";
import { OTHER_PACKAGES, SYSTEM_PACKAGES } from "./other-packages.ts";
import { PACKAGES } from "./packages.ts";
import { AGENT_PATCHES } from "./patch-text.ts";
import { PERMISSIONS } from "./permissions.ts";
import { PLATFORMS } from "./platforms.ts";
import { PREFIXES } from "./prefixes.ts";
import { PROCESSES } from "./processes.ts";
import type { Language, Program, Programs, Trait, Use } from "./program.ts";
import { READERS } from "./readers.ts";
import { RELEASES } from "./releases.ts";
import { SERVERS } from "./servers.ts";
import { SERVICES } from "./services.ts";
import { SHARING } from "./sharing.ts";
import { SHELLS } from "./shells.ts";
import { TASK_RUNNERS } from "./task-runners.ts";
import { TEXT_EDITORS } from "./text-editors.ts";
import { TYPED } from "./typed-commands.ts";
import { WINDOWS } from "./windows.ts";
import { XARGS } from "./xargs.ts";

/** Tables of programs that install packages of a language or of the system, or several versions of a tool. */
const PACKAGE_TABLES = [PACKAGES, OTHER_PACKAGES, SYSTEM_PACKAGES, ENVIRONMENTS];
/** The rows of those tables that have been made. */
const PACKAGE_ROWS = new Set<Program>();

/** Makes each table. */
const MAKERS: readonly (() => Programs)[] = [
  FILES,
  READERS,
  DUMPS,
  DOCUMENTS,
  FINDERS,
  XARGS,
  PERMISSIONS,
  ARCHIVES,
  EDITORS,
  TEXT_EDITORS,
  AGENT_PATCHES,
  COMPILERS,
  CONVERTERS,
  INTERPRETERS,
  OTHER_LANGUAGES,
  SHELLS,
  PREFIXES,
  ENVIRONMENTS,
  TASK_RUNNERS,
  TYPED,
  GIT,
  OTHER_HISTORIES,
  HOSTING,
  CURL,
  NETWORK,
  SHARING,
  SERVERS,
  RELEASES,
  PACKAGES,
  OTHER_PACKAGES,
  SYSTEM_PACKAGES,
  CONTAINERS,
  CLUSTERS,
  MACHINES,
  CLOUDS,
  FLEETS,
  DATABASES,
  MIGRATIONS,
  PLATFORMS,
  PROCESSES,
  SERVICES,
  DISKS,
  ACCOUNTS,
  PASSWORD_KEEPERS,
  BREAK_INS,
  COINS,
  KERNEL,
  MACOS,
  WINDOWS,
];

/** The tables of all programs; a table is made when one of its programs is first needed. */
export const TABLES: readonly Table<Program>[] = MAKERS.map(once);

/** Facts about all tables together. */
interface ProgramIndex {
  /** The names in each table, each between blanks. */
  readonly names: readonly string[];
  /** The names of all files with commands that a program runs by name, such as `Makefile`. */
  readonly taskFiles: readonly string[];
  /** The language of code in a file, by the ending of its name. */
  readonly endings: Readonly<Record<string, Language>>;
  /** The names of all programs with a trait. */
  readonly traits: Readonly<Partial<Record<Trait, readonly string[]>>>;
}

/** Makes every table. The build does it once, so that a process makes only the tables that it needs. */
export function indexPrograms(): ProgramIndex {
  const rows = TABLES.flatMap((table) => Object.entries(table()));
  const endings: Record<string, Language> = {};
  const traits: Partial<Record<Trait, string[]>> = {};
  for (const [names, { interpreter, is = {} }] of rows) {
    for (const ending of interpreter?.endings?.split(" ") ?? [])
      if (interpreter?.language !== undefined) endings[ending] = interpreter.language;
    for (const [trait, named] of Object.entries(is) as [Trait, true | string][])
      traits[trait] = [...(traits[trait] ?? []), ...(named === true ? names : named).split(" ")];
  }
  return { names: namesIn(TABLES), taskFiles: rows.flatMap(([, row]) => row.taskFiles ?? []), endings, traits };
}

/** Inserted by the build; undefined when the source runs. */
declare const SLUICE_PROGRAM_INDEX: string | undefined;

const INDEX: ProgramIndex =
  typeof SLUICE_PROGRAM_INDEX === "string" ? JSON.parse(SLUICE_PROGRAM_INDEX) : indexPrograms();

/** Whether a program, by its canonical name, is a client of a database. */
export function isDatabaseClient(name: string): boolean {
  return INDEX.names[MAKERS.indexOf(DATABASES)]?.includes(` ${name} `) ?? false;
}

/** The row of a program by its canonical name. */
export function rowNamed(name: string): Program | undefined {
  return rowOf(name);
}

const rowOf = rowFinder<Program>(TABLES, INDEX.names);

/**
 * A row with all fields in the same order. Rows are written with different fields, and code that reads hundreds of
 * object shapes is several times slower than code that reads one.
 */
export const inOneShape = oncePerObject((row: Program): Program => {
  const { is, verbs, interpreter, code, taskFiles, toolFolder, prints, lists, endings, examples } = row;
  const own = { is, verbs, interpreter, code, taskFiles, toolFolder, prints, lists, endings, examples };
  const shaped = { ...useInOneShape(row), ...own } as Program;
  if (PACKAGE_ROWS.has(row)) PACKAGE_ROWS.add(shaped);
  return shaped;
});

/** The same for a verb of a program; its acts become one function. */
export function useInOneShape(use: Use): Use {
  const { options, style, by, runs, loads, dry, readOnly, records } = use;
  const roles = (use.names ?? use.when ?? use.unless) === undefined ? use.roles : undefined;
  const does = isPlain(use) ? use.does : (call: Call) => perform(use, call);
  return { options, style, roles, by, does, runs, loads, dry, readOnly, records } as Use;
}

function once(make: () => Programs): Table<Program> {
  let made: Programs | undefined;
  return () => {
    if (made === undefined) {
      made = make();
      if (PACKAGE_TABLES.includes(make)) for (const row of Object.values(made)) PACKAGE_ROWS.add(row);
    }
    return made;
  };
}

/** Whether a program runs commands by name that files of this name contain, such as `Makefile`. */
export function isTaskFile(name: string): boolean {
  return INDEX.taskFiles.includes(name);
}

/** The language of code in a file, by the ending of its name. */
export function languageOfEnding(ending: string): Language | undefined {
  return Object.hasOwn(INDEX.endings, ending) ? INDEX.endings[ending] : undefined;
}

/** The names of all programs with a trait. */
export function namesOf(trait: Trait): readonly string[] {
  return INDEX.traits[trait] ?? [];
}

/** Whether a program installs packages. */
export function isPackageManager(name: string): boolean {
  const row = rowOf(name.slice(name.lastIndexOf("/") + 1));
  return row !== undefined && isPackageRow(row);
}

/** The same by its row, which is faster if it is known. */
export function isPackageRow(row: Program): boolean {
  return PACKAGE_ROWS.has(row);
}

/** Whether a run of a package manager only shows what it would do. */
export function isTrialInstallation({ program, args }: SimpleCommand): boolean {
  return (
    isPackageManager(program?.text ?? "") &&
    args.some(({ text }) => /^(?:-s|--simulate|--dry-run|--just-print)$/.test(text))
  );
}

/** Whether a run of a package manager removes nothing and skips no check. */
export function isInstallation(command: SimpleCommand): boolean {
  const { program, args } = command;
  return (
    isPackageManager(program?.text ?? "") &&
    !isTrialInstallation(command) &&
    !args.some(({ text }) =>
      /^(?:remove|purge|autoremove|erase|del|uninstall|rm|autopurge|-R\w*|--allow-\S+|--force-yes)$/.test(text),
    )
  );
}

/** Rows by their names; the names of one row are separated by blanks. */
type Table<Row> = () => Readonly<Record<string, Row>>;

/** The names in each table, each between blanks. */
export function namesIn(tables: readonly Table<unknown>[]): readonly string[] {
  return tables.map((table) => ` ${Object.keys(table()).join(" ")} `);
}

/** Returns a function that finds rows by name and makes only the tables that contain them; the last table with a name wins. */
export function rowFinder<Row>(
  tables: readonly Table<Row>[],
  names: readonly string[],
): (name: string) => Row | undefined {
  const known = new Map<string, Row | undefined>();
  return (name) => {
    const row = known.get(name);
    if (row !== undefined || known.has(name)) return row;
    const found = find(tables, names, name);
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(name, found);
    return found;
  };
}

/** How many names are remembered: lines can contain any number of them. */
const MAX_REMEMBERED = 1000;

function find<Row>(tables: readonly Table<Row>[], names: readonly string[], name: string): Row | undefined {
  const word = ` ${name} `;
  const at = name.includes(" ") ? -1 : names.findLastIndex((each) => each.includes(word));
  const table = tables[at]?.();
  for (const key in table) if (` ${key} `.includes(word)) return table[key];
  return undefined;
}

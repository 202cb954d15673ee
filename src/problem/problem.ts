/** Where in a file a person has to look; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** One row of a problem table: what happened, and the step that ends it. */
export interface ProblemWording {
  readonly what: string;
  readonly fix?: string;
}

/** What is known about a problem besides its words. */
export interface ProblemDetails {
  readonly place?: Place | undefined;
  /** The keys that lead to it inside a document, for a reader that knows where they stand. */
  readonly path?: readonly (string | number)[] | undefined;
  readonly cause?: unknown;
}

/** Something a person has to fix, with a stable code, the place and the next step. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: string;
  readonly fix: string | undefined;
  readonly place: Place | undefined;
  readonly path: readonly (string | number)[] | undefined;

  constructor(code: string, wording: ProblemWording, details: ProblemDetails = {}) {
    super(wording.what, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.fix = wording.fix;
    this.place = details.place;
    this.path = details.path;
  }

  /** The same problem, now that its place is known. */
  at(place: Place): Problem {
    return newProblem(
      this.code,
      { what: this.message, ...(this.fix === undefined ? {} : { fix: this.fix }) },
      { place, path: this.path, cause: this.cause },
    );
  }

  /** What a person reads: code, place, fact; then the step. */
  format(): string {
    const head = [this.code, this.place && formatPlace(this.place)].filter(Boolean).join("  ");
    return [head, `  ${this.message}`, this.fix && `  ${this.fix}`].filter(Boolean).join("\n");
  }

  /** What a program reads. */
  toJSON(): object {
    return { code: this.code, what: this.message, fix: this.fix, ...this.place };
  }
}

/** Outside of the class: the bundler renames a class that names itself, and a user who prints one reads that name. */
function newProblem(code: string, wording: ProblemWording, details?: ProblemDetails): Problem {
  return new Problem(code, wording, details);
}

/** `file:line:column`, as editors and terminals link it. */
export function formatPlace({ file, line, column }: Place): string {
  return [file, line, line && column].filter((part) => part !== undefined).join(":");
}

/** Turns a table of wordings into functions that make the problem; a missing row does not compile. */
export function problems<T extends Record<string, (params: never) => ProblemWording>>(
  room: string,
  rows: T,
): {
  [K in keyof T]: (params: Parameters<T[K]>[0], details?: ProblemDetails) => Problem;
} {
  // Most tables are never asked: a row becomes a function when it is.
  const made = new Proxy(rows, {
    get: (_, name: string) => (params: never, details?: ProblemDetails) =>
      new Problem(`${room}/${dashed(name)}`, (rows[name] as T[string])(params), details),
  });
  return made as unknown as ReturnType<typeof problems<T>>;
}

/** Says a problem to the person who runs the program, once, on standard error. */
export function warn(problem: Problem): void {
  // biome-ignore lint/suspicious/noConsole: a library has no other way to warn.
  console.warn(`sluice: ${problem.format()}`);
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What an error says, whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

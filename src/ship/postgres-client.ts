import { importInstalled } from "../fs/import-package.ts";
import { problems } from "../problem/problem.ts";
import { SinkUnavailable } from "./sink.ts";

/** The part of the package `postgres` that is used here. */
export interface PostgresClient {
  unsafe(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  begin<T>(act: (client: PostgresClient) => Promise<T>): Promise<T>;
  end(options?: { readonly timeout?: number }): Promise<void>;
}

type Connect = (url: string, options: object) => PostgresClient;

/** Connects to a database; the package is loaded now and only here. */
export async function connectPostgres(url: string): Promise<PostgresClient> {
  let connect: Connect;
  try {
    ({ default: connect } = (await importInstalled("postgres")) as { default: Connect });
  } catch (error) {
    throw PROBLEMS.noPostgres(undefined, { cause: error });
  }
  return connect(url, { max: 1, connect_timeout: 10, idle_timeout: 0, onnotice: () => {} });
}

/** What a failure of the database means: nothing for a statement that will never succeed. */
export function unavailable(error: unknown): SinkUnavailable | undefined {
  const { code = "", message = "" } = Object(error) as { readonly code?: string; readonly message?: string };
  if (code === "28P01" || code === "28000" || code === "3D000" || code === "42501")
    throw PROBLEMS.notLetIn({ message }, { cause: error });
  const isOfData = /^(?:22|23)/.test(code);
  return isOfData ? undefined : new SinkUnavailable(`the database cannot be used: ${message || code}`);
}

const PROBLEMS = problems("ship", {
  noPostgres: () => ({
    what: "The package `postgres` is not installed; it is needed for a postgres:// target.",
    fix: "Run `npm install postgres` beside Sluice.",
  }),
  notLetIn: ({ message }: { message: string }) => ({
    what: `The database refuses: ${message}.`,
    fix: "Check user, password and database in the address; the role needs CREATE and USAGE on the schema.",
  }),
});

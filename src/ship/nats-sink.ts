import { importInstalled } from "../fs/import-package.ts";
import { errorText, problems } from "../problem/problem.ts";
import { StoreUnavailable } from "../stores/store.ts";
import type { OpenSink } from "./ship.ts";

interface NatsConnection {
  close(): Promise<void>;
}

interface JetStream {
  publish(subject: string, payload: string, options: { readonly msgID: string }): Promise<unknown>;
}

interface StreamManager {
  readonly streams: {
    info(name: string): Promise<unknown>;
    add(stream: object): Promise<unknown>;
  };
}

interface NatsModules {
  readonly connect: (options: object) => Promise<NatsConnection>;
  readonly jetstream: (connection: NatsConnection) => JetStream;
  readonly jetstreamManager: (connection: NatsConnection) => Promise<StreamManager>;
}

/** One message for each record in the stream `SLUICE`, under `sluice.decisions.<machine>`; the server drops what comes twice. */
export async function natsSink(target: string, machine: string): Promise<OpenSink> {
  const { connect, jetstream, jetstreamManager } = await loadNats();
  const { host, username, password } = new URL(target);
  const login = username === "" ? {} : password === "" ? { token: username } : { user: username, pass: password };
  let connection: NatsConnection;
  try {
    connection = await connect({ servers: host, ...login, timeout: 10_000, reconnect: false, name: "sluice" });
    await makeStream(await jetstreamManager(connection));
  } catch (error) {
    throw away(error);
  }
  const stream = jetstream(connection);
  const publish = (subject: string, payload: object, msgID: string) =>
    stream.publish(subject, JSON.stringify(payload), { msgID });
  return {
    send: async (batch) => {
      try {
        await Promise.all(
          batch.map(({ key, record }) => publish(`sluice.decisions.${machine}`, { key, machine, ...record }, key)),
        );
      } catch (error) {
        throw away(error);
      }
      return { acknowledged: batch.map(({ key }) => key), dropped: [] };
    },
    report: async (report) => {
      await publish(`sluice.machines.${machine}`, report, `${machine}/${report.at}`).catch((error: unknown) => {
        throw away(error);
      });
    },
    close: () => connection.close(),
  };
}

/** A stream that is there already stays as the administrator has made it. */
async function makeStream({ streams }: StreamManager): Promise<void> {
  try {
    await streams.info(STREAM);
  } catch {
    await streams.add({ name: STREAM, subjects: ["sluice.>"], duplicate_window: DUPLICATES_NS });
  }
}

async function loadNats(): Promise<NatsModules> {
  try {
    const [transport, jetstream] = await Promise.all([
      importInstalled("@nats-io/transport-node"),
      importInstalled("@nats-io/jetstream"),
    ]);
    return { ...(transport as NatsModules), ...(jetstream as NatsModules) };
  } catch (error) {
    throw PROBLEMS.noNats(undefined, { cause: error });
  }
}

function away(error: unknown): StoreUnavailable {
  return new StoreUnavailable(`the NATS server cannot be used: ${errorText(error)}`);
}

const STREAM = "SLUICE";
/** A day, in nanoseconds: a batch that is sent again within it is stored once. */
const DUPLICATES_NS = 86_400 * 1e9;

const PROBLEMS = problems("ship", {
  noNats: () => ({
    what: "The packages for NATS are not installed; they are needed for a nats:// target.",
    fix: "Run `npm install @nats-io/transport-node @nats-io/jetstream` beside Sluice.",
  }),
});

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SharedSettings } from "../config/journal-settings.ts";
import { loadLayers } from "../config/load.ts";
import { attempt } from "../event/attempt.ts";
import { sharingName, withVariables } from "../stores/store.ts";
import type { StatePlace } from "../trust/state-file.ts";
import { type ApprovalStore, type StoredApproval, withApprovalStore } from "./approval-stores.ts";
import { type AskedCall, type Grant, grantFor, isLive } from "./grants.ts";
import { type Answerer, answerRequests, grantOf, type RequestAnswer, revoke } from "./requests.ts";
import { changeApprovals, isGrant, isRequest, type PendingRequest, readApprovals } from "./store.ts";

/** The store in which several machines keep requests and grants, as one of them uses it. */
export interface SharedApprovals {
  readonly place: StatePlace;
  readonly machine: string;
  /** Runs an act with the store; throws `StoreUnavailable` if it cannot be reached. */
  use<T>(act: (store: ApprovalStore) => Promise<T>): Promise<T>;
  seal(name: string, until: number, value: object): string;
  open(entry: StoredApproval): unknown;
}

/** The store of the user's configuration or the administrator's; undefined if approvals are not shared. */
export function sharedApprovals(
  place: StatePlace,
  settings: SharedSettings | undefined = loadLayers(undefined, {
    layers: ["managed", "user"],
    env: place.env ?? process.env,
  }).settings.shared,
): SharedApprovals | undefined {
  if (settings?.key === undefined || !settings.what.includes("approvals")) return undefined;
  const { env = process.env } = place;
  const written = withVariables(settings.key, env, (value) => value);
  if (written.length < SHORTEST_KEY) return undefined;
  const key = new Uint8Array(hkdfSync("sha256", written, "", "sluice approvals", 32));
  return {
    place,
    machine: sharingName(place),
    use: (act) => withApprovalStore(settings.store, env, act),
    seal: (name, until, value) => sealed(key, `${name} ${until}`, value),
    open: ({ name, until, text }) => attempt(() => opened(key, `${name} ${until}`, text)),
  };
}

/** Uses an answer that a person gave on any machine for this call; undefined if there is none. */
export function useSharedGrant(call: AskedCall, shared: SharedApprovals): Promise<Grant | undefined> {
  return shared.use(async (store) => {
    const entries = await store.all();
    await takeOver(entries, store, shared);
    let grants = grantsIn(entries, shared);
    for (;;) {
      const found = grantFor(grants, call, Date.now());
      if (found === undefined) return undefined;
      if (await store.take(`grant ${found.name}`)) return found;
      // Another machine had the last use.
      grants = grants.filter((one) => one !== found);
    }
  });
}

/** Shows a request of this machine to the others. */
export async function shareRequest(
  { id, until, root: _, link: _link, notified: _notified, ...rest }: PendingRequest,
  { project, input }: { readonly project: string; readonly input: string },
  shared: SharedApprovals,
): Promise<void> {
  const name = `${shared.machine} ${id}`;
  const request: PendingRequest = { ...rest, id, until, root: project, input };
  const text = shared.seal(`request ${name}`, until, request);
  await shared.use((store) => store.add({ name: `request ${name}`, until, left: 1, text }));
  changeApprovals(shared.place, (known) => [
    {
      ...known,
      requests: known.requests.map((one) => (one.id === id ? { ...one, shared: { name, project, input } } : one)),
    },
    true,
  ]);
}

/** Brings the requests of other machines here, and returns the grants of all. */
export function exchangeApprovals(shared: SharedApprovals): Promise<readonly Grant[]> {
  return shared.use(async (store) => {
    const entries = await store.all();
    await takeOver(entries, store, shared);
    return grantsIn(entries, shared);
  });
}

/**
 * Answers requests, those that are shared in the store: of two people who answer one request, the first does. Throws if the store
 * cannot be reached; then no shared request is answered.
 */
export async function answerEverywhere(
  ids: readonly string[],
  answer: RequestAnswer,
  answerer: Answerer,
  place: StatePlace,
  shared: SharedApprovals | undefined,
): Promise<readonly PendingRequest[] | undefined> {
  const meant = readApprovals(place).requests.filter((one) => ids.includes(one.id) && one.shared !== undefined);
  const answered: PendingRequest[] = [];
  if (meant.length > 0)
    await shared?.use(async (store) => {
      for (const request of meant)
        if (await answerIn(store, request, grantOf(sharedForm(request), answer, answerer, Date.now()), shared))
          answered.push(request);
    });
  const gone = shared === undefined ? [] : meant;
  const local = ids.filter((id) => !meant.some((one) => one.id === id));
  forget(place, (one) => gone.some(({ id }) => id === one.id));
  const rest = local.length === 0 ? [] : answerRequests(local, answer, answerer, place);
  return rest === undefined ? undefined : [...answered, ...rest];
}

/** Ends grants by id, or all, here and in the store; returns how many ended. */
export async function revokeEverywhere(
  id: string | "all",
  place: StatePlace,
  shared: SharedApprovals | undefined,
): Promise<number | undefined> {
  const here = revoke(id, place);
  if (shared === undefined || here === undefined) return here;
  return shared.use(async (store) => {
    const meant = grantsIn(await store.all(), shared).filter((one) => id === "all" || one.id === id);
    const ended = await Promise.all(meant.map(({ name }) => store.remove(`grant ${name}`)));
    return here + ended.filter((is) => is).length;
  });
}

/** Ends a request that was answered in the agent's own dialog; an approval that came meanwhile has let that call pass. */
export async function settleShared(requests: readonly PendingRequest[], shared: SharedApprovals): Promise<void> {
  await shared.use(async (store) => {
    for (const { shared: known } of requests)
      if (known !== undefined && !(await store.remove(`request ${known.name}`)))
        await store.take(`grant ${known.name}`);
  });
}

async function answerIn(
  store: ApprovalStore,
  { shared: known }: PendingRequest,
  grant: Grant,
  shared: SharedApprovals,
): Promise<boolean> {
  if (known === undefined || !(await store.remove(`request ${known.name}`))) return false;
  const { until, left } = grant;
  const name = `grant ${known.name}`;
  return store.add({ name, until, left, text: shared.seal(name, until, grant) });
}

/** Requests that were answered elsewhere wait here no more; those of other machines wait here, too. */
async function takeOver(
  entries: readonly StoredApproval[],
  store: ApprovalStore,
  shared: SharedApprovals,
): Promise<void> {
  const { place, machine } = shared;
  const names = new Set(entries.flatMap(({ name }) => (name.startsWith("request ") ? [name.slice(8)] : [])));
  const foreign = entries.flatMap((entry): PendingRequest[] => {
    const name = entry.name.slice(8);
    if (!entry.name.startsWith("request ") || name.startsWith(`${machine} `)) return [];
    const request = shared.open(entry);
    if (!isRequest(request) || name.split(" ")[1] !== request.id) return [];
    return [{ ...request, shared: { name, project: request.root, input: request.input } }];
  });
  const { requests } = readApprovals(place);
  const known = new Set(requests.map((one) => one.shared?.name));
  const isGone = (one: PendingRequest) => one.shared !== undefined && !names.has(one.shared.name);
  if (requests.some(isGone) || foreign.some((one) => !known.has(one.shared?.name)))
    changeApprovals(place, (now) => {
      const kept = now.requests.filter((one) => !isGone(one));
      const has = new Set(kept.map((one) => one.shared?.name));
      return [{ ...now, requests: [...kept, ...foreign.filter((one) => !has.has(one.shared?.name))] }, true];
    });
  const ids = new Set(requests.map(({ id }) => id));
  for (const name of names)
    if (name.startsWith(`${machine} `) && !ids.has(name.slice(machine.length + 1)))
      await store.remove(`request ${name}`);
}

type NamedGrant = Grant & { readonly name: string };

/** The grants that this machine can open, with as many uses as are left in the store. */
function grantsIn(entries: readonly StoredApproval[], shared: SharedApprovals): readonly NamedGrant[] {
  return entries.flatMap((entry): NamedGrant[] => {
    if (!entry.name.startsWith("grant ")) return [];
    const grant = shared.open(entry);
    if (!isGrant(grant) || grant.until !== entry.until) return [];
    const left = Math.min(grant.left, entry.left);
    return isLive({ ...grant, left }, Date.now()) ? [{ ...grant, left, name: entry.name.slice(6) }] : [];
  });
}

/** A request as other machines know it: by its repository, and by the input as it is seen from there. */
function sharedForm(request: PendingRequest): PendingRequest {
  const { shared } = request;
  return shared === undefined ? request : { ...request, root: shared.project, input: shared.input };
}

function forget(place: StatePlace, isMeant: (one: PendingRequest) => boolean): void {
  if (!readApprovals(place).requests.some(isMeant)) return;
  changeApprovals(place, (known) => [{ ...known, requests: known.requests.filter((one) => !isMeant(one)) }, true]);
}

function sealed(key: Uint8Array, about: string, value: object): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(about));
  const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
}

/** Throws if it was sealed with another key, under another name or for another time. */
function opened(key: Uint8Array, about: string, text: string): unknown {
  const bytes = Buffer.from(text, "base64url");
  const start = IV_BYTES + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(IV_BYTES, start));
  return JSON.parse(`${decipher.update(bytes.subarray(start)).toString("utf8")}${decipher.final("utf8")}`);
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SHORTEST_KEY = 32;

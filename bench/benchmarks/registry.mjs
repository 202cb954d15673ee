import { createHooks } from "hookable";
import tapable from "tapable";
import { library } from "../built.mjs";
import { rows, sideBySide, target } from "../measure.mjs";
import { hookMix, MATCHED_TOOL } from "./hook-mix.mjs";

const SIZES = [10, 100, 1000, 10_000];
const FEW = SIZES[0];
const MANY = SIZES.at(-1);

/** Finding the hooks of an event costs what its listeners cost, not what all hooks cost. */
export async function registry({ quick }) {
  const package_ = await library();
  const contenders = [
    ...SIZES.flatMap((size) => lookups(package_, size)),
    ...peers(),
    withoutListeners(package_),
    findThree(package_),
  ];
  const figures = await sideBySide(contenders, { rounds: quick ? 40 : 400, warmUpMs: quick ? 30 : 150 });
  const growth = (label, what) => target(figures, { what, of: label(MANY), to: label(FEW), atMost: 3 });
  return {
    what: "finding three listeners among ever more hooks; beside it, what peers need to call three listeners",
    rows: rows(figures, { unit: "µs", to: floorOf }),
    targets: [
      growth(KNOWN, "getHooks, a tool seen before: 10,000 hooks against 10"),
      growth(CHANGING, "getHooks, ever-changing tool names: 10,000 hooks against 10"),
    ],
    notes: [],
  };
}

/** Growth is told against the same act with few hooks, dispatch against a lookup, silence against a peer's silence. */
function floorOf(label) {
  const sorts = [KNOWN, CHANGING, REGISTERING];
  const sort = sorts.find((labelled) => SIZES.some((size) => labelled(size) === label));
  if (sort !== undefined) return sort(FEW);
  return label.includes("no listeners") ? NO_LISTENERS : KNOWN(FEW);
}

const NO_LISTENERS = "hookable callHook, no listeners";
const written = (size) => size.toLocaleString("en");
const KNOWN = (size) => `getHooks, 3 of ${written(size)}`;
const CHANGING = (size) => `getHooks, 3 of ${written(size)}, a new tool name each time`;
const REGISTERING = (size) => `register, getHooks, remove, 3 of ${written(size)}`;

/** Three registries of the same hooks: what one contender makes a registry remember or forget must not reach another. */
function lookups({ Hook, HookEvent, HookRegistry }, size) {
  const hooks = hookMix(Hook, size);
  const filled = () => {
    const registry = new HookRegistry();
    registry.loadHooks(hooks);
    return registry;
  };
  const [calm, asked, busy] = [filled(), filled(), filled()];
  const event = HookEvent.toolPreExecute(MATCHED_TOOL, EMPTY);
  const late = Hook.fromJSON({ event: "tool:pre_execute:late_tool", command: "true" });
  return [
    {
      label: KNOWN(size),
      run: (times) => {
        let count = 0;
        for (let index = 0; index < times; index++) count += calm.getHooks(event).length;
        return three(count, times);
      },
    },
    {
      label: CHANGING(size),
      times: 32,
      prepare: (times) =>
        Array.from({ length: times }, () => HookEvent.toolPreExecute(`${MATCHED_TOOL}_${newNames++}`, EMPTY)),
      run: (times, events) => {
        let count = 0;
        for (let index = 0; index < times; index++) count += asked.getHooks(events[index]).length;
        return three(count, times);
      },
    },
    {
      label: REGISTERING(size),
      times: 1,
      run: (times) => {
        let count = 0;
        for (let index = 0; index < times; index++) {
          const remove = busy.register(late);
          count += busy.getHooks(event).length;
          remove();
        }
        return three(count, times);
      },
    },
  ];
}

function three(count, times) {
  if (count !== 3 * times) throw new Error(`${count} hooks were found in ${times} lookups; three listen`);
  return count;
}

let newNames = 0;

function findThree({ Hook, HookEvent, HookRegistry }) {
  const registry = new HookRegistry();
  registry.loadHooks(hookMix(Hook, 10));
  return {
    label: "new HookEvent and getHooks, 3 of 10",
    run: (times) => {
      let count = 0;
      for (let index = 0; index < times; index++) {
        count += registry.getHooks(HookEvent.toolPreExecute(MATCHED_TOOL, EMPTY)).length;
      }
      return count;
    },
  };
}

/** What an agent pays for an event without hooks: the whole way to a decision. */
function withoutListeners({ Hook, HookEvent, HookExecutor, HookRegistry }) {
  const registry = new HookRegistry();
  registry.loadHooks(hookMix(Hook, 1000));
  const executor = new HookExecutor({ registry });
  const event = new HookEvent({ type: "permission:check", toolName: MATCHED_TOOL });
  return {
    label: "decide, no listeners, 1,000 hooks",
    run: async (times) => {
      let count = 0;
      for (let index = 0; index < times; index++) count += (await executor.decide(event)).action.length;
      return count;
    },
  };
}

function peers() {
  const { AsyncSeriesHook, SyncHook } = tapable;
  const hooks = createHooks();
  const sync = new SyncHook(["event"]);
  const series = new AsyncSeriesHook(["event"]);
  const unused = new AsyncSeriesHook(["event"]);
  let heard = 0;
  for (const name of ["one", "two", "three"]) {
    hooks.hook("tool", () => {
      heard++;
    });
    sync.tap(name, () => {
      heard++;
    });
    series.tapPromise(name, async () => {
      heard++;
    });
  }
  const awaiting = (call) => async (times) => {
    for (let index = 0; index < times; index++) await call();
    return heard;
  };
  return [
    {
      label: "hookable callHook, 3 listeners",
      run: awaiting(() => hooks.callHook("tool", EMPTY)),
    },
    {
      label: "tapable SyncHook.call, 3 listeners",
      run: (times) => {
        for (let index = 0; index < times; index++) sync.call(EMPTY);
        return heard;
      },
    },
    {
      label: "tapable AsyncSeriesHook.promise, 3 listeners",
      run: awaiting(() => series.promise(EMPTY)),
    },
    {
      label: NO_LISTENERS,
      run: awaiting(() => hooks.callHook("unused", EMPTY)),
    },
    {
      label: "tapable AsyncSeriesHook.promise, no listeners",
      run: awaiting(() => unused.promise(EMPTY)),
    },
  ];
}

const EMPTY = {};

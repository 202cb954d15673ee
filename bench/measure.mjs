/**
 * Measures contenders side by side: in every round each runs one batch, and the order rotates, so that whatever else
 * the machine does meets all of them. A contender is `{ label, run(times, prepared), prepare?(times), times? }`; `run`
 * does its work `times` times and returns a number made from what came out, so that nothing can be optimised away.
 */
export async function sideBySide(contenders, { rounds, batchMs = 0.5, warmUpMs = 100 }) {
  const batches = [];
  for (const contender of contenders) {
    await warmUp(contender, warmUpMs);
    batches.push(contender.times ?? (await timesFor(contender, batchMs)));
  }
  const samples = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const which = (round + turn) % contenders.length;
      const ms = await timed(contenders[which], batches[which]);
      samples[which].push(ms / batches[which]);
    }
  }
  if (!Number.isFinite(sink)) throw new Error("a contender returned something that is no number");
  return new Map(contenders.map(({ label }, which) => [label, figureOf(label, samples[which])]));
}

/** A figure that has to hold: the first label's median may be at most so many times the second's. */
export function target(figures, { what, of, to, atMost }) {
  const measured = round(figures.get(of).median / figures.get(to).median);
  return { what, target: atMost, measured, met: measured <= atMost };
}

/** Rows for a table, in one unit, each with its ratio to the label that `to` names for it. */
export function rows(figures, { unit, to }) {
  const scale = { ms: 1, µs: 1000 }[unit];
  return [...figures.values()].map(({ label, median, p90, p99, samples }) => ({
    label,
    unit,
    median: round(median * scale),
    p90: round(p90 * scale),
    p99: round(p99 * scale),
    ratio: round(median / figures.get(to(label)).median),
    to: to(label),
    samples,
  }));
}

/** Made from everything that came out; it is looked at, so it has to be computed. */
let sink = 0;

async function warmUp(contender, ms) {
  const end = performance.now() + ms;
  do await timed(contender, contender.times ?? 1);
  while (performance.now() < end);
}

async function timesFor(contender, batchMs) {
  let times = 1;
  while ((await timed(contender, times)) < batchMs && times < 1 << 20) times *= 2;
  return times;
}

async function timed({ run, prepare }, times) {
  const prepared = prepare?.(times);
  const began = performance.now();
  const outcome = run(times, prepared);
  const value = outcome instanceof Promise ? await outcome : outcome;
  const ms = performance.now() - began;
  sink = (sink + value) % Number.MAX_SAFE_INTEGER;
  return ms;
}

function round(value) {
  return Number(value.toPrecision(3));
}

/** What samples of one contender come to. */
export function figureOf(label, samples) {
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { label, median: at(0.5), p90: at(0.9), p99: at(0.99), samples: sorted.length };
}

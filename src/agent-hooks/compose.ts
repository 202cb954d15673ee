import { type ApprovalSeam, consult } from "./approval.ts";
import type { ResolvedComposition } from "./composition.ts";
import type { AgentContext } from "./points.ts";
import { TimeLimitError, withinTime } from "./time-limit.ts";
import { isDenied, transformed } from "./transform.ts";
import { type AgentVerdict, hostDenial, isLiftable, isPermit, readVerdict, severity, withUnions } from "./verdict.ts";

/** Returns a verdict for every context. */
export interface Interceptor {
  /** Names it in records. */
  readonly name?: string | undefined;
  readonly intercept: (context: AgentContext) => AgentVerdict | Promise<AgentVerdict>;
}

/** What a composition works with. */
export interface Dispatch {
  readonly interceptors: readonly Interceptor[];
  readonly composition: ResolvedComposition;
  readonly timeoutMs: number;
  /** Absent in `evaluate_only` mode: transforms are checked and not applied. */
  readonly applies: boolean;
  /** How approvals are asked for; undefined if nobody can be asked at this point. */
  readonly seam: ApprovalSeam | undefined;
}

/** One interceptor's verdict, or the denial that takes its place if it failed. */
interface Slot {
  readonly index: number;
  readonly name?: string | undefined;
  readonly verdict: AgentVerdict;
}

/** What the interceptors of one emission add up to. */
export interface Combined {
  readonly verdict: AgentVerdict;
  /** The context with every transform that applies. */
  readonly context: AgentContext;
  /** The interceptor whose verdict won; null if none did. */
  readonly decidedBy: number | null;
  readonly slots: readonly Slot[];
  readonly isTruncated: boolean;
  readonly resolvedBy: "approval" | "rejection" | undefined;
}

/** Asks the interceptors and combines their verdicts by the profile. */
export async function compose(dispatch: Dispatch, context: AgentContext): Promise<Combined> {
  const emission = new Emission(dispatch, context);
  await (dispatch.composition.profile.startsWith("sequential/") ? emission.sequential() : emission.parallel());
  return emission.combined();
}

/** The state of one emission while its verdicts come in. */
class Emission {
  readonly #dispatch: Dispatch;
  readonly #slots: Slot[] = [];
  /** Verdicts of approvals: they bring warnings and labels of their own. */
  readonly #resolutions: AgentVerdict[] = [];
  #context: AgentContext;
  #winner: AgentVerdict = { decision: "allow" };
  #decidedBy: number | null = null;
  #resolvedBy: Combined["resolvedBy"];

  constructor(dispatch: Dispatch, context: AgentContext) {
    this.#dispatch = dispatch;
    this.#context = context;
  }

  combined(): Combined {
    const all = [...this.#slots.map(({ verdict }) => verdict), ...this.#resolutions];
    return {
      verdict: withUnions(this.#winner, all),
      context: this.#context,
      decidedBy: this.#decidedBy,
      slots: this.#slots,
      isTruncated: this.#slots.length < this.#dispatch.interceptors.length,
      resolvedBy: this.#resolvedBy,
    };
  }

  /** In order; each interceptor sees the context as the transforms before it have left it. */
  async sequential(): Promise<void> {
    const { profile, on_approval } = this.#dispatch.composition;
    const isFirstDeny = profile === "sequential/first_deny";
    for (const [index, interceptor] of this.#dispatch.interceptors.entries()) {
      const slot = await this.#ask(interceptor, index, this.#context);
      this.#slots.push(slot);
      const { verdict } = slot;
      if (verdict.decision === "transform") {
        if (!this.#transform(verdict)) return;
        if (isFirstDeny) this.#decide(verdict, index);
      }
      if (verdict.decision === "deny" && isFirstDeny) {
        const before = this.#winner;
        this.#decide(verdict, index);
        await this.#lift();
        if (on_approval === "stop" || !isPermit(this.#winner)) return;
        // An approval that changes nothing leaves the transforms before it in force.
        if (this.#winner.decision === "allow" && before.decision === "transform") this.#winner = before;
      }
    }
    if (!isFirstDeny) await this.#aggregate((transforms) => transforms.at(-1));
  }

  /** Each on its own copy of the same context; what they want changed does not meet. */
  async parallel(): Promise<void> {
    const { interceptors, composition } = this.#dispatch;
    const asked = interceptors.map((interceptor, index) => this.#ask(interceptor, index, this.#context));
    this.#slots.push(...(await Promise.all(asked)));
    if (composition.profile === "parallel/unanimous") {
      if (this.#slots.every(({ verdict }) => verdict.decision === "allow")) return;
      return this.#arbitrate("composition_disagreement", composition.on_disagreement);
    }
    const transforms = this.#slots.filter(({ verdict }) => verdict.decision === "transform");
    if (transforms.length > 1 && this.#slots.every(({ verdict }) => isPermit(verdict)))
      return this.#arbitrate("transform_conflict", composition.on_transform_conflict);
    await this.#aggregate(() => transforms[0]);
    if (this.#winner.decision === "transform" && this.#resolvedBy === undefined) this.#transform(this.#winner);
  }

  /** The strictest verdict wins: of denials the first, of transforms the one that is chosen. */
  async #aggregate(chosen: (transforms: readonly Slot[]) => Slot | undefined): Promise<void> {
    const highest = Math.max(0, ...this.#slots.map(({ verdict }) => severity(verdict)));
    const strictest = this.#slots.filter(({ verdict }) => severity(verdict) === highest);
    const winner = highest === SEVERITY_OF_TRANSFORM ? chosen(strictest) : strictest[0];
    if (highest === 0 || winner === undefined) return;
    this.#decide(winner.verdict, winner.index);
    await this.#lift();
  }

  /** A denial of the host's own, which a person may lift if the profile is set so. */
  async #arbitrate(error: Parameters<typeof hostDenial>[0], setting: "deny" | "approval" | undefined): Promise<void> {
    const denial = hostDenial(error);
    this.#decide(setting === "approval" ? { ...denial, approval: {} } : denial, null);
    await this.#lift();
  }

  #decide(verdict: AgentVerdict, index: number | null): void {
    this.#winner = verdict;
    this.#decidedBy = index;
  }

  /** Asks for an approval where the winner is a denial that one can lift. */
  async #lift(): Promise<void> {
    const { seam } = this.#dispatch;
    if (seam === undefined || !isLiftable(this.#winner)) return;
    const resolution = await consult(seam, this.#winner, this.#context);
    this.#resolutions.push(resolution);
    this.#resolvedBy = isPermit(resolution) ? "approval" : "rejection";
    this.#winner = resolution;
    if (resolution.decision === "transform") this.#transform(resolution);
  }

  /** Applies a transform, or denies if that cannot be done. */
  #transform(verdict: AgentVerdict): boolean {
    const changed = transformed(this.#context, verdict);
    if (isDenied(changed)) {
      this.#decide(changed.denied, null);
      return false;
    }
    if (this.#dispatch.applies) this.#context = changed;
    return true;
  }

  /** An interceptor that fails denies in its own place. Messages name the type of an error and never its text. */
  async #ask({ name, intercept }: Interceptor, index: number, context: AgentContext): Promise<Slot> {
    const slot = (verdict: AgentVerdict): Slot => ({ index, ...(name === undefined ? {} : { name }), verdict });
    try {
      const copy = structuredClone(context);
      const given = structuredClone(await withinTime(this.#dispatch.timeoutMs, () => intercept(copy)));
      return slot(readVerdict(given) ?? hostDenial("verdict_invalid"));
    } catch (error) {
      if (error instanceof TimeLimitError) return slot(hostDenial("interceptor_timeout"));
      return slot(hostDenial("interceptor_failed", error instanceof Error ? error.name : typeof error));
    }
  }
}

const SEVERITY_OF_TRANSFORM = 1;

import type { CallEffects } from "./effect.ts";

/** Several acts as one: whatever any of them does. */
export function mergeEffects(first: CallEffects, ...others: readonly CallEffects[]): CallEffects {
  const effects = [...first.effects];
  const commands = [...first.commands];
  for (const other of others) {
    const before = commands.length;
    for (const effect of other.effects)
      effects.push(effect.command === undefined ? effect : { ...effect, command: effect.command + before });
    for (const command of other.commands) {
      const { input } = command;
      if (input.from !== "commands") commands.push(command);
      else commands.push({ ...command, input: { ...input, of: input.of.map((at) => at + before) } });
    }
  }
  return { effects, commands, place: first.place };
}

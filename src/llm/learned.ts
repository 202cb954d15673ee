/** A place for what this process learns about models while it runs. */
export function learned<Lesson>(): Map<string, Lesson> {
  const lessons = new Map<string, Lesson>();
  all.push(lessons);
  return lessons;
}

/** Forgets all of it. Who decides one call after the other does so in between: each call finds what a new process would find. */
export function forgetLearned(): void {
  for (const lessons of all) lessons.clear();
}

const all: Map<string, unknown>[] = [];

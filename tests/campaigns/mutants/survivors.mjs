// Changes to the code that no test can notice, because they make no difference, by the reason for it: file, what stands there,
// what the change puts in its place. `npm run campaign mutants` reads it, and counts every other survivor.
export const SURVIVORS = [];

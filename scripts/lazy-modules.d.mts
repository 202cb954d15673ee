export function lazyModules(code: string): string;

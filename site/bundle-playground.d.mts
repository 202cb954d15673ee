export function bundlePlayground(root: string, outfile: string): Promise<unknown>;

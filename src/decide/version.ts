/** Written in by the build. */
declare const SLUICE_VERSION: string | undefined;

/** The version that is running. */
export const VERSION = typeof SLUICE_VERSION === "string" ? SLUICE_VERSION : "0.0.0-source";

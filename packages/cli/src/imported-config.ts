/**
 * Options for a configuration file, scan settings for a file next to it, and the settings of the other tool that have no
 * counterpart.
 */
export type ImportedConfig = { config: Record<string, unknown>; settings?: Record<string, unknown>; missing: string[] }

import * as z from 'zod/mini'

/** Written before the data: what is needed to make room for it. */
export const BackupHead = z.object({
  format: z.literal(1),
  product: z.string(),
  createdAt: z.string(),
  /** Names of the migrations of each schema, in their order. */
  migrations: z.record(z.string(), z.array(z.string())),
  /** In an order in which each row finds those that it refers to. */
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })),
  secretKey: z.object({
    /** Distinguishes keys without showing them. */
    fingerprint: z.string(),
    /** The key, sealed with a passphrase; null where it is kept apart. */
    sealed: z.nullable(z.object({ salt: z.string(), bytes: z.string() })),
  }),
})
export type BackupHead = z.output<typeof BackupHead>

/** Written after the data: what must have arrived. A file without it is a part of a backup. */
export const BackupTail = z.object({
  tables: z.array(z.object({ rows: z.number(), sha256: z.string() })),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), next: z.string() })),
  /** Files of the folder of objects; left out by versions that had none. */
  objects: z.optional(z.number()),
})
export type BackupTail = z.output<typeof BackupTail>

/** What a person must do about a backup or a restore that does not work; the message says it. */
export class BackupError extends Error {}

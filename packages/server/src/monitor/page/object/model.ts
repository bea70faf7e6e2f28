/** Kinds of stores besides the database, as they are stored: by index. Never reorder. */
export const storeKinds = ['folder', 's3'] as const
export type StoreKind = (typeof storeKinds)[number]

/** Where the bytes of a row of `blob` are: in the row itself, or in a store. */
export type StoredBytes =
  { bytes: Buffer; store: null; object: null } | { bytes: null; store: number; object: string }

export type StoredBlob = {
  hash: Buffer
  scan_id: string
  encoding: string | null
  bytes: Buffer | null
  store: number | null
  object: string | null
}

/** Where the bytes of pages are kept. */
export type Objects = {
  /** Where new ones go; null: into the database. */
  target: StoreKind | null
  /** Keeps bytes; where the store does not take them, in the row. */
  keep: (scanId: string, hash: Buffer, bytes: Uint8Array) => Promise<StoredBytes>
  /**
   * Bytes of a row; null when they are lost.
   * @throws ObjectStoreError when their store does not answer
   */
  read: (row: Omit<StoredBlob, 'encoding'>) => Promise<Buffer | null>
}

/** Bytes that are kept in their row. */
export const inRow = (bytes: Uint8Array): StoredBytes => ({
  bytes: Buffer.from(bytes),
  store: null,
  object: null,
})

/** Whose bytes a name is of. */
export type Named = { scan_id: string; hash: Buffer; object: string }

/**
 * The name of an object: its scan, its hash, and an id of its own. The id is new each time that bytes are written: what
 * nobody refers to is never referred to again, so that it can be removed without asking who writes now.
 */
export const nameOf = ({ scan_id, hash, object }: Named): string =>
  `${scan_id}/${hash.toString('hex')}.${object}`

const nameShape = /^([0-9a-f-]{36})\/([0-9a-f]{32})\.([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21})$/

/** What a name says, and when its object was written, in ms since 1970; null for what is not ours. */
export function readName(name: string): (Named & { writtenAt: number }) | null {
  const [, scan_id, hash, object] = nameShape.exec(name) ?? []
  if (scan_id === undefined || hash === undefined || object === undefined) return null
  // The first 48 bits of a UUIDv7.
  const writtenAt = Number.parseInt(object.replace('-', '').slice(0, 12), 16)
  return { scan_id, hash: Buffer.from(hash, 'hex'), object, writtenAt }
}

/** Says in a store which database it belongs to. */
export const markName = 'clearway-database'

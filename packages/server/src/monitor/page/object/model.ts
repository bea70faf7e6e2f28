/** Kinds of object stores, stored by index. Never reorder. */
export const storeKinds = ['folder', 's3'] as const
export type StoreKind = (typeof storeKinds)[number]

/** The bytes of a `blob` row: in the row itself, or in an object store. */
export type StoredBytes = { bytes: Buffer; store: null; object: null } | { bytes: null; store: number; object: string }

export type StoredBlob = {
  hash: Buffer
  scan_id: string
  encoding: string | null
  bytes: Buffer | null
  store: number | null
  object: string | null
}

export type Objects = {
  /** Store for new bytes; null for the database. */
  target: StoreKind | null
  /** Stores bytes; in the row if the store fails. */
  keep: (scanId: string, hash: Buffer, bytes: Uint8Array) => Promise<StoredBytes>
  /** Reads the bytes of a row; null when they are lost. @throws ObjectStoreError when their store is unavailable */
  read: (row: Omit<StoredBlob, 'encoding'>) => Promise<Buffer | null>
}

export const toRowBytes = (bytes: Uint8Array): StoredBytes => ({ bytes: Buffer.from(bytes), store: null, object: null })

export type ObjectNameParts = { scan_id: string; hash: Buffer; object: string }

/** The name of an object: scan, hash and a new id per write, so that an unreferenced object never becomes referenced again. */
export const getObjectName = ({ scan_id, hash, object }: ObjectNameParts): string =>
  `${scan_id}/${hash.toString('hex')}.${object}`

const objectNamePattern = /^([0-9a-f-]{36})\/([0-9a-f]{32})\.([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21})$/

/** Parses an object name, with the time of its write in ms since 1970; null for a foreign object. */
export function parseObjectName(name: string): (ObjectNameParts & { writtenAt: number }) | null {
  const [, scanId, hexHash, objectId] = objectNamePattern.exec(name) ?? []
  if (scanId === undefined || hexHash === undefined || objectId === undefined) return null
  // A UUIDv7 starts with 48 bits of the time.
  const writtenAt = Number.parseInt(objectId.replace('-', '').slice(0, 12), 16)
  return { scan_id: scanId, hash: Buffer.from(hexHash, 'hex'), object: objectId, writtenAt }
}

/** Object that marks the database a store belongs to. */
export const markObjectName = 'clearway-database'

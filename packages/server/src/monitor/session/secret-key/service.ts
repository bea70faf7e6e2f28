import { ClusterError } from '../../../kit/postgres/cluster.ts'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import { readOrStoreFingerprint, writeFingerprint } from './store.ts'

type SecretKeyDeps = { db: MonitorDb; seal: Pick<Seal, 'fingerprints'> }

/**
 * Checks that this process uses the key of its database: others could not open its secrets, noticed only at a sign-in.
 * @throws ClusterError with instructions for the operator
 */
export async function assertSecretKey({ db, seal }: SecretKeyDeps): Promise<void> {
  const [currentFingerprint, ...olderFingerprints] = seal.fingerprints
  const storedFingerprint = await readOrStoreFingerprint({ db }, currentFingerprint)
  if (storedFingerprint === currentFingerprint) return
  // A new key together with the previous one replaces it.
  if (olderFingerprints.includes(storedFingerprint)) return writeFingerprint({ db }, currentFingerprint)
  throw new ClusterError(
    'The secrets in this database are sealed with another secret key. Set CLEARWAY_SECRET_KEY to the one that machines of ' +
      'this database share (or CLEARWAY_SECRET_KEY_OLD to the previous one), or put `secret-key` back into the data folder. ' +
      'If it is lost, `npx clearway user renew-keys --revoke` starts with the new one: all users must sign in again, and the ' +
      'secrets of scans and scripts must be entered again.',
  )
}

/** Makes the current key that of this database; secrets sealed with another key remain unreadable. */
export const acceptSecretKey = ({ db, seal }: SecretKeyDeps): Promise<void> => writeFingerprint({ db }, seal.fingerprints[0])

import { ClusterError } from '../../../kit/postgres/cluster.ts'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import { firstFingerprint, writeFingerprint } from './store.ts'

type Deps = { db: MonitorDb; seal: Pick<Seal, 'fingerprints'> }

/**
 * All processes on one database seal by one key. One with another would store what nobody else can open, and find out when
 * a scan signs in.
 * @throws ClusterError with what a person must do
 */
export async function checkSecretKey({ db, seal }: Deps): Promise<void> {
  const [now, ...older] = seal.fingerprints
  const stored = await firstFingerprint({ db }, now)
  if (stored === now) return
  // A new key that knows the one before takes its place.
  if (older.includes(stored)) return writeFingerprint({ db }, now)
  throw new ClusterError(
    'The secrets in this database are sealed with another secret key. Set CLEARWAY_SECRET_KEY to the one that machines of ' +
      'this database share (or CLEARWAY_SECRET_KEY_OLD to the one before), or put `secret-key` back into the data folder. ' +
      'If it is lost, `npm run user -- renew-keys --revoke` starts with the new one: everybody signs in again, and the ' +
      'secrets of scans and scripts must be typed anew.',
  )
}

/** Takes the key of now for the one of this database, whatever it was: what the other one sealed stays closed. */
export const acceptSecretKey = ({ db, seal }: Deps): Promise<void> =>
  writeFingerprint({ db }, seal.fingerprints[0])

import { computeKeyFingerprint, openWithPassphrase } from '../../kit/backup/passphrase.ts'
import type { BackupHead } from '../../kit/backup/schema.ts'
import { getSealKey, readFolderKey } from '../../kit/seal.ts'
import type { Config } from '../../config.ts'
import { exitWithMessage } from './command.ts'

/** The secret key in a backup, if present and the passphrase is given; exits for a wrong one. */
export async function openBackupKey(head: BackupHead, passphrase: string | null): Promise<Buffer | null> {
  const { sealed: sealedKey } = head.secretKey
  if (sealedKey === null || passphrase === null) return null
  const secretKey = await openWithPassphrase(sealedKey, passphrase)
  if (secretKey === null) exitWithMessage('CLEARWAY_BACKUP_PASSPHRASE is not the passphrase of this backup.')
  return secretKey
}

export function hasKeyOf(config: Config, head: BackupHead): boolean {
  const { CLEARWAY_SECRET_KEY: keySetting, CLEARWAY_DATA: dataFolder } = config
  const currentKey = keySetting === null ? readFolderKey(dataFolder) : getSealKey({ setting: keySetting, folder: dataFolder })
  return currentKey !== null && computeKeyFingerprint(currentKey) === head.secretKey.fingerprint
}

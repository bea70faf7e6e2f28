import { openKeystore as open } from '@clearway/engine/session/keystore.ts'
import type { OpenKeystore } from './service.ts'

/** Opens a keystore as a run would; chain and key stay here. */
export const openKeystore: OpenKeystore = (keystore) => {
  const answer = open(keystore)
  if (answer.kind !== 'opened') return answer
  return { kind: 'opened', subject: answer.subject, validTo: answer.validTo }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeFingerprints } from '../packages/server/test/migration.ts'

/**
 * Freezes new migrations: from then on a test rejects any change of them. Frozen ones are never rewritten.
 *
 *   npm run freeze
 */
const file = join(import.meta.dirname, '../fixtures/database/frozen-migrations.json')
const frozen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
const currentFingerprints = await computeFingerprints()

const changedNames = Object.keys(frozen).filter((name) => currentFingerprints[name] !== frozen[name])
if (changedNames.length > 0) {
  console.error(
    `Changed or gone since they were frozen: ${changedNames.join(', ')}. Take the change back, and write another migration.`,
  )
  process.exit(1)
}
const newNames = Object.keys(currentFingerprints).filter((name) => !(name in frozen))
writeFileSync(file, `${JSON.stringify(currentFingerprints, null, 2)}\n`)
console.log(newNames.length === 0 ? 'Nothing is new.' : `Frozen: ${newNames.join(', ')}.`)

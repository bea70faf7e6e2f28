import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprints } from '../packages/server/test/migration.ts'

/**
 * Freezes the migrations that are new: from then on a test refuses any change of them. What is frozen already is never written anew.
 *
 *   npm run freeze
 */
const file = join(import.meta.dirname, '../fixtures/database/frozen-migrations.json')
const frozen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
const now = await fingerprints()

const changed = Object.keys(frozen).filter((name) => now[name] !== frozen[name])
if (changed.length > 0) {
  console.error(
    `Changed or gone since they were frozen: ${changed.join(', ')}. Take the change back, and write another migration.`,
  )
  process.exit(1)
}
const fresh = Object.keys(now).filter((name) => !(name in frozen))
writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
console.log(fresh.length === 0 ? 'Nothing is new.' : `Frozen: ${fresh.join(', ')}.`)

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { buildReportSchema } from '../packages/cli/src/schema.ts'
import { renderSettings } from '../packages/server/src/config.ts'
import { environmentOf, tableOf } from '../packages/server/src/kit/setting.ts'
import { describeApi, describePermissions } from '../packages/server/src/process/description.ts'
import { contrastTable } from './contrast.ts'
import { notices, noticesFile, projectRoot } from './notices.ts'
import { scanSettingsTable } from './scan-settings.ts'

const generated = join(projectRoot, 'docs/generated')
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const composeHead = `# For docker compose: copy it to .env, and set what differs. What compose.yaml itself needs:

POSTGRES_PASSWORD=
CLEARWAY_SECRET_KEY=
CLEARWAY_S3_SECRET=

# What compose.full.yaml needs besides:
#DOMAIN=
#SSO_DOMAIN=
#KEYCLOAK_PASSWORD=
#KEYCLOAK_DATABASE_PASSWORD=

# Every setting of Clearway:

`

/** Every generated file, with what makes it. */
const files: [file: string, make: () => string][] = [
  [
    join(generated, 'settings.md'),
    () => `# Settings\n\nEach is an environment variable, read once at start.\n\n${renderSettings(tableOf)}`,
  ],
  [join(projectRoot, 'deploy/compose/.env.example'), () => composeHead + renderSettings(environmentOf)],
  [join(generated, 'scan-settings.md'), scanSettingsTable],
  [join(generated, 'permissions.md'), describePermissions],
  [join(generated, 'openapi.json'), () => json(describeApi())],
  [join(generated, 'scan-report.schema.json'), () => json(buildReportSchema())],
  [join(generated, 'contrast.md'), contrastTable],
  [noticesFile(projectRoot), () => notices(projectRoot)],
]

/** Writes the files, or with `--check` only says which are stale. */
const checkOnly = process.argv.includes('--check')
let stale = 0
for (const [file, make] of files) {
  const text = make()
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  if (checkOnly) {
    stale++
    console.error(`${relative(projectRoot, file)} is stale: npm run generate`)
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${relative(projectRoot, file)}`)
  }
}
if (stale > 0) process.exit(1)

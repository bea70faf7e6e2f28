import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { buildConfigSchema } from '../packages/cli/src/config-file.ts'
import { buildGateSchema } from '../packages/cli/src/gate.ts'
import { buildOptionTable } from '../packages/cli/src/options.ts'
import { buildReportSchema } from '../packages/cli/src/schema.ts'
import { renderSettings } from '../packages/server/src/config.ts'
import { renderEnvironmentFile, renderSettingsTable } from '../packages/server/src/kit/setting.ts'
import { describeApi, describePermissions } from '../packages/server/src/process/description.ts'
import { buildContrastTable } from './contrast.ts'
import { buildNotices, getNoticesFile, projectRoot } from './notices.ts'
import { buildProofTable } from './page-proof.ts'
import { buildScanSettingsTable } from './scan-settings.ts'

const generated = join(projectRoot, 'docs/generated')
const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

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

/** Every generated file, with its generator. */
const files: [file: string, make: () => string][] = [
  [
    join(generated, 'settings.md'),
    () => `# Settings\n\nEach is an environment variable, read once at start.\n\n${renderSettings(renderSettingsTable)}`,
  ],
  [join(projectRoot, 'deploy/compose/.env.example'), () => composeHead + renderSettings(renderEnvironmentFile)],
  [join(generated, 'scan-settings.md'), buildScanSettingsTable],
  [join(generated, 'proof.md'), buildProofTable],
  [join(generated, 'permissions.md'), describePermissions],
  [join(generated, 'openapi.json'), () => toJson(describeApi())],
  [join(generated, 'scan-report.schema.json'), () => toJson(buildReportSchema())],
  [join(generated, 'gate-report.schema.json'), () => toJson(buildGateSchema())],
  [join(generated, 'config.schema.json'), () => toJson(buildConfigSchema())],
  [join(generated, 'options.md'), buildOptionTable],
  [join(generated, 'contrast.md'), buildContrastTable],
  // A chart contains only what is in its folder.
  ...['alerts.yml', 'dashboard.json'].map((name): [string, () => string] => [
    join(projectRoot, 'deploy/helm/clearway/files', name),
    () => readFileSync(join(projectRoot, 'deploy/monitoring', name), 'utf8'),
  ]),
  [getNoticesFile(projectRoot), () => buildNotices(projectRoot)],
]

/** Writes the files, or with `--check` only lists stale ones. */
const checkOnly = process.argv.includes('--check')
let stale = 0
for (const [file, make] of files) {
  const content = make()
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
  if (checkOnly) {
    stale++
    console.error(`${relative(projectRoot, file)} is stale: npm run generate`)
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    console.log(`wrote ${relative(projectRoot, file)}`)
  }
}
if (stale > 0) process.exit(1)

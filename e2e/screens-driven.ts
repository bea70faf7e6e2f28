import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from './product/client.ts'
import { demoAdmin, startDemo } from './product/demo.ts'
import { listScreens } from './screen/list-screens.ts'

/**
 * Drives every screen with the demo data by keyboard and mouse, signed in, as the command line drives any site, and lists
 * what it finds. Exits with an error if a screen fails a rule, or was not driven in full.
 *
 *   node scripts/node24.mjs e2e/screens-driven.ts FOLDER
 *
 * The demo data are created once, in FOLDER/data. The report is FOLDER/driven.json.
 */
const [folder = join(tmpdir(), 'clearway-screens')] = process.argv.slice(2)
type Issue = { engine: string; rule: string; severity: string; target: unknown; states: string[] }
type Page = { url: string; status: string; driven: { level: string; isPartial: boolean } | null; issues: Issue[] }

mkdirSync(folder, { recursive: true })
const product = await startDemo(join(folder, 'data'))
const screens = await listScreens(await signIn(product.url, demoAdmin.username, demoAdmin.password))
const [urlFile, reportFile] = [join(folder, 'urls'), join(folder, 'driven.json')]
writeFileSync(urlFile, screens.map(([, path]) => `${product.url}/monitor${path}`).join('\n'))
const cli = join(import.meta.dirname, '../packages/cli/src/main.ts')
const signInOptions = ['--sign-in', `${product.url}/monitor/`, '--user', demoAdmin.username]
const scanOptions = ['--urls', urlFile, '--depth', '0', '--allow-private', '--driven', 'every']
const { stderr } = spawnSync(
  process.execPath,
  [cli, 'scan', ...scanOptions, ...signInOptions, '--format', 'json', '--output', reportFile],
  { encoding: 'utf8', env: { ...process.env, CLEARWAY_SIGN_IN_PASSWORD: demoAdmin.password } },
)
await product.stop()
console.error(stderr)
const { pages } = JSON.parse(readFileSync(reportFile, 'utf8')) as { pages: Page[] }
let faultCount = 0
for (const { url, status, driven, issues } of pages) {
  const isWhole = driven?.level === 'full' && !driven.isPartial
  if (!isWhole)
    console.log(`${url}: ${status}, driven ${driven ? `up to ${driven.level}${driven.isPartial ? ', in part' : ''}` : 'not'}`)
  const drivenIssues = issues.filter(({ engine }) => engine === 'driven')
  for (const { rule, severity, target, states } of drivenIssues)
    console.log(`${url}: ${severity} ${rule} ${states.join(', ')} ${JSON.stringify(target)}`)
  faultCount += drivenIssues.filter(({ severity }) => severity !== 'needs review').length + (isWhole ? 0 : 1)
}
console.log(`${screens.length} screens, ${pages.length} pages, ${faultCount} faults`)
process.exit(faultCount === 0 && pages.length >= screens.length ? 0 : 1)

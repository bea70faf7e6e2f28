// Runs a program of this repository under Node 24, whichever Node started us.
//
//   node scripts/node24.mjs <file.ts | name of an installed command> [arguments…]
//
// The product's own programs run as plain JavaScript, made first where it is not that of the sources (javascript.ts).
//
// Plain JavaScript that Node 20 understands: it runs before Node 24 is there. PATH and
// node_modules/.bin are not trusted, because npm 10 leaves out the link to the Node that it installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endWith } from './end-with.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = 24

/** The Node binary to use: this one when it is new enough, else the one that npm installed for this platform. */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= wanted) return process.execPath
  const platform = { linux: 'linux', win32: 'win' }[process.platform]
  const file = join(
    root,
    'node_modules',
    `node-${platform}-${process.arch}`,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (platform && existsSync(file)) return file
  console.error(
    `Clearway needs Node ${wanted} or newer; this is ${process.versions.node}, and no Node ${wanted} came with npm ci for ` +
      `${process.platform}-${process.arch}. Install Node ${wanted} (https://nodejs.org) and start again.`,
  )
  process.exit(2)
}

/** The JavaScript file behind an installed command, as its package names it. */
function commandFile(name) {
  const packages = { tsc: 'typescript', depcruise: 'dependency-cruiser', lingui: '@lingui/cli' }
  const folder = join(root, 'node_modules', packages[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}

/** What Node is called with for a file, an installed command, or a program of the product: that one as plain JavaScript. */
function call(node, what) {
  if (!/[./]/.test(what)) return [commandFile(what)]
  const built = /^packages\/(server|cli)\/src\/.+\.ts$/.test(what)
    ? what.replace('/src/', '/dist/').replace(/ts$/, 'js')
    : null
  if (built === null) return [resolve(root, what)]
  const script = join(root, 'scripts/javascript.ts')
  const { status } = spawnSync(node, ['--no-warnings', script], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  return ['--no-strip-types', join(root, built)]
}

/** Runs a file or an installed command under Node 24 and ends as it ends. */
export function run(what, args, cwd) {
  const node = node24()
  const called = call(node, what)
  // The same Node for whatever the program starts in its turn.
  const separator = process.platform === 'win32' ? ';' : ':'
  const env = {
    // What Node compiles is kept: a start is a sixth cheaper. A folder that cannot be written is no fault.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
    ...process.env,
    PATH: `${dirname(node)}${separator}${process.env.PATH}`,
  }
  const child = spawn(node, [...called, ...args], { stdio: 'inherit', env, cwd })
  endWith(child, `Node ${wanted} at ${node} does not start`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, ...args] = process.argv.slice(2)
  run(what, args, process.env.npm_lifecycle_event ? root : process.cwd())
}

// Runs a program of this repository under Node 24, whichever Node started this script.
//
//   node scripts/node24.mjs <file.ts | name of an installed command> [arguments…]
//
// The product's own programs run as plain JavaScript, built first if the sources have changed (javascript.ts).
//
// Plain JavaScript for Node 20, because it runs before Node 24 is available. PATH and node_modules/.bin are not trusted,
// because npm 10 omits the link to the Node that it installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endWith } from './end-with.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const requiredMajor = 24

/** Returns the Node binary to use: the current one if it is new enough, else the one that npm installed for this platform. */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) return process.execPath
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
    `Clearway needs Node ${requiredMajor} or newer; this is ${process.versions.node}, and no Node ${requiredMajor} came with npm ci for ` +
      `${process.platform}-${process.arch}. Install Node ${requiredMajor} (https://nodejs.org) and start again.`,
  )
  process.exit(2)
}

/** Returns the JavaScript file of an installed command, as declared by its package. */
function commandFile(name) {
  const packages = { tsc: 'typescript', depcruise: 'dependency-cruiser', lingui: '@lingui/cli' }
  const folder = join(root, 'node_modules', packages[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}

/** Returns Node's arguments for a file, an installed command, or a program of the product as plain JavaScript. */
function buildNodeArgs(node, target) {
  if (!/[./]/.test(target)) return [commandFile(target)]
  const built = /^packages\/(server|cli)\/src\/.+\.ts$/.test(target)
    ? target.replace('/src/', '/dist/').replace(/ts$/, 'js')
    : null
  if (built === null) return [resolve(root, target)]
  const script = join(root, 'scripts/javascript.ts')
  const { status } = spawnSync(node, ['--no-warnings', script], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  return ['--no-strip-types', join(root, built)]
}

/** Runs a file or an installed command under Node 24 and exits with its status. */
export function run(target, args, cwd) {
  const node = node24()
  const nodeArgs = buildNodeArgs(node, target)
  // Child processes of the program use the same Node.
  const separator = process.platform === 'win32' ? ';' : ':'
  const env = {
    // Caches compiled code: a start costs a sixth less. A read-only folder is no error.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
    ...process.env,
    PATH: `${dirname(node)}${separator}${process.env.PATH}`,
  }
  const child = spawn(node, [...nodeArgs, ...args], { stdio: 'inherit', env, cwd })
  endWith(child, `Node ${requiredMajor} at ${node} does not start`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target, ...args] = process.argv.slice(2)
  run(target, args, process.env.npm_lifecycle_event ? root : process.cwd())
}

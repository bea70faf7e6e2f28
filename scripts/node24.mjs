// Runs a program of this repository under Node 24, whichever Node started us.
//
//   node scripts/node24.mjs <file.ts | name of an installed command> [arguments…]
//
// Plain JavaScript that Node 20 understands: it runs before Node 24 is there. PATH and
// node_modules/.bin are not trusted, because npm 10 leaves out the link to the Node that it installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
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

const [what, ...rest] = process.argv.slice(2)
const file = /[./]/.test(what) ? resolve(root, what) : commandFile(what)
const node = node24()
// The same Node for whatever a script starts in its turn.
const env = {
  ...process.env,
  PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
}
const child = spawn(node, [file, ...rest], {
  stdio: 'inherit',
  env,
  cwd: process.env.INIT_CWD ? root : process.cwd(),
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))

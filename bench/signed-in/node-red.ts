import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Application, dumpFiles, password, run, startServer } from './application.ts'

const flows = [
  { id: 'tab1', type: 'tab', label: 'Pumps', disabled: false },
  { id: 'in1', type: 'inject', z: 'tab1', name: 'Each hour', repeat: '', once: false, x: 120, y: 80, wires: [['out1']] },
  { id: 'out1', type: 'debug', z: 'tab1', name: 'Level', active: true, x: 340, y: 80, wires: [] },
]

/** Node-RED from npm, with a flow. Its editor is one page. */
export const nodeRed: Application = {
  name: 'Node-RED',
  async install(folder) {
    if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}')
    if (!existsSync(join(folder, 'node_modules/node-red')))
      await run('npm', ['install', '--no-audit', '--no-fund', '--silent', 'node-red'], { cwd: folder })
    const hash = await run(process.execPath, ['-p', `require('bcryptjs').hashSync(${JSON.stringify(password)}, 8)`], {
      cwd: folder,
    })
    mkdirSync(join(folder, 'data'), { recursive: true })
    const users = [{ username: 'boss', password: hash.trim(), permissions: '*' }]
    writeFileSync(
      join(folder, 'data/settings.js'),
      `module.exports = { credentialSecret: false, uiHost: '127.0.0.1', adminAuth: { type: 'credentials', users: ${JSON.stringify(users)} } }`,
    )
    if (!existsSync(join(folder, 'data/flows.json'))) writeFileSync(join(folder, 'data/flows.json'), JSON.stringify(flows))
  },
  start: (folder, port) => [
    startServer(process.execPath, ['node_modules/node-red/red.js', '--userDir', 'data', '--port', String(port), 'flows.json'], {
      cwd: folder,
    }),
  ],
  startPath: '/',
  signInPath: '/',
  user: 'boss',
  fields: { user: '#node-dialog-login-username', password: '#node-dialog-login-password', submit: '#node-dialog-login-submit' },
  dump: (folder) => dumpFiles(join(folder, 'data'), (path) => path.startsWith('node_modules')),
  openingWrites: [
    { table: /^\.sessions\.json$/, reason: 'sessions' },
    { table: /^\.config\.users\.json$/, reason: 'view of the editor, which it saves when it is opened for the first time' },
  ],
}

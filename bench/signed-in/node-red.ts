import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Application, dumpFiles, password, run, startServer, takeOnly } from './application.ts'

const flowNumbers = Array.from({ length: 60 }, (_, index) => index + 1)
/** The description of each flow, in the sidebar, links the others. */
const info = flowNumbers.map((number) => `- [Pump ${number}](#flow/tab${number})`).join('\n')
const flows = flowNumbers.flatMap((number) => {
  const z = `tab${number}`
  return [
    { id: z, type: 'tab', label: `Pump ${number}`, disabled: false, info },
    {
      id: `in${number}`,
      type: 'inject',
      z,
      name: `Each ${number} hours`,
      repeat: '',
      once: false,
      x: 120,
      y: 80,
      wires: [[`out${number}`]],
    },
    { id: `out${number}`, type: 'debug', z, name: `Level ${number}`, active: true, x: 340, y: 80, wires: [] },
  ]
})

/** Node-RED from npm, with 60 flows. Its editor is one document; a flow is a page by its fragment. */
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
  // A large document, with a page for each flow.
  concurrency: 1,
  settings: () => ({
    advanced: { discardAnchors: false },
    // Other fragments are tabs and panels of the editor.
    ...takeOnly('*/#flow/*'),
  }),
  fields: { user: '#node-dialog-login-username', password: '#node-dialog-login-password', submit: '#node-dialog-login-submit' },
  dump: (folder) => dumpFiles(join(folder, 'data'), (path) => path.startsWith('node_modules')),
  openingWrites: [
    { table: /^\.sessions\.json$/, reason: 'sessions' },
    { table: /^\.config\.users\.json$/, reason: 'view of the editor, which it saves when it is opened for the first time' },
  ],
}

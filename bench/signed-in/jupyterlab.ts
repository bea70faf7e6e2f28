import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Application, dumpFiles, password, run, startServer } from './application.ts'

const notebook = (number: number) => ({
  cells: [
    { cell_type: 'markdown', id: `cell-${number}`, metadata: {}, source: [`# Level ${number}\n`, 'Water level of the harbour.'] },
  ],
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
})

const folderNames = ['levels', 'tides', 'pumps']
const listPaths = (count: number, ending: string) =>
  folderNames.flatMap((name) => Array.from({ length: count }, (_, index) => `${name}/${name}-${index + 1}.${ending}`))
/** Files by path: notebooks, which start a process each, texts and tables. */
const files = new Map<string, string>([
  ...listPaths(4, 'ipynb').map((path, index): [string, string] => [path, JSON.stringify(notebook(index + 1))]),
  ...listPaths(8, 'md').map((path): [string, string] => [path, `# Notes ${path}\n\nWater level of the harbour.\n`]),
  ...listPaths(8, 'csv').map((path, index): [string, string] => [path, `hour,level\n1,${index}\n2,${index + 1}\n`]),
])

const getEnvironment = (folder: string) => ({
  HOME: folder,
  JUPYTER_CONFIG_DIR: join(folder, 'config'),
  JUPYTER_DATA_DIR: join(folder, 'data'),
  JUPYTER_RUNTIME_DIR: join(folder, 'runtime'),
})

/** JupyterLab from PyPI, with a password, 12 notebooks and 48 other files. */
export const jupyterLab: Application = {
  name: 'JupyterLab',
  async install(folder) {
    const bin = join(folder, 'venv/bin')
    if (!existsSync(join(bin, 'pip'))) await run('python3', ['-m', 'venv', 'venv'], { cwd: folder })
    if (!existsSync(join(bin, 'jupyter-lab'))) await run(join(bin, 'pip'), ['install', '--quiet', 'jupyterlab'], { cwd: folder })
    const config = join(folder, 'config')
    mkdirSync(config, { recursive: true })
    const hash = await run(
      join(bin, 'python'),
      ['-c', 'import sys; from jupyter_server.auth import passwd; print(passwd(sys.argv[1]))', password],
      {
        cwd: folder,
      },
    )
    const settings = {
      PasswordIdentityProvider: { hashed_password: hash.trim() },
      ServerApp: { root_dir: join(folder, 'files') },
    }
    writeFileSync(join(config, 'jupyter_server_config.json'), JSON.stringify(settings))
    for (const [path, text] of files) {
      const file = join(folder, 'files', path)
      mkdirSync(dirname(file), { recursive: true })
      if (!existsSync(file)) writeFileSync(file, text)
    }
  },
  start: (folder, port) => [
    startServer(join(folder, 'venv/bin/jupyter-lab'), ['--no-browser', '--allow-root', '--ip=127.0.0.1', `--port=${port}`], {
      cwd: folder,
      env: getEnvironment(folder),
    }),
  ],
  startPath: '/lab',
  signInPath: '/login',
  user: 'boss',
  // Its files are opened by a double click, not by links. `doc` shows one file without the layout of earlier visits.
  settings: (origin) => ({ sources: { urls: [...files.keys()].map((path) => `${origin}/doc/tree/${path}`) } }),
  // A second window gets a workspace of its own, with another address.
  concurrency: 1,
  fields: { user: null, password: '#password_input', submit: '#login_submit' },
  dump: (folder) =>
    new Map(
      ['files', 'config', 'data']
        .filter((name) => existsSync(join(folder, name)))
        .flatMap((name) =>
          [...dumpFiles(join(folder, name))].map(([path, lines]): [string, readonly string[]] => [`${name}/${path}`, lines]),
        ),
    ),
  openingWrites: [
    { table: /^data\/(?:jupyter_cookie_secret|notebook_secret|nbsignatures\.db)/, reason: 'keys of sessions' },
    { table: /\.ipynb_checkpoints\//, reason: 'copy of a notebook, which is made when it is opened for the first time' },
    { table: /^config\/lab\/workspaces\//, reason: 'layout of the workspace, which it saves when it is opened' },
  ],
}

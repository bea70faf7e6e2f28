/**
 * Runs the product for development: the server restarts when its sources change, and the web application hot-reloads edits
 * in the open page.
 *
 *   npm run dev          http://127.0.0.1:4401/monitor (CLEARWAY_DEV_PORT), the API behind it
 *
 * Settings are those of the server (docs/generated/settings.md). Data is kept in `data`, as with `npm start`.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

const root = join(import.meta.dirname, '..')
const webPort = Number(process.env.CLEARWAY_DEV_PORT ?? 4401)
const apiPort = Number(process.env.CLEARWAY_PORT ?? 4400)
const url = `http://127.0.0.1:${webPort}`
const began = performance.now()

const web = await createServer({
  configFile: join(root, 'packages/web/vite.config.ts'),
  logLevel: 'warn',
  server: {
    port: webPort,
    strictPort: true,
    host: '127.0.0.1',
    // Everything outside the web application belongs to the server; event streams pass through unchanged.
    proxy: {
      '^/(?!monitor(/|$))': `http://127.0.0.1:${apiPort}`,
      '^/monitor/docs/(?:pdf|driven)-rules': `http://127.0.0.1:${apiPort}`,
    },
  },
})
await web.listen().catch((error: Error) => {
  console.error(`${error.message}. Set CLEARWAY_DEV_PORT to a free one.`)
  process.exit(2)
})
console.log(`The web application: ${url}/monitor (after ${((performance.now() - began) / 1000).toFixed(1)} s)`)

const { CLEARWAY_DEV_PORT: _, ...env } = process.env
// Users of the web application's own port sign in there, so it is the server's public address.
const server = spawn(
  process.execPath,
  [
    '--watch-path=packages/server/src',
    '--watch-path=packages/engine/src',
    '--watch-path=packages/contract/src',
    'packages/server/src/main.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      CLEARWAY_ALLOW_PRIVATE: '127.0.0.1',
      ...env,
      CLEARWAY_PORT: String(apiPort),
      CLEARWAY_PUBLIC_URL: url,
      CLEARWAY_WEB: 'false',
    },
  },
)
let stopping = false
const stopAll = (code: number) => {
  if (stopping) return
  stopping = true
  server.kill('SIGTERM')
  void web.close()
  server.once('exit', () => process.exit(code))
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopAll(0))
server.once('exit', (code) => stopAll(code ?? 1))

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Settings } from '../src/kit/object-store/s3.ts'
import { freePort } from './free-port.ts'

/** The server of S3 that tests use; null where it is not installed. */
export const findS3Server = (): string | null =>
  [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')]
    .map((folder) => join(folder, 'versitygw'))
    .find((file) => existsSync(file)) ?? null

/** A server of S3 with one bucket, over a folder. */
export async function startS3Server(
  program: string,
  folder: string,
): Promise<{ settings: S3Settings; stop: () => Promise<void> }> {
  const [keyId, secret, port] = ['test-key', 'test-secret', await freePort()]
  await mkdir(join(folder, 'buckets', 'clearway'), { recursive: true })
  await mkdir(join(folder, 'iam'), { recursive: true })
  const child = spawn(
    program,
    ['--port', `127.0.0.1:${port}`, '--iam-dir', join(folder, 'iam'), 'posix', join(folder, 'buckets')],
    { env: { ...process.env, ROOT_ACCESS_KEY: keyId, ROOT_SECRET_KEY: secret }, stdio: 'ignore' },
  )
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://127.0.0.1:${port}/clearway`
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break
    await sleep(50)
  }
  const stop = () => (child.kill(), ended)
  return { settings: { url, region: 'us-east-1', keyId, secret }, stop }
}

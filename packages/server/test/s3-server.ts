import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Settings } from '../src/kit/object-store/s3.ts'
import { findFreePort } from '../../engine/test/free-port.ts'

const [keyId, secret, bucket] = ['test-key', 'test-secret', 'clearway']

type Instance = { port: number; buckets: string; folder: string }

/** Third-party S3 servers: how to find and start each. */
const servers = {
  versitygw: {
    program: () =>
      [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')]
        .map((folder) => join(folder, 'versitygw'))
        .find((file) => existsSync(file)),
    args: async ({ port, buckets, folder }: Instance): Promise<string[]> => {
      await mkdir(join(folder, 'iam'))
      return ['--port', `127.0.0.1:${port}`, '--iam-dir', join(folder, 'iam'), 'posix', buckets]
    },
  },
  s3proxy: {
    program: () => (process.env.S3PROXY_JAR ? 'java' : undefined),
    args: async ({ port, buckets, folder }: Instance): Promise<string[]> => {
      const file = join(folder, 's3proxy.properties')
      const settings = {
        's3proxy.endpoint': `http://127.0.0.1:${port}`,
        's3proxy.authorization': 'aws-v4',
        's3proxy.identity': keyId,
        's3proxy.credential': secret,
        'jclouds.provider': 'filesystem-nio2',
        'jclouds.filesystem.basedir': buckets,
        // The folder needs no credentials, but the program requires some.
        'jclouds.identity': keyId,
        'jclouds.credential': secret,
      }
      writeFileSync(
        file,
        Object.entries(settings)
          .map((pair) => pair.join('='))
          .join('\n'),
      )
      return ['-Xmx256m', '-jar', process.env.S3PROXY_JAR!, '--properties', file]
    },
  },
}
export type S3Server = keyof typeof servers

/** Returns the S3 servers installed on this machine. */
export const findS3Servers = (): S3Server[] =>
  (Object.keys(servers) as S3Server[]).filter((name) => servers[name].program() !== undefined)

/** Starts an S3 server with one bucket, over a folder. */
export async function startS3Server(
  name: S3Server,
  folder: string,
): Promise<{ settings: S3Settings; stop: () => Promise<void> }> {
  const instance = { port: await findFreePort(), buckets: join(folder, 'buckets'), folder }
  await mkdir(join(instance.buckets, bucket), { recursive: true })
  const child = spawn(servers[name].program()!, await servers[name].args(instance), {
    env: { ...process.env, ROOT_ACCESS_KEY: keyId, ROOT_SECRET_KEY: secret },
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${instance.port}/${bucket}`
  const isResponding = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  for (let tries = 0; tries < 300 && !(await isResponding()); tries++) await sleep(100)
  const stopServer = () => (child.kill(), exited)
  return { settings: { url, region: 'us-east-1', keyId, secret }, stop: stopServer }
}

import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Settings } from '../src/kit/object-store/s3.ts'
import { findFreePort } from './free-port.ts'

const [keyId, secret, bucket] = ['test-key', 'test-secret', 'clearway']

type Instance = { port: number; buckets: string; folder: string }

/** Servers of S3 that are written by others: how each is found, and how it is started. */
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
        // A folder asks for none, and the program for some.
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

/** The servers of S3 that are installed here. */
export const findS3Servers = (): S3Server[] =>
  (Object.keys(servers) as S3Server[]).filter((name) => servers[name].program() !== undefined)

/** A server of S3 with one bucket, over a folder. */
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
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://127.0.0.1:${instance.port}/${bucket}`
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  for (let tries = 0; tries < 300 && !(await answers()); tries++) await sleep(100)
  const stop = () => (child.kill(), ended)
  return { settings: { url, region: 'us-east-1', keyId, secret }, stop }
}

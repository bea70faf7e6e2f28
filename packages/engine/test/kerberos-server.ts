import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A real Kerberos realm and a real server that checks its tickets: Debian's krb5-kdc, Apache and mod_auth_gssapi.

const programs = [
  '/usr/sbin/krb5kdc',
  '/usr/sbin/kdb5_util',
  '/usr/sbin/kadmin.local',
  '/usr/bin/kinit',
  '/usr/sbin/apache2',
  '/usr/lib/apache2/modules/mod_auth_gssapi.so',
]

/** What is missing for a realm on this machine; it also takes root, to start Apache as another user. */
export const kerberosMissing = (): string[] => programs.filter((path) => !existsSync(path))

export type TestRealm = {
  origin: string
  log: () => Promise<string>
  config: string
  close: () => Promise<void>
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await fetch(`http://localhost:${port}/`)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('Apache did not start')
}

const realmConfig = (port: number) => `[libdefaults]
 default_realm = TEST.LOCAL
 rdns = false
 dns_canonicalize_hostname = false
 dns_lookup_kdc = false
 udp_preference_limit = 1
[realms]
 TEST.LOCAL = {
  kdc = 127.0.0.1:${port}
 }
`

const kdcConfig = (folder: string, port: number) => `[kdcdefaults]
 kdc_tcp_ports = ${port}
 kdc_ports = ""
[realms]
 TEST.LOCAL = {
  database_name = ${folder}/db
  key_stash_file = ${folder}/stash
  acl_file = ${folder}/acl
 }
[logging]
 kdc = FILE:${folder}/kdc.log
`

const modules = ['mpm_event', 'authz_core', 'authn_core', 'authz_user', 'auth_gssapi', 'mime', 'dir']

const apacheConfig = (folder: string, port: number) => `ServerName localhost
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
Mutex file:${folder}
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
TypesConfig /etc/mime.types
AddType application/xml .xml
LogFormat "%U %>s \\"%{Authorization}i\\" %u" plain
CustomLog ${folder}/access.log plain
DocumentRoot ${folder}/site
<Location />
 AuthType GSSAPI
 AuthName realm
 GssapiAllowedMech krb5
 GssapiCredStore keytab:${folder}/keytab
 GssapiSSLonly Off
 Require valid-user
</Location>
`

/** Starts a realm with the user alice (password wonderland), and a site that only alice may see. */
export async function openRealm(pages: Readonly<Record<string, string | Uint8Array>>): Promise<TestRealm> {
  const folder = await mkdtemp(join(tmpdir(), 'clearway-realm-'))
  await chmod(folder, 0o755)
  const [kdcPort, port] = [await freePort(), await freePort()]
  const config = join(folder, 'krb5.conf')
  await writeFile(config, realmConfig(kdcPort))
  await writeFile(join(folder, 'kdc.conf'), kdcConfig(folder, kdcPort))
  await mkdir(join(folder, 'site'))
  for (const [path, file] of Object.entries(pages))
    await writeFile(
      join(folder, 'site', path),
      typeof file === 'string' ? file.replaceAll('ORIGIN', `http://localhost:${port}`) : file,
    )
  await writeFile(join(folder, 'apache.conf'), apacheConfig(folder, port))
  const env = { ...process.env, KRB5_CONFIG: config, KRB5_KDC_PROFILE: join(folder, 'kdc.conf') }
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { env, stdio: 'pipe' })
  const admin = (command: string) => run('/usr/sbin/kadmin.local', '-q', command)
  run('/usr/sbin/kdb5_util', 'create', '-s', '-r', 'TEST.LOCAL', '-P', 'master')
  admin('addprinc -pw wonderland alice')
  admin('addprinc -randkey HTTP/localhost')
  admin(`ktadd -k ${folder}/keytab HTTP/localhost`)
  await chmod(join(folder, 'keytab'), 0o644)
  const children: ChildProcess[] = [
    spawn('/usr/sbin/krb5kdc', ['-n'], { env, stdio: 'ignore' }),
    spawn('/usr/sbin/apache2', ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'], { env, stdio: 'ignore' }),
  ]
  await answers(port)
  return {
    origin: `http://localhost:${port}`,
    config,
    log: async () => {
      const copy = join(folder, 'copy.log')
      await cp(join(folder, 'access.log'), copy)
      return execFileSync('cat', [copy]).toString()
    },
    async close() {
      await Promise.all(
        children.map(
          (child) =>
            new Promise((resolve) => {
              child.once('exit', resolve)
              child.kill('SIGTERM')
            }),
        ),
      )
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'

// A real Kerberos realm and a server that checks its tickets: Debian's krb5-kdc, Apache and mod_auth_gssapi.

const requiredPrograms = [
  '/usr/sbin/krb5kdc',
  '/usr/sbin/kdb5_util',
  '/usr/sbin/kadmin.local',
  '/usr/bin/kinit',
  '/usr/sbin/apache2',
  '/usr/lib/apache2/modules/mod_auth_gssapi.so',
]

/** Lists programs missing for a realm on this machine. Root is also required, to start Apache as another user. */
export const listMissingPrograms = (): string[] => requiredPrograms.filter((path) => !existsSync(path))

export type TestRealm = { origin: string; log: () => Promise<string>; config: string; close: () => Promise<void> }

async function waitForApache(port: number): Promise<void> {
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

const buildRealmConfig = (port: number) => `[libdefaults]
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

const buildKdcConfig = (folder: string, port: number) => `[kdcdefaults]
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

const apacheModules = ['mpm_event', 'authz_core', 'authn_core', 'authz_user', 'auth_gssapi', 'mime', 'dir']

const buildApacheConfig = (folder: string, port: number) => `ServerName localhost
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
Mutex file:${folder}
${apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
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

/** Starts a realm with the user alice (password wonderland), and a site that only alice may read. */
export async function openRealm(pages: Readonly<Record<string, string | Uint8Array>>): Promise<TestRealm> {
  const realmFolder = await mkdtemp(join(tmpdir(), 'clearway-realm-'))
  await chmod(realmFolder, 0o755)
  const [kdcPort, apachePort] = [await findFreePort(), await findFreePort()]
  const configPath = join(realmFolder, 'krb5.conf')
  await writeFile(configPath, buildRealmConfig(kdcPort))
  await writeFile(join(realmFolder, 'kdc.conf'), buildKdcConfig(realmFolder, kdcPort))
  await mkdir(join(realmFolder, 'site'))
  for (const [path, pageContent] of Object.entries(pages))
    await writeFile(
      join(realmFolder, 'site', path),
      typeof pageContent === 'string' ? pageContent.replaceAll('ORIGIN', `http://localhost:${apachePort}`) : pageContent,
    )
  await writeFile(join(realmFolder, 'apache.conf'), buildApacheConfig(realmFolder, apachePort))
  const realmEnv = { ...process.env, KRB5_CONFIG: configPath, KRB5_KDC_PROFILE: join(realmFolder, 'kdc.conf') }
  const runProgram = (program: string, ...args: string[]) => execFileSync(program, args, { env: realmEnv, stdio: 'pipe' })
  const runAdmin = (command: string) => runProgram('/usr/sbin/kadmin.local', '-q', command)
  runProgram('/usr/sbin/kdb5_util', 'create', '-s', '-r', 'TEST.LOCAL', '-P', 'master')
  runAdmin('addprinc -pw wonderland alice')
  runAdmin('addprinc -randkey HTTP/localhost')
  runAdmin(`ktadd -k ${realmFolder}/keytab HTTP/localhost`)
  await chmod(join(realmFolder, 'keytab'), 0o644)
  const serverProcesses: ChildProcess[] = [
    spawn('/usr/sbin/krb5kdc', ['-n'], { env: realmEnv, stdio: 'ignore' }),
    spawn('/usr/sbin/apache2', ['-f', join(realmFolder, 'apache.conf'), '-DFOREGROUND'], { env: realmEnv, stdio: 'ignore' }),
  ]
  await waitForApache(apachePort)
  return {
    origin: `http://localhost:${apachePort}`,
    config: configPath,
    log: async () => {
      const logCopy = join(realmFolder, 'copy.log')
      await cp(join(realmFolder, 'access.log'), logCopy)
      return execFileSync('cat', [logCopy]).toString()
    },
    async close() {
      await Promise.all(
        serverProcesses.map(
          (child) =>
            new Promise((resolve) => {
              child.once('exit', resolve)
              child.kill('SIGTERM')
            }),
        ),
      )
      await rm(realmFolder, { recursive: true, force: true })
    },
  }
}

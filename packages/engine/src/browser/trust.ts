import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { splitCertificates } from '@clearway/contract/kit/certificate.ts'

const runProgram = promisify(execFile)

/**
 * Creates a home folder in which Chromium on Linux finds additional certificate authorities: it reads them from a database of NSS,
 * which only `certutil` writes.
 * @param options.folder replaced
 * @returns variables for the browser process, or the reason in English
 */
export async function createTrustFolder(options: {
  caFile: string
  folder: string
}): Promise<{ env: Record<string, string> } | { problem: string }> {
  // Elsewhere, Chromium uses the trust store of the system.
  if (process.platform !== 'linux') return { env: {} }
  const databaseFolder = join(options.folder, '.pki/nssdb')
  await rm(options.folder, { recursive: true, force: true })
  await mkdir(databaseFolder, { recursive: true, mode: 0o700 })
  const runCertutil = (...args: readonly string[]) => runProgram('certutil', ['-d', `sql:${databaseFolder}`, ...args])
  try {
    await runCertutil('-N', '--empty-password')
    const certificates = splitCertificates(await readFile(options.caFile, 'utf8'))
    for (const [index, certificate] of certificates.entries()) {
      const certificateFile = join(options.folder, 'authority.pem')
      await writeFile(certificateFile, certificate)
      await runCertutil('-A', '-n', `authority ${index}`, '-t', 'C,,', '-i', certificateFile)
    }
    return { env: { HOME: options.folder } }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return {
      problem:
        code === 'ENOENT'
          ? 'the browser learns of CLEARWAY_CA_FILE by the program certutil, which is missing. Install it (on Debian: apt install libnss3-tools)'
          : `certutil cannot store CLEARWAY_CA_FILE: ${message.split('\n').slice(0, 2).join(' ')}`,
    }
  }
}

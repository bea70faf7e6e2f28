import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createBrotliDecompress } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { sqliteStub } from './sqlite-stub.ts'
import { readTar } from './tar.ts'

export type EmbeddedBrowser = { path: string; env: Record<string, string> }

/** The package's archive folder and version. Only its data is used, never its code. */
async function locatePackageData(): Promise<{ archives: string; version: string }> {
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return { archives: join(packageFolder, 'bin'), version }
}

/** Maps all generic font names to one bundled family: a bare machine has neither fonts nor font configuration. */
const buildFontConfig = (fontFolder: string, fontCacheFolder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${fontFolder}</dir>
  <cachedir>${fontCacheFolder}</cachedir>
  ${['sans-serif', 'serif', 'monospace', 'system-ui']
    .map((name) => `<alias><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`)
    .join('\n  ')}
</fontconfig>
`

/** Version of the files added next to the browser; invalidates folders of earlier versions. */
const contentVersion = 2

const pathExists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

async function unpackTar(archive: string, targetFolder: string): Promise<void> {
  const tarBytes = await buffer(createReadStream(archive).pipe(createBrotliDecompress()))
  for (const tarEntry of readTar(tarBytes)) {
    const targetPath = join(targetFolder, tarEntry.name)
    await mkdir(dirname(targetPath), { recursive: true })
    await writeFile(targetPath, tarEntry.content, { mode: 0o700 })
  }
}

const escapeXml = (path: string): string => path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * Unpacks the browser of the npm package into a folder that only this user can read, once per version, and returns how
 * to start it. The package's own code is not used because it trusts the shared temporary folder.
 * @throws if the platform has no package or the folder cannot be written.
 */
export async function unpackEmbedded(cacheFolder: string): Promise<EmbeddedBrowser> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`There is no browser package for ${process.platform}-${process.arch}`)
  const { archives, version } = await locatePackageData()
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
  const browserFolder = join(cacheFolder, `chromium-${version}-${contentVersion}`)
  if (!(await pathExists(join(browserFolder, 'complete')))) await unpackAtomically(archives, browserFolder)
  return {
    path: join(browserFolder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(browserFolder, 'lib'), FONTCONFIG_FILE: join(browserFolder, 'fonts.conf') },
  }
}

async function unpackAtomically(archives: string, targetFolder: string): Promise<void> {
  // Unpacked into a staging folder and renamed, so that concurrent or killed processes never leave a partial browser.
  const stagingFolder = await mkdtemp(`${targetFolder}.`)
  await pipeline(
    createReadStream(join(archives, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(stagingFolder, 'chromium')),
  )
  await chmod(join(stagingFolder, 'chromium'), 0o700)
  await unpackTar(join(archives, 'al2023.tar.br'), stagingFolder)
  await writeFile(join(stagingFolder, 'lib', 'libsqlite3.so.0'), sqliteStub(), { mode: 0o700 })
  await unpackTar(join(archives, 'swiftshader.tar.br'), stagingFolder)
  await unpackTar(join(archives, 'fonts.tar.br'), stagingFolder)
  await writeFile(
    join(stagingFolder, 'fonts.conf'),
    buildFontConfig(escapeXml(join(targetFolder, 'fonts')), escapeXml(join(targetFolder, 'font-cache'))),
  )
  await writeFile(join(stagingFolder, 'complete'), '')
  const wasRenamed = await rename(stagingFolder, targetFolder).then(
    () => true,
    () => false,
  )
  // Another process was faster. Its copy is equivalent and may be running already.
  if (!wasRenamed) await rm(stagingFolder, { recursive: true, force: true })
  if (!(await pathExists(join(targetFolder, 'complete')))) throw new Error(`The browser could not be put into ${targetFolder}`)
}

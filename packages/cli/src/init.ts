import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { defaultConfigFile } from './config-file.ts'
import { exitCodes } from './exit-code.ts'
import type { ImportedConfig } from './import-config.ts'
import { toLine } from './text-format.ts'

const schemaPath = './node_modules/clearway/schema/config.schema.json'

/** Asks for the URL of the site on a terminal; null without one. */
async function askForUrl(): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question('URL of the site: ')).trim() || null
  } finally {
    terminal.close()
  }
}

/** Writes a configuration file, never over an existing one. Returns the exit code. */
export async function writeConfig({ config, missing }: ImportedConfig): Promise<number> {
  const urls = config.urls ?? [await askForUrl()].filter((url) => url !== null)
  if (!Array.isArray(urls) || urls.length === 0) {
    process.stderr.write('Which URL? clearway init https://example.org, or --from a configuration of another tool.\n')
    return exitCodes.usage
  }
  try {
    writeFileSync(defaultConfigFile, `${JSON.stringify({ $schema: schemaPath, ...config, urls }, null, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    process.stderr.write(
      code === 'EEXIST' ? `${defaultConfigFile} exists already.\n` : `${defaultConfigFile} cannot be written: ${code}.\n`,
    )
    return exitCodes.usage
  }
  process.stdout.write(`Wrote ${defaultConfigFile}. Next: clearway scan\n`)
  for (const name of missing) process.stdout.write(`Not taken over: ${toLine(name)}\n`)
  return exitCodes.success
}

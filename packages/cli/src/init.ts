import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { defaultConfigFile, readsEnvironment } from './config-file.ts'
import { exitCodes } from './exit-code.ts'
import type { ImportedConfig } from './imported-config.ts'
import { toLine } from './text-format.ts'
import { describeFileProblem } from './wrong-argument.ts'

const settingsFile = 'clearway.settings.json'
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
export async function writeConfig({ config, settings, missing }: ImportedConfig): Promise<number> {
  const urls = config.urls ?? [await askForUrl()].filter((url) => url !== null)
  if (!Array.isArray(urls) || urls.length === 0) {
    process.stderr.write('Which URL? clearway init https://example.org, or --from a configuration of another tool.\n')
    return exitCodes.usage
  }
  const files = [
    ...(settings ? [{ name: settingsFile, content: settings }] : []),
    { name: defaultConfigFile, content: { $schema: schemaPath, ...config, urls, ...(settings && { settings: settingsFile }) } },
  ]
  const existingFile = files.find(({ name }) => existsSync(name))
  if (existingFile) {
    process.stderr.write(`${existingFile.name} exists already.\n`)
    return exitCodes.usage
  }
  for (const [index, { name, content }] of files.entries())
    try {
      writeFileSync(name, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' })
    } catch (error) {
      // Another attempt would find the first file and refuse to overwrite it.
      for (const written of files.slice(0, index)) rmSync(written.name, { force: true })
      process.stderr.write(`${name} cannot be written: ${describeFileProblem(error)}.\n`)
      return exitCodes.usage
    }
  process.stdout.write(
    `Wrote ${files.map(({ name }) => name).join(' and ')}. Next: clearway scan${readsEnvironment(settings) ? ` --config ${defaultConfigFile}` : ''}\n`,
  )
  for (const name of missing) process.stdout.write(`Not taken over: ${toLine(name)}\n`)
  return exitCodes.success
}

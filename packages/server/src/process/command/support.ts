import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listChosenSettings, listSecretTexts } from '../../config.ts'
import { readFolderKey } from '../../kit/seal.ts'
import { openMonitor } from '../database.ts'
import { buildSupportBundle } from '../support-bundle.ts'
import { exitWithHelp, exitWithMessage, readSettingsOrExit, useDatabase } from './command.ts'

const usageMessage = `Usage: clearway support [FILE] [--log FILE|-]

Writes what helps to find a fault into one JSON file (default: clearway-support.json): version, machine, settings, health,
migrations, figures, and with --log the end of a log. It contains no secrets, no pages and no names of people; a log may name pages,
without their queries. Read it before you pass it on.
  --log FILE   adds the last lines of this file; - reads the standard input:
               journalctl -u clearway -o cat -n 5000 | clearway support --log -`

const maxLogBytes = 1024 * 1024

/** Reads the last lines of a log, up to a maximum size. */
async function readLogEnd(logPath: string): Promise<string[]> {
  let logEnd = Buffer.alloc(0)
  for await (const chunk of logPath === '-' ? process.stdin : createReadStream(logPath))
    logEnd = Buffer.concat([logEnd, chunk as Buffer]).subarray(-maxLogBytes)
  const lines = logEnd.toString('utf8').split('\n')
  return (logEnd.length === maxLogBytes ? lines.slice(1) : lines).filter((line) => line !== '')
}

function parseSupportArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, log: { type: 'string' } },
    })
    if (values.help) exitWithHelp(usageMessage)
    if (positionals.length > 1) exitWithMessage(usageMessage)
    return { file: positionals[0] ?? 'clearway-support.json', log: values.log }
  } catch (error) {
    exitWithMessage(`${(error as Error).message}\n${usageMessage}`)
  }
}

async function main(): Promise<void> {
  const { file, log: logPath } = parseSupportArguments()
  const config = readSettingsOrExit()
  const callerFolder = process.env.INIT_CWD ?? ''
  const bundlePath = resolve(callerFolder, file)
  const log = logPath === undefined ? [] : await readLogEnd(logPath === '-' ? '-' : resolve(callerFolder, logPath))
  const folderKey = readFolderKey(config.CLEARWAY_DATA)?.toString('base64') ?? ''
  const facts = {
    config,
    settings: listChosenSettings(process.env),
    secretTexts: [...listSecretTexts(process.env), folderKey],
    log,
  }
  const bundle = await useDatabase(config, async (url) => {
    const db = openMonitor(config, url)
    try {
      return await buildSupportBundle({ ...facts, db, problem: null })
    } finally {
      await db.destroy()
    }
  }).catch((error: unknown) => buildSupportBundle({ ...facts, db: null, problem: (error as Error).message }))
  await writeFile(bundlePath, bundle, { mode: 0o600 }).catch((error: unknown) => exitWithMessage((error as Error).message))
  console.log(`Written to ${bundlePath}. Read it before you pass it on.`)
}

await main()

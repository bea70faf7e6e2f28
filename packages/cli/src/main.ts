import { writeFileSync } from 'node:fs'
import packageFile from '../package.json' with { type: 'json' }
import { helpText, parse } from './arguments.ts'
import { formatReport } from './format.ts'
import { runScan } from './scan.ts'
import { verdict } from './verdict.ts'

/** Exit codes: 0 fine, 1 threshold missed, 2 wrong use or nothing could be scanned, 130 broken off by Ctrl-C. */
async function main(): Promise<number> {
  const parsed = parse(process.argv.slice(2))
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(helpText)
      return 0
    case 'version':
      process.stdout.write(`${packageFile.version}\n`)
      return 0
    case 'wrong':
      process.stderr.write(`${parsed.message}\nclearway --help shows what there is.\n`)
      return 2
    case 'scan':
      break
    default:
      return parsed satisfies never
  }
  const stop = new AbortController()
  // A launcher may pass on what the terminal has sent already: the second time means no more than the first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  const progress = process.stderr.isTTY ? (line: string) => process.stderr.write(`\r\u001b[K${line}`) : null
  const result = await runScan(parsed.arguments, packageFile.version, stop.signal, progress)
  if (progress) process.stderr.write('\r\u001b[K')
  if (result.kind === 'nothing') {
    process.stderr.write(`${result.message}\n`)
    return 2
  }
  const text = formatReport[parsed.arguments.format](result.report)
  if (parsed.arguments.output === null) process.stdout.write(text)
  else {
    try {
      writeFileSync(parsed.arguments.output, text)
    } catch (error) {
      process.stderr.write(
        `The report cannot be written to ${parsed.arguments.output}: ${(error as NodeJS.ErrnoException).code}.\n`,
      )
      return 2
    }
  }
  if (result.warning) process.stderr.write(`${result.warning}\n`)
  const missed = verdict(result.report, parsed.arguments)
  for (const line of missed) process.stderr.write(`${line}\n`)
  if (stop.signal.aborted) return 130
  return missed.length > 0 ? 1 : 0
}

process.exitCode = await main()

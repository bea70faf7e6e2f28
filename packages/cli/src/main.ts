import { writeFileSync } from 'node:fs'
import packageFile from '../package.json' with { type: 'json' }
import { helpText, parseArguments } from './arguments.ts'
import { reportFormatters } from './format.ts'
import { countScoredPages } from './report.ts'
import { runScan } from './scan.ts'
import { findMissedThresholds } from './thresholds.ts'

/** Exit codes: 0 success, 1 threshold missed, 2 wrong usage or nothing could be scanned, 3 content not seen, 130 stopped by Ctrl-C. */
async function runCommand(): Promise<number> {
  const parsedArguments = parseArguments(process.argv.slice(2))
  switch (parsedArguments.kind) {
    case 'help':
      process.stdout.write(helpText)
      return 0
    case 'version':
      process.stdout.write(`${packageFile.version}\n`)
      return 0
    case 'wrong':
      process.stderr.write(`${parsedArguments.message}\nclearway --help shows what there is.\n`)
      return 2
    case 'scan':
      break
    default:
      return parsedArguments satisfies never
  }
  const stopController = new AbortController()
  // A launcher may forward a signal that the terminal has already sent: repeated signals have no further effect.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopController.abort())
  const writeProgress = process.stderr.isTTY ? (line: string) => process.stderr.write(`\r\u001b[K${line}`) : null
  const scanResult = await runScan(parsedArguments.arguments, packageFile.version, stopController.signal, writeProgress)
  if (writeProgress) process.stderr.write('\r\u001b[K')
  if (scanResult.kind === 'nothing') {
    process.stderr.write(`${scanResult.message}\n`)
    return 2
  }
  const reportText = reportFormatters[parsedArguments.arguments.format](scanResult.report)
  if (parsedArguments.arguments.output === null) process.stdout.write(reportText)
  else {
    try {
      writeFileSync(parsedArguments.arguments.output, reportText)
    } catch (error) {
      process.stderr.write(
        `The report cannot be written to ${parsedArguments.arguments.output}: ${(error as NodeJS.ErrnoException).code}.\n`,
      )
      return 2
    }
  }
  if (scanResult.warning) process.stderr.write(`${scanResult.warning}\n`)
  const missedThresholds = findMissedThresholds(scanResult.report, parsedArguments.arguments)
  for (const line of missedThresholds) process.stderr.write(`${line}\n`)
  if (stopController.signal.aborted) return 130
  const { walled: walledCount } = scanResult.report.totals
  if (walledCount > 0) {
    process.stderr.write(
      `The content of ${walledCount} of ${walledCount + countScoredPages(scanResult.report)} pages was not seen: see the notes of the report.\n`,
    )
    return 3
  }
  return missedThresholds.length > 0 ? 1 : 0
}

process.exitCode = await runCommand()

import packageFile from '../package.json' with { type: 'json' }
import { type GateArguments, parseArguments, type ScanArguments } from './arguments.ts'
import { BaselineError } from './baseline.ts'
import { holdGithubCommands } from './ci/github.ts'
import { publishGate } from './ci/publish.ts'
import { exitCodes } from './exit-code.ts'
import { writeConfig } from './init.ts'
import { pointToFolder, serveFolder } from './serve-folder.ts'
import { fetchServerBaseline } from './server-baseline.ts'
import { formatReport } from './format.ts'
import { type FormatContext, plainStyle } from './format-context.ts'
import { buildGateReport, compareScan, getGateExitCode, writeBaseline } from './gate.ts'
import { separateAxeChanges } from './gate-axe.ts'
import { formatGate, type GateResult } from './gate-format.ts'
import { helpText, type ReportFormat } from './options.ts'
import { type ReportOutput, writeReport } from './output.ts'
import { countScoredPages } from './report.ts'
import { loadRuleTexts } from './rule-text.ts'
import { collectPictures, findRemedy, runScan, type ScanResult } from './scan.ts'
import { selectStyle } from './terminal.ts'
import { maxUrlLength, toLine } from './text-format.ts'
import { findMissedThresholds } from './thresholds.ts'
import { uploadGate } from './upload.ts'
import { WrongArgument } from './wrong-argument.ts'

/** Commit and time of a release; `development` for other copies. */
const buildName = (packageFile as { build?: string }).build ?? 'development'

type ScanReport = Extract<ScanResult, { kind: 'report' }>

/** Says how many pages were proved signed in, for scans that sign in. */
function reportProof({ report }: ScanReport): void {
  const { proved: provedCount, unproved: unprovedCount } = report.totals
  if (provedCount + unprovedCount > 0)
    process.stderr.write(`Proved signed in: ${provedCount} of ${provedCount + unprovedCount} pages.\n`)
}

/** Says how many requests pages sent that may have changed something. */
function reportChangingRequests({ report }: ScanReport): void {
  const { changing } = report.requests
  if (changing.length === 0) return
  const sentCount = changing.reduce((sum, { count, held }) => sum + count - held, 0)
  const heldCount = changing.reduce((sum, { held }) => sum + held, 0)
  const addressCount = changing.length === 1 ? '1 address' : `${changing.length} addresses`
  process.stderr.write(
    `Requests of pages that may change something: ${sentCount} sent, ${heldCount} held, to ${addressCount}; the JSON report lists them.\n`,
  )
}

/** Names what was not checked. Returns 2 if it was named on the command line, 3 if its content was not seen, otherwise 0. */
function reportUnchecked(scanReport: ScanReport): number {
  const { report } = scanReport
  const { unchecked } = report
  for (const { target, reason, detail } of unchecked)
    process.stderr.write(`${toLine(`Not checked: ${target}: ${reason}${detail ? ` (${detail})` : ''}`, maxUrlLength)}\n`)
  const remedy = findRemedy(unchecked.map(({ reason }) => reason))
  if (remedy) process.stderr.write(`${remedy}\n`)
  const { walled: walledCount } = report.totals
  if (walledCount > 0)
    process.stderr.write(
      `The content of ${walledCount} of ${walledCount + countScoredPages(report)} pages was not seen: see the notes of the report.\n`,
    )
  reportProof(scanReport)
  reportChangingRequests(scanReport)
  const { unproved: unprovedCount } = report.totals
  return unchecked.length > 0 ? exitCodes.usage : walledCount + unprovedCount > 0 ? exitCodes.incomplete : exitCodes.success
}

/** Names missed thresholds, and pages that could not be held against them. Returns 1 or 3 for them, otherwise 0. */
function reportThresholds({ report }: ScanReport, thresholds: Parameters<typeof findMissedThresholds>[1]): number {
  const missedThresholds = findMissedThresholds(report, thresholds)
  for (const line of missedThresholds) process.stderr.write(`${line}\n`)
  const hasThreshold = thresholds.failOn !== null || thresholds.minScore !== null
  const { failed: failedCount } = report.totals
  if (hasThreshold && failedCount > 0)
    process.stderr.write(
      failedCount === 1
        ? '1 page failed, so the threshold does not hold for it.\n'
        : `${failedCount} pages failed, so the threshold does not hold for them.\n`,
    )
  if (missedThresholds.length > 0) return exitCodes.failed
  return hasThreshold && failedCount > 0 ? exitCodes.incomplete : exitCodes.success
}

/** Writes all outputs of a command. Returns false if one of them cannot be written. */
async function writeOutputs(
  outputs: readonly ReportOutput[],
  scanReport: ScanReport,
  format: (format: ReportFormat, context: FormatContext) => string,
): Promise<boolean> {
  const texts = await loadRuleTexts(process.env)
  const pictures = collectPictures(scanReport)
  const results = outputs.map((output) => {
    const style = output.file === null ? selectStyle(process.stdout, process.env) : plainStyle
    return writeReport(format(output.format, { texts, style, pictures }), output.file)
  })
  return results.every(Boolean)
}

type ScanCommand = Extract<ReturnType<typeof parseArguments>, { arguments: unknown }>

/**
 * Ends a scan with the first exit code that applies: stopped by Ctrl-C; something named was not checked; content not seen;
 * threshold missed; pages failed that a threshold counts.
 */
async function endScan({ arguments: scanArguments }: ScanCommand, scanReport: ScanReport, isStopped: boolean): Promise<number> {
  const isWritten = await writeOutputs(scanArguments.outputs, scanReport, (format, context) =>
    formatReport(format, scanReport.report, context),
  )
  if (!isWritten) return exitCodes.usage
  for (const remark of scanReport.remarks) process.stderr.write(`${remark}\n`)
  const uncheckedCode = reportUnchecked(scanReport)
  const thresholdCode = reportThresholds(scanReport, scanArguments)
  return isStopped ? exitCodes.stopped : uncheckedCode || thresholdCode
}

/** Writes a baseline of a scan that saw everything: a later gate would call the rest new. */
function endBaseline({ arguments: scanArguments }: ScanCommand, scanReport: ScanReport, isStopped: boolean): number {
  if (isStopped) return exitCodes.stopped
  if (reportUnchecked(scanReport) > 0) {
    process.stderr.write('The baseline was not written, because it would not be complete.\n')
    return exitCodes.incomplete
  }
  const { failed: failedCount } = scanReport.report.totals
  if (failedCount > 0) process.stderr.write(`${failedCount} of the pages failed; the baseline has none of their issues.\n`)
  return writeReport(writeBaseline(scanArguments, scanReport), scanArguments.outputs[0]!.file)
    ? exitCodes.success
    : exitCodes.usage
}

/** Shows a result in a build system, and says what could not be shown. */
async function reportPublished({ system, name }: NonNullable<GateArguments['publishTo']>, gateResult: GateResult): Promise<void> {
  const context = { texts: await loadRuleTexts(process.env), style: plainStyle, pictures: new Map() }
  const markdown = formatGate('markdown', gateResult, context)
  const problem = await publishGate(system, { gateReport: gateResult.gateReport, markdown, name }, process.env)
  if (problem !== null) process.stderr.write(`${toLine(problem, maxUrlLength)}\n`)
}

async function endGate(
  { arguments: scanArguments, gate }: Extract<ScanCommand, { kind: 'gate' }>,
  scanReport: ScanReport,
  scanAgain: (scanArguments: ScanArguments) => Promise<ScanResult>,
  isStopped: () => boolean,
): Promise<number> {
  const comparison = await separateAxeChanges(
    scanArguments,
    gate,
    compareScan(scanArguments, scanReport, gate.baseline),
    scanAgain,
  )
  const gateReport = buildGateReport(scanArguments, scanReport, comparison)
  const gateResult = { scanArguments, scanned: scanReport, comparison, gateReport }
  const releaseCommands = gate.publishTo?.system === 'github' ? holdGithubCommands(scanArguments.outputs) : null
  const isWritten = await writeOutputs(scanArguments.outputs, scanReport, (format, context) =>
    formatGate(format, gateResult, context),
  )
  releaseCommands?.()
  if (!isWritten) return exitCodes.usage
  for (const remark of [...scanReport.remarks, ...(comparison.remark ? [comparison.remark] : [])])
    process.stderr.write(`${remark}\n`)
  reportProof(scanReport)
  if (gate.publishTo) await reportPublished(gate.publishTo, gateResult)
  if (isStopped()) return exitCodes.stopped
  const exitCode = getGateExitCode(gateReport, scanReport.report, gate.failsIfIncomplete)
  if (!gate.uploadTo) return exitCode
  const { isStored, message } = await uploadGate(gate.uploadTo, gateReport, exitCode)
  process.stderr.write(`${toLine(message, maxUrlLength)}\n`)
  return isStored || exitCode === exitCodes.failed ? exitCode : exitCodes.unusable
}

/** Runs a scan and ends it as its command does. */
async function runScanCommand(command: ScanCommand): Promise<number> {
  const stopController = new AbortController()
  // A launcher may forward a signal that the terminal has already sent: repeated signals have no further effect.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopController.abort())
  const writeProgress = process.stderr.isTTY ? (line: string) => process.stderr.write(`\r\u001b[K${line}`) : null
  const baseline = command.kind === 'gate' ? command.gate.baseline : null
  const scanAgain = (scanArguments: ScanArguments) =>
    runScan(scanArguments, packageFile.version, stopController.signal, writeProgress, baseline)
  const scanResult = await scanAgain(command.arguments)
  if (writeProgress) process.stderr.write('\r\u001b[K')
  if (scanResult.kind === 'nothing') {
    if (stopController.signal.aborted) return exitCodes.stopped
    process.stderr.write(`${scanResult.message}\n`)
    return command.kind === 'scan' ? exitCodes.usage : exitCodes.incomplete
  }
  const isStopped = () => stopController.signal.aborted
  if (command.kind === 'gate') return endGate(command, scanResult, scanAgain, isStopped)
  return (command.kind === 'scan' ? endScan : endBaseline)(command, scanResult, isStopped())
}

/** Runs a scan of a folder, which is served for it. */
async function runServedScan(command: ScanCommand, servedFolder: string): Promise<number> {
  const folderServer = await serveFolder(servedFolder)
  try {
    return await runScanCommand({ ...command, arguments: pointToFolder(command.arguments, folderServer.origin) })
  } catch (error) {
    if (!(error instanceof WrongArgument)) throw error
    process.stderr.write(`${error.message}\n`)
    return exitCodes.usage
  } finally {
    folderServer.close()
  }
}

/** Runs a gate whose baseline is on a server. */
async function runServerGate({
  source,
  resolve,
}: Extract<ReturnType<typeof parseArguments>, { kind: 'server-gate' }>): Promise<number> {
  try {
    return await runCommand(resolve(await fetchServerBaseline(source)))
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error
    process.stderr.write(`${toLine(error.message, maxUrlLength)}\n`)
    return exitCodes.unusable
  }
}

async function runCommand(parsedArguments: ReturnType<typeof parseArguments>): Promise<number> {
  switch (parsedArguments.kind) {
    case 'help':
      process.stdout.write(helpText)
      return exitCodes.success
    case 'version':
      process.stdout.write(`${packageFile.version} (build ${buildName})\n`)
      return exitCodes.success
    case 'wrong':
      process.stderr.write(`${parsedArguments.message}\nclearway --help shows what there is.\n`)
      return exitCodes.usage
    case 'unusable':
      process.stderr.write(`${parsedArguments.message}\n`)
      return exitCodes.unusable
    case 'scan':
    case 'baseline':
    case 'gate': {
      const { servedFolder } = parsedArguments.arguments
      return servedFolder === undefined ? runScanCommand(parsedArguments) : runServedScan(parsedArguments, servedFolder)
    }
    case 'init':
      return writeConfig(parsedArguments.imported)
    case 'server-gate':
      return runServerGate(parsedArguments)
    default:
      return parsedArguments satisfies never
  }
}

process.exitCode = await runCommand(parseArguments(process.argv.slice(2)))

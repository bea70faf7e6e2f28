import { readConfig } from './config.ts'
import { writeLogLine } from './kit/log.ts'
import { lockDataFolder, buildLockedMessage } from './kit/data-lock.ts'
import { applyNetworkSettings } from './process/network.ts'
import { exitOnUnexpectedError, describeStartFault, wrongUseExitCode } from './process/start-fault.ts'
import { getGiveUpExitCode, groupRolesByKind, supervise, type RunningProcesses } from './process/supervisor.ts'

/** Prints one line for the operator, and exits with the code for wrong usage. */
function exitWithMessage(message: string): never {
  console.error(message)
  process.exit(wrongUseExitCode)
}

async function lockFolder(dataFolder: string, onLost: () => void) {
  const dataLock = await lockDataFolder(dataFolder, {
    onWait: (seconds) =>
      writeLogLine('warn', `${dataFolder} was left by a Clearway elsewhere, or one runs on it: listening for ${seconds} s.`),
    onLost: () => {
      writeLogLine('error', `Another Clearway has taken ${dataFolder}, because this one was suspended for too long. Stopping.`)
      onLost()
    },
  })
  return dataLock.taken ? dataLock : exitWithMessage(buildLockedMessage(dataFolder, dataLock))
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if ('problem' in config) exitWithMessage(config.problem)
  try {
    applyNetworkSettings(config)
    const dataLock = await lockFolder(config.CLEARWAY_DATA, () => stopAndExit(1, 'another Clearway took the data folder'))
    let servingPromise: Promise<RunningProcesses> | null = null
    let isStopping = false
    const stopController = new AbortController()
    const stopAndExit = (exitCode: number, reason: string) => {
      if (isStopping) return
      isStopping = true
      stopController.abort()
      // During a start, everything started so far must be stopped as well.
      const stopPromise = servingPromise?.then(({ stop }) => stop(reason)).catch(() => undefined) ?? Promise.resolve()
      void stopPromise.then(dataLock.release).then(
        () => process.exit(exitCode),
        () => process.exit(1),
      )
    }
    for (const stopSignal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(stopSignal, () => stopAndExit(0, stopSignal))
    // `npm start | head`: output without a reader must not leave the database running.
    for (const outputStream of [process.stdout, process.stderr])
      outputStream.on('error', () => stopAndExit(0, 'its output has no reader'))
    exitOnUnexpectedError()
    try {
      // Roles of one kind run in this process; otherwise it supervises child processes without running roles itself.
      servingPromise =
        groupRolesByKind(config.CLEARWAY_ROLES).length > 1
          ? supervise(config, stopController.signal)
          : import('./process/serve.ts').then(({ serve }) => serve(config))
      console.log((await servingPromise).announcement)
    } catch (error) {
      // An intentional stop exits by itself.
      if (isStopping) return
      await dataLock.release()
      throw error
    }
  } catch (error) {
    const giveUpCode = getGiveUpExitCode(error)
    if (giveUpCode !== null) process.exit(giveUpCode)
    const faultMessage = describeStartFault(error, config)
    if (faultMessage !== null) exitWithMessage(faultMessage)
    throw error
  }
}

await main()

/** Stop functions, last started first. All of them run, even after an error. */
export function createStopList() {
  const stopFunctions: (() => Promise<void> | void)[] = []
  return {
    add: (stop: () => Promise<void> | void) => void stopFunctions.unshift(stop),
    run: async () => {
      for (const stop of stopFunctions.splice(0)) await Promise.resolve(stop()).catch(() => undefined)
    },
  }
}

export type StopList = ReturnType<typeof createStopList>

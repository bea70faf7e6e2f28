import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** What the server answers to everybody. */
const probed = '/config'
const probeMs = 3_000

/** Whether the server answers at all, whatever it says. */
export const isReachable = (): Promise<boolean> =>
  navigator.onLine
    ? fetch(probed, { cache: 'no-store' }).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false)

let checking = false

/**
 * Looks whether the server can be reached, after a request that got no answer. While it cannot, queries wait, and it is
 * looked again every three seconds: what was asked for comes by itself once there is an answer.
 */
export async function checkConnection(): Promise<void> {
  if (checking) return
  checking = true
  while (!(await isReachable())) {
    onlineManager.setOnline(false)
    await new Promise((resolve) => setTimeout(resolve, probeMs))
  }
  checking = false
  onlineManager.setOnline(true)
}

/** The browser's word starts a look; whether there is a connection, only an answer shows. */
onlineManager.setEventListener((setOnline) => {
  const onOffline = () => {
    setOnline(false)
    void checkConnection()
  }
  const onOnline = () => void checkConnection()
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', onOnline)
  return () => {
    window.removeEventListener('offline', onOffline)
    window.removeEventListener('online', onOnline)
  }
})

/** Whether there is a connection to the server, as far as is known. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
/** Calls back once there is a connection again. */
export const onceOnline = (act: () => void): (() => void) =>
  onlineManager.subscribe((online) => {
    if (online) act()
  })

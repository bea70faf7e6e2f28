import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Public endpoint that needs no sign-in. */
const probeUrl = '/config'
const probeIntervalMs = 3_000

/** Returns true if the server responds with any status. */
export const isServerReachable = (): Promise<boolean> =>
  navigator.onLine
    ? fetch(probeUrl, { cache: 'no-store' }).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false)

let isCheckRunning = false

/** Probes the server every three seconds after a request without response. Pauses queries until the server responds. */
export async function checkConnection(): Promise<void> {
  if (isCheckRunning) return
  isCheckRunning = true
  while (!(await isServerReachable())) {
    onlineManager.setOnline(false)
    await new Promise((resolve) => setTimeout(resolve, probeIntervalMs))
  }
  isCheckRunning = false
  onlineManager.setOnline(true)
}

/** Browser events only trigger a probe. Only a server response proves that the connection works. */
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

/** Returns false while the server is known to be unreachable. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
/** Calls back when the connection is restored. Returns an unsubscribe function. */
export const onReconnect = (onOnline: () => void): (() => void) =>
  onlineManager.subscribe((isOnline) => {
    if (isOnline) onOnline()
  })

import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { ToastProvider } from '../../kit/dialog/toast.tsx'
import { useIsUserActive } from '../../kit/client/use-user-activity.ts'
import { type Session, SessionContext } from '../../monitor/user/model.ts'
import { SessionExpiry } from './expiry.tsx'

/** A session of the given length whose calls renew it, as those of the provider do. */
async function showSession(lengthMs: number) {
  let end = Date.now() + lengthMs
  const logout = vi.fn<() => void>()
  const auth = {
    getSessionEnd: () => end,
    extendSession: () => {
      end = Date.now() + 300_000
      return Promise.resolve({ kind: 'extended' as const, minutes: 5 })
    },
  }
  await renderInPage(
    <SessionContext value={{ logout } as unknown as Session}>
      <ToastProvider>
        <SessionExpiry auth={auth} />
        <PollingScreen />
      </ToastProvider>
    </SessionContext>,
  )
  return { logout, dialog: page.getByRole('alertdialog', { name: 'Your session ends soon' }) }
}

function PollingScreen() {
  return <output>{useIsUserActive() ? 'polling' : 'quiet'}</output>
}

/** Events that are no acts of a user, and pointer moves over an unanswered question. */
function disturb() {
  window.dispatchEvent(new FocusEvent('focus'))
  document.dispatchEvent(new FocusEvent('focus', { bubbles: true }))
  for (const screenX of [1, 2, 3]) window.dispatchEvent(new PointerEvent('pointermove', { screenX, screenY: screenX }))
}

it('the alert stays until the end of a session that is left alone, and then logs out', async () => {
  const { logout, dialog } = await showSession(5000)
  await expect.element(dialog).toBeVisible()
  await expect.element(page.getByText('quiet')).toBeVisible()
  const disturbance = setInterval(disturb, 100)
  await expect.poll(() => logout.mock.calls.length, { timeout: 8000, interval: 100 }).toBeGreaterThan(0)
  clearInterval(disturbance)
  expect(document.querySelector('output')?.textContent).toBe('quiet')
})

it('an answer extends the session, and the screen goes on', async () => {
  const { logout, dialog } = await showSession(20_000)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('polling')).toBeVisible()
  expect(logout).not.toHaveBeenCalled()
})

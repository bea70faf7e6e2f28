import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderPart } from '../../../../test/show.tsx'
import { ToastProvider, ToastRegion } from '../../../kit/dialog/toast.tsx'
import type { MonitorApi } from '../../user/model.ts'
import { OpenTrap } from './allow.tsx'

const trap = { id: 'p', scanId: 's', url: 'https://example.org/calendar/2026/11?view=day' } as unknown as PageDetail

function createApi(rights: { manage: boolean }) {
  const stored = { version: 1, lines: ['https://example.org/old/*'] }
  const api = {
    readScan: () => Promise.resolve({ id: 's', rights }),
    readScanSettings: () =>
      Promise.resolve({ settings: { name: 'Town', advanced: { trapUrlsToOpen: stored.lines } }, version: stored.version }),
    updateScan: ({ body }: { body: { settings: { advanced: { trapUrlsToOpen: string[] } }; version: number } }) => {
      if (body.version !== stored.version) return Promise.reject(new Error('stale'))
      stored.lines = body.settings.advanced.trapUrlsToOpen
      stored.version++
      return Promise.resolve({})
    },
  } as unknown as MonitorApi
  return { api, stored }
}

const renderTrap = (api: MonitorApi, width?: number) =>
  renderPart(
    () => (
      <ToastProvider>
        <ToastRegion />
        <OpenTrap page={trap} />
      </ToastProvider>
    ),
    api,
    width,
  )

it.each([1280, 320])('opens a form of URLs that was left out as endless, by keyboard and with undo: %d px', async (width) => {
  const { api, stored } = createApi({ manage: true })
  await renderTrap(api, width)
  const goOn = page.getByRole('button', { name: 'Go on from the next run' })
  await expect.element(goOn).toBeVisible()
  ;(goOn.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => stored.lines.length).toBe(2)
  // The pattern that is shown is the one that is saved.
  await expect.element(page.getByText(stored.lines[1]!, { exact: false })).toBeVisible()
  expect(stored.lines[0]).toBe('https://example.org/old/*')
  await expect.element(goOn).toBeDisabled()
  await expectAccessible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stored.lines).toEqual(['https://example.org/old/*'])
  await expect.element(goOn).toBeEnabled()
})

it('is not offered without the right to manage the scan', async () => {
  const { api } = createApi({ manage: false })
  await renderTrap(api)
  await expect.element(page.getByRole('heading', { name: 'Page' })).toBeVisible()
  await expect.poll(() => document.querySelectorAll('main button').length).toBe(0)
})

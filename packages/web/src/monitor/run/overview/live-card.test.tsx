import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { useEffect, useState } from 'react'
import { renderInPage } from '../../../../test/show.tsx'
import type { RunOverviewData } from '../queries.ts'
import { LiveCard } from './live-card.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const buildRun = (completed: number) =>
  ({
    number: 2,
    status: 'running',
    startedAt: null,
    pages: { completed, failed: 0, excluded: 0, notReached: 60 - completed },
    openIssues: { critical: 0, serious: 21, moderate: 0, minor: 0 },
  }) as unknown as RunOverviewData

it('announces the counts of a run for a moment, so that they never contradict the numbers', async () => {
  let setRun!: (run: RunOverviewData) => void
  function Overview() {
    const [run, setCurrentRun] = useState(buildRun(0))
    useEffect(() => {
      setRun = setCurrentRun
    }, [])
    return <LiveCard run={run} isEarly={false} paused={false} onPause={() => undefined} />
  }
  await renderInPage(<Overview />)
  const readAnnouncement = () => page.getByRole('status').element().textContent
  await expect.poll(readAnnouncement).toMatch(/^Run 2: 0 pages of about \d+ tested, 21 open issues$/)
  vi.advanceTimersByTime(5000)
  await expect.poll(readAnnouncement).toBe('')
  // The first pages do not wait for the next time.
  setRun(buildRun(3))
  await expect.poll(readAnnouncement).toMatch(/^Run 2: 3 pages of about/)
  vi.advanceTimersByTime(5000)
  setRun(buildRun(50))
  await expect.poll(readAnnouncement).toBe('')
  vi.advanceTimersByTime(20_000)
  await expect.poll(readAnnouncement).toMatch(/^Run 2: 50 pages of about/)
})

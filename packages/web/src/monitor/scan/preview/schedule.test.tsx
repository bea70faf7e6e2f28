import { FormProvider, useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import type { MonitorApi } from '../../user/model.ts'
import { renderPart } from '../../../../test/show.tsx'
import { SchedulePreview } from './schedule.tsx'

const times = ['2099-01-05T08:00:00.000Z', '2099-01-12T08:00:00.000Z']
const weekly = {
  frequency: 'weekly',
  startDate: '2099-01-05',
  startTime: '03:00',
  timeZone: 'America/New_York',
  interval: 1,
  weekdays: ['monday'],
  end: { kind: 'never' },
  timeoutMs: null,
}

function Preview() {
  const form = useForm({ defaultValues: { schedule: weekly } })
  return (
    <FormProvider {...form}>
      <SchedulePreview />
    </FormProvider>
  )
}

it.each([
  ['none within three days', [], times, [], 2],
  ['one within three days', times.slice(0, 1), times, ['Runs in the next three days: 1'], 2],
  ['none at all', [], [], ['This schedule starts no more runs.'], 0],
])('shows the starts of a schedule: %s', async (_, next3Days, next, sentences, startCount) => {
  const api = { previewSchedule: async () => ({ next3Days, next }) } as unknown as MonitorApi
  await renderPart(() => <Preview />, api)
  await expect.poll(() => document.querySelector('[role=status]')?.textContent ?? '').not.toBe('')
  const status = document.querySelector('[role=status]')!
  expect([...status.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(sentences)
  expect(status.querySelectorAll('li')).toHaveLength(startCount)
})

import { expect, it } from 'vitest'
import { listTimeZones } from './time-zone.ts'

const summer = new Date('2026-07-01T12:00:00.000Z')
const findLabel = (value: string, day = summer) => listTimeZones('', day).find((zone) => zone.value === value)?.label

it('names zones by their current names, with the difference to UTC on a day', () => {
  expect(findLabel('Asia/Kolkata')).toBe('Asia/Kolkata (UTC+5:30)')
  expect(findLabel('Europe/Berlin')).toBe('Europe/Berlin (UTC+2)')
  expect(findLabel('Europe/Berlin', new Date('2026-01-01T12:00:00.000Z'))).toBe('Europe/Berlin (UTC+1)')
  expect(findLabel('America/New_York')).toBe('America/New York (UTC-4)')
  expect(findLabel('UTC')).toBe('UTC')
  for (const earlierName of ['Asia/Calcutta', 'Europe/Kiev', 'Asia/Saigon', 'Asia/Rangoon'])
    expect(findLabel(earlierName)).toBeUndefined()
})

it('keeps a stored zone under its own name', () => {
  const zones = listTimeZones('Asia/Calcutta', summer)
  expect(zones.filter(({ value }) => value === 'Asia/Calcutta')).toEqual([
    { value: 'Asia/Calcutta', label: 'Asia/Calcutta (UTC+5:30)' },
  ])
  expect(new Set(zones.map(({ value }) => value)).size).toBe(zones.length)
})

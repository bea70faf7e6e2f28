import { expect, it } from 'vitest'
import { listTimeZones } from './time-zone.ts'

const summer = new Date('2026-07-01T12:00:00.000Z')
const findZone = (id: string, { day = summer, locale = 'en' } = {}) =>
  listTimeZones('', day, locale).find((zone) => zone.id === id)

it('names zones by their current names, with the difference to UTC on a day, and in the language of the user', () => {
  expect(findZone('Asia/Kolkata')).toEqual({
    id: 'Asia/Kolkata',
    name: 'Asia/Kolkata',
    details: ['UTC+5:30', 'India Standard Time'],
    searchWords: 'Asia/Kolkata GMT+5:30',
  })
  expect(findZone('Europe/Berlin')?.details).toEqual(['UTC+2', 'Central European Time'])
  expect(findZone('Europe/Berlin', { day: new Date('2026-01-01T12:00:00.000Z'), locale: 'de' })?.details).toEqual([
    'UTC+1',
    'Mitteleuropäische Zeit',
  ])
  expect(findZone('America/New_York')).toMatchObject({ name: 'America/New York', details: ['UTC-4', 'Eastern Time'] })
  expect(findZone('UTC')).toMatchObject({ id: 'UTC', name: 'UTC', details: [] })
  for (const earlierName of ['Asia/Calcutta', 'Europe/Kiev', 'Asia/Saigon', 'Asia/Rangoon'])
    expect(findZone(earlierName)).toBeUndefined()
})

it('keeps a stored zone under its own name, also one that the browser does not know', () => {
  const zones = listTimeZones('Asia/Calcutta', summer, 'en')
  expect(zones.filter(({ id }) => id === 'Asia/Calcutta')).toMatchObject([
    { name: 'Asia/Calcutta', details: ['UTC+5:30', 'India Standard Time'] },
  ])
  expect(new Set(zones.map(({ id }) => id)).size).toBe(zones.length)
  const unknownZone = listTimeZones('Nowhere/Land', summer, 'en').find(({ id }) => id === 'Nowhere/Land')
  expect(unknownZone).toMatchObject({ name: 'Nowhere/Land', details: [] })
})

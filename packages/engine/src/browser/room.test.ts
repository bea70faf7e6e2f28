import { expect, it } from 'vitest'
import { openRoom } from './room.ts'

const gigabyte = 1e9

/** Opens a room on processors that are idle for a share of each second. */
function openTestRoom(memoryLimit: number) {
  const times = { idleMs: 0, totalMs: 0 }
  const room = openRoom(memoryLimit, () => ({ ...times }))
  return (usedBytes: number, idleShare: number) => {
    times.idleMs += 2000 * idleShare
    times.totalMs += 2000
    room.update(usedBytes)
    return room.hasRoom()
  }
}

it('is there while the browsers use little memory and the processors are partly idle', () => {
  const hasRoomAt = openTestRoom(16 * gigabyte)
  expect(hasRoomAt(0.5 * gigabyte, 0.2)).toBe(true)
  expect(hasRoomAt(0.7 * gigabyte, 0.2)).toBe(false)
  expect(hasRoomAt(0.5 * gigabyte, 0.05)).toBe(false)
  expect(hasRoomAt(0.5 * gigabyte, 0.5)).toBe(true)
})

it('follows the limit of the container', () => {
  const hasRoomAt = openTestRoom(gigabyte)
  expect(hasRoomAt(0.3 * gigabyte, 0.9)).toBe(true)
  expect(hasRoomAt(0.5 * gigabyte, 0.9)).toBe(false)
})

it('is not there before the first measurement, and stays as it was while no time passes', () => {
  const room = openRoom(16 * gigabyte, () => ({ idleMs: 0, totalMs: 0 }))
  expect(room.hasRoom()).toBe(false)
  room.update(0)
  expect(room.hasRoom()).toBe(false)
})

it('is not next to a browser whose memory is unknown', () => {
  expect(openTestRoom(16 * gigabyte)(Infinity, 0.9)).toBe(false)
})

import { expect, it } from 'vitest'
import { openBannerLog } from './banner-log.ts'

it('expects a button to stay after two clicks in vain, until one has an effect', () => {
  const log = openBannerLog()
  const refuse = 'klaro refuse'
  const judgments = [false, false, true].map((hasEffect) => {
    log.noteClick(refuse, hasEffect)
    return log.isStubborn(refuse)
  })
  expect(judgments).toEqual([false, true, false])
  expect(log.isStubborn('klaro accept')).toBe(false)
})

it('keeps a limited number of buttons', () => {
  const log = openBannerLog()
  for (let index = 0; index < 2000; index++) for (let click = 0; click < 2; click++) log.noteClick(`button ${index}`, false)
  expect([log.isStubborn('button 0'), log.isStubborn('button 1999')]).toEqual([true, false])
})

import { expect, it } from 'vitest'
import { buildBucketText } from '../../../../test/bucket.ts'
import { computeWeights } from './model.ts'

const build = (section: string, shape: string): string => buildBucketText({ language: 'en', section, shape })
const news = build('a.test news', '/news/*?')
const help = build('a.test help', '/help/*?')

it('lets each visited URL stand for those of its form', () => {
  const weights = computeWeights(['', news, news, news, help], new Map([[news, 30]]))
  expect(weights).toEqual([1, 11, 11, 11, 1])
})

it('lets all visited URLs of a section, or of the site, stand for a form without visits', () => {
  const inSection = computeWeights([news, news, news, help], new Map([[build('a.test news', '/news/*/print?'), 6]]))
  expect(inSection).toEqual([3, 3, 3, 1])
  const elsewhere = computeWeights(['', news, news, help], new Map([['', 4]]))
  expect(elsewhere).toEqual([2, 2, 2, 2])
})
